// support/mjcf_text.hpp - scenes from text and from files that exist only in the test.
#pragma once

#include <map>
#include <string>

#include <gtest/gtest.h>

#include "tact/io/scene_file.hpp"

namespace tact::testing {

inline FileReader memory(const std::map<std::string, std::string>& files) {
  return {[=](const std::string& path) { return files.contains(path); },
          [=](const std::string& path) -> Result<std::string> { return files.at(path); }};
}

/// What stands inside of <mujoco>.
inline Scene mjcf_scene(const std::string& inside,
                        const std::map<std::string, std::string>& files = {}) {
  auto read = read_mjcf_text("<mujoco>" + inside + "</mujoco>", "s.xml", memory(files));
  EXPECT_TRUE(read) << read.error().message;
  return read ? *std::move(read) : Scene{};
}

}  // namespace tact::testing
