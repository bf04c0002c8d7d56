// io/mjcf_extras.hpp - the smaller sections: options, custom data, sensors, keyframes.
#pragma once

#include "tact/io/mjcf_draft.hpp"

namespace tact::mjcf {

/// Gravity and time step; what else changes motion is said. Choices of MuJoCo's solver are not.
void read_options(Reading& r, const Source& source);

/// <custom>: numeric and text.
void read_custom(Reading& r, const Source& source);

void read_sensors(Reading& r, const Draft& draft, const Instance& in);

/// Of the main file, once everything else is there. A keyframe of the wrong size is refused, or
/// left out and said where elements with coordinates of their own were left out.
void read_keyframes(Reading& r, const Draft& draft, const Source& source);

/// Says which sections are not modelled at all.
void note_sections(Reading& r, const Source& source);

}  // namespace tact::mjcf
