// tests/oracle/surface_oracle.hpp - reading the cases of tests/data/surfaces.
//
// They use the names of the library: points and normals of a body in its own frame, normals
// outward, twists (w, v) of body 2 relative to 1 in the frame of 1.
#pragma once

#include <cmath>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tact/geom/surface.hpp"
#include "tact/spatial/se3.hpp"

namespace tact::testing {

inline nlohmann::json surface_cases(const std::string& name) {
  std::ifstream in(std::string(TACT_TEST_DATA) + "/surfaces/" + name);
  return nlohmann::json::parse(in);
}

inline Vec3 vector_of(const nlohmann::json& j) {
  return {j[0].get<double>(), j[1].get<double>(), j[2].get<double>()};
}
inline Mat3 matrix_of(const nlohmann::json& j) {
  Mat3 m;
  for (std::size_t i = 0; i < 3; ++i) m.row(static_cast<Index>(i)) = vector_of(j[i]).transpose();
  return m;
}
inline Pose pose_of(const nlohmann::json& j) {
  return {matrix_of(j["R"]), vector_of(j["p"])};
}

/// h = a (cos k x + cos l y)
inline HeightSurface waves(double a, double k, double l) {
  return {[=](double x, double y) {
    return HeightJet{a * (std::cos(k * x) + std::cos(l * y)),
                     -a * k * std::sin(k * x),
                     -a * l * std::sin(l * y),
                     -a * k * k * std::cos(k * x),
                     0,
                     -a * l * l * std::cos(l * y)};
  }};
}

inline NurbsSurface nurbs_of(const nlohmann::json& j) {
  auto patch = std::make_shared<NurbsPatch>();
  patch->degree_u = j["degrees"][0];
  patch->degree_v = j["degrees"][1];
  patch->count_u = j["counts"][0];
  patch->count_v = j["counts"][1];
  patch->knots_u = j["knots_u"].get<std::vector<double>>();
  patch->knots_v = j["knots_v"].get<std::vector<double>>();
  for (const auto& p : j["points"]) patch->points.push_back(vector_of(p));
  patch->weights = j["weights"].get<std::vector<double>>();
  return {patch};
}

inline SurfaceForm form_of(const nlohmann::json& j) {
  const std::string kind = j["kind"];
  if (kind == "plane") return PlaneSurface{vector_of(j["normal"])};
  if (kind == "sphere") return SphereSurface{j["radius"]};
  if (kind == "ellipsoid") return EllipsoidSurface{vector_of(j["semi_axes"])};
  if (kind == "superellipsoid")
    return SuperellipsoidSurface{vector_of(j["semi_axes"]), j["exponents"][0], j["exponents"][1]};
  if (kind == "torus") return TorusSurface{j["ring"], j["tube"], vector_of(j["axis"])};
  if (kind == "cylinder") return CylinderSurface{j["radius"], vector_of(j["axis"])};
  if (kind == "capsule") return CapsuleSurface{j["radius"], j["half_length"], vector_of(j["axis"])};
  if (kind == "waves") return waves(j["amplitude"], j["numbers"][0], j["numbers"][1]);
  return nurbs_of(j);
}

inline Surface surface_of(const nlohmann::json& j) {
  const Result<Surface> surface = checked({form_of(j), j.value("hollow", false)});
  return *surface;
}

}  // namespace tact::testing
