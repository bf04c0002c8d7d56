#include "impact_parts.hpp"

#include <fmt/core.h>

#include "tact/io/consistency_picture.hpp"
#include "tact/io/exact_entries.hpp"

namespace tact::app {

namespace {

/// The restitution of all contacts, where they agree.
Result<double> common_restitution(const ContactProblem& problem) {
  const auto& c = problem.contacts;
  if (c.empty()) return 0.0;
  for (std::size_t i = 1; i < c.size(); ++i)
    if (c[i].restitution != c[0].restitution)
      return Error{Errc::value, fmt::format("contacts[{}].restitution is {}, that of the first "
                                            "contact {}; this law has one for all: give "
                                            "--restitution",
                                            i, c[i].restitution, c[0].restitution)};
  return c[0].restitution;
}

}  // namespace

Result<ImpactLaw> wanted_law(const LawWords& words, const ContactProblem& problem) {
  auto law = impact_law(words.law);
  if (!law) return law.error();
  ImpactLaw out = *law;
  if (auto* moreau = std::get_if<Moreau>(&out)) {
    const auto e = common_restitution(problem);
    if (!e) return e.error();
    moreau->e = *e;
  }
  if (auto* reflections = std::get_if<GeneralizedReflections>(&out)) {
    const auto e = common_restitution(problem);
    if (!e && !words.blend) return e.error();
    reflections->blend = words.blend         ? *words.blend
                         : words.restitution ? *words.restitution
                         : *e > 0            ? *e
                                             : 1.0;
  }
  if (auto* fremond = std::get_if<Fremond>(&out)) fremond->k = words.stiffness;
  return out;
}

void set_outcome(ContactProblem& problem, const ImpactOutcome& outcome) {
  const auto offset = row_offsets(problem.contacts);
  problem.outcome.emplace();
  problem.outcome->velocity = outcome.velocity;
  problem.outcome->impulses.emplace();
  for (std::size_t i = 0; i < problem.contacts.size(); ++i)
    problem.outcome->impulses->push_back(
        outcome.impulses.segment(offset[i], offset[i + 1] - offset[i]));
}

std::vector<ExactNumber> entries_of(const ProblemFile& file, bool law) {
  auto out = exact_entries(file);
  using Field = ExactNumber::Field;
  if (law)
    std::erase_if(out, [](const ExactNumber& e) {
      return e.field == Field::after || e.field == Field::impulses || e.field == Field::restitution;
    });
  return out;
}

Result<std::string> consistency_picture(const ImpactAnswer& answer,
                                        const std::vector<ExactNumber>& exact,
                                        const std::string& alpha) {
  const auto data = exact_impact(answer.problem, exact);
  if (!data) return data.error();
  const auto value = exact_value(alpha);
  if (!value)
    return Error{Errc::value, fmt::format("--alpha is {}; write a number of joules", alpha)};
  Exact a(value->numerator + "/" + value->denominator);
  a.canonicalize();
  auto generators = impact_generators(*data);
  if (!generators) return generators.error();
  const auto set = consistency_set(*std::move(generators), a);
  if (!set) return set.error();
  if (!can_be_drawn(*set))
    return Error{Errc::value, fmt::format("contacts act in {} directions; pictures show 1 to 3",
                                          set->dimension())};
  ConsistencyShown shown;
  shown.name = answer.problem.name;
  for (const Contact& c : answer.problem.contacts) shown.contacts.push_back(c.name);
  // What the certificate is about: next to a rounded outcome, the velocity that is explained.
  shown.after =
      std::visit([](const auto& c) { return ExactVector(c.after.begin(), c.after.end()); },
                 answer.certificate.certificate);
  if (answer.repaired)
    shown.repaired.emplace(answer.repaired->velocity.begin(), answer.repaired->velocity.end());
  return consistency_svg(*set, shown);
}

}  // namespace tact::app
