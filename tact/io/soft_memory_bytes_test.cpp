// io/soft_memory_bytes_test.cpp - compliant contacts go on from a checkpoint bit for bit.
#include "tact/io/soft_memory_bytes.hpp"

#include <gtest/gtest.h>

#include "tact/io/checkpoint.hpp"
#include "tact/io/scene_simulation.hpp"

namespace tact {
namespace {

Simulation bouncing() {
  const auto read = read_mjcf_text(R"(<mujoco><worldbody>
      <geom name="floor" type="plane" size="1 1 1"/>
      <body name="b" pos="0 0 0.1"><freejoint/><geom name="ball" type="sphere" size="0.1"/></body>
      <body name="a" mocap="true"/>
    </worldbody></mujoco>)",
                                   "s.xml", no_files());
  EXPECT_TRUE(read) << (read ? "" : read.error().message);
  Scene scene = *read;
  const auto car = read_side_car(R"({"format": "tact-scene/1",
      "compliance": [{"geoms": ["ball", "floor"], "materials": [{"young_Pa": 1e6}, "hard"],
                      "friction": 0.3, "cells": 3}],
      "springs": [{"between": ["b", "a"], "stiffness_N_per_m": 10}]})",
                                 "s.tact.json", scene.model);
  EXPECT_TRUE(car) << (car ? "" : car.error().message);
  scene.side_car = *car;
  SimOptions options;
  options.dt = 1e-3;
  auto made = scene_simulation(scene, "s.xml", "none", options);
  EXPECT_TRUE(made) << (made ? "" : made.error().message);
  Simulation sim = *std::move(made);
  sim.state.qvel << 1, 0, -1, 0, 5, 3;
  return sim;
}

void run(Simulation& sim, int steps) {
  StepReport report;
  for (int k = 0; k < steps; ++k) ASSERT_TRUE(step(sim, report));
}

TEST(SoftMemoryBytes, ARunGoesOnBitForBit) {
  Simulation whole = bouncing(), half = bouncing();
  run(half, 20);
  ASSERT_FALSE(half.soft_memory.touches.empty());
  EXPECT_GT(stored_energy(half.soft_memory.touches[0].state), 0);
  const std::string bytes = checkpoint_bytes(half);
  Simulation rest = bouncing();
  const auto wrong = restore_checkpoint(bytes, "c", rest);
  ASSERT_FALSE(wrong) << wrong->message;
  run(whole, 60);
  run(rest, 40);
  EXPECT_EQ(state_hash(whole.state), state_hash(rest.state));
  EXPECT_EQ(whole.ledger.of(Account::elastic), rest.ledger.of(Account::elastic));
}

TEST(SoftMemoryBytes, BytesOfAnotherSceneAreRefused) {
  const Simulation sim = bouncing();
  ByteWriter out;
  write_soft_memory(sim.soft, sim.soft_memory, out);
  SoftScene none;
  SoftMemory memory;
  ByteReader in(out.bytes);
  EXPECT_FALSE(read_soft_memory(in, none, memory));
  SoftScene same = sim.soft;
  ByteReader cut(std::string_view(out.bytes).substr(0, out.bytes.size() / 2));
  EXPECT_FALSE(read_soft_memory(cut, same, memory));
}

}  // namespace
}  // namespace tact
