// soft/soft_contact.cpp - the middle of a step, then the impulse of an end that is tried.
#include "tact/soft/soft_contact.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

#include "tact/base/tolerance.hpp"
#include "tact/soft/close_energy.hpp"

namespace tact {
namespace {

bool has_tangent(const SoftPair& pair) {
  return pair.friction.tensor.has_value() || pair.friction.coefficient > 0;
}

const Vec2* kept_curvatures(const SoftPair& pair, const Vec2& touch_down) {
  return pair.curvature == CurvatureUse::frozen ? &touch_down : nullptr;
}

NormalState normal_at(const SoftPair& pair, double gap, const Mat2& A_rel) {
  return gap < 0 ? normal_state(pair.normal, pair.patch, gap, A_rel) : NormalState{};
}

/// The elastic force between two depths at one curvature: its secant, and half its own slope.
struct Secant {
  double force = 0;
  double slope = 0;  ///< ∂force/∂(depth at the end) [N/m]
};

/// (x1^p - x0^p)/(x1 - x0)/p for p = 2 and 5/2, without cancellation.
double power_secant(const LinearNormal& /*law*/, double x0, double x1) {
  return (x0 + x1) / 2;
}
double power_secant(const HertzNormal& /*law*/, double x0, double x1) {
  const double a = std::sqrt(x0), b = std::sqrt(x1);
  const double sum = a + b;
  if (!(sum > 0)) return 0;
  const double aa = a * a, bb = b * b;
  return 0.4 * (aa * aa + bb * bb + a * b * (aa + bb) + aa * bb) / sum;
}

/// f/x^(p-1) at the deeper end: the constant of the power.
double power_constant(const LinearNormal& law, double /*x*/, double /*force*/) {
  return law.stiffness_N_per_m;
}
double power_constant(const HertzNormal& /*law*/, double x, double force) {
  return force / (x * std::sqrt(x));
}
double force_slope(const LinearNormal& law, double /*x*/, double /*force*/) {
  return law.stiffness_N_per_m;
}
double force_slope(const HertzNormal& /*law*/, double x, double force) {
  return 1.5 * force / x;
}

template <class Law>
Secant secant(const Law& law, double x0, double x1, const NormalState& at0, const NormalState& at1,
              const Mat2& /*A_rel*/) {
  const double deeper = std::max(x0, x1);
  const double c = power_constant(law, deeper, x0 > x1 ? at0.force : at1.force);
  Secant s;
  if (x0 >= 0 && x1 >= 0)
    s.force = c * power_secant(law, x0, x1);
  else
    s.force = c * power_secant(law, 0, deeper) * deeper / std::abs(x1 - x0);
  if (x1 <= 0) {
    s.slope = s.force / (x0 - x1);
  } else if (std::abs(x1 - x0) < 0.1 * deeper) {
    s.slope = 0.5 * force_slope(law, deeper, c * power_secant(law, deeper, deeper));
  } else {
    s.slope = std::max(0.0, (at1.force - s.force) / (x1 - x0));
  }
  return s;
}

/// Any energy: the quotient, or Gauss' three points where it would cancel.
Secant secant(const UserNormal& law, double x0, double x1, const NormalState& at0,
              const NormalState& at1, const Mat2& A_rel) {
  constexpr double narrow = 0.02;
  const double deeper = std::max(x0, x1), width = x1 - x0;
  Secant s;
  if (std::abs(width) > narrow * deeper) {
    s.force = (at1.energy - at0.energy) / width;
    s.slope = std::max(0.0, (at1.force - s.force) / width);
    return s;
  }
  const Vec2 kappa = relative_curvatures(A_rel);
  const double middle = (x0 + x1) / 2, off = width / 2 * std::sqrt(0.6);
  const auto force = [&](double x) { return x > 0 ? law.energy(-x, kappa).force : 0.0; };
  s.force = (5 * force(middle - off) + 8 * force(middle) + 5 * force(middle + off)) / 18;
  const double step = tolerance::difference * deeper;
  s.slope = std::max(0.0, (force(middle + step) - force(middle - step)) / (4 * step));
  return s;
}

Secant elastic_secant(const SoftPair& pair, double gap0, double gap1, const NormalState& at0,
                      const NormalState& at1, const Mat2& A_rel) {
  if (gap0 >= 0 && gap1 >= 0) return {};
  return std::visit([&](const auto& law) { return secant(law, -gap0, -gap1, at0, at1, A_rel); },
                    pair.normal);
}

/// The mean force with damping, and how it changes with the mean gap rate.
struct DampedForce {
  double force = 0;
  double slope = 0;  ///< -∂force/∂(gap rate) [N s/m]
};

/// How much of the step the bodies touch, as if the gap changed evenly.
double touching_share(double gap0, double gap1) {
  const double deep = std::max(-gap0, -gap1), shallow = std::min(-gap0, -gap1);
  if (deep <= 0) return 0;
  return shallow >= 0 ? 1 : deep / (deep - shallow);
}

DampedForce damped(const SoftPair& pair, double gap0, double gap1, const Secant& elastic,
                   double gap_rate, double dt) {
  const double share = touching_share(gap0, gap1);
  if (!(share > 0)) return {};
  const double d = std::visit([](const auto& law) { return law.damping_s_per_m; }, pair.normal);
  const double factor = 1 - d * gap_rate;
  DampedForce out{elastic.force * factor, dt * elastic.slope * factor + d * elastic.force};
  if (const auto* linear = std::get_if<LinearNormal>(&pair.normal)) {
    // A dashpot acts while the bodies touch.
    out.force -= share * linear->damping_Ns_per_m * gap_rate;
    out.slope += share * linear->damping_Ns_per_m;
    if (!linear->never_pulls) return out;
  }
  return out.force > 0 ? out : DampedForce{};
}

/// Balls and planes: their curvature is the same wherever they touch.
bool evenly_curved(const Surface& s) {
  return std::holds_alternative<SphereSurface>(s.form) ||
         std::holds_alternative<PlaneSurface>(s.form);
}

/// Whether one body passed through the other, or rolled so far that a step cannot say how.
bool turned_over(const FacingPoints& from, const FacingPoints& to) {
  return from.one.n.dot(to.one.n) < 0 && from.two.n.dot(to.two.n) < 0;
}

/// Turns a into b, both unit, by the least angle. Expects that they are not opposite.
Vec3 turned(const Vec3& a, const Vec3& b, const Vec3& x) {
  const Vec3 axis = a.cross(b);
  return a.dot(b) * x + axis.cross(x) + axis * (axis.dot(x) / (1 + a.dot(b)));
}

struct Normals {
  Pose X_12;
  Vec3 n1;  ///< outward of body 1, in its frame
  Vec3 n2;  ///< outward of body 2, in its frame
};

Normals normals_of(const FacingPoints& facing, const Pose& X_12) {
  return {X_12, facing.one.n, facing.two.n};
}

/// How a tangent vector is carried from one moment to another: by body 1, and then turned about the
/// normal half-way to where body 2 would have it. The angle is the same for all vectors.
struct Carrier {
  Normals from, to;
  double cos_half = 1, sin_half = 0;

