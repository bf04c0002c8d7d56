#include "tact/soft/soft_pair.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "tact/soft/hertz.hpp"
#include "tact/soft/slip.hpp"
#include "tact/soft/stiffness.hpp"

namespace tact {

namespace {

/// nullptr, or what is wrong; the name of the pair is put before it.
using Fault = const char*;

bool positive(double x) {
  return x > 0 && std::isfinite(x);
}
bool not_negative(double x) {
  return x >= 0 && std::isfinite(x);
}

struct NormalFault {
  Fault operator()(const LinearNormal& law) const {
    if (!positive(law.stiffness_N_per_m)) return "the normal stiffness must be positive";
    if (!not_negative(law.damping_Ns_per_m) || !not_negative(law.damping_s_per_m))
      return "the normal damping must not be negative: it would make energy";
    return nullptr;
  }
  Fault operator()(const HertzNormal& law) const {
    if (!positive(law.modulus_Pa)) return "the contact modulus E* must be positive";
    if (!not_negative(law.damping_s_per_m))
      return "the normal damping must not be negative: it would make energy";
    return nullptr;
  }
  Fault operator()(const UserNormal& law) const {
    if (!law.energy) return "a normal law of the user needs its energy function";
    if (!not_negative(law.damping_s_per_m))
      return "the normal damping must not be negative: it would make energy";
    return nullptr;
  }
};

Fault friction_fault(const SoftFriction& friction) {
  if (!(friction.coefficient >= 0)) return "the friction coefficient must not be negative";
  if (!(friction.static_ratio >= 1 && std::isfinite(friction.static_ratio)))
    return "static friction must not be less than sliding friction: a ratio of 1 or more";
  if (friction.torsion_arm_m && !not_negative(*friction.torsion_arm_m))
    return "the torque arm of friction must not be negative";
  if (friction.tensor && !(friction.tensor->direction.norm() > 0))
    return "the direction of the friction tensor must not be zero";
  if (friction.tensor && !positive(friction.coefficient))
    return "a friction tensor needs a positive coefficient beside it, for drilling";
  return nullptr;
}

bool patch_needed(const SoftPair& pair) {
  return std::holds_alternative<MindlinTangent>(pair.tangent);
}

Fault tangent_fault(const SoftPair& pair) {
  if (const auto* mindlin = std::get_if<MindlinTangent>(&pair.tangent)) {
    if (!not_negative(mindlin->shear_modulus_Pa) || !not_negative(mindlin->torsion_modulus_Pa))
      return "the shear moduli G* and G_e must not be negative";
    return nullptr;
  }
  const auto& pads = std::get<PadTangent>(pair.tangent);
  if (!pads.one && !pads.two && pair.friction.coefficient > 0)
    return "friction needs a pad on one body at least; a coefficient of zero needs none";
  for (const auto* pad : {&pads.one, &pads.two}) {
    if (!*pad) continue;
    if (!not_negative((*pad)->torsion_Nm_per_rad))
      return "a torsion stiffness must not be negative";
    if (!((*pad)->direction.norm() > 0)) return "the direction of a pad must not be zero";
  }
  return nullptr;
}

Fault whole_fault(const SoftPair& pair) {
  if (const Fault fault = std::visit(NormalFault{}, pair.normal)) return fault;
  if (const Fault fault = friction_fault(pair.friction)) return fault;
  if (const Fault fault = tangent_fault(pair)) return fault;
  if (patch_needed(pair) && pair.patch == PatchModel::none)
    return "tangential stiffness after Mindlin needs a patch: hertz or quadric";
  if (!not_negative(pair.damping.tangential_s) || !not_negative(pair.damping.tangential_sqrt_kg) ||
      !not_negative(pair.damping.torsion_s))
    return "the tangential damping must not be negative: it would make energy";
  if (!(pair.centre_share >= 0 && pair.centre_share <= 1))
    return "the contact centre must lie between the bodies: a share from 0 to 1";
  if (pair.cells < 1 || pair.cells > max_slip_cells) return "friction cells are 1 to 64";
  return nullptr;
}

std::optional<Error> tensor_error(const SoftPair& pair, std::string_view name) {
  const auto refuse = [name](const Mat2& m, const char* what) -> std::optional<Error> {
    const auto answer = checked_spd<2>(m, std::string(name).append(": ").append(what));
    if (answer) return std::nullopt;
    return answer.error();
  };
  if (pair.friction.tensor)
    if (auto e = refuse(pair.friction.tensor->squared, "the friction tensor")) return e;
  const auto* pads = std::get_if<PadTangent>(&pair.tangent);
  if (pads == nullptr) return std::nullopt;
  if (pads->one)
    if (auto e = refuse(pads->one->stiffness_N_per_m, "the stiffness tensor of body 1")) return e;
  if (pads->two)
    if (auto e = refuse(pads->two->stiffness_N_per_m, "the stiffness tensor of body 2")) return e;
  return std::nullopt;
}

double series(double k1, double k2) {
  return k1 + k2 > 0 ? k1 * k2 / (k1 + k2) : 0;
}

struct Tangent {
  const SoftPlace& place;
  SoftResponse& out;

  void operator()(const MindlinTangent& law) const {
    const double ab = out.normal.patch.a * out.normal.patch.b;
    const double radius = std::sqrt(ab);
    out.K_t = 8 * law.shear_modulus_Pa * radius * Mat2::Identity();
    out.k_theta = (16.0 / 3) * law.torsion_modulus_Pa * ab * radius;
  }

