// io/solve_report.cpp - what follows from the impulses, and how it is told.
#include "tact/io/solve_report.hpp"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "tact/io/json_text.hpp"
#include "tact/io/number_text.hpp"
#include "tact/io/text_table.hpp"
#include "tact/solve/jam.hpp"

namespace tact {
namespace {

using Json = nlohmann::ordered_json;

Json json(const Vec2& x) {
  return Json::array({x[0], x[1]});
}

Json list(const double* x, Index n) {
  Json out = Json::array();
  for (Index i = 0; i < n; ++i) out.push_back(x[i]);
  return out;
}

/// One list per contact.
Json by_contact(const ContactProblem& problem, const VecX& x) {
  const auto offset = row_offsets(problem.contacts);
  Json out = Json::array();
  for (std::size_t i = 0; i < problem.contacts.size(); ++i)
    out.push_back(list(x.data() + offset[i], offset[i + 1] - offset[i]));
  return out;
}

/// JSON has no infinity: a string stands for it.
Json bound(double x) {
  if (std::isfinite(x)) return x;
  return x > 0 ? "inf" : "-inf";
}

Json label_json(const Contact& contact, const ContactLabel& label) {
  Json out;
  if (!contact.name.empty()) out["name"] = contact.name;
  out["law"] = std::string(name(contact.law));
  out["label"] = std::string(name(label.regime));
  if (label.multiplier > 0) {
    out["slip_direction"] = json(label.direction);
    out["slip_speed"] = label.multiplier;
  }
  if (label.bound) {
    out["bound"] = std::string(name(*label.bound));
    out["slip_margin"] = bound(label.slip_margin);
    return out;
  }
  out["lift_margin"] = label.lift_margin;
  if (row_split(contact.law).tangent_count > 0) out["slip_margin"] = label.slip_margin;
  if (std::holds_alternative<FrictionlessPatch>(contact.law) ||
      std::holds_alternative<FrictionalPatch>(contact.law)) {
    out["tip_margin"] = label.tip_margin;
    out["cop"] = label.cop ? json(*label.cop) : Json();
    if (label.pivot) {
      out["pivot"] = Json::array({json(label.pivot->first)});
      if (label.pivot->is_edge()) out["pivot"].push_back(json(label.pivot->last));
    }
  }
  if (label.bounds)
    out["bounds"] = {std::string(name((*label.bounds)[0])), std::string(name((*label.bounds)[1]))};
  return out;
}

Json trial_json(const SolverTrial& trial) {
  Json out = {{"solver", std::string(name(trial.report.solver))},
              {"status", std::string(name(trial.report.status))}};
  if (trial.report.status == SolveStatus::unsupported) return out;
  out["iterations"] = trial.report.iterations;
  out["residual"] = trial.report.residual.figure();
  out["seconds"] = trial.seconds;
  out["distance"] = trial.distance;
  return out;
}

std::string_view name(ForceRange::Status status) {
  switch (status) {
    case ForceRange::Status::found:
      return "found";
    case ForceRange::Status::not_solved:
      return "not_solved";
    case ForceRange::Status::unsupported:
      return "unsupported";
    case ForceRange::Status::not_converged:
      break;
  }
  return "not_converged";
}

/// Without friction the problem is convex, and its velocities are unique; with friction nobody can
/// say without looking at all modes.
bool velocity_is_unique(const ContactProblem& problem) {
  return std::all_of(problem.contacts.begin(), problem.contacts.end(), [](const Contact& contact) {
    return row_split(contact.law).tangent_count == 0 || friction_of(contact.law) == 0;
  });
}

Json range_json(const ContactProblem& problem, const ForceRange& range) {
  Json out = {{"status", std::string(name(range.status))}};
  if (range.status != ForceRange::Status::found) return out;
  const auto offset = row_offsets(problem.contacts);
  out["unique_velocity"] = velocity_is_unique(problem) ? Json(true) : Json();
  out["rank"] = range.rank;
  out["freedom"] = range.freedom;
  out["smallest"] = by_contact(problem, range.smallest);
  if (range.elastic.size() > 0) out["elastic"] = by_contact(problem, range.elastic);
  out["contacts"] = Json::array();
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const Index normal = offset[i + 1] - 1;
    Json contact = {{"unique", static_cast<bool>(range.unique[i])},
                    {"normal_min", bound(range.low[normal])},
                    {"normal_max", bound(range.high[normal])}};
    contact["min"] = Json::array();
    contact["max"] = Json::array();
    for (Index r = offset[i]; r < offset[i + 1]; ++r) {
      contact["min"].push_back(bound(range.low[r]));
      contact["max"].push_back(bound(range.high[r]));
    }
    contact["witness_min"] = by_contact(problem, range.least_load.col(static_cast<Index>(i)));
    contact["witness_max"] = by_contact(problem, range.greatest_load.col(static_cast<Index>(i)));
    out["contacts"].push_back(contact);
  }
  return out;
}

// ------------------------------------------------------------------------------------- the table

std::string joined(const double* x, Index n) {
  std::string out;
  for (Index i = 0; i < n; ++i) out += concat({i > 0 ? " " : "", short_number(x[i], 4)});
  return out;
}

/// The unit is that of the row.
std::string bounded_remark(const ContactLabel& label) {
  if (label.multiplier > 0) return concat({"moves at its ", name(*label.bound), " bound"});
  if (std::isinf(label.slip_margin)) return "held";
  return concat({"gives after ", short_number(label.slip_margin), " more"});
}

/// What is worth saying about a contact beside its numbers.
std::string remark(const Contact& contact, const ContactLabel& label) {
  std::string out;
  if (label.bound) return bounded_remark(label);
  if (label.multiplier > 0)
    return concat({"slides at ", short_number(label.multiplier), " m/s along ",
                   short_point(label.direction)});
  if (label.pivot)
    out = concat({"about ", short_point(label.pivot->first),
                  label.pivot->is_edge() ? concat({" ", short_point(label.pivot->last)}) : ""});
  else if (label.regime == Regime::stick && row_split(contact.law).tangent_count > 0)
    out = concat({"slips after ", short_number(label.slip_margin), " N s more"});
  return out;
}

std::string contact_table(const ContactProblem& problem, const SolveAnswer& answer) {
  const auto offset = row_offsets(problem.contacts);
  std::vector<std::vector<std::string>> rows{
      {"contact", "law", "label", "impulse [N s]", "velocity [m/s]", ""}};
  constexpr std::size_t most = 40;
  for (std::size_t i = 0; i < std::min(problem.contacts.size(), most); ++i) {
    const Contact& contact = problem.contacts[i];
    const Index n = offset[i + 1] - offset[i];
    rows.push_back(
        {contact_name(problem, static_cast<Index>(i)), std::string(name(contact.law)),
         std::string(name(answer.labels[i].regime)), joined(answer.lambda.data() + offset[i], n),
         joined(answer.contact_velocity.data() + offset[i], n), remark(contact, answer.labels[i])});
  }
  std::string out = text_table(rows);
  if (problem.contacts.size() > most)
    out += concat({"... and ", std::to_string(problem.contacts.size() - most),
                   " more contacts; --json prints all\n"});
  return out;
}

std::string label_counts(const SolveAnswer& answer) {
  constexpr int kinds = static_cast<int>(Regime::slide_tip_edge) + 1;
  std::vector<int> count(kinds, 0);
  for (const ContactLabel& label : answer.labels) ++count[static_cast<std::size_t>(label.regime)];
  std::string out;
  for (int k = 0; k < kinds; ++k)
    if (count[static_cast<std::size_t>(k)] > 0)
      out += concat({out.empty() ? "" : ", ", std::to_string(count[static_cast<std::size_t>(k)]),
                     " ", name(static_cast<Regime>(k))});
  return out;
}

/// "these constraints hold each other (a jam): left wall, right wall". A long list is cut.
std::string holders(const std::vector<std::string>& names) {
  if (names.empty()) return "the constraints contradict each other (a jam)";
  constexpr std::size_t most = 12;
  std::string out = "these constraints hold each other (a jam)";
  for (std::size_t k = 0; k < std::min(names.size(), most); ++k)
    out += concat({k == 0 ? ": " : ", ", names[k]});
  if (names.size() > most) out += concat({" and ", std::to_string(names.size() - most), " more"});
  return out;
}

std::string verdict(const SolveAnswer& answer) {
  const SolveReport& report = answer.report;
  const std::string figures =
      concat({"residual ", short_number(report.residual.figure()), " by the judge, ",
              std::to_string(report.iterations), " iterations of ", name(report.solver), ", ",
              short_number(answer.seconds * 1e3), " ms"});
  switch (report.status) {
    case SolveStatus::converged:
      return concat({"solved       ", figures});
    case SolveStatus::infeasible:
      return concat({"no solution  ", holders(answer.held_by),
                     "; --json prints the ray of impulses that proves it"});
    case SolveStatus::unsupported:
      return concat({"unsupported  ", name(report.solver),
                     " does not know one of the laws; try --solver auto"});
    case SolveStatus::not_converged:
      break;
  }
  return concat(
      {"NOT SOLVED   ", figures, "; the numbers above are the best found, not an answer"});
}

std::string range_text(double x) {
  if (std::isfinite(x)) return short_number(x, 4);
  return x > 0 ? "∞" : "−∞";
}

std::string range_table(const ContactProblem& problem, const ForceRange& range) {
  if (range.status == ForceRange::Status::unsupported)
    return first_bounded(problem) >= 0 ? "force range  not known for bounded rows\n"
                                       : "force range  not known for patches with friction\n";
  if (range.status != ForceRange::Status::found)
    return "force range  not found; solve to a smaller tolerance\n";
  const auto offset = row_offsets(problem.contacts);
  const bool elastic = range.elastic.size() > 0;
  std::vector<std::vector<std::string>> rows{
      {"contact", "normal impulse: least", "greatest", "of least energy", "on springs", ""}};
  if (!elastic) rows[0].erase(rows[0].end() - 2);
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const Index normal = offset[i + 1] - 1;
    rows.push_back({contact_name(problem, static_cast<Index>(i)), range_text(range.low[normal]),
                    range_text(range.high[normal]), range_text(range.smallest[normal]),
                    range.unique[i] ? "unique" : "a choice"});
    if (elastic) rows.back().insert(rows.back().end() - 1, range_text(range.elastic[normal]));
  }
  return concat({text_table(rows), "all of these give the same velocities",
                 velocity_is_unique(problem) ? ", and no other velocities solve the problem" : "",
                 "; the impulses have ", std::to_string(range.freedom), " free directions\n"});
}

