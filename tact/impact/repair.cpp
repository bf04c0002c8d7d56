// impact/repair.cpp - the root on the line, the search over one multiplier, the cone program.
#include "tact/impact/repair.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "tact/base/expects.hpp"
#include "tact/cone/conic_qp.hpp"
#include "tact/cone/coulomb.hpp"
#include "tact/contact/residual.hpp"
#include "tact/impact/energy_frame.hpp"
#include "tact/impact/impulse_cone.hpp"
#include "tact/impact/law.hpp"
#include "tact/impact/repair_program.hpp"
#include "tact/solve/load_set.hpp"
#include "tact/solve/pivoting.hpp"

namespace tact {
namespace {

void fill(const ImpactFrame& f, Repair& out) {
  ImpactMotion motion = motion_of(f, out.impulses);
  out.velocity = f.velocity(motion.y);
  out.gamma_plus = std::move(motion.gamma_plus);
  out.work_after = motion.work;
  out.work_size = motion.size;
}

Repair failed(const ImpactFrame& f, RepairStatus status, std::string why) {
  Repair out;
  out.status = status;
  out.why = std::move(why);
  out.impulses.setZero(f.gamma.size());
  fill(f, out);
  return out;
}

/// The largest s in [0, 1] with W(λ0 + s D) <= 0.
double largest_share(const ImpactFrame& f, const VecX& inelastic, const VecX& wanted) {
  const VecX D = wanted - inelastic;
  const ImpactMotion from = motion_of(f, inelastic);
  const VecX y = f.rows * D;
  const double a = y.squaredNorm() / 2;
  const double b = f.gamma.dot(D) + from.y.dot(y);
  const double c = std::min(from.work, 0.0);
  const double root = std::sqrt(std::max(b * b - 4 * a * c, 0.0));
  // Of the two forms of the root the one without cancellation.
  const double top = b > 0 ? -2 * c : root - b;
  const double bottom = b > 0 ? b + root : 2 * a;
  return bottom > 0 ? std::min(1.0, top / bottom) : 1.0;
}

/// Whether the velocities of some normal load point inwards.
bool penetrates(const ImpactFrame& f, const ImpactMotion& motion) {
  const double size = motion.y.norm();
  for (std::size_t i = 0; i < f.laws.size(); ++i) {
    const RowSplit& split = f.split[i];
    double scale = 0;
    Vec3 velocity = Vec3::Zero();
    for (Index k = 0; k < split.normal_count; ++k) {
      const Index row = f.offset[i] + split.normal[k];
      velocity[3 - split.normal_count + k] = motion.gamma_plus[row];
      scale += f.rows.col(row).norm() * size + std::abs(f.gamma[row]);
    }
    const double least =
        f.laws[i].is_patch() ? f.laws[i].patch->cone.dual_margin(velocity) : velocity[2];
    if (least < -tolerance::contact_work * scale) return true;
  }
  return false;
}

/// min ½|B x - d|² with W <= 0 for polygonal cones. With θ = μ/(1 + μ) in [0, 1], x and multipliers
/// ν of the normal velocities solve
///     0 <= x ⟂ H x - (1 - θ) C'd + θ γ - C'N ν >= 0,     0 <= ν ⟂ γ_N + N'C x >= 0,
/// θ = 0 forgets the energy, θ = 1 gives the least work; W falls as θ grows.
class MultiplierSearch {
 public:
  MultiplierSearch(const ImpactFrame& f, const RepairProgram& program, const VecX& wanted)
      : f_(f), p_(program), n_(program.columns.cols()), m_(program.normal_rows.rows()) {
    MatX normals = f.rows * p_.normal_rows.transpose();
    VecX approach = p_.normal_rows * f.gamma;
    for (Index j = 0; j < m_; ++j) {
      const double length = normals.col(j).norm();
      if (!(length > 0)) continue;
      normals.col(j) /= length;
      approach[j] /= length;
    }
    M_.setZero(n_ + m_, n_ + m_);
    M_.topLeftCorner(n_, n_) = p_.columns.transpose() * p_.columns;
    M_.topRightCorner(n_, m_) = -p_.columns.transpose() * normals;
    M_.bottomLeftCorner(m_, n_) = normals.transpose() * p_.columns;
    q_.resize(n_ + m_);
    q_.tail(m_) = approach;
    pull_ = p_.columns.transpose() * wanted;
  }

