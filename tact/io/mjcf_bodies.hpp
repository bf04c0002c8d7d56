// io/mjcf_bodies.hpp - the tree of bodies: bodies, frames, replicas and attached models, with their
// joints, geoms and sites.
#pragma once

#include <string_view>

#include "tact/io/mjcf_draft.hpp"

namespace tact::mjcf {

/// Bodies and geoms together may not be more than this, however they are repeated.
inline constexpr Index most_parts = 1'000'000;

/// Reads <worldbody> of the main file, and of those that it attaches, into the draft and the
/// scene's model; masses included. Geoms and joints come out sorted by body.
void read_bodies(Reading& r, Draft& draft, const std::string& main_file);

/// Puts a file into the draft, or finds it there.
[[nodiscard]] LoadedFile* load_file(Reading& r, Draft& draft, std::string_view text,
                                    const std::string& path);

}  // namespace tact::mjcf