  void operator()(const PadTangent& pads) const {
    if (pads.one && pads.two) {
      out.K_t = tact::series(in_basis(pads.one->stiffness_N_per_m, place.axis1, false),
                             in_basis(pads.two->stiffness_N_per_m, place.axis2, true));
      out.k_theta = series(pads.one->torsion_Nm_per_rad, pads.two->torsion_Nm_per_rad);
    } else if (pads.one) {
      out.K_t = in_basis(pads.one->stiffness_N_per_m, place.axis1, false);
      out.k_theta = pads.one->torsion_Nm_per_rad;
    } else if (pads.two) {
      out.K_t = in_basis(pads.two->stiffness_N_per_m, place.axis2, true);
      out.k_theta = pads.two->torsion_Nm_per_rad;
    }
  }
};

/// Q of the friction, from the roots of the stiffness.
void set_friction(const SoftFriction& friction, const SoftPlace& place, SoftResponse& out) {
  const double mu = friction.coefficient;
  if (!std::isfinite(mu)) return;
  if (friction.tensor) {
    const Mat2 M = in_basis(friction.tensor->squared, place.friction_axis, friction.tensor->on_two);
    const double det = M(0, 0) * M(1, 1) - M(0, 1) * M(1, 0);
    Mat2 adjugate;
    adjugate << M(1, 1), -M(0, 1), -M(1, 0), M(0, 0);
    const Mat2 q = out.K_t_root * (adjugate / det) * out.K_t_root;
    out.Q.topLeftCorner<2, 2>() = (q + q.transpose()) / 2;
  } else {
    out.Q.topLeftCorner<2, 2>() = out.K_t / (mu * mu);
  }
  if (out.k_theta > 0) {
    const double arm = mu * out.r_tau;
    out.Q(2, 2) = out.k_theta / (arm * arm);
  }
}

}  // namespace

Result<SoftPair> checked(SoftPair pair, std::string_view name) {
  if (const Fault fault = whole_fault(pair))
    return Error{Errc::value, std::string(name).append(": ").append(fault)};
  if (auto error = tensor_error(pair, name)) return *std::move(error);
  return pair;
}

Result<SoftPair> elastic_pair(const Material& one, const Material& two, double friction_coefficient,
                              std::string_view name) {
  const auto moduli = pair_moduli(one, two, name);
  if (!moduli) return moduli.error();
  SoftPair pair;
  pair.normal = HertzNormal{moduli->normal_Pa, moduli->damping_s_per_m, false};
  pair.tangent = MindlinTangent{moduli->shear_Pa, moduli->torsion_Pa};
  pair.friction.coefficient = friction_coefficient;
  pair.centre_share = moduli->centre_share;
  return checked(std::move(pair), name);
}

SoftPair exchanged(SoftPair pair) {
  if (auto* pads = std::get_if<PadTangent>(&pair.tangent)) std::swap(pads->one, pads->two);
  if (auto& tensor = pair.friction.tensor) tensor->on_two = !tensor->on_two;
  pair.centre_share = 1 - pair.centre_share;
  return pair;
}

Vec2 relative_curvatures(const Mat2& A_rel) {
  const RelativeCurvature c = relative_curvature(A_rel);
  return {c.least, c.largest};
}

SoftPlace place_of(const SoftPair& pair, const PairGeometry& geometry, const Mat3& R12,
                   const Vec2* touch_down) {
  SoftPlace place;
  place.gap = geometry.gap;
  place.A_rel =
      touch_down != nullptr ? Mat2(touch_down->asDiagonal()) : Mat2(geometry.A1 + geometry.A2);
  const auto seen = [&](const Vec3& direction, bool on_two) {
    return frame_axis(geometry.E, on_two ? Vec3(R12 * direction) : direction);
  };
  if (const auto* pads = std::get_if<PadTangent>(&pair.tangent)) {
    if (pads->one) place.axis1 = seen(pads->one->direction, false);
    if (pads->two) place.axis2 = seen(pads->two->direction, true);
  }
  if (const auto& tensor = pair.friction.tensor)
    place.friction_axis = seen(tensor->direction, tensor->on_two);
  return place;
}

SoftResponse respond(const SoftPair& pair, const SoftPlace& place) {
  SoftResponse out;
  if (!(place.gap < 0)) return out;
  const SoftFriction& friction = pair.friction;
  const bool rubs = friction.coefficient > 0;
  // A patch is found only where something is made of it.
  const bool arm_of_patch =
      rubs && std::isfinite(friction.coefficient) && !friction.torsion_arm_m.has_value();
  const bool patch = arm_of_patch || (rubs && patch_needed(pair)) ||
                     std::holds_alternative<HertzNormal>(pair.normal);
  out.normal =
      normal_state(pair.normal, patch ? pair.patch : PatchModel::none, place.gap, place.A_rel);
  if (pair.curvature == CurvatureUse::frozen) out.normal.dU_dA.setZero();
  if (!rubs) return out;

  std::visit(Tangent{place, out}, pair.tangent);
  out.r_tau = friction.torsion_arm_m
                  ? *friction.torsion_arm_m
                  : 0.375 * out.normal.patch.a * out.normal.patch.perimeter_integral;
  // A point carries no torque.
  if (std::isfinite(friction.coefficient) && !(out.r_tau > 0)) out.k_theta = 0;
  out.K_t_root = symmetric_root(out.K_t);
  out.k_theta_root = std::sqrt(out.k_theta);
  out.B_t = pair.damping.tangential_s * out.K_t + pair.damping.tangential_sqrt_kg * out.K_t_root;
  out.b_theta = pair.damping.torsion_s * out.k_theta;
  set_friction(friction, place, out);
  return out;
}

}  // namespace tact
