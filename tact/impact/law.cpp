// impact/law.cpp - one function a law.
#include "tact/impact/law.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <Eigen/QR>

#include "tact/contact/residual.hpp"
#include "tact/impact/energy_frame.hpp"
#include "tact/impact/frictional.hpp"
#include "tact/impact/reflections.hpp"
#include "tact/linalg/least_distance.hpp"
#include "tact/solve/all_solutions.hpp"

namespace tact {
namespace {

using End = LeastDistance::End;

constexpr const char* jammed =
    "the contacts close in on each other: no velocity is admissible (jam ray)";
constexpr const char* conflicting =
    "the targets of the contacts contradict each other, although admissible velocities exist";

// Up to apply_polyhedral() an outcome is in sizes of the pushes.

ImpactOutcome outcome_of(const ImpactFrame& f, const LeastDistance& found) {
  ImpactOutcome out;
  out.events = found.steps;
  if (found.end == End::found) {
    out.status = ImpactStatus::solved;
    out.impulses = found.x;
  } else if (found.end == End::infeasible) {
    out.status = ImpactStatus::no_solution;
    out.ray = found.x;
    out.why = f.approach.dot(found.x) < 0 ? jammed : conflicting;
  } else {
    out.why = lost_to_rounding;
  }
  return out;
}

ImpactOutcome projected(const ImpactFrame& f, const VecX& slack) {
  return outcome_of(f, least_distance(f.columns, slack));
}

ImpactOutcome sizes_of(const ImpactFrame& f, const Moreau& law, const ImpactOptions&) {
  ImpactOutcome out = projected(f, f.approach);
  out.impulses *= 1 + law.e;
  return out;
}

ImpactOutcome sizes_of(const ImpactFrame& f, const Newton&, const ImpactOptions&) {
  return projected(f, f.approach + f.restitution.cwiseProduct(f.approach));
}

ImpactOutcome sizes_of(const ImpactFrame& f, const NewtonClamped&, const ImpactOptions&) {
  return projected(f, f.approach + f.restitution.cwiseProduct(f.approach).cwiseMin(0.0));
}

/// Where contacts are redundant, of all sizes with the same y those with the least Σ G_jj x_j²:
/// what restitution makes of them must not depend on the path to them, nor on rounding. With N the
/// null space of the pushes that hold, x = x0 + N w, x0 ⟂ N: one more least distance, of w.
void share_evenly(const ImpactFrame& f, VecX& sizes) {
  const VecX y = f.columns * sizes;
  const VecX after = f.approach + f.columns.transpose() * y;
  std::vector<Index> held;
  for (Index j = 0; j < sizes.size(); ++j) {
    const double length = f.columns.col(j).norm();
    const double slack = tolerance::solved * (length * y.norm() + std::abs(f.approach[j]));
    if (length > 0 && (sizes[j] > 0 || after[j] <= slack)) held.push_back(j);
  }
  const auto count = static_cast<Index>(held.size());
  MatX columns(y.size(), count);
  VecX x(count), length(count);
  for (Index k = 0; k < count; ++k) {
    length[k] = f.columns.col(held[k]).norm();
    columns.col(k) = f.columns.col(held[k]) / length[k];
    x[k] = sizes[held[k]] * length[k];
  }
  Eigen::ColPivHouseholderQR<MatX> qr(columns.transpose());
  qr.setThreshold(tolerance::rank);
  const Index rank = qr.rank();
  if (rank == count) return;
  const MatX q = qr.householderQ();
  const MatX null = q.rightCols(count - rank);
  const VecX least = x - null * (null.transpose() * x);
  const LeastDistance found = least_distance(null.transpose(), least);
  if (found.end != End::found) return;
  x = (least + null * found.y).cwiseMax(0.0);
  for (Index k = 0; k < count; ++k) sizes[held[k]] = x[k] / length[k];
}

ImpactOutcome sizes_of(const ImpactFrame& f, const Poisson&, const ImpactOptions&) {
  ImpactOutcome out = projected(f, f.approach);
  if (out.status != ImpactStatus::solved) return out;
  share_evenly(f, out.impulses);
  out.compression = out.impulses;
  out.impulses += f.restitution.cwiseProduct(out.compression);
  const VecX y = f.columns * out.impulses;
  ImpactOutcome rest = projected(f, f.approach + f.columns.transpose() * y);
  if (rest.status != ImpactStatus::solved) return rest;
  out.impulses += rest.impulses;
  out.events += rest.events;
  return out;
}

/// S with S'S = 2/k, one column per push. The default of a contact is (1 - e)/(1 + e) times its own
/// block of G, of which R'R is that of a patch's normal rows: a number per corner would make the
/// corners springs in parallel, and no patch would have its restitution.
MatX springs_of(const ImpactFrame& f, const Fremond& law) {
  const Index n = f.columns.rows();
  const Index m = f.columns.cols();
  if (law.k) return std::sqrt(2 / *law.k) * MatX::Identity(m, m);
  std::vector<Index> at = {0};
  for (const RowSplit& split : f.split) at.push_back(at.back() + split.normal_count);
  MatX out = MatX::Zero(at.back(), m);
  for (Index j = 0; j < m; ++j) {
    const Push& push = f.pushes[j];
    const double e = f.restitution[j], share = std::sqrt((1 - e) / (1 + e));
    if (!f.laws[push.contact].is_patch()) {
      out(at[push.contact + 1] - 1, j) = share * f.columns.col(j).norm();
      continue;
    }
    const RowSplit& split = f.split[push.contact];
    MatX normals(n, 3);
    for (Index k = 0; k < 3; ++k)
      normals.col(k) = f.rows.col(f.offset[push.contact] + split.normal[k]);
    const Eigen::HouseholderQR<MatX> qr(normals);
    const MatX R = qr.matrixQR().topRows(std::min<Index>(n, 3)).triangularView<Eigen::Upper>();
    out.col(j).segment(at[push.contact], R.rows()) = share * (R * push.load);
  }
  return out;
}

/// λ = a + ν: (2/k) a + 2γ⁻ + G λ ⟂ a >= 0 and γ⁻ + G λ ⟂ ν >= 0. The compliances 2/k are lengths
/// of a in coordinates of its own, so that this is one more projection.
ImpactOutcome sizes_of(const ImpactFrame& f, const Fremond& law, const ImpactOptions&) {
  const Index n = f.columns.rows();
  const Index m = f.columns.cols();
  const MatX springs = springs_of(f, law);
  MatX columns = MatX::Zero(n + springs.rows(), 2 * m);
  VecX slack(2 * m);
  columns.topLeftCorner(n, m) = columns.topRightCorner(n, m) = f.columns;
  columns.bottomLeftCorner(springs.rows(), m) = springs;
  slack << 2 * f.approach, f.approach;
  LeastDistance found = least_distance(columns, slack);
  found.x = VecX(found.x.head(m) + found.x.tail(m));
  return outcome_of(f, found);
}

ImpactOutcome sizes_of(const ImpactFrame& f, const GeneralizedReflections& law,
                       const ImpactOptions& options) {
  ImpactOutcome plastic = projected(f, f.approach);
  if (plastic.status != ImpactStatus::solved) return plastic;
  const double motion = (f.columns * plastic.impulses).norm();
  ImpactOutcome out = reflect_together(f, motion, options.max_events);
  out.impulses = law.blend * out.impulses + (1 - law.blend) * plastic.impulses;
  return out;
}

ImpactOutcome sizes_of(const ImpactFrame& f, const Sequential&, const ImpactOptions& options) {
  ImpactOutcome plastic = projected(f, f.approach);
  if (plastic.status != ImpactStatus::solved) return plastic;
  const double motion = (f.columns * plastic.impulses).norm();
  return reflect_in_turn(f, motion, options.max_events);
}

/// Velocities and work of the impulses.
void finish(const ContactProblem& p, const ImpactFrame& f, ImpactOutcome& out) {
  out.gamma_minus = f.gamma;
  if (out.impulses.size() == 0) out.impulses.setZero(f.gamma.size());
  ImpactMotion motion = motion_of(f, out.impulses);
  out.velocity = f.velocity(motion.y);
  out.gamma_plus = std::move(motion.gamma_plus);
  out.work = motion.work;
  out.work_size = motion.size;
  out.momentum_residual = momentum_residual(p, out.impulses, out.velocity);
}

ImpactOutcome apply_polyhedral(const ImpactFrame& f, const ImpactLaw& law,
                               const ImpactOptions& options) {
  ImpactOutcome out = std::visit([&](const auto& l) { return sizes_of(f, l, options); }, law);
  for (VecX* sizes : {&out.impulses, &out.compression, &out.ray})
    if (sizes->size() > 0) *sizes = f.impulses(*sizes);
  return out;
}

ImpactOutcome undefined(const char* why) {
  ImpactOutcome out;
  out.status = ImpactStatus::undefined_for_law;
  out.why = why;
  return out;
}

Result<ImpactOutcome> apply_by_solver(const ContactProblem& p, const ImpactFrame& f,
                                      const ImpactLaw& law, const ImpactOptions& options) {
  const auto* moreau = std::get_if<Moreau>(&law);
  const bool poisson = std::holds_alternative<Poisson>(law);
  if (moreau == nullptr && !poisson && !std::holds_alternative<Newton>(law))
    return f.frictionless
               ? undefined(
                     "the law goes from contact to contact, and a patch with a round rim has "
                     "no end of them; give its hull as a polygon")
               : undefined(
                     "the law is known without friction only; use moreau with e = 0, newton "
                     "or poisson, or set the friction to zero");
  if (moreau != nullptr && moreau->e != 0 && !f.frictionless)
    return undefined("moreau with friction is known for e = 0 only; use newton or poisson");
  if (options.start.size() > 0 && options.start.size() != f.gamma.size())
    return Error{Errc::value, "start must have one entry per contact row"};
  const bool elastic = std::holds_alternative<Newton>(law);
  const ContactProblem ready = at_impact(p, f, elastic || poisson ? 1 : 0);
  const auto found = poisson ? poisson_impact(ready, options.start, options.tolerance)
                             : newton_impact(ready, options.start, options.tolerance);
  if (!found) return found.error();
  ImpactOutcome out = *found;
  if (moreau != nullptr) out.impulses *= 1 + moreau->e;
  if (out.status == ImpactStatus::no_solution)
    out.why = f.gamma.dot(out.ray) < 0 ? jammed : conflicting;
  else if (out.status != ImpactStatus::solved)
    out.why = "the contact solver found no impulses that obey the laws of friction";
  if (!options.count_solutions) return out;
  const auto all = all_solutions(poisson ? at_impact(p, f, 0) : ready);
  if (all && all->status == AllSolutions::Status::complete) out.solutions = all->components;
  return out;
}

/// One sentence about a parameter out of range; nothing when all are good.
const char* complaint(const ImpactLaw& law) {
  if (const auto* moreau = std::get_if<Moreau>(&law))
    if (!(moreau->e >= 0) || !std::isfinite(moreau->e))
      return "moreau: e must be a finite number, zero or more";
  if (const auto* fremond = std::get_if<Fremond>(&law))
    if (fremond->k && !(*fremond->k > 0)) return "fremond: k must be above zero";
  if (const auto* row = std::get_if<GeneralizedReflections>(&law))
    if (!(row->blend >= 0 && row->blend <= 1))
      return "generalized_reflections: blend must lie between 0 and 1";
  return nullptr;
}

bool bounces_up(const ContactProblem& p) {
  return std::any_of(p.contacts.begin(), p.contacts.end(),
                     [](const Contact& contact) { return contact.restitution > 1; });
}

constexpr std::array<std::string_view, 7> names = {
    "moreau",    "newton", "newton_clamped", "poisson", "fremond", "generalized_reflections",
    "sequential"};

}  // namespace

std::string_view name(const ImpactLaw& law) {
  return names[law.index()];
}

Result<ImpactLaw> impact_law(std::string_view name) {
  const std::array<ImpactLaw, names.size()> laws = {
      Moreau{},    Newton{}, NewtonClamped{}, Poisson{}, Fremond{}, GeneralizedReflections{},
      Sequential{}};
  for (std::size_t k = 0; k < names.size(); ++k)
    if (names[k] == name) return laws[k];
  return Error{Errc::value,
               "no impact law of that name; there are moreau, newton, newton_clamped, poisson, "
               "fremond, generalized_reflections and sequential"};
}

std::string_view name(ImpactStatus status) {
  constexpr std::string_view words[] = {"solved", "no_solution", "does_not_end", "not_converged",
                                        "undefined_for_law"};
  return words[static_cast<std::size_t>(status)];
}

Result<ImpactOutcome> apply(const ContactProblem& problem, const ImpactLaw& law,
                            const ImpactOptions& options) {
  if (const char* bad = complaint(law)) return Error{Errc::value, bad};
  const auto frame = impact_frame(problem);
  if (!frame) return frame.error();
  const auto* fremond = std::get_if<Fremond>(&law);
  if (fremond != nullptr && !fremond->k && bounces_up(problem)) {
    ImpactOutcome out = undefined("fremond: no k gives a restitution above one");
    finish(problem, *frame, out);
    return out;
  }
  auto out = frame->polyhedral ? Result<ImpactOutcome>(apply_polyhedral(*frame, law, options))
                               : apply_by_solver(problem, *frame, law, options);
  if (!out) return out;
  ImpactOutcome done = *std::move(out);
  finish(problem, *frame, done);
  return done;
}

}  // namespace tact
