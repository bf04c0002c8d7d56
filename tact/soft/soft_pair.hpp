// soft/soft_pair.hpp - all that a compliant pair of bodies is made of, and its evaluation.
//
// Names of bodies, normal and gap as in soft/pair_geometry.hpp; everything in SI units. The elastic
// state s = (s_t, s_θ) of the contact is kept in normalised coordinates: force f_t = K_t^(1/2) s_t,
// torque τ = √k_θ s_θ, energy ½|s|², whatever K_t and k_θ do meanwhile. The normal part is a
// function of gap and curvature (soft/normal_law.hpp), and slip keeps s in the set s'Qs <= f_N²
// (soft/slip.hpp).
//
// Reference: [Stramigioli] sec. 5 to 7.
// Errata:    [Stramigioli] Remark 1 calls SE(2) × T commutative. It is not: the sum of what was
// slid
//            and drilled is a choice of coordinates, lossless because the force is its gradient in
//            the same coordinates, and is kept in a frame that turns half with either body.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include "tact/base/result.hpp"
#include "tact/soft/material.hpp"
#include "tact/soft/normal_law.hpp"
#include "tact/soft/pair_geometry.hpp"

namespace tact {

/// A constant tangential stiffness of one body, in a field of tangent frames: the first axis of the
/// frame at a point is `direction` projected to the tangent plane there, the second is n × first
/// with n the outward normal of the body. A body whose field is isotropic has no use for
/// `direction`.
struct SoftPad {
  Mat2 stiffness_N_per_m = 1e4 * Mat2::Identity();  ///< K_t, symmetric positive definite
  double torsion_Nm_per_rad = 1;                    ///< k_θ
  Vec3 direction = Vec3::UnitX();                   ///< in the frame of the body
};

/// K_t and k_θ constant on the bodies, in series; a body without a pad is hard.
struct PadTangent {
  std::optional<SoftPad> one;
  std::optional<SoftPad> two;
};

/// k_t = 8 G* √(ab), k_θ = (16/3) G_e (ab)^(3/2): they grow with the patch.
struct MindlinTangent {
  double shear_modulus_Pa = 3e5;    ///< G*, see soft/material.hpp
  double torsion_modulus_Pa = 3e5;  ///< G_e
};

using TangentModel = std::variant<MindlinTangent, PadTangent>;

/// What becomes of a stiffness that depends on curvature while the bodies roll.
enum class CurvatureUse : std::uint8_t {
  updated,  ///< follows, and the rolling wrench is part of the contact
  frozen,   ///< stays as at touch-down; no rolling wrench
};

/// Friction that depends on the direction: a force f_t slides when f_t' M⁻¹ f_t = f_N².
struct FrictionTensor {
  Mat2 squared = 0.25 * Mat2::Identity();  ///< M_μ, instead of μ² I; symmetric positive definite
  Vec3 direction = Vec3::UnitX();          ///< its first axis, as that of a SoftPad
  bool on_two = false;                     ///< it belongs to body 2
};

struct SoftFriction {
  double coefficient = 0.5;              ///< μ; zero: no tangential springs, infinite: no slip
  std::optional<FrictionTensor> tensor;  ///< of sliding; drilling keeps the coefficient
  std::optional<double> torsion_arm_m;   ///< r_τ; absent: of the patch, (3/8) a E(e)
  double static_ratio = 1;               ///< μ_s/μ_k >= 1: how much more is held than slides
};

/// Damping beside the tangential springs.
struct TangentDamping {
  double tangential_s = 0;        ///< B_t = this × K_t + the next × K_t^½
  double tangential_sqrt_kg = 0;  ///< a share of critical damping: 2ζ√m
  double torsion_s = 0;           ///< b_θ = this × k_θ
};

/// Everything that two bodies need to touch softly.
struct SoftPair {
  NormalLaw normal = HertzNormal{};
  PatchModel patch = PatchModel::hertz;
  TangentModel tangent = MindlinTangent{};
  SoftFriction friction;
  TangentDamping damping;
  double centre_share = 0.5;  ///< α: c = p1 + α gap n; 0: body 1 is hard, 1: body 2 is hard
  CurvatureUse curvature = CurvatureUse::updated;
  int cells =
      1;  ///< parallel friction cells, to max_slip_cells; more than one: Mindlin's hysteresis
};

/// A pair of two elastic bodies: Hertz, Mindlin and Hunt-Crossley.
[[nodiscard]] Result<SoftPair> elastic_pair(const Material& one, const Material& two,
                                            double friction_coefficient,
                                            std::string_view name = "soft pair");

/// The same pair with its bodies named the other way round.
[[nodiscard]] SoftPair exchanged(SoftPair pair);

/// The pair as given, or a sentence about what is wrong with it.
[[nodiscard]] Result<SoftPair> checked(SoftPair pair, std::string_view name = "soft pair");

/// Where a pair is evaluated, in the tangent basis E.
struct SoftPlace {
  double gap = 0;
  Mat2 A_rel = Mat2::Zero();   ///< A1 + A2
  Vec2 axis1 = Vec2::UnitX();  ///< first axis of the pad of body 1, unit
  Vec2 axis2 = Vec2::UnitX();  ///< of body 2; its second axis turns the other way, its normal is -n
  Vec2 friction_axis = Vec2::UnitX();  ///< of the friction tensor
};

/// @param R12  turns the frame of body 2 into that of body 1.
/// @param touch_down  for CurvatureUse::frozen: the curvatures kept from touch-down.
[[nodiscard]] SoftPlace place_of(const SoftPair& pair, const PairGeometry& geometry,
                                 const Mat3& R12, const Vec2* touch_down = nullptr);

/// κ_a <= κ_b of A_rel: what a frozen pair keeps.
[[nodiscard]] Vec2 relative_curvatures(const Mat2& A_rel);

/// What the pair says there. At gap >= 0 everything is zero: the bodies are apart, and what the
/// state s still held is lost.
struct SoftResponse {
  NormalState normal;            ///< U, f_el, dU_dA (zero when frozen), patch
  Mat2 K_t = Mat2::Zero();       ///< series, in E [N/m]
  Mat2 K_t_root = Mat2::Zero();  ///< symmetric root of K_t
  double k_theta = 0;            ///< [N m/rad]
  double k_theta_root = 0;
  Mat2 B_t = Mat2::Zero();  ///< tangential damping [N s/m]
  double b_theta = 0;       ///< [N m s/rad]
  double r_tau = 0;         ///< torque arm of friction [m]
  Mat3 Q = Mat3::Zero();    ///< friction: s'Qs <= f_N², s = (s_t in E, s_θ)
};

[[nodiscard]] SoftResponse respond(const SoftPair& pair, const SoftPlace& place);

/// f_N >= 0 with damping.
[[nodiscard]] inline double normal_force(const SoftPair& pair, const SoftPlace& place,
                                         const SoftResponse& response, double gap_rate) {
  return damped_force(pair.normal, place.gap, response.normal.force, gap_rate);
}

}  // namespace tact
