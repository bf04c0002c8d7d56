// io/mjcf_inertia.hpp - mass and inertia of bodies: of solids and shells, summed, and brought into
// the bounds that a file sets.
#pragma once

#include <span>
#include <string>

#include "tact/geom/shape.hpp"
#include "tact/io/mjcf_source.hpp"
#include "tact/spatial/se3.hpp"

namespace tact::mjcf {

/// A mass that may be zero, in some frame; the rotational inertia is about its centre.
struct MassPart {
  double mass = 0;
  Vec3 com = Vec3::Zero();
  Mat3 inertia = Mat3::Zero();
};

[[nodiscard]] MassPart moved(const Pose& X, const MassPart& part);
[[nodiscard]] MassPart sum(std::span<const MassPart> parts);

/// What a shape has per unit of density: volume and moments of a solid, area and moments of a thin
/// shell. Zero for half-spaces, height fields and meshes.
struct Extent {
  double size = 0;
  Vec3 moments = Vec3::Zero();
};
[[nodiscard]] Extent solid_extent(const Shape& shape);
/// Of an ellipsoid the area is Thomsen's approximation, and the shell that between it and an
/// ellipsoid larger by a little along every axis, as in MuJoCo.
[[nodiscard]] Extent shell_extent(const Shape& shape);

/// <inertial>: mass, place and inertia, principal or full.
[[nodiscard]] MassPart read_inertial(Reading& r, const XmlElement& inertial,
                                     const AngleStyle& angles);

/// Least mass and least moments; moments that no body has are made equal where the file asks for
/// it and refused otherwise.
[[nodiscard]] MassPart bounded(Reading& r, const XmlElement& body, const Compiler& compiler,
                               const MassPart& part);

}  // namespace tact::mjcf
