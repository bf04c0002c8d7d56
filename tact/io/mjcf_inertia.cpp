// io/mjcf_inertia.cpp - masses added up, shells of shapes, and <inertial>.
#include "tact/io/mjcf_inertia.hpp"

#include <cmath>
#include <numbers>
#include <variant>

#include <Eigen/Eigenvalues>

#include "tact/base/tolerance.hpp"
#include "tact/geom/mass_properties.hpp"
#include "tact/io/number_text.hpp"

namespace tact::mjcf {

namespace {

using std::numbers::pi;

/// m (|d|² 1 - d dᵀ): what a point mass at d adds.
Mat3 steiner(double mass, const Vec3& d) {
  return mass * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
}

Extent extent(double size, const Vec3& moments_of_unit_mass) {
  return {size, size * moments_of_unit_mass};
}

struct Shell {
  Extent operator()(const Sphere& s) const {
    return extent(4 * pi * s.radius * s.radius, Vec3::Constant(2 * s.radius * s.radius / 3));
  }
  Extent operator()(const Capsule& s) const {
    const double r = s.radius, h = s.half_length;
    const double side = 4 * pi * r * h, caps = 4 * pi * r * r;
    const double across = side * (r * r / 2 + h * h / 3) + caps * (2 * r * r / 3 + h * h + h * r);
    return {side + caps, {across, across, side * r * r + caps * 2 * r * r / 3}};
  }
  Extent operator()(const Cylinder& s) const {
    const double r = s.radius, h = s.half_length;
    const double side = 4 * pi * r * h, caps = 2 * pi * r * r;
    const double across = side * (r * r / 2 + h * h / 3) + caps * (r * r / 4 + h * h);
    return {side + caps, {across, across, side * r * r + caps * r * r / 2}};
  }
  Extent operator()(const Ellipsoid& s) const {
    constexpr double p = 1.6075;  // Thomsen
    const Vec3& a = s.semi_axes;
    const auto pair = [&](Index i, Index j) { return std::pow(a[i] * a[j], p); };
    const double area = 4 * pi * std::pow((pair(0, 1) + pair(0, 2) + pair(1, 2)) / 3, 1 / p);
    // d/dε of ∏(a + ε) and of ∏(a + ε) (a_i + ε)²/5, without the common 4π/3.
    const double volume = a.prod();
    const double growth = volume * a.cwiseInverse().sum();
    const Vec3 second = (growth * a.cwiseAbs2() + 2 * volume * a) / (5 * growth);
    return extent(area, {second[1] + second[2], second[0] + second[2], second[0] + second[1]});
  }
  Extent operator()(const Box& s) const {
    Extent out;
    for (Index i = 0; i < 3; ++i) {  // the two faces across axis i
      const Vec3& e = s.half_extents;
      const double area = 8 * e[(i + 1) % 3] * e[(i + 2) % 3];
      Vec3 second = e.cwiseAbs2() / 3;
      second[i] = e[i] * e[i];
      out.size += area;
      out.moments += area * Vec3(second.sum() * Vec3::Ones() - second);
    }
    return out;
  }
  Extent operator()(const auto&) const { return {}; }
};

}  // namespace

MassPart moved(const Pose& X, const MassPart& part) {
  return {part.mass, transform_point(X, part.com), X.R * part.inertia * X.R.transpose()};
}

MassPart sum(std::span<const MassPart> parts) {
  MassPart total;
  for (const MassPart& part : parts) {
    total.mass += part.mass;
    total.com += part.mass * part.com;
  }
  if (!(total.mass > 0)) return {};
  total.com /= total.mass;
  for (const MassPart& part : parts)
    total.inertia += part.inertia + steiner(part.mass, part.com - total.com);
  return total;
}

Extent solid_extent(const Shape& shape) {
  if (std::holds_alternative<HalfSpace>(shape) || std::holds_alternative<HeightField>(shape) ||
      std::holds_alternative<ConvexMesh>(shape))
    return {};
  if (const auto* capsule = std::get_if<Capsule>(&shape); capsule && !(capsule->half_length > 0))
    return solid_extent(Sphere{capsule->radius});
  const MassProperties solid = mass_properties(shape);
  return {solid.volume, solid.inertia.diagonal()};
}

Extent shell_extent(const Shape& shape) {
  return std::visit(Shell{}, shape);
}

MassPart read_inertial(Reading& r, const XmlElement& inertial, const AngleStyle& angles) {
  const Settings s = alone(inertial);
  if (!has(s, "mass"))
    r.refuse(inertial, Errc::schema, "<inertial> needs a mass; write mass=\"1\"");
  const double mass = number(r, s, "mass", 0);
  if (mass < 0)
    r.refuse(inertial, Errc::value,
             concat({"mass is ", short_number(mass), "; it cannot be negative"}));
  const Pose X_BI = pose(r, s, angles);
  Mat3 inertia = Mat3::Zero();
  if (has(s, "fullinertia")) {
    Vec6 f = Vec6::Zero();
    overlay(r, s, "fullinertia", {f.data(), 6}, 6);
    inertia << f[0], f[3], f[4], f[3], f[1], f[5], f[4], f[5], f[2];
    if (has(s, "diaginertia"))
      r.refuse(inertial, Errc::schema, "give diaginertia or fullinertia, not both");
  } else {
    inertia = vec3(r, s, "diaginertia", Vec3::Zero()).asDiagonal();
  }
  return {mass, X_BI.p, X_BI.R * inertia * X_BI.R.transpose()};
}

MassPart bounded(Reading& r, const XmlElement& body, const Compiler& compiler,
                 const MassPart& part) {
  MassPart out = part;
  out.mass = std::max(out.mass, compiler.least_mass);
  const Eigen::SelfAdjointEigenSolver<Mat3> principal(part.inertia);
  Vec3 moments = principal.eigenvalues();  // ascending
  const double largest = moments.cwiseAbs().maxCoeff();
  if (moments[0] < -tolerance::written * largest)
    r.refuse(body, Errc::value,
             concat({"a principal moment of inertia is ", short_number(moments[0]),
                     "; all three must be positive"}));
  const Vec3 before = moments;
  moments = moments.cwiseMax(compiler.least_inertia);
  if (moments[2] - moments[0] - moments[1] > tolerance::triangle * moments[2]) {
    if (!compiler.balance_inertia)
      r.refuse(body, Errc::value,
               concat({"the principal moments of inertia ", short_number(moments[0]), ", ",
                       short_number(moments[1]), " and ", short_number(moments[2]),
                       " break the triangle inequality, which no body does; correct them or write ",
                       "balanceinertia=\"true\" in <compiler>"}));
    moments.setConstant(moments.sum() / 3);
  }
  if (moments != before)
    out.inertia =
        principal.eigenvectors() * moments.asDiagonal() * principal.eigenvectors().transpose();
  return out;
}

}  // namespace tact::mjcf
