// io/recording_audit_report.cpp - the audit of a recording as JSON and as text.
#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "tact/io/json_text.hpp"
#include "tact/io/number_text.hpp"
#include "tact/io/recording_audit.hpp"
#include "tact/io/text_table.hpp"

namespace tact {

namespace {

using Json = nlohmann::ordered_json;

Json finding_json(RecordingViolation kind, const RecordingFinding& f) {
  return {{"kind", name(kind)}, {"step", f.step},
          {"time", f.time},     {"contact", f.contact.empty() ? Json(nullptr) : Json(f.contact)},
          {"amount", f.amount}, {"unit", unit(kind)},
          {"limit", f.limit}};
}

/// What an account has booked from the first frame to the last.
double booked(const RecordingAudit& audit, std::size_t account) {
  return audit.last.works[account] - audit.first.works[account];
}

double closure(const RecordingAudit& audit) {
  return audit.last.closure - audit.first.closure;
}

Json ledger_json(const RecordingAudit& audit) {
  Json out = Json::object();
  for (std::size_t i = 0; i < audit.header.accounts.size(); ++i)
    out[audit.header.accounts[i]] = booked(audit, i);
  out["kinetic_change"] = audit.last.kinetic_change - audit.first.kinetic_change;
  out["potential_change"] = audit.last.potential_change - audit.first.potential_change;
  out["moved"] = audit.last.moved - audit.first.moved;
  out["closure"] = closure(audit);
  out["worst_interval"] = {{"step", audit.worst_closure.step},
                           {"time", audit.worst_closure.time},
                           {"closure", audit.worst_closure.amount},
                           {"limit", audit.worst_closure.limit}};
  return out;
}

std::string joules(double value) {
  return concat({short_number(value), " J"});
}

std::string energy_lines(const RecordingAudit& audit) {
  std::string out =
      concat({"energy    T ", joules(audit.last.kinetic_change - audit.first.kinetic_change),
              ", V ", joules(audit.last.potential_change - audit.first.potential_change), ":"});
  bool any = false;
  for (std::size_t i = 0; i < audit.header.accounts.size(); ++i) {
    if (booked(audit, i) == 0) continue;
    out += concat({any ? ", " : " ", audit.header.accounts[i], " ", joules(booked(audit, i))});
    any = true;
  }
  if (!any) out += " nothing booked";
  return concat({out, "\nclosure   not booked ", joules(closure(audit)), " of ",
                 joules(audit.last.moved - audit.first.moved),
                 " moved; from frame to frame at most ", joules(audit.worst_closure.amount),
                 ", at ", short_number(audit.worst_closure.time, 6), " s\n"});
}

std::string sentence(RecordingViolation kind, const RecordingFinding& f) {
  const std::string amount = concat({short_number(f.amount), " ", unit(kind)});
  switch (kind) {
    case RecordingViolation::penetration:
      return concat({"bodies overlap by ", amount});
    case RecordingViolation::closing:
      return concat({f.contact, " closes beyond touch at ", amount});
    case RecordingViolation::cone:
      return concat({f.contact, " carries ", amount, " that its patch cannot"});
    case RecordingViolation::friction:
      return concat({f.contact, " has ", amount, " of friction beyond its bound"});
    case RecordingViolation::slip:
      return concat({f.contact, " pushes along its slip: ", amount});
    case RecordingViolation::complementarity:
      return concat({f.contact, " carries load where it is open: ", amount});
    case RecordingViolation::impact:
      return concat({f.contact, ": an impact created ", amount});
    case RecordingViolation::closure:
      return concat({amount, " are not booked since the frame before"});
    case RecordingViolation::residual:
      return concat({"a step was solved to ", short_number(f.amount), " only"});
  }
  return "";
}

std::vector<std::string> table_row(RecordingViolation kind, const RecordingCount& count) {
  std::vector<std::string> row = {std::string(name(kind))};
  if (count.count == 0) {
    row.emplace_back("none");
    return row;
  }
  row.insert(row.end(),
             {std::to_string(count.count), concat({"step ", std::to_string(count.first)}),
              concat({short_number(count.worst.amount), " ", unit(kind)}),
              concat({"step ", std::to_string(count.worst.step), ", ",
                      short_number(count.worst.time, 6), " s"})});
  if (!count.worst.contact.empty()) row.push_back(count.worst.contact);
  return row;
}

/// How the run ended, and whether what was judged is all of it.
std::string end_line(const RecordingAudit& audit) {
  const std::string until = concat({short_number(audit.end, 6), " s"});
  if (audit.diverged())
    return concat(
        {"diverged: the run broke off after its last frame, at ", until, "; try a smaller dt\n"});
  if (audit.damaged) return concat({"damaged: nothing after ", until, " was judged\n"});
  if (!audit.finished)
    return concat({audit.clean() ? "clean so far" : "no end", ": the recording has no end, after ",
                   until, " it was cut off or is still written\n"});
  return audit.clean() ? "clean: every frame obeys what it was judged by\n" : "";
}

}  // namespace

std::string audit_json(const RecordingAudit& audit) {
  Json violations = Json::object(), by_kind = Json::object();
  for (std::size_t k = 0; k < recording_violations; ++k) {
    const auto kind = static_cast<RecordingViolation>(k);
    const std::string word(name(kind));
    violations[word] = audit.counts[k].count;
    if (audit.counts[k].count == 0) continue;
    by_kind[word] = finding_json(kind, audit.counts[k].worst);
    by_kind[word]["first"] = audit.counts[k].first;
  }
  const auto worst = audit.worst();
  const Json out = {{"name", audit.header.name},
                    {"steps", audit.last_step - audit.first_step},
                    {"frames", audit.frames},
                    {"impacts", audit.impacts},
                    {"clean", audit.clean()},
                    {"violations", violations},
                    {"worst", worst ? finding_json(*worst, audit.of(*worst).worst) : Json(nullptr)},
                    {"worst_by_kind", by_kind},
                    {"ledger", ledger_json(audit)},
                    {"start", audit.start},
                    {"end", audit.end},
                    {"deepest", audit.deepest},
                    {"largest_force", audit.largest_force},
                    {"largest_residual", audit.largest_residual},
                    {"not_converged", audit.not_converged},
                    {"tolerance", audit.tolerance},
                    {"status", audit.finished ? Json(audit.finished->status) : Json(nullptr)},
                    {"cut", audit.cut ? Json(*audit.cut) : Json(nullptr)}};
  return json_text(out.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::string audit_table(const RecordingAudit& audit) {
  std::string out = audit.header.name.empty() ? "" : concat({audit.header.name, "\n"});
  out +=
      concat({"steps     ", std::to_string(audit.last_step - audit.first_step), ", ",
              short_number(audit.start), " to ", short_number(audit.end), " s, in ",
              std::to_string(audit.frames), " frames; deepest overlap ",
              short_number(audit.deepest), " m, largest force ", short_number(audit.largest_force),
              " N, ", std::to_string(audit.impacts), " impacts\n"});
  out += energy_lines(audit);
  if (audit.cut) out += concat({"cut       ", *audit.cut, "\n"});
  std::vector<std::vector<std::string>> rows = {
      {"verdict", "frames", "first", "worst", "at", "where"}};
  for (std::size_t k = 0; k < recording_violations; ++k)
    rows.push_back(table_row(static_cast<RecordingViolation>(k), audit.counts[k]));
  out += concat({"\n", text_table(rows), "\n"});
  if (const auto worst = audit.worst()) {
    const RecordingFinding& at = audit.of(*worst).worst;
    out += concat({"worst: step ", std::to_string(at.step), ", ", name(*worst), ": ",
                   sentence(*worst, at), "\n"});
  }
  return concat({out, end_line(audit)});
}

}  // namespace tact
