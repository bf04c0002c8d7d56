#include "tact/io/audit_report.hpp"

#include <cmath>

#include <nlohmann/json.hpp>

#include "tact/io/json_text.hpp"
#include "tact/io/number_text.hpp"
#include "tact/io/text_table.hpp"

namespace tact {

namespace {

using Json = nlohmann::ordered_json;

bool shown(const AuditReport& report, Violation kind) {
  return kind != Violation::consistency || !report.consistency.empty();
}

/// Who: a contact, a degree of freedom, or nobody.
Json who(const PlacedFinding& worst) {
  return worst.contact.empty() ? Json(nullptr) : Json(worst.contact);
}

Json finding_json(const PlacedFinding& worst, Violation kind) {
  Json out = {{"kind", name(kind)},
              {"step", worst.step},
              {"time", worst.time},
              {"contact", who(worst)},
              {"amount", worst.finding.amount},
              {"unit", unit(kind)},
              {"limit", worst.finding.limit}};
  if (worst.finding.dof >= 0) out["dof"] = worst.finding.dof;
  return out;
}

Json ledger_json(const Audit& audit) {
  const RunLedger& l = audit.ledger;
  Json out = {{"T_first", l.T_first},
              {"T_last", l.T_last},
              {"change", l.change},
              {"W_force", l.force},
              {"W_contact", l.contact},
              {"W_contact_friction", l.friction},
              {"W_stab", l.stabilisation},
              {"W_wall", l.wall},
              {"between_steps", l.between},
              {"closure", l.closure},
              {"worst_relative_closure", l.worst_closure}};
  if (l.integration) out["W_integration"] = *l.integration;
  return out;
}

std::string place_of(const PlacedFinding& worst) {
  if (worst.finding.dof >= 0) return concat({"dof ", std::to_string(worst.finding.dof)});
  return worst.contact.empty() ? "" : worst.contact;
}

std::string joules(double value) {
  return concat({short_number(value), " J"});
}

std::string energy_lines(const AuditReport& report) {
  const RunLedger& l = report.audit.ledger;
  std::string out =
      concat({"energy    T ", joules(l.T_first), " to ", joules(l.T_last), ": forces ",
              joules(l.force), ", contacts ", joules(l.contact), " (of which friction ",
              joules(l.friction), "), walls ", joules(l.wall)});
  if (l.stabilisation != 0) out += concat({", correction of gaps ", joules(l.stabilisation)});
  const double moved = l.T_first + l.T_last + std::abs(l.force) + std::abs(l.contact);
  if (std::abs(l.between) > tolerance::rounding * moved)
    out += concat({", between steps ", joules(l.between)});
  if (l.integration)
    out += concat({"; integrating positions adds ", joules(*l.integration), " to T + V"});
  return concat({out, "\nclosure   not booked ", joules(l.closure), ", at worst ",
                 short_number(l.worst_closure), " of what a step moved\n"});
}

/// What the worst finding means.
std::string sentence(Violation kind, const PlacedFinding& worst) {
  const std::string amount = concat({short_number(worst.finding.amount), " ", unit(kind)});
  const std::string where = concat({"contact ", worst.contact});
  switch (kind) {
    case Violation::momentum:
      return concat({"degree of freedom ", std::to_string(worst.finding.dof), " misses ", amount,
                     " that no logged impulse explains"});
    case Violation::cone:
      return concat({where, " carries ", amount, " outside its friction cone"});
    case Violation::complementarity:
      return concat({where, " carries load while it moves apart or together: ", amount});
    case Violation::penetration:
      return concat({where, " closes further at ", amount});
    case Violation::dissipation:
      return concat({"the contacts gave ", amount, ", most of it by ", where});
    case Violation::friction:
      return concat({where, " pushes along its slip: ", amount});
    case Violation::closure:
      return concat({amount, " are not booked"});
    case Violation::consistency:
      return concat({"no impulses explain this velocity without giving ", amount});
  }
  return "";
}

}  // namespace

std::string audit_json(const AuditReport& report) {
  const Audit& audit = report.audit;
  Json violations = Json::object(), by_kind = Json::object();
  for (const Violation kind : all_violations) {
    if (!shown(report, kind)) continue;
    violations[std::string(name(kind))] = audit.of(kind).steps;
    if (audit.of(kind).steps == 0) continue;
    Json one = finding_json(audit.of(kind).worst, kind);
    one["first"] = audit.of(kind).first;
    by_kind[std::string(name(kind))] = one;
  }
  const auto worst = audit.worst();
  Json out = {{"name", report.name},
              {"steps", audit.steps},
              {"clean", audit.clean()},
              {"violations", violations},
              {"worst", worst ? finding_json(audit.of(*worst).worst, *worst) : Json(nullptr)},
              {"worst_by_kind", by_kind},
              {"ledger", ledger_json(audit)},
              {"start", audit.start},
              {"end", audit.end},
              {"deepest_gap", audit.deepest},
              {"largest_impulse", audit.largest_impulse},
              {"tolerance", report.tolerance}};
  if (!report.consistency.empty()) out["consistency"] = report.consistency;
  return json_text(out.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::string audit_table(const AuditReport& report) {
  const Audit& audit = report.audit;
  std::string out = report.name.empty() ? "" : concat({report.name, "\n"});
  out += concat({"steps     ", std::to_string(audit.steps), ", ", short_number(audit.start), " to ",
                 short_number(audit.end), " s; deepest gap ", short_number(audit.deepest),
                 " m, largest impulse ", short_number(audit.largest_impulse), " N s\n"});
  out += energy_lines(report);
  std::vector<std::vector<std::string>> rows = {
      {"verdict", "steps", "first", "worst", "at", "where"}};
  for (const Violation kind : all_violations) {
    if (!shown(report, kind)) continue;
    const ViolationCount& count = audit.of(kind);
    std::vector<std::string> row = {std::string(name(kind)),
                                    count.steps == 0 ? "none" : std::to_string(count.steps)};
    if (count.steps > 0)
      row.insert(row.end(),
                 {std::to_string(count.first),
                  concat({short_number(count.worst.finding.amount), " ", unit(kind)}),
                  concat({"step ", std::to_string(count.worst.step)}), place_of(count.worst)});
    if (row.back().empty()) row.pop_back();
    rows.push_back(std::move(row));
  }
  out += concat({"\n", text_table(rows), "\n"});
  for (const auto& [verdict, steps] : report.consistency)
    out += concat({"consistency ", verdict, ": ", std::to_string(steps), " steps\n"});
  const auto worst = audit.worst();
  if (!worst) return concat({out, "clean: every step obeys what it was judged by\n"});
  const PlacedFinding& at = audit.of(*worst).worst;
  return concat({out, "worst: step ", std::to_string(at.step), ", ", name(*worst), ": ",
                 sentence(*worst, at), "\n"});
}

}  // namespace tact