std::string trial_table(const std::vector<SolverTrial>& trials) {
  std::vector<std::vector<std::string>> rows{
      {"solver", "status", "residual", "iterations", "ms", "velocity differs by"}};
  for (const SolverTrial& trial : trials) {
    const SolveReport& r = trial.report;
    if (r.status == SolveStatus::unsupported)
      rows.push_back({std::string(name(r.solver)), "unsupported"});
    else
      rows.push_back({std::string(name(r.solver)), std::string(name(r.status)),
                      short_number(r.residual.figure()), std::to_string(r.iterations),
                      short_number(trial.seconds * 1e3), short_number(trial.distance)});
  }
  return text_table(rows);
}

}  // namespace

SolveAnswer explain(const ContactProblem& problem, const JudgedContacts& contacts,
                    const SolveReport& report, const VecX& lambda, const VecX& law_velocity,
                    const VecX& ray) {
  SolveAnswer out;
  out.report = report;
  out.lambda = lambda;
  out.parts = residual_parts(contacts, lambda, law_velocity);
  out.labels = labels(contacts, lambda, law_velocity, label_scales(contacts, lambda, law_velocity));
  if (ray.size() > 0) {
    out.jam_ray = ray;
    for (const Index i : held_by(contacts, ray)) out.held_by.push_back(contact_name(problem, i));
  }
  if (problem.in_mass_form()) {
    out.velocity = velocity_after(problem, lambda);
    out.contact_velocity = contact_velocity(problem, *out.velocity);
    out.momentum = momentum_residual(problem, lambda, *out.velocity);
  } else {
    out.contact_velocity = law_velocity;
  }
  return out;
}

