// spatial/inertia.hpp - the inertia of a rigid body: mass, centre, and rotational inertia about it.
//
// Notation:  m mass [kg], c centre of mass [m], I_c rotational inertia about c [kg m²], all in the
//            axes of the frame F in which the inertia is expressed; twists are at the origin of F.
// Momentum:  [h, p], angular about the origin and linear: a wrench times seconds, and of that type.
#pragma once

#include "tact/base/result.hpp"
#include "tact/linalg/types.hpp"
#include "tact/spatial/se3.hpp"
#include "tact/spatial/twist.hpp"

namespace tact {

/// A mass distribution that a rigid body can have.
class Inertia {
 public:
  /// Checks that everything is finite, m > 0, I_c symmetric positive definite, and that no
  /// principal moment exceeds the sum of the other two (no distribution of positive mass does).
  [[nodiscard]] static Result<Inertia> from(double mass, const Vec3& com, const Mat3& about_com);

  [[nodiscard]] double mass() const { return mass_; }
  [[nodiscard]] const Vec3& com() const { return com_; }
  [[nodiscard]] const Mat3& about_com() const { return about_com_; }
  bool operator==(const Inertia&) const = default;

  // What makes valid inertias out of valid data needs no check.
  friend Inertia operator+(const Inertia& a, const Inertia& b);
  friend Inertia transform(const Pose& X_AB, const Inertia& inertia_B);
  friend Inertia box_inertia(double mass, const Vec3& half_extents);
  friend Inertia ellipsoid_inertia(double mass, const Vec3& semi_axes);
  friend Inertia cylinder_inertia(double mass, double radius, double half_length);
  friend Inertia capsule_inertia(double mass, double radius, double half_length);

 private:
  Inertia(double mass, const Vec3& com, const Mat3& about_com)
      : mass_(mass), com_(com), about_com_(about_com) {}

  double mass_;
  Vec3 com_;
  Mat3 about_com_;
};

/// Two bodies in the same frame, welded into one.
[[nodiscard]] Inertia operator+(const Inertia& a, const Inertia& b);

/// Change of frame, F = B to F = A; kinetic energy is invariant.
[[nodiscard]] Inertia transform(const Pose& X_AB, const Inertia& inertia_B);

/// Homogeneous solids, centred at the origin. The mass and all sizes are expected positive.
[[nodiscard]] Inertia box_inertia(double mass, const Vec3& half_extents);
[[nodiscard]] Inertia ellipsoid_inertia(double mass, const Vec3& semi_axes);
[[nodiscard]] Inertia sphere_inertia(double mass, double radius);

/// Axis z; half_length is half the height of the cylinder, without the caps of the capsule.
[[nodiscard]] Inertia cylinder_inertia(double mass, double radius, double half_length);
[[nodiscard]] Inertia capsule_inertia(double mass, double radius, double half_length);

/// Rotational inertia about any point of F, by the parallel axis theorem (Huygens, Steiner).
[[nodiscard]] Mat3 rotational_about(const Inertia& inertia, const Vec3& point);

/// The 6 × 6 matrix in the order (ω, v): [I_c - m ĉĉ, m ĉ; -m ĉ, m 1].
[[nodiscard]] Mat6 matrix(const Inertia& inertia);

/// [h, p] at the origin of F: matrix(inertia) times the twist.
[[nodiscard]] Wrench momentum(const Inertia& inertia, const Twist& twist);

/// ½ m |v_c|² + ½ ω·I_c ω [J]: never negative.
[[nodiscard]] double kinetic_energy(const Inertia& inertia, const Twist& twist);

}  // namespace tact
