// cone/patch_field.hpp - from a twist to velocities on the patch, from forces on the patch to a
// wrench.
//
// Reference: [MontMarin25] (3), (4a), (4b), (4c), (6), (7), (8), (12). Patch frame: x, y in the
// contact plane, z = n. x^perp = [x_y, -x_x] is x turned by -90 degrees (the text after (3) says
// +90).
#pragma once

#include <optional>
#include <span>

#include "tact/linalg/types.hpp"
#include "tact/spatial/twist.hpp"

namespace tact {

/// v(x) = [v_T - ω_N x^perp, v_N + ω_T.x^perp] [m/s]. [MontMarin25] (3)
[[nodiscard]] Vec3 velocity_at(const Twist& twist, const Vec2& x);
/// v_T(x), in the plane.
[[nodiscard]] Vec2 tangential_velocity_at(const Twist& twist, const Vec2& x);
/// v_N(x) = v_N + ω_T.x^perp: affine in x. [MontMarin25] (12)
[[nodiscard]] double normal_velocity_at(const Twist& twist, const Vec2& x);

/// [ω_T, v_N] and [m_T, f_N]: what the planar Signorini condition couples.
[[nodiscard]] Vec3 normal_part(const Twist& twist);
[[nodiscard]] Vec3 normal_part(const Wrench& wrench);

/// A force [ρ_T, ρ_N] concentrated at the point x of the patch [N].
struct PointForce {
  Vec2 x;
  Vec3 force;
};
/// Force per length along the segment a b, linear between its ends [N/m].
struct LineForce {
  Vec2 a, b;
  Vec3 at_a, at_b;
};
/// Force per area on a triangle, linear between its corners [N/m²].
struct TriangleForce {
  Vec2 a, b, c;
  Vec3 at_a, at_b, at_c;
};

/// Sum and moment about the origin of a force distribution: on points, lines and areas. Exact for
/// the linear densities above. [MontMarin25] (4a), (4b), (4c)
[[nodiscard]] Wrench wrench_of(const PointForce& load);
[[nodiscard]] Wrench wrench_of(const LineForce& load);
[[nodiscard]] Wrench wrench_of(const TriangleForce& load);
[[nodiscard]] Wrench wrench_of(std::span<const PointForce> loads);

/// A linear pressure p(x) = at_origin + gradient.x on a convex polygon (counter-clockwise), without
/// friction [N/m²].
[[nodiscard]] Wrench wrench_of_pressure(std::span<const Vec2> polygon, double at_origin,
                                        const Vec2& gradient);

/// m_T(c) = m_T - f_N c^perp: the moment of the normal forces about c (Varignon). [MontMarin25] (7)
[[nodiscard]] Vec2 moment_about(const Wrench& wrench, const Vec2& c);

/// c_p = -m_T^perp / f_N, the mean point of the pressure (6) and the point without moment, (8): the
/// centre of pressure is the zero-moment point. Nothing when f_N = 0. [MontMarin25] (6), (8)
[[nodiscard]] std::optional<Vec2> center_of_pressure(const Wrench& wrench);

}  // namespace tact
