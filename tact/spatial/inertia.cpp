#include "tact/spatial/inertia.hpp"

#include <cmath>
#include <sstream>
#include <string>

#include <Eigen/Eigenvalues>

#include "tact/base/expects.hpp"
#include "tact/base/tolerance.hpp"
#include "tact/spatial/so3.hpp"

namespace tact {

namespace {

Error unusable(const std::string& what, double value, const std::string& remedy) {
  std::ostringstream text;
  text << "inertia: " << what << " is " << value << "; " << remedy;
  return {Errc::value, text.str()};
}

/// |r|² 1 - r rᵀ = -r̂r̂: the rotational inertia of a unit mass at r about the origin.
Mat3 unit_mass_at(const Vec3& r) {
  return r.squaredNorm() * Mat3::Identity() - r * r.transpose();
}

/// The diagonal inertia of a body symmetric to the planes of the frame, from ∫ x² dm, ∫ y² dm, ∫ z²
/// dm.
Mat3 from_second_moments(const Vec3& s) {
  return Vec3(s[1] + s[2], s[2] + s[0], s[0] + s[1]).asDiagonal();
}

bool positive(double x) {
  return x > 0 && std::isfinite(x);
}

}  // namespace

Result<Inertia> Inertia::from(double mass, const Vec3& com, const Mat3& about_com) {
  if (!positive(mass)) return unusable("the mass", mass, "give a positive number of kilograms");
  if (!com.allFinite()) return unusable("the centre of mass", com.sum(), "give finite coordinates");
  if (!about_com.allFinite()) {
    return unusable("the rotational inertia", about_com.sum(), "give finite entries");
  }
  const double largest_entry = about_com.cwiseAbs().maxCoeff();
  const double skew = (about_com - about_com.transpose()).cwiseAbs().maxCoeff();
  if (!(skew <= tolerance::symmetry * largest_entry)) {
    return unusable("the difference of the rotational inertia from its transpose", skew,
                    "give a symmetric matrix");
  }
  const Mat3 symmetric = (about_com + about_com.transpose()) / 2;
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(symmetric, Eigen::EigenvaluesOnly);
  const Vec3& moments = eigen.eigenvalues();  // ascending
  if (!(moments[0] > tolerance::rounding * moments[2])) {
    return unusable("the smallest principal moment", moments[0],
                    "all three must be positive, give the body some extent in every direction");
  }
  const double excess = moments[2] - moments[0] - moments[1];
  if (!(excess <= tolerance::triangle * moments[2])) {
    return unusable("the largest principal moment minus the sum of the other two", excess,
                    "no body has that, check the moments (triangle inequality)");
  }
  return Inertia(mass, com, symmetric);
}

Inertia operator+(const Inertia& a, const Inertia& b) {
  const double mass = a.mass_ + b.mass_;
  const double share = b.mass_ / mass;
  // Two points turn about their common centre like the reduced mass at their distance.
  const Mat3 spread = a.mass_ * share * unit_mass_at(b.com_ - a.com_);
  return {mass, a.com_ + share * (b.com_ - a.com_), a.about_com_ + b.about_com_ + spread};
}

Inertia transform(const Pose& X_AB, const Inertia& inertia_B) {
  const Mat3 turned = X_AB.R * inertia_B.about_com_ * X_AB.R.transpose();
  return {inertia_B.mass_, transform_point(X_AB, inertia_B.com_),
          (turned + turned.transpose()) / 2};
}

Inertia box_inertia(double mass, const Vec3& half_extents) {
  TACT_EXPECTS(positive(mass) && half_extents.allFinite() && half_extents.minCoeff() > 0);
  return {mass, Vec3::Zero(), from_second_moments(mass / 3 * half_extents.cwiseAbs2())};
}

Inertia ellipsoid_inertia(double mass, const Vec3& semi_axes) {
  TACT_EXPECTS(positive(mass) && semi_axes.allFinite() && semi_axes.minCoeff() > 0);
  return {mass, Vec3::Zero(), from_second_moments(mass / 5 * semi_axes.cwiseAbs2())};
}

Inertia sphere_inertia(double mass, double radius) {
  return ellipsoid_inertia(mass, Vec3::Constant(radius));
}

Inertia cylinder_inertia(double mass, double radius, double half_length) {
  TACT_EXPECTS(positive(mass) && positive(radius) && positive(half_length));
  const double across = mass * radius * radius / 4;
  const double along = mass * half_length * half_length / 3;
  return {mass, Vec3::Zero(), from_second_moments({across, across, along})};
}

Inertia capsule_inertia(double mass, double radius, double half_length) {
  TACT_EXPECTS(positive(mass) && positive(radius) && positive(half_length));
  // Volumes 2π r² h and 4/3 π r³ share the mass; the two caps make one ball, pulled apart by 2 h.
  const double h = half_length;
  const double r = radius;
  const double caps = mass * 2 * r / (2 * r + 3 * h);
  const double middle = mass * 3 * h / (2 * r + 3 * h);
  const double across = middle * r * r / 4 + caps * r * r / 5;
  const double along = middle * h * h / 3 + caps * (r * r / 5 + h * h + 3 * h * r / 4);
  return {mass, Vec3::Zero(), from_second_moments({across, across, along})};
}

Mat3 rotational_about(const Inertia& inertia, const Vec3& point) {
  return inertia.about_com() + inertia.mass() * unit_mass_at(inertia.com() - point);
}

Mat6 matrix(const Inertia& inertia) {
  const Mat3 mc_hat = inertia.mass() * hat(inertia.com());
  Mat6 m;
  m << rotational_about(inertia, Vec3::Zero()), mc_hat, -mc_hat, inertia.mass() * Mat3::Identity();
  return m;
}

Wrench momentum(const Inertia& inertia, const Twist& twist) {
  const Twist at_com = shift(twist, inertia.com());
  const Wrench about_com{inertia.about_com() * at_com.w, inertia.mass() * at_com.v};
  return shift(about_com, -inertia.com());
}

double kinetic_energy(const Inertia& inertia, const Twist& twist) {
  const Twist at_com = shift(twist, inertia.com());
  return (inertia.mass() * at_com.v.squaredNorm() + at_com.w.dot(inertia.about_com() * at_com.w)) /
         2;
}

}  // namespace tact
