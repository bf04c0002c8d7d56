#include "tact/modes/grasp.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/QR>

#include "tact/modes/exact_rows.hpp"

namespace tact {

namespace {

/// The widest mode of the normals alone: '+' wherever any mode has one, so that it comes first.
struct Widest {
  std::string cs;
  Index dim = 0;
  VecX velocity;
};

Result<Widest> widest_mode(const ModeSystem& system, ModeOptions options) {
  options.kind = ModeKind::contacting;
  options.witnesses = true;
  options.threads = 1;
  Widest out;
  const auto visit = visit_modes(system, options, [&](const ModeView& mode) {
    out.cs = mode.cs;
    out.dim = mode.dim;
    out.velocity =
        Eigen::Map<const VecX>(mode.witness.data(), static_cast<Index>(mode.witness.size()));
    return false;
  });
  if (!visit) return visit.error();
  const double largest = out.velocity.size() > 0 ? out.velocity.cwiseAbs().maxCoeff() : 0;
  if (largest > 0) out.velocity /= largest;
  return out;
}

/// The normals without their tangents.
ModeSystem normals_of(const ModeSystem& system) {
  ModeSystem out;
  out.rows.resize(0, system.dof());
  for (std::size_t c = 0; c < system.contacts.size(); ++c) {
    const Index row = system.contacts[c].normal;
    for (const ExactEntry& entry : system.exact)
      if (entry.row == row) out.exact.push_back({static_cast<Index>(c), entry.column, entry.value});
    add_contact(out, system.rows.row(row), MatX(0, system.dof()));
  }
  return out;
}

/// {N x = 0} as columns.
MatX kernel_of(const MatX& N, Index dim) {
  if (N.rows() == 0) return MatX::Identity(N.cols(), N.cols());
  const Eigen::ColPivHouseholderQR<MatX> qr(N.transpose());
  const MatX Q = qr.householderQ();
  return Q.rightCols(dim);
}

}  // namespace

Result<FormClosure> form_closure(const ModeSystem& system, const ModeOptions& options) {
  if (auto valid = validate(system); !valid) return valid.error();
  const ModeSystem normals = normals_of(system);
  ModeOptions contacting = options;
  contacting.kind = ModeKind::contacting;
  const auto counts = count_modes(normals, contacting);
  if (!counts) return counts.error();
  const auto widest = widest_mode(normals, options);
  if (!widest) return widest.error();
  FormClosure out;
  out.freedom = widest->dim;
  out.closed = out.freedom == 0;
  const auto least = std::ranges::find_if(counts->cs_by_dim, [](ModeCount n) { return n > 0; });
  out.both_ways = least - counts->cs_by_dim.begin();
  out.keeping = kernel_of(normals.rows, out.both_ways);
  out.escape = widest->velocity;
  out.forced = widest->cs;
  return out;
}

Result<ForceClosure> force_closure(const ModeSystem& system, const std::vector<double>& mu,
                                   const ModeOptions& options) {
  if (auto valid = validate(system); !valid) return valid.error();
  TACT_EXPECTS(mu.size() == system.contacts.size());
  constexpr Index most = 10;
  ModeSystem generators;
  generators.rows.resize(0, system.dof());
  for (std::size_t c = 0; c < mu.size(); ++c) {
    const ModeContact& contact = system.contacts[c];
    const Index tangents = mu[c] > 0 ? contact.tangents : 0;
    if (tangents > most || !(mu[c] >= 0) || !std::isfinite(mu[c]))
      return Error{Errc::value, std::string("contact ")
                                    .append(std::to_string(c))
                                    .append(" has more than 10 tangents or friction that is "
                                            "negative or not finite: give two axes and mu >= 0")};
    if (tangents == 0) {  // without friction nothing is rounded
      add_contact(
          generators,
          exact_row(system.rows.row(contact.normal).transpose(), system.exact, contact.normal),
          std::vector<ExactVector>{});
      continue;
    }
    for (Index corner = 0; corner < Index{1} << tangents; ++corner) {
      VecX row = system.rows.row(contact.normal);
      for (Index t = 0; t < tangents; ++t)
        row += (((corner >> t) & 1) != 0 ? mu[c] : -mu[c]) *
               system.rows.row(contact.normal + 1 + t).transpose();
      add_contact(generators, row, MatX(0, system.dof()));
    }
  }
  // Forces span all loads iff no velocity but zero has non-negative power with each of them.
  const auto widest = widest_mode(generators, options);
  if (!widest) return widest.error();
  ForceClosure out{widest->dim == 0, widest->dim, widest->velocity};
  // A cone without rays is a subspace: any direction of it will do.
  if (!out.closed && out.motion.isZero(0))
    out.motion = kernel_of(generators.rows, out.unresisted).col(0);
  return out;
}

Result<GraspStability> grasp_stability(const ModeSystem& system, const ModeLoad& load,
                                       std::string_view desired_cs, std::string_view desired_ss,
                                       const GraspOptions& options) {
  if (auto valid = validate(system, load); !valid) return valid.error();
  ModeOptions modes = options.modes;
  modes.kind = ModeKind::sliding;
  const auto counts = count_modes(system, modes);
  if (!counts) return counts.error();
  if (counts->full > static_cast<ModeCount>(options.limit))
    return Error{Errc::value, std::string("the system has ")
                                  .append(to_string(counts->full))
                                  .append(" modes, more than the ")
                                  .append(std::to_string(options.limit))
                                  .append(" that are tried: take fewer contacts or tangents, or "
                                          "raise the limit")};
  const DynamicsSolver solver(system, load, options.dynamics);
  GraspStability out;
  out.wanted.append(desired_cs).append("|").append(desired_ss);
  const auto visit = visit_modes(system, modes, [&](const ModeView& mode) {
    ++out.examined;
    const bool desired = mode.cs == desired_cs && mode.ss == desired_ss;
    out.desired_exists = out.desired_exists || desired;
    ModeDynamics dynamics = solver.solve(mode.cs, mode.ss);
    if (!dynamics.consistent) return true;
    if (desired) out.desired = static_cast<Index>(out.modes.size());
    out.modes.push_back(
        {std::string(mode.cs), std::string(mode.ss), mode.dim, std::move(dynamics)});
    return true;
  });
  if (!visit) return visit.error();
  if (visit->counts.stopped)
    return Error{Errc::value, "the modes of the grasp were not all tried: run it to the end"};
  return out;
}

Result<GraspReport> grasp_report(const ModeSystem& system, const std::vector<double>& mu,
                                 const std::optional<ModeLoad>& load, const GraspOptions& options) {
  const auto form = form_closure(system, options.modes);
  if (!form) return form.error();
  const auto force = force_closure(system, mu, options.modes);
  if (!force) return force.error();
  GraspReport out{*form, *force, {}};
  if (!load) return out;
  std::string cs(system.contacts.size(), '0');
  std::string ss(system.rows.rows() - cs.size(), '0');
  if (!options.desired.empty()) {
    const std::size_t bar = std::min(options.desired.find('|'), options.desired.size());
    cs = options.desired.substr(0, bar);
    ss = options.desired.substr(std::min(bar + 1, options.desired.size()));
  }
  auto stability = grasp_stability(system, *load, cs, ss, options);
  if (!stability) return stability.error();
  out.stability = *std::move(stability);
  return out;
}

}  // namespace tact