  /// λ of a θ, with its work; nothing when the pivots fail.
  struct Point {
    VecX lambda;
    double work = 0, size = 0;
  };
  [[nodiscard]] std::optional<Point> at(double theta) {
    q_.head(n_) = theta * p_.approach - (1 - theta) * pull_;
    if (solve_lcp(M_, q_, {}, work_, z_).end != PivotEnd::solution) return std::nullopt;
    const VecX lambda = p_.to_rows * z_.head(n_);
    const ImpactMotion motion = motion_of(f_, lambda);
    return Point{lambda, motion.work, motion.size};
  }

  /// The smallest θ without gain, by regula falsi with halvings (Illinois).
  [[nodiscard]] std::optional<Point> run() {
    auto low = at(0);
    if (low && low->work <= 0) return low;
    auto high = at(1);
    if (!high || high->work > tolerance::contact_work * high->size) return std::nullopt;
    constexpr int most = 200;
    double a = 0, b = 1;
    double wa = low ? low->work : -high->work;
    double wb = high->work;
    for (int k = 0; k < most && b - a > tolerance::epsilon * b; ++k) {
      if (high->work <= 0 && high->work >= -tolerance::repair * high->size) break;
      double theta = k % 3 == 2 || !(wa > wb) ? (a + b) / 2 : (a * wb - b * wa) / (wb - wa);
      if (!(theta > a && theta < b)) theta = (a + b) / 2;
      auto point = at(theta);
      if (!point) return high;
      if (point->work <= 0) {
        b = theta;
        wb = point->work;
        wa /= 2;
        high = std::move(point);
      } else {
        a = theta;
        wa = point->work;
        wb /= 2;
      }
    }
    return high;
  }