std::string solve_json(const ContactProblem& problem, const SolveAnswer& answer,
                       const std::vector<SolverTrial>& trials, const SolveReportDetail& detail) {
  const SolveReport& report = answer.report;
  Json out;
  if (!problem.name.empty()) out["name"] = problem.name;
  out["status"] = std::string(name(report.status));
  out["solver"] = std::string(name(report.solver));
  out["iterations"] = report.iterations;
  out["residual"] = report.residual.figure();
  if (detail.fc3d)
    out["residual_fc3d"] = report.residual.fc3d ? Json(*report.residual.fc3d) : Json();
  out["residual_parts"] = {{"primal", answer.parts.primal},
                           {"dual", answer.parts.dual},
                           {"complementarity", answer.parts.complementarity},
                           {"dissipation", answer.parts.dissipation}};
  if (answer.momentum) out["residual_parts"]["momentum"] = *answer.momentum;
  out["impulses"] = by_contact(problem, answer.lambda);
  out["contact_velocities"] = by_contact(problem, answer.contact_velocity);
  if (answer.velocity) out["velocity"] = list(answer.velocity->data(), answer.velocity->size());
  out["labels"] = Json::array();
  out["contacts"] = Json::array();
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    out["labels"].push_back(std::string(name(answer.labels[i].regime)));
    out["contacts"].push_back(label_json(problem.contacts[i], answer.labels[i]));
  }
  if (answer.range) out["force_range"] = range_json(problem, *answer.range);
  if (answer.jam_ray) out["jam_ray"] = by_contact(problem, *answer.jam_ray);
  if (report.status == SolveStatus::infeasible) out["held_by"] = answer.held_by;
  out["seconds"] = answer.seconds;
  if (!trials.empty()) {
    out["solvers"] = Json::array();
    for (const SolverTrial& trial : trials) out["solvers"].push_back(trial_json(trial));
  }
  return json_text(out.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::string solve_table(const ContactProblem& problem, const SolveAnswer& answer,
                        const std::vector<SolverTrial>& trials) {
  std::string out;
  if (!problem.name.empty()) out += problem.name + "\n\n";
  out += contact_table(problem, answer) + "\n";
  if (answer.velocity && answer.velocity->size() <= 12)
    out +=
        concat({"velocity     ", joined(answer.velocity->data(), answer.velocity->size()), "\n"});
  if (!answer.labels.empty()) out += concat({"contacts     ", label_counts(answer), "\n"});
  out += verdict(answer) + "\n";
  if (answer.range) out += concat({"\n", range_table(problem, *answer.range)});
  if (!trials.empty()) out += concat({"\n", trial_table(trials)});
  return out;
}

}  // namespace tact
