#include "tact/io/impact_note.hpp"

#include <cmath>
#include <limits>
#include <variant>

#include "tact/io/number_text.hpp"

namespace tact {

namespace {

double rounded(double x) {
  return x;
}
double rounded(const Exact& x) {
  return nearest(x);
}

template <class T>
std::optional<double> work_of(const WorkBound<T>& bound, double at_infinity) {
  using End = typename WorkBound<T>::End;
  if (bound.end == End::none) return std::nullopt;
  if (bound.end == End::unbounded) return at_infinity;
  const double low = rounded(bound.low), high = rounded(bound.high);
  return low == high ? low : low + (high - low) / 2;
}

/// The problem with what the law made of it as its outcome.
ContactProblem with_outcome(const KeptImpact& kept) {
  ContactProblem out = kept.problem;
  const std::vector<Index> offset = row_offsets(out.contacts);
  out.outcome.emplace();
  out.outcome->velocity = kept.outcome.velocity;
  out.outcome->impulses.emplace();
  for (std::size_t i = 0; i < out.contacts.size(); ++i)
    out.outcome->impulses->push_back(
        kept.outcome.impulses.segment(offset[i], offset[i + 1] - offset[i]));
  return out;
}

RecordedCertificate from_event(const Model& model, const ImpactEvent& event) {
  RecordedCertificate out;
  out.verdict = name(event.verdict);
  out.W_actual = event.work;
  out.contacts = {concat({geom_name(model, event.geom1), " on ", geom_name(model, event.geom2)})};
  if (event.contacts > 1)
    out.why.push_back(concat({std::to_string(event.contacts),
                              " contacts took part; the pair that approached fastest is named"}));
  return out;
}

}  // namespace

RecordedCertificate impact_note(const ImpactAnswer& answer) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  RecordedCertificate out;
  for (const Contact& c : answer.problem.contacts)
    out.contacts.push_back(
        c.name.empty() ? concat({"contact ", std::to_string(out.contacts.size())}) : c.name);
  out.verdict = name(verdict_of(answer));
  std::visit(
      [&](const auto& c) {
        out.W_min = work_of(c.minimum, -inf);
        out.W_max = work_of(c.maximum, inf);
      },
      answer.certificate.certificate);
  out.why.push_back(sentence(answer));
  if (answer.actual) {
    out.W_actual = answer.actual->work;
    const double work = answer.actual->work;
    out.why.push_back(
        concat({"the impulses of the ", answer.law ? "law" : "outcome",
                work == 0                     ? " kept the energy"
                : answer.actual->generating() ? " delivered "
                                              : " dissipated ",
                work == 0 ? "" : short_number(std::abs(work)), work == 0 ? "" : " J"}));
  }
  if (answer.actual)
    for (const Index i : answer.actual->outside)
      out.why.push_back(concat({"they are more than contact \"", out.contacts[i], "\" can give"}));
  if (!answer.checked) out.why.emplace_back("the verifier did not accept the certificate");
  return out;
}

RecordedCertificate impact_note(const Model& model, Index step, const ImpactEvent& event,
                                const KeptImpact* kept, const ImpactNoteLimits& limits) {
  RecordedCertificate out;
  std::string missing;
  if (!event.at_its_time)
    missing =
        "met within a step, without restitution: its work is that of the step's contact solve";
  else if (kept == nullptr)
    missing = "only its work was kept: the run did not ask for more";
  else if (kept->problem.rows.rows() > limits.rows)
    missing = concat(
        {"too large to be judged while recording: ", std::to_string(kept->problem.rows.rows()),
         " rows, at most ", std::to_string(limits.rows), " are"});
  if (missing.empty()) {
    // A law with friction is solved, not computed: its impulses leave their cones by what the
    // solver left, and the verdict must not be about that.
    auto judged =
        judge_impact(with_outcome(*kept), {}, ImpactArithmetic::doubles, tolerance::audit);
    if (judged) {
      ImpactAnswer answer = *std::move(judged);
      answer.law = AppliedLaw{};
      out = impact_note(answer);
    } else {
      missing = concat({"could not be judged: ", judged.error().message});
    }
  }
  if (!missing.empty()) {
    out = from_event(model, event);
    out.why.push_back(missing);
  }
  out.step = step;
  out.time = event.time;
  return out;
}

}  // namespace tact