  [[nodiscard]] Vec3 operator()(const Vec3& s) const {
    const Vec3 by_one = turned(from.n1, to.n1, s);
    return cos_half * by_one + sin_half * to.n1.cross(by_one);
  }
};

Carrier carrier(const Normals& from, const Normals& to) {
  Carrier out{from, to, 1, 0};
  const Vec3 probe = from.n1.unitOrthogonal();
  const Vec3 by_one = turned(from.n1, to.n1, probe);
  const Vec3 by_two = to.X_12.R * turned(from.n2, to.n2, from.X_12.R.transpose() * probe);
  const double c = by_one.dot(by_two), s = to.n1.dot(by_one.cross(by_two));
  if (c > 0) {  // without angles: this is done for every end that is tried
    const double size = std::sqrt(c * c + s * s);
    out.cos_half = std::sqrt(0.5 * (1 + c / size));
    out.sin_half = 0.5 * s / (size * out.cos_half);
    return out;
  }
  const double half = 0.5 * std::atan2(s, c);
  out.cos_half = std::cos(half);
  out.sin_half = std::sin(half);
  return out;
}

/// What friction does: the load of all cells, its slopes, and the cells afterwards.
struct TangentLoad {
  Vec3 force = Vec3::Zero();      ///< Σ N'σ on the spring in (e1, e2, θ) [N, N, N m]
  Mat3 slope = Mat3::Zero();      ///< by the mean rates ξ_t, ω_n
  Vec3 by_normal = Vec3::Zero();  ///< by the normal force
  Vec3 by_depth = Vec3::Zero();   ///< by the mean depth, while it sticks
  double loss = 0, viscous = 0;
  double use = 0;
  bool slips = false;
};

struct TangentStep {
  const SoftContactModel& model;
  const SoftResponse& response;
  double normal_force = 0;
  Vec3 rates;  ///< mean ξ_x, ξ_y, ω_n
  double dt = 0;
  Vec3 growth = Vec3::Zero();     ///< of N by depth, as shares [1/m]
  Vec3 viscosity = Vec3::Zero();  ///< a dashpot beside the spring, behind the slider: a larger θ
  Vec3 thinner = Vec3::Zero();    ///< by how much of it less by depth [1/m]
};

/// Viscosities, and what changes with depth: Mindlin's stiffnesses grow with √depth and its cube,
/// their roots with half of these powers.
void grow_and_thin(double gap, TangentStep& step) {
  const SoftResponse& r = step.response;
  const TangentDamping& damping = step.model.pair.damping;
  const double stiffness = r.K_t.trace() * step.dt, torsion = r.k_theta * step.dt;
  const double tangential = stiffness > 0 ? r.B_t.trace() / stiffness : 0.0;
  step.viscosity = Vec3(tangential, tangential, torsion > 0 ? r.b_theta / torsion : 0.0);
  if (!(gap < 0) || !std::holds_alternative<MindlinTangent>(step.model.pair.tangent)) return;
  step.growth = Vec3(0.25, 0.25, 0.75) / -gap;
  if (!(stiffness > 0)) return;
  const double less = damping.tangential_sqrt_kg * r.K_t_root.trace() / stiffness * step.growth[0];
  step.thinner = Vec3(less, less, 0);
}

/// σ's derivative by its argument and by the limit, where the cell slips.
void slipping_slopes(const Mat3& Q, const Vec3& argument, const Vec3& sigma, double limit,
                     Mat3& by_argument, Vec3& by_limit) {
  const Vec3 g = Q * sigma;
  const double square = g.squaredNorm();
  by_limit.setZero();
  by_argument.setZero();
  if (!(square > 0)) return;
  const double lambda = std::max(0.0, (argument - sigma).dot(g) / square);
  const Mat3 inverse = (Mat3::Identity() + lambda * Q).inverse();
  const Vec3 y = inverse * g;
  const double gy = g.dot(y);
  by_argument = inverse - y * y.transpose() / gy;
  by_limit = y * (limit / gy);
}

void slip_cell(const TangentStep& step, int i, const Mat3& N, const Mat32& E, const Carrier& in,
               const Carrier& out, const SoftCell& from, SoftCell& to, TangentLoad& load) {
  const SoftPair& pair = step.model.pair;
  const double root = std::sqrt(step.model.cells.stiffness[i]);
  const double limit = step.model.cells.strength[i] * step.normal_force / root;
  const Vec3 theta = step.viscosity.array() + (from.slips ? 1.0 : 0.5);
  const Vec2 shear0 = E.transpose() * in(from.shear);
  const Vec3 s0(shear0[0], shear0[1], from.torsion);
  const Vec3 increment = root * step.dt * (N * step.rates);
  const Mat3& Q = step.response.Q;
  const SlipStep slip =
      slip_step(Q, limit, pair.friction.static_ratio, from.slips, s0, increment, theta);
  const Mat3 RN = root * N;
  load.force += RN * slip.force_state;
  if (slip.slips) {
    Mat3 by_argument;
    Vec3 by_limit;
    slipping_slopes(Q, s0 + theta.cwiseProduct(increment), slip.force_state, limit, by_argument,
                    by_limit);
    load.slope += step.dt * RN * by_argument * theta.asDiagonal() * RN;
    load.by_normal += RN * by_limit * (step.model.cells.strength[i] / root);
  } else {
    load.slope += step.dt * RN * theta.asDiagonal() * RN;
    const Vec3 grown = (slip.force_state + theta.cwiseProduct(increment)).cwiseProduct(step.growth);
    load.by_depth += RN * (grown - step.thinner.cwiseProduct(increment));
  }
  const double viscous = step.viscosity.dot((slip.s1 - s0).cwiseAbs2());
  load.viscous += viscous;
  load.loss += slip.loss - viscous;
  load.slips = load.slips || slip.slips;
  if (limit > 0)
    load.use = std::max(load.use, std::sqrt(slip.force_state.dot(Q * slip.force_state)) / limit);
  to.shear = out(E * Vec2(slip.s1[0], slip.s1[1]));
  to.torsion = slip.s1[2];
  to.slips = slip.slips;
}

double cell_energy(const SoftCell& cell) {
  return 0.5 * (cell.shear.squaredNorm() + cell.torsion * cell.torsion);
}

void unload(std::vector<SoftCell>& cells) {
  std::fill(cells.begin(), cells.end(), SoftCell{});
}

/// The normal, rolling and closing parts.
DampedForce add_normal(const SoftContactModel& model, const SoftContactState& state,
                       const SoftFrame& frame, const Vec6& T, double dt, SoftAnswer& answer) {
  const SoftPair& pair = model.pair;
  SoftContactState& end = answer.end;
  const double gap0 = state.facing.gap, gap1 = end.facing.gap;
  const NormalState end_here = normal_at(pair, gap1, frame.place.A_rel);
  end.normal_energy = end_here.energy;
  if (frame.rolls) {
    const PairGeometry geometry = pair_geometry(end.facing, end.X_12);
    const SoftPlace place = place_of(pair, geometry, end.X_12.R);
    end.normal_energy = normal_at(pair, gap1, place.A_rel).energy;
  }
  const Secant elastic =
      elastic_secant(pair, gap0, gap1, frame.normal_start, end_here, frame.place.A_rel);
  const DampedForce normal = damped(pair, gap0, gap1, elastic, T[5], dt);
  answer.normal_force = normal.force;
  answer.viscous_loss = dt * (elastic.force - normal.force) * T[5];

  Vec6 conservative = Vec6::Zero();
  conservative[5] = dt * elastic.force;
  if (frame.rolls) {
    const Mat2 G = 0.5 * (frame.normal_start.dU_dA + end_here.dU_dA);
    const Vec3 weights(G(0, 0), 2 * G(0, 1), G(1, 1));
    conservative -= dt * (frame.curvature_rates_C.transpose() * weights);
  }
  const double reach = frame.X_12.p.norm() + frame.geometry.p1.norm();
  const double size = state.normal_energy + end.normal_energy + elastic.force * reach;
  const double left = frame.iterated ? tolerance::rounding * size : 0;
  answer.shake = tolerance::epsilon * size *
                 close_energy(T, frame.metric_length, state.normal_energy - end.normal_energy, left,
                              conservative);
  answer.impulse = conservative;
  answer.impulse[5] += dt * (normal.force - elastic.force);
  answer.slope(5, 5) = dt * normal.slope;
  answer.shake[5] += tolerance::epsilon * reach * normal.slope;
  return normal;
}

/// The tangential and torsional part, with the stiffness of the mean depth.
void add_tangent(const SoftContactModel& model, const SoftContactState& state,
                 const SoftFrame& frame, const Vec6& T, const DampedForce& normal, double dt,
                 SoftAnswer& answer) {
  SoftContactState& end = answer.end;
  const double gap0 = state.facing.gap, gap1 = end.facing.gap;
  SoftPlace mean = frame.place;
  mean.gap = 0.5 * (std::min(gap0, 0.0) + std::min(gap1, 0.0));
  const SoftResponse response = respond(model.pair, mean);
  const Normals middle = normals_of(frame.facing, frame.X_12);
  const Carrier in = carrier(normals_of(state.facing, state.X_12), middle);
  const Carrier out = carrier(middle, normals_of(end.facing, end.X_12));
  Mat3 N = Mat3::Zero();
  N.topLeftCorner<2, 2>() = response.K_t_root;
  N(2, 2) = response.k_theta_root;
  const double touching = touching_share(gap0, gap1) * dt;
  TangentStep step{model, response, std::max(0.0, normal.force), Vec3(T[3], T[4], T[2]), touching};
  grow_and_thin(mean.gap, step);
  TangentLoad load;
  for (std::size_t i = 0; i < state.cells.size(); ++i)
    slip_cell(step, static_cast<int>(i), N, frame.geometry.E, in, out, state.cells[i], end.cells[i],
              load);
  constexpr Index rows[3] = {3, 4, 2};
  const double deeper = end.touches ? 0.5 * dt : 0.0;
  for (Index a = 0; a < 3; ++a) {
    answer.impulse[rows[a]] -= touching * load.force[a];
    for (Index b = 0; b < 3; ++b) answer.slope(rows[a], rows[b]) += touching * load.slope(a, b);
    answer.slope(rows[a], 5) -=
        touching * (load.by_normal[a] * normal.slope + deeper * load.by_depth[a]);
  }
  answer.slips = load.slips;
  answer.friction_use = load.use;
  answer.viscous_loss += load.viscous;
  answer.slip_loss = load.loss;
  if (end.touches) return;
  for (const SoftCell& cell : end.cells) answer.slip_loss += cell_energy(cell);
  unload(end.cells);
}

}  // namespace

SoftContactModel soft_contact_model(Surface one, Surface two, SoftPair pair) {
  const SlipCells cells = mindlin_cells(pair.cells);
  return {std::move(one), std::move(two), std::move(pair), cells};
}

SoftContactState soft_contact_state(const SoftContactModel& model, const FacingPoints& facing,
                                    const Pose& X_12) {
  SoftContactState state;
  state.facing = facing;
  state.X_12 = X_12;
  state.cells.resize(static_cast<std::size_t>(model.cells.count));
  const PairGeometry geometry = pair_geometry(facing, X_12);
  state.touches = facing.gap < 0;
  state.touch_down = relative_curvatures(geometry.A1 + geometry.A2);
  const SoftPlace place =
      place_of(model.pair, geometry, X_12.R, kept_curvatures(model.pair, state.touch_down));
  state.normal_energy = normal_at(model.pair, facing.gap, place.A_rel).energy;
  return state;
}

double stored_energy(const SoftContactState& state) {
  double sum = state.normal_energy;
  for (const SoftCell& cell : state.cells) sum += cell_energy(cell);
  return sum;
}

TrackStatus begin_soft_step(const SoftContactModel& model, const SoftContactState& state,
                            const Pose& X_12_middle, SoftFrame& frame) {
  const SoftPair& pair = model.pair;
  frame.facing = state.facing;
  frame.X_12 = X_12_middle;
  const TrackStatus status = track(model.one, model.two, X_12_middle, frame.facing);
  if (status != TrackStatus::tracked) return status;
  if (turned_over(state.facing, frame.facing)) return TrackStatus::not_converged;
  frame.geometry = pair_geometry(frame.facing, X_12_middle);
  const PairGeometry& g = frame.geometry;
  const Mat2 A_rel = g.A1 + g.A2;
  const Vec2 touch_down = state.touches ? state.touch_down : relative_curvatures(A_rel);
  frame.place = place_of(pair, g, X_12_middle.R, kept_curvatures(pair, touch_down));
  frame.normal_start = normal_at(pair, state.facing.gap, frame.place.A_rel);
  frame.X_1C.R << g.E, g.n;
  frame.X_1C.p = g.p1 + pair.centre_share * g.gap * g.n;
  frame.metric_length = 2 / A_rel.trace();
  frame.rolls = pair.curvature == CurvatureUse::updated &&
                !std::holds_alternative<LinearNormal>(pair.normal) &&
                !(evenly_curved(model.one) && evenly_curved(model.two));
  if (frame.rolls) {
    const PointRates rates = point_rates(g, X_12_middle.R);
    frame.curvature_rates_C =
        relative_curvature_rates(model.one, model.two, frame.facing, X_12_middle, g, rates) *
        adjoint(frame.X_1C);
  } else {
    frame.curvature_rates_C.setZero();
  }
  return status;
}

void try_soft_step(const SoftContactModel& model, const SoftContactState& state,
                   const SoftFrame& frame, const Twist& T_C, double dt, const Pose& X_12_end,
                   SoftAnswer& answer) {
  SoftContactState& end = answer.end;
  answer.impulse.setZero();
  answer.shake.setZero();
  answer.slope.setZero();
  answer.normal_force = answer.viscous_loss = answer.slip_loss = answer.friction_use = 0;
  answer.slips = false;
  end.facing = frame.facing;
  end.X_12 = X_12_end;
  answer.status = track(model.one, model.two, X_12_end, end.facing);
  if (answer.status == TrackStatus::tracked && turned_over(state.facing, end.facing))
    answer.status = TrackStatus::not_converged;
  if (answer.status != TrackStatus::tracked) return;
  end.touches = end.facing.gap < 0;
  end.cells.resize(state.cells.size());
  end.touch_down = state.touch_down;
  if (state.facing.gap >= 0 && end.facing.gap >= 0) {
    end.normal_energy = 0;
    unload(end.cells);
    return;
  }
  if (!state.touches) end.touch_down = relative_curvatures(frame.geometry.A1 + frame.geometry.A2);
  const DampedForce normal = add_normal(model, state, frame, T_C.vec(), dt, answer);
  if (has_tangent(model.pair)) add_tangent(model, state, frame, T_C.vec(), normal, dt, answer);
}

TrackStatus move_soft_contact(const SoftContactModel& model, const Pose& X_12,
                              SoftContactState& state) {
  FacingPoints facing = state.facing;
  const TrackStatus status = track(model.one, model.two, X_12, facing);
  if (status != TrackStatus::tracked) return status;
  const Carrier carry = carrier(normals_of(state.facing, state.X_12), normals_of(facing, X_12));
  for (SoftCell& cell : state.cells) cell.shear = carry(cell.shear);
  const PairGeometry geometry = pair_geometry(facing, X_12);
  if (!state.touches) state.touch_down = relative_curvatures(geometry.A1 + geometry.A2);
  const SoftPlace place =
      place_of(model.pair, geometry, X_12.R, kept_curvatures(model.pair, state.touch_down));
  state.normal_energy = normal_at(model.pair, facing.gap, place.A_rel).energy;
  state.facing = facing;
  state.X_12 = X_12;
  state.touches = facing.gap < 0;
  return status;
}

}  // namespace tact
