// tests/oracle/patch_oracle.hpp - reading the cases of tests/data/patch.
//
// The cases count in pressure moments: N = (s, f) with s = f c, so m_T = s^perp; W = (g, v) with
// v_N(x) = v + g.x, so ω_T = g^perp; τ = (v_T, ω_N), T = (f_T, m_N).
#pragma once

#include <fstream>
#include <string>

#include <nlohmann/json.hpp>

#include "tact/cone/patch_shape.hpp"
#include "tact/spatial/twist.hpp"

namespace tact::testing {

inline nlohmann::json load_cases(const std::string& name) {
  std::ifstream in(std::string(TACT_TEST_DATA) + "/patch/" + name);
  return nlohmann::json::parse(in);
}

inline double number(const nlohmann::json& j) {
  return j.get<double>();
}
inline Vec2 vec2(const nlohmann::json& j) {
  return {number(j[0]), number(j[1])};
}
/// null: nothing was given, nothing moves.
inline Vec3 vec3(const nlohmann::json& j) {
  if (j.is_null()) return Vec3::Zero();
  return {number(j[0]), number(j[1]), number(j[2])};
}
inline Mat3 mat3(const nlohmann::json& j) {
  Mat3 m;
  for (std::size_t i = 0; i < 3; ++i) m.row(static_cast<Index>(i)) = vec3(j[i]).transpose();
  return m;
}

inline PatchShape shape(const nlohmann::json& j) {
  const std::string kind = j["kind"];
  if (kind == "poly") {
    PolygonShape polygon;
    for (const auto& v : j["vertices"]) polygon.points.push_back(vec2(v));
    return {polygon};
  }
  if (kind == "stadium") return {StadiumShape{vec2(j["p0"]), vec2(j["p1"]), number(j["r"])}};
  if (kind == "disc" && j.contains("R")) return {DiscShape{vec2(j["c"]), number(j["R"])}};
  if (kind == "disc") return {DiscShape{vec2(j["c"]), number(j["a"])}};
  return {EllipseShape{vec2(j["c"]), Vec2(number(j["a"]), number(j["b"])), number(j["phi"])}};
}

/// [m_T, f_N] of (s, f); the same map takes (g, v) to [ω_T, v_N].
inline Vec3 to_paper(const Vec3& moments) {
  return {moments[1], -moments[0], moments[2]};
}

inline Wrench wrench_of_moments(const Vec3& n) {
  const Vec3 p = to_paper(n);
  return {Vec3(p[0], p[1], 0), Vec3(0, 0, p[2])};
}
inline Twist twist_of_moments(const Vec3& w, const Vec3& tau) {
  const Vec3 p = to_paper(w);
  return {Vec3(p[0], p[1], tau[2]), Vec3(tau[0], tau[1], p[2])};
}

}  // namespace tact::testing