 private:
  const ImpactFrame& f_;
  const RepairProgram& p_;
  Index n_, m_;
  MatX M_;
  VecX q_, pull_, z_;
  PivotWorkspace work_;
};

/// The cone program in units of `unit`, an energy^½.
ConicQp cone_program(const ImpactFrame& f, const RepairProgram& p, const VecX& wanted,
                     double unit) {
  const Index n = p.columns.cols();
  const Index loads = p.load_rows.rows();
  const Index normals = p.normal_rows.rows();
  const Index dof = p.columns.rows();
  ConicQp qp;
  qp.P = p.columns.transpose() * p.columns;
  qp.c = -p.columns.transpose() * wanted / unit;
  qp.cones = p.load_cones;
  qp.cones.insert(qp.cones.end(), p.normal_cones.begin(), p.normal_cones.end());
  qp.cones.push_back(dof + 2);
  qp.G.setZero(loads + normals + dof + 2, n);
  qp.h.setZero(qp.G.rows());
  qp.G.topRows(loads) = -p.load_rows;
  MatX towards = p.normal_rows * f.rows.transpose();
  VecX approach = p.normal_rows * f.gamma / unit;
  Index row = 0;
  for (const Index size : p.normal_cones) {
    const double length = towards.row(row).norm();
    if (length > 0) {
      towards.middleRows(row, size) /= length;
      approach.segment(row, size) /= length;
    }
    row += size;
  }
  qp.G.middleRows(loads, normals) = -towards * p.columns;
  qp.h.segment(loads, normals) = approach;
  // |B x|² <= 2 t, t = -γ.x:   |(√2 B x, t - 1)| <= t + 1.
  const Index at = loads + normals;
  qp.G.row(at) = p.approach.transpose() / unit;
  qp.G.middleRows(at + 1, dof) = -std::sqrt(2.0) * p.columns;
  qp.G.row(at + dof + 1) = p.approach.transpose() / unit;
  qp.h[at] = 1;
  qp.h[at + dof + 1] = -1;
  return qp;
}

/// λ with every contact's load put back into its cone: the program meets them to its tolerance.
VecX into_cones(const ImpactFrame& f, const RepairProgram& p, VecX x) {
  Index row = 0;
  for (const Index size : p.load_cones) {
    Index own = 0;
    if (size == 1 && p.load_rows.row(row).maxCoeff(&own) > 0) x[own] = std::max(x[own], 0.0);
    row += size;
  }
  VecX lambda = p.to_rows * x;
  for (std::size_t i = 0; i < f.laws.size(); ++i) {
    const LocalLaw& law = f.laws[i];
    const Index at = f.offset[i];
    if (law.kind == LawKind::disc && law.mu > 0)
      lambda.segment<3>(at) = CoulombCone(law.mu).project(lambda.segment<3>(at));
    if (law.kind == LawKind::patch && law.patch->cone.hull().kind() != PlanarSet::Kind::polygon)
      lambda.segment<3>(at) = law.patch->cone.project(Vec3(lambda.segment<3>(at)));
    if (law.kind != LawKind::rolling) continue;
    const double load = std::max(lambda[at + law.normal_row()], 0.0);
    for (const RoundBound& b : round_bounds(law)) {
      auto part = lambda.segment(at + b.row, b.count);
      part *= std::min(1.0, b.mu * load / std::max(part.norm(), tolerance::smallest));
    }
  }
  return lambda;
}

/// Whether no admissible impulse can take energy, γ⁻.λ >= 0 for all of K: everything separates.
/// Then W <= 0 leaves only impulses that move nothing.
bool separates(const ContactProblem& p, const ImpactFrame& f) {
  for (std::size_t i = 0; i < f.laws.size(); ++i) {
    const Law& law = p.contacts[i].law;
    const double* own = f.gamma.data() + f.offset[i];
    if (!in_dual(impulse_cone<double>(law, friction_of(law)), {own, own + f.laws[i].rows}, 0))
      return false;
  }
  return true;
}

Repair nearest(const ImpactFrame& f, VecX lambda, const VecX& wanted) {
  Repair out;
  out.status = RepairStatus::repaired;
  out.method = RepairMethod::nearest;
  out.impulses = std::move(lambda);
  fill(f, out);
  out.distance = (f.rows * out.impulses - wanted).norm();
  return out;
}

constexpr const char* no_program =
    "no program for such a cone: patches with friction cannot be repaired, except along the line";

/// By the cone program; what it leaves of a gain is taken out on the way to the inelastic impact.
Repair by_cones(const ImpactFrame& f, const RepairProgram& program, const VecX& inelastic,
                const VecX& wanted) {
  const double unit = std::max({wanted.norm(), (f.rows * inelastic).norm(), tolerance::smallest});
  const ConicQpSolution found = solve(cone_program(f, program, wanted, unit));
  if (found.status != ConicQpSolution::Status::converged)
    return failed(f, RepairStatus::not_converged, "the cone program was not solved");
  const VecX lambda = into_cones(f, program, unit * found.x);
  const double share = largest_share(f, inelastic, lambda);
  return nearest(f, inelastic + share * (lambda - inelastic), wanted);
}

Result<bool> check_impulses(const ImpactFrame& f, const VecX& impulses) {
  if (impulses.size() != f.gamma.size() || !impulses.allFinite())
    return Error{Errc::value, "impulses must be finite, one per contact row"};
  return true;
}

}  // namespace

std::string_view name(RepairMethod method) {
  constexpr std::string_view names[] = {"none", "line", "nearest"};
  return names[static_cast<std::size_t>(method)];
}

std::string_view name(RepairStatus status) {
  constexpr std::string_view names[] = {"repaired", "not_needed", "impossible", "not_converged",
                                        "unsupported"};
  return names[static_cast<std::size_t>(status)];
}

Result<RepairNeed> repair_need(const ContactProblem& problem, const VecX& impulses) {
  const auto frame = impact_frame(problem);
  if (!frame) return frame.error();
  if (const auto good = check_impulses(*frame, impulses); !good) return good.error();
  const auto reduced = reduce(at_impact(problem, *frame, 0));
  if (!reduced) return reduced.error();
  const ImpactMotion motion = motion_of(*frame, impulses);
  RepairNeed out;
  out.pulls = residual_parts(*reduced, impulses).primal > tolerance::contact_work;
  out.penetrates = penetrates(*frame, motion);
  out.gains = motion.work > tolerance::contact_work * motion.size;
  return out;
}

Result<Repair> repair_on_line(const ContactProblem& problem, const VecX& inelastic,
                              const VecX& impulses) {
  const auto frame = impact_frame(problem);
  if (!frame) return frame.error();
  for (const VecX* lambda : {&inelastic, &impulses})
    if (const auto good = check_impulses(*frame, *lambda); !good) return good.error();
  Repair out;
  const ImpactMotion before = motion_of(*frame, impulses);
  out.work_before = before.work;
  out.share = largest_share(*frame, inelastic, impulses);
  out.impulses = inelastic + out.share * (impulses - inelastic);
  out.method = RepairMethod::line;
  fill(*frame, out);
  out.distance = (frame->rows * (out.impulses - impulses)).norm();
  const bool good =
      out.work_after <= tolerance::contact_work * std::max(out.work_size, before.size);
  out.status = good ? RepairStatus::repaired : RepairStatus::not_converged;
  if (!good) out.why = "the inelastic impact itself gains energy";
  return out;
}

Result<Repair> repair_to_nearest(const ContactProblem& problem, const VecX& velocity, bool cones) {
  const auto frame = impact_frame(problem);
  if (!frame) return frame.error();
  if (velocity.size() != problem.dof())
    return Error{Errc::value, "velocity must have one entry per degree of freedom"};
  const RepairProgram program = repair_program(*frame);
  if (!program.supported) return failed(*frame, RepairStatus::unsupported, no_program);
  const VecX wanted = frame->lower.transpose() * (velocity - frame->before);
  if (separates(problem, *frame)) return nearest(*frame, VecX::Zero(frame->gamma.size()), wanted);
  const bool pivots = program.polyhedral && !cones;
  if (pivots)
    if (auto point = MultiplierSearch(*frame, program, wanted).run())
      return nearest(*frame, std::move(point->lambda), wanted);
  const auto inelastic = apply(problem, Moreau{}, {});
  if (!inelastic) return inelastic.error();
  if (inelastic->status != ImpactStatus::solved)
    return failed(*frame, RepairStatus::impossible, inelastic->why);
  if (!pivots) return by_cones(*frame, program, inelastic->impulses, wanted);
  return failed(*frame, RepairStatus::not_converged, "the pivots found no impulses");
}

Result<Repair> repair(const ContactProblem& problem, const VecX& impulses) {
  const auto need = repair_need(problem, impulses);
  if (!need) return need.error();
  const auto frame = impact_frame(problem);
  if (!frame) return frame.error();
  const ImpactMotion wanted = motion_of(*frame, impulses);
  if (!need->any()) {
    Repair out;
    out.status = RepairStatus::not_needed;
    out.impulses = impulses;
    out.work_before = wanted.work;
    fill(*frame, out);
    return out;
  }
  if (need->pulls || need->penetrates) {
    auto out = repair_to_nearest(problem, frame->velocity(wanted.y));
    if (!out) return out;
    Repair done = *std::move(out);
    done.work_before = wanted.work;
    return done;
  }
  const auto inelastic = apply(problem, Moreau{}, {});
  if (!inelastic) return inelastic.error();
  if (inelastic->status != ImpactStatus::solved)
    return failed(*frame, RepairStatus::impossible, inelastic->why);
  return repair_on_line(problem, inelastic->impulses, impulses);
}

}  // namespace tact
