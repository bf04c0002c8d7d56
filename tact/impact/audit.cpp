// impact/audit.cpp - verdicts from ledgers, and their sum over a run.
#include "tact/impact/audit.hpp"

#include <algorithm>

namespace tact {
namespace {

std::size_t at(Violation v) {
  return static_cast<std::size_t>(v);
}

/// Keeps the finding when it is beyond its limit and worse than the one there.
void offer(StepFindings& findings, Violation kind, const Finding& finding) {
  // Written so that a number that is none counts as a violation.
  if (finding.amount <= finding.limit) return;
  std::optional<Finding>& kept = findings[at(kind)];
  if (!kept || kept->amount < finding.amount) kept = finding;
}

}  // namespace

std::string_view name(Violation violation) {
  constexpr std::string_view names[] = {"momentum",    "cone",        "complementarity",
                                        "penetration", "dissipation", "friction",
                                        "closure",     "consistency"};
  return names[at(violation)];
}

std::string_view unit(Violation violation) {
  constexpr std::string_view units[] = {"N s", "N s", "J", "m/s", "J", "J", "J", "J"};
  return units[at(violation)];
}

double Finding::excess() const {
  return amount / std::max(limit, tolerance::smallest);
}

StepFindings judge(const StepLedger& l, double tolerance) {
  StepFindings out;
  // The norm decides; the worst degree of freedom is what a person can look up.
  const double allowed = l.momentum.slack(tolerance);
  if (!(l.momentum.amount <= allowed)) {
    const double share = allowed / l.momentum.amount;
    const double missing = std::abs(l.worst_dof_error);
    out[at(Violation::momentum)] = Finding{missing, share * missing, -1, l.worst_dof};
  }
  const double work = l.work.slack(tolerance);
  const double impulse = tolerance * l.cone_scale + l.cone_rounding;
  const double speed = tolerance * l.velocity_scale + l.velocity_rounding;
  for (std::size_t i = 0; i < l.contacts.size(); ++i) {
    const ContactLedger& c = l.contacts[i];
    const auto contact = static_cast<Index>(i);
    offer(out, Violation::cone, {-c.cone_margin, impulse, contact});
    offer(out, Violation::complementarity, {std::abs(c.complementarity), work, contact});
    offer(out, Violation::penetration, {-c.opening, speed, contact});
    offer(out, Violation::friction, {c.slip_power, work, contact});
  }
  if (!(l.W_contact <= work)) {
    const auto most = std::max_element(
        l.contacts.begin(), l.contacts.end(),
        [](const ContactLedger& a, const ContactLedger& b) { return a.work < b.work; });
    out[at(Violation::dissipation)] =
        Finding{l.W_contact, work, static_cast<Index>(most - l.contacts.begin())};
  }
  offer(out, Violation::closure, {std::abs(l.closure.amount), l.closure.slack(tolerance)});
  return out;
}

bool Audit::clean() const {
  return std::all_of(violations.begin(), violations.end(),
                     [](const ViolationCount& v) { return v.steps == 0; });
}

std::optional<Violation> Audit::worst() const {
  std::optional<Violation> out;
  for (const Violation v : all_violations) {
    if (of(v).steps == 0) continue;
    if (!out || of(v).worst.finding.excess() > of(*out).worst.finding.excess()) out = v;
  }
  return out;
}

void add_step(Audit& audit, const AuditedStep& step) {
  const StepLedger& l = step.ledger;
  RunLedger& sum = audit.ledger;
  if (audit.steps == 0) {
    sum.T_first = l.T_minus;
    audit.start = step.time;
  } else {
    sum.between += l.T_minus - sum.T_last;
  }
  ++audit.steps;
  audit.end = step.time;
  sum.T_last = l.T_plus;
  sum.force += l.W_force;
  sum.contact += l.W_contact;
  sum.stabilisation += l.W_stab;
  sum.wall += l.W_wall;
  sum.change += l.change;
  if (l.W_integration) sum.integration = sum.integration.value_or(0) + *l.W_integration;
  sum.closure += l.closure.amount;
  sum.worst_closure = std::max(sum.worst_closure, l.closure.relative());
  for (const ContactLedger& c : l.contacts) sum.friction += c.friction;
  for (const Contact& c : step.problem.contacts) audit.deepest = std::min(audit.deepest, c.gap);
  audit.largest_impulse = std::max(audit.largest_impulse, l.impulse_scale);
  for (const Violation kind : all_violations) {
    const std::optional<Finding>& finding = step.findings[at(kind)];
    if (!finding) continue;
    ViolationCount& count = audit.violations[at(kind)];
    if (count.steps++ == 0) count.first = step.step;
    const bool worse = count.steps == 1 || finding->amount > count.worst.finding.amount;
    if (worse)
      count.worst = {
          *finding, step.step, step.time,
          finding->contact < 0 ? std::string() : contact_name(step.problem, finding->contact)};
  }
}

}  // namespace tact
