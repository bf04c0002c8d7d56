// io/mjcf_extras.hpp - the smaller sections: options, custom data, sensors, keyframes.
#pragma once

#include "tact/io/mjcf_draft.hpp"

namespace tact::mjcf {

/// Gravity and time step; what else changes motion is said. Choices of MuJoCo's solver are not.
void read_options(Reading& r, const Source& source);

/// <custom>: numeric and text.
void read_custom(Reading& r, const Source& source);

void read_sensors(Reading& r, Draft& draft, const Instance& in);

/// Says which sections are not modelled at all.
void note_sections(Reading& r, const Source& source);

}  // namespace tact::mjcf
