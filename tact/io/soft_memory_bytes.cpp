// io/soft_memory_bytes.cpp - one list of parts for writing and for reading.
#include "tact/io/soft_memory_bytes.hpp"

namespace tact {
namespace {

template <class Matrix, class Part>
void entries(Matrix& m, Part&& part) {
  for (Index i = 0; i < m.size(); ++i) part(m.data()[i]);
}

template <class Point, class Part>
void point_parts(Point& at, Part&& part) {
  entries(at.p, part);
  entries(at.n, part);
  entries(at.dn, part);
  entries(at.uv, part);
}

template <class X, class Part>
void pose_parts(X& pose, Part&& part) {
  entries(pose.R, part);
  entries(pose.p, part);
}

/// The numbers of a contact; `part(x)` writes or reads one.
template <class State, class Part>
void contact_parts(State& state, Part&& part) {
  point_parts(state.facing.one, part);
  point_parts(state.facing.two, part);
  part(state.facing.gap);
  pose_parts(state.X_12, part);
  part(state.normal_energy);
  entries(state.touch_down, part);
  for (auto& cell : state.cells) {
    entries(cell.shear, part);
    part(cell.torsion);
  }
}

template <class Spring, class Part>
void spring_parts(Spring& spring, Part&& part) {
  part(spring.energy);
  pose_parts(spring.X_WA, part);
  pose_parts(spring.X_WB, part);
}

}  // namespace

void write_soft_memory(const SoftScene& scene, const SoftMemory& memory, ByteWriter& out) {
  const auto part = [&](double x) { out.f64(x); };
  out.count(scene.pairs.size());
  for (const SoftGeoms& pair : scene.pairs) out.u8(pair.soft ? 1 : 0);
  out.count(memory.touches.size());
  for (const SoftTouch& touch : memory.touches) {
    out.u32(static_cast<std::uint32_t>(touch.pair));
    out.u8(touch.state.touches ? 1 : 0);
    for (const SoftCell& cell : touch.state.cells) out.u8(cell.slips ? 1 : 0);
    contact_parts(touch.state, part);
  }
  out.count(memory.springs.size());
  for (const SoftMemory::Spring& spring : memory.springs) spring_parts(spring, part);
  out.count(memory.past.size());
  for (const VecX& velocity : memory.past) {
    out.count(static_cast<std::size_t>(velocity.size()));
    entries(velocity, part);
  }
  out.f64(memory.past_dt);
}

bool read_soft_memory(ByteReader& in, SoftScene& scene, SoftMemory& memory) {
  const auto part = [&](double& x) { x = in.f64(); };
  if (in.count(1) != scene.pairs.size()) return false;
  for (SoftGeoms& pair : scene.pairs) pair.soft = in.u8() != 0;
  memory.touches.resize(in.count(5));
  for (SoftTouch& touch : memory.touches) {
    touch.pair = in.u32();
    if (touch.pair >= static_cast<Index>(scene.pairs.size())) return false;
    touch.state.touches = in.u8() != 0;
    touch.state.cells.resize(static_cast<std::size_t>(scene.pairs[touch.pair].model.cells.count));
    for (SoftCell& cell : touch.state.cells) cell.slips = in.u8() != 0;
    contact_parts(touch.state, part);
  }
  if (in.count(8) != scene.springs.size()) return false;
  memory.springs.resize(scene.springs.size());
  for (SoftMemory::Spring& spring : memory.springs) spring_parts(spring, part);
  memory.past.resize(in.count(8));
  for (VecX& velocity : memory.past) {
    velocity.resize(static_cast<Index>(in.count(8)));
    entries(velocity, part);
    if (velocity.size() != memory.past.front().size()) return false;
  }
  memory.past_dt = in.f64();
  return in.good();
}

}  // namespace tact
