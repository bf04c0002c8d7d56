#include "tact/soft/material.hpp"

#include <cmath>
#include <string>

namespace tact {

namespace {

const char* fault(const Material& m) {
  if (!(m.young_Pa > 0)) return "Young's modulus must be positive";
  if (!(m.poisson > -1 && m.poisson <= 0.5)) return "Poisson's ratio must lie above -1, up to 0.5";
  if (!(m.damping_s_per_m >= 0 && std::isfinite(m.damping_s_per_m)))
    return "the damping must not be negative";
  return nullptr;
}

double shear_modulus(const Material& m) {
  return m.young_Pa / (2 * (1 + m.poisson));
}

}  // namespace

Result<PairModuli> pair_moduli(const Material& one, const Material& two, std::string_view name) {
  for (const Material* m : {&one, &two})
    if (const char* what = fault(*m))
      return Error{Errc::value, std::string(name).append(": ").append(what).append(
                                    m == &one ? " (material of body 1)" : " (material of body 2)")};
  const double c1 = (1 - one.poisson * one.poisson) / one.young_Pa;
  const double c2 = (1 - two.poisson * two.poisson) / two.young_Pa;
  if (!(c1 + c2 > 0))
    return Error{Errc::value, std::string(name).append(
                                  ": two hard bodies have no compliant contact; make one softer or "
                                  "the pair rigid")};
  const double G1 = shear_modulus(one), G2 = shear_modulus(two);
  PairModuli out;
  out.normal_Pa = 1 / (c1 + c2);
  out.shear_Pa = 1 / ((2 - one.poisson) / G1 + (2 - two.poisson) / G2);
  out.torsion_Pa = 1 / (1 / G1 + 1 / G2);
  out.centre_share = c1 / (c1 + c2);
  const double s1 = out.centre_share, s2 = c2 / (c1 + c2);
  out.damping_s_per_m = s1 * s1 * one.damping_s_per_m + s2 * s2 * two.damping_s_per_m;
  return out;
}

}  // namespace tact
