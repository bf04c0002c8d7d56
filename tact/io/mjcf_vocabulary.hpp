// io/mjcf_vocabulary.hpp - which attributes of MJCF are read, which are passed over in silence, and
// that all others are said to be left out.
#pragma once

#include <string_view>

#include "tact/io/mjcf_reading.hpp"

namespace tact::mjcf {

/// The kind under which an element finds its defaults: the shortcuts of actuators are one kind,
/// and so are the tendons and the equalities.
[[nodiscard]] std::string_view default_kind(std::string_view element);

/// Looks and hints to the solver (silent) are in neither list of what is said.
void note_unread(Reading& r, std::string_view kind, const XmlElement& element);

/// Whole elements that change no motion: cameras, lights, textures, ...
[[nodiscard]] bool is_appearance(std::string_view element);

}  // namespace tact::mjcf
