#include "tact/soft/normal_law.hpp"

#include <algorithm>
#include <cmath>

#include "tact/base/tolerance.hpp"
#include "tact/soft/hertz.hpp"

namespace tact {

namespace {

PatchEllipse patch_of(PatchModel model, const RelativeCurvature& curvature, double depth) {
  switch (model) {
    case PatchModel::hertz:
      return hertz_patch(hertz_shape(curvature.least, curvature.largest), curvature, depth);
    case PatchModel::quadric:
      return quadric_patch(curvature, depth);
    case PatchModel::none:
      break;
  }
  return {};
}

struct Evaluation {
  PatchModel model;
  double depth;
  const RelativeCurvature curvature;

  NormalState operator()(const LinearNormal& law) const {
    NormalState out;
    out.force = law.stiffness_N_per_m * depth;
    out.energy = out.force * depth / 2;
    out.patch = patch_of(model, curvature, depth);
    return out;
  }

  NormalState operator()(const HertzNormal& law) const {
    const HertzShape shape = law.circular ? circular_shape(curvature.mean())
                                          : hertz_shape(curvature.least, curvature.largest);
    NormalState out;
    out.force = law.modulus_Pa * shape.stiffness * depth * std::sqrt(depth);
    out.energy = 0.4 * out.force * depth;
    out.dU_dA = curvature_derivative(shape, curvature, out.force, depth);
    // The shape is there: the patch of this law costs nothing more.
    out.patch = model == PatchModel::hertz ? hertz_patch(shape, curvature, depth)
                                           : patch_of(model, curvature, depth);
    return out;
  }

  NormalState operator()(const UserNormal& law) const {
    const double ka = curvature.least, kb = curvature.largest;
    const NormalEnergy said = law.energy(-depth, Vec2(ka, kb));
    NormalState out;
    out.force = said.force;
    out.energy = said.energy;
    const double sum = said.by_curvature.sum() / 2;
    out.dU_dA = sum * Mat2::Identity();
    // At an umbilic the derivative has no direction; near it the difference is that of rounding.
    if (curvature.half_range > tolerance::rounding * std::abs(curvature.mean()))
      out.dU_dA += (said.by_curvature[1] - said.by_curvature[0]) / (2 * curvature.half_range) *
                   curvature.deviator;
    out.patch = patch_of(model, curvature, depth);
    return out;
  }
};

struct Dampers {
  double b = 0, d = 0;
  bool never_pulls = true;
};

struct DampersOf {
  Dampers operator()(const LinearNormal& law) const {
    return {law.damping_Ns_per_m, law.damping_s_per_m, law.never_pulls};
  }
  Dampers operator()(const HertzNormal& law) const { return {0, law.damping_s_per_m, true}; }
  Dampers operator()(const UserNormal& law) const { return {0, law.damping_s_per_m, true}; }
};

}  // namespace

NormalState normal_state(const NormalLaw& law, PatchModel patch, double gap, const Mat2& A_rel) {
  if (!(gap < 0)) return {};
  return std::visit(Evaluation{patch, -gap, relative_curvature(A_rel)}, law);
}

double damped_force(const NormalLaw& law, double gap, double elastic_force, double gap_rate) {
  if (!(gap < 0)) return 0;
  const Dampers with = std::visit(DampersOf{}, law);
  const double force = elastic_force * (1 - with.d * gap_rate) - with.b * gap_rate;
  return with.never_pulls ? std::max(0.0, force) : force;
}

}  // namespace tact
