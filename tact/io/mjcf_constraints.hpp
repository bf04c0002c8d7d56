// io/mjcf_constraints.hpp - what ties bodies beside the joints: tendons, equalities, pairs and
// exclusions of contacts.
#pragma once

#include "tact/io/mjcf_draft.hpp"

namespace tact::mjcf {

/// Fixed tendons; spatial ones are said to be left out.
void read_tendons(Reading& r, Draft& draft, const Instance& in);

/// connect, weld and joint; anchors that are not given for the second body are those of the pose of
/// the file.
void read_equalities(Reading& r, Draft& draft, const Instance& in);

/// <contact>: pair and exclude.
void read_contacts(Reading& r, Draft& draft, const Instance& in);

}  // namespace tact::mjcf
