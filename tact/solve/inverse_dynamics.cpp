// solve/inverse_dynamics.cpp - the search: pose, solve, judge, and again about the new pattern.
#include "tact/solve/inverse_dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tact/base/expects.hpp"
#include "tact/body/called.hpp"
#include "tact/solve/inverse_parts.hpp"

namespace tact {
namespace {

/// Patterns and cost have settled when they change by less than this share.
constexpr double settled = tolerance::quadratic;

/// Newton's steps are halved every so many rounds: far from the answer they may go in circles.
constexpr int whole_steps = 10;

/// A motion that comes from a solver has stuck contacts that creep. When nothing explains it with
/// the creep taken for sliding, as much as this is taken for rest; the judge decides all the same.
constexpr double creep[] = {1, 10, 100};

Result<bool> check(const ContactProblem& p, const InverseWish& wish) {
  if (const auto valid = validate(p); !valid) return valid.error();
  const auto refuse = [](const char* what) { return Error{Errc::value, what}; };
  if (!p.in_mass_form()) return refuse("inverse dynamics needs a problem in mass form");
  const Index m = wish.actuation.cols();
  if (wish.velocity.size() != p.dof() || !wish.velocity.allFinite())
    return refuse("velocity: one finite number per degree of freedom is needed");
  if (wish.actuation.rows() != p.dof() || !wish.actuation.allFinite())
    return refuse("actuation: one row of finite numbers per degree of freedom is needed");
  if (!((wish.dt > 0 || (wish.dt == 0 && p.dt > 0)) && std::isfinite(wish.dt)))
    return refuse("dt: a positive step is needed");
  for (const VecX* v : {&wish.lower, &wish.upper, &wish.weight})
    if (v->size() != 0 && v->size() != m)
      return refuse("lower, upper and weight: empty, or one number per actuator");
  if (wish.weight.size() > 0 && !(wish.weight.allFinite() && wish.weight.minCoeff() > 0))
    return refuse("weight: positive numbers are needed");
  for (Index j = 0; j < m; ++j) {
    double low = -std::numeric_limits<double>::infinity(), high = -low;
    if (wish.lower.size() > 0) low = wish.lower[j];
    if (wish.upper.size() > 0) high = wish.upper[j];
    if (!(low <= high)) return refuse("lower must not be above upper");
  }
  return true;
}

/// What counts as no velocity: a share of the largest that the step knows of.
void measure_motion(const DelassusProblem& free, const VecX& before, double tolerance,
                    InverseParts& parts) {
  const ContactProblem& p = parts.problem;
  parts.row_unit = row_units(free);
  const VecX gamma = contact_velocity(p, parts.wish.velocity);
  parts.u = gamma + law_shift(p, before);
  double size = 0;
  const auto include = [&](const VecX& v) {
    if (v.size() > 0) size = std::max(size, v.cwiseProduct(parts.row_unit).cwiseAbs().maxCoeff());
  };
  include(gamma);
  include(before);
  include(parts.u);
  include(free.b);
  parts.size = size;
  parts.still = tolerance * size;
}

Result<InverseParts> prepare(const ContactProblem& p, const InverseWish& wish, double tolerance) {
  InverseParts out(p, wish);
  const auto fill = [&](VecX& v, double value) {
    if (v.size() == 0) v.setConstant(wish.actuation.cols(), value);
  };
  fill(out.wish.lower, -std::numeric_limits<double>::infinity());
  fill(out.wish.upper, std::numeric_limits<double>::infinity());
  fill(out.wish.weight, 1);
  for (const Contact& contact : p.contacts) out.laws.push_back(local_law(contact.law));
  const auto free = reduce(p);
  if (!free) return free.error();
  measure_motion(*free, contact_velocity(p, p.velocity), tolerance, out);

  const VecX momentum = p.mass * (wish.velocity - p.velocity);
  const VecX smooth = p.impulse.size() > 0 ? p.impulse : VecX::Zero(p.dof());
  out.dof_unit = VecX(p.mass.diagonal()).cwiseAbs().cwiseSqrt();
  for (Index d = 0; d < p.dof(); ++d)
    out.dof_unit[d] = out.dof_unit[d] > 0 ? 1 / out.dof_unit[d] : 1;
  out.scale = std::max(out.dof_unit.cwiseProduct(momentum).norm(),
                       out.dof_unit.cwiseProduct(smooth).norm());
  if (!(out.scale > 0)) out.scale = 1;
  out.r = out.dof_unit.cwiseProduct(momentum - smooth) / out.scale;
  out.B = out.dof_unit.asDiagonal() * (out.dt * wish.actuation);
  out.J = out.dof_unit.asDiagonal() * MatX(p.rows).transpose();
  out.tau_unit.resize(out.B.cols());
  for (Index j = 0; j < out.B.cols(); ++j) {
    const double length = out.B.col(j).norm();
    out.tau_unit[j] = length > 0 ? out.scale / length : 1;
  }
  return out;
}

/// The first contact that the wanted motion enters, worst first.
bool penetrates(const InverseParts& parts, InverseReport& report) {
  double worst = parts.still;
  for (std::size_t i = 0; i < parts.laws.size(); ++i) {
    const LoadMotion m = parts.motion(static_cast<Index>(i));
    const double speed = approach(parts.laws[i], m.u);
    if (!(speed * m.unit[parts.laws[i].normal_row()] > worst)) continue;
    worst = speed * m.unit[parts.laws[i].normal_row()];
    report.contact = static_cast<Index>(i);
    report.amount = speed;
  }
  if (report.contact < 0) return false;
  report.status = InverseStatus::infeasible;
  report.obstacle = InverseObstacle::penetration;
  const bool equation = parts.laws[report.contact].kind == LawKind::bounded;
  report.reason = called("contact", parts.problem.contacts[report.contact].name, report.contact);
  report.reason += equation ? ", a row without a bound on this side, would move at "
                            : " would be penetrated at ";
  report.reason += short_number(report.amount);
  report.reason += " m/s";
  return true;
}

/// The judge's error over the larger of its own scale and the data's.
double data_figure(const DelassusProblem& forward, double size, const InverseReport& report) {
  const EnergyScales own = energy_scales(forward, report.lambda);
  const double scale = std::max(own.load, own.motion);
  if (!(scale > 0)) return report.residual.figure();
  const double error = report.residual.natural * scale;
  return std::max(error / std::max(scale, size),
                  tolerance::unhidden * error / std::max(own.motion, size));
}

/// What an answer is worth, in the judge's eyes.
void judge(const InverseParts& parts, const PosedInverse& posed, const ForceProgramAnswer& answer,
           InverseReport& report) {
  const Index m = parts.B.cols();
  report.tau = answer.z.head(m).cwiseProduct(parts.tau_unit);
  report.lambda = posed.lambda(parts, answer.z);
  report.gap = answer.gap;
  report.cost = 0.5 * parts.wish.weight.dot(report.tau.cwiseAbs2());
  const ContactProblem forward = actuated(parts.problem, parts.wish, report.tau);
  const auto reduced = reduce(forward);
  TACT_EXPECTS(reduced.has_value());
  report.residual = residual(*reduced, report.lambda);
  report.figure = data_figure(*reduced, parts.size, report);
  const VecX reached = velocity_after(forward, report.lambda);
  const auto size = [&](const VecX& v) { return v.cwiseQuotient(parts.dof_unit).norm(); };
  const double speed =
      std::max({size(parts.wish.velocity), size(parts.problem.velocity), parts.scale});
  report.motion_error = size(reached - parts.wish.velocity) / speed;
}

bool content(const InverseReport& report, double tolerance) {
  return report.figure <= tolerance && report.motion_error <= tolerance;
}

/// Newton's step of the patterns, whole at first, shorter when it does not settle. How far they
/// wanted to move, relative to their patches.
double renew(const InverseParts& parts, const PosedInverse& posed, const VecX& z, int round,
             std::vector<PressurePattern>& patterns) {
  const double share = std::pow(0.5, round / whole_steps);
  double change = 0;
  for (std::size_t i = 0; i < posed.sets.size(); ++i) {
    if (!posed.sets[i].frozen) continue;
    const PressurePattern old = patterns[i];
    const VecX y = z.segment(posed.first[i], posed.sets[i].E.cols()) * posed.y_unit[i];
    update_pattern(parts.laws[i], posed.sets[i], y, patterns[i]);
    const double radius = parts.laws[i].patch->cone.hull().radius();
    change = std::max(change, old.known ? (patterns[i].c - old.c).norm() / radius : 1.0);
    if (old.known) patterns[i].c = old.c + share * (patterns[i].c - old.c);
  }
  return change;
}

void finish(const InverseParts& parts, double tolerance, InverseReport& report) {
  report.status = InverseStatus::solved;
  const auto reduced = reduce(actuated(parts.problem, parts.wish, report.tau));
  const JudgedContacts contacts = judged(*reduced);
  LabelScales scales = label_scales(contacts, report.lambda, parts.u);
  scales.tolerance = std::max(scales.tolerance, tolerance);
  report.labels = labels(contacts, report.lambda, parts.u, scales);
}

void refuse(const InverseParts& parts, const PosedInverse& posed, const ForceProgramAnswer& answer,
            InverseReport& report) {
  report.status = InverseStatus::infeasible;
  report.ray = answer.ray.cwiseProduct(parts.dof_unit);
  report.ray_most = answer.most * parts.scale;
  report.ray_needed = answer.needed * parts.scale;
  report.ray_is_proof = !posed.frozen;
  explain(parts, posed, answer, report);
}

}  // namespace

std::string_view name(InverseStatus status) {
  constexpr std::string_view names[] = {"solved", "infeasible", "not_converged"};
  return names[static_cast<std::size_t>(status)];
}

ContactProblem actuated(const ContactProblem& problem, const InverseWish& wish, const VecX& tau) {
  ContactProblem out = problem;
  const double dt = wish.dt > 0 ? wish.dt : problem.dt;
  const VecX impulse = dt * (wish.actuation * tau);
  if (out.impulse.size() > 0)
    out.impulse += impulse;
  else
    out.impulse = impulse;
  return out;
}

namespace {

bool any_patch_friction(const InverseParts& parts) {
  return std::any_of(parts.laws.begin(), parts.laws.end(),
                     [](const LocalLaw& law) { return law.kind == LawKind::patch_friction; });
}

/// Patterns half-way from the middle of every patch to its rim: for another start.
std::vector<PressurePattern> patterns_towards(const InverseParts& parts, const Vec2& direction) {
  std::vector<PressurePattern> out(parts.laws.size());
  for (std::size_t i = 0; i < parts.laws.size(); ++i) {
    if (parts.laws[i].kind != LawKind::patch_friction) continue;
    const PlanarSet& hull = parts.laws[i].patch->cone.hull();
    out[i].known = true;
    out[i].c = 0.5 * (hull.center() + hull.support(direction));
  }
  return out;
}

/// Rounds of pose, solve, judge with one idea of what counts as rest.
InverseReport search(const InverseParts& parts, const InverseOptions& options,
                     std::vector<PressurePattern> patterns) {
  InverseReport report, best;
  bool any = false;
  for (int round = 1; round <= options.max_patterns; ++round) {
    const PosedInverse posed = pose(parts, options.regularisation, patterns);
    const ForceProgramAnswer answer = solve(posed.program);
    report = {};
    judge(parts, posed, answer, report);
    report.patterns = round;
    const bool good = content(report, options.tolerance);
    const double before = any ? best.cost : std::numeric_limits<double>::infinity();
    if (good && (!any || report.cost < before)) best = report;
    const bool same_cost = any && std::abs(report.cost - before) <= settled * before;
    any = any || good;
    const bool still = renew(parts, posed, answer.z, round, patterns) <= settled;
    if (any && (!posed.frozen || still || same_cost)) break;
    if (any || (posed.frozen && !still && round < options.max_patterns)) continue;
    if (answer.end == ForceProgramAnswer::End::infeasible) refuse(parts, posed, answer, report);
    return report;
  }
  if (!any) return report;
  best.patterns = std::max(best.patterns, report.patterns);
  finish(parts, options.tolerance, best);
  return best;
}

}  // namespace

Result<InverseReport> inverse_dynamics(const ContactProblem& problem, const InverseWish& wish,
                                       const InverseOptions& options) {
  if (const auto fits = check(problem, wish); !fits) return fits.error();
  auto prepared = prepare(problem, wish, options.tolerance);
  if (!prepared) return prepared.error();
  InverseParts parts = *std::move(prepared);
  InverseReport first;
  first.tau = VecX::Zero(wish.actuation.cols());
  first.lambda = VecX::Zero(parts.u.size());
  if (penetrates(parts, first)) return first;
  const double still = parts.still;
  const std::vector<PressurePattern> middle(parts.laws.size());
  for (const double share : creep) {
    parts.still = share * still;
    InverseReport report = search(parts, options, middle);
    if (report.status == InverseStatus::solved) return report;
    if (share == 1) first = std::move(report);
  }
  // Programs about a pattern know their neighbourhood only.
  parts.still = still;
  if (first.status == InverseStatus::infeasible && first.ray_is_proof) return first;
  for (const Vec2& direction : {Vec2(1, 1), Vec2(-1, 1), Vec2(-1, -1), Vec2(1, -1)}) {
    if (!any_patch_friction(parts)) break;
    InverseReport report = search(parts, options, patterns_towards(parts, direction));
    if (report.status == InverseStatus::solved) return report;
  }
  return first;
}

}  // namespace tact
