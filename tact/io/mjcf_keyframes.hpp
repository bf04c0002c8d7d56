// io/mjcf_keyframes.hpp - <keyframe>: states of the scene, and of the models attached to it.
#pragma once

#include "tact/io/mjcf_draft.hpp"

namespace tact::mjcf {

/// Of one file, once everything else is there. What a keyframe of an attached model does not count
/// stays as the scene begins. In the main file one of the wrong size is refused; it is left out and
/// said in an attached file, of which only a part may be there, and where elements with coordinates
/// of their own were left out.
void read_keyframes(Reading& r, const Draft& draft, const Instance& in);

}  // namespace tact::mjcf
