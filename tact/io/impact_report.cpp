// io/impact_report.cpp - numbers, the contacts responsible, and the proof in words.
#include "tact/io/impact_report.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <nlohmann/json.hpp>

#include "tact/impact/products.hpp"
#include "tact/io/json_text.hpp"
#include "tact/io/number_text.hpp"

namespace tact {
namespace {

using Json = nlohmann::ordered_json;
using End = WorkBound<double>::End;

// Rationals of this many unknowns and generators are decided in well under a second.
constexpr Index most_exact_dof = 40;
constexpr Index most_exact_rows = 120;

double rounded(double x) {
  return x;
}
double rounded(const Exact& x) {
  return nearest(x);
}
template <class T>
std::vector<double> rounded(const std::vector<T>& x) {
  std::vector<double> out;
  out.reserve(x.size());
  for (const T& v : x) out.push_back(rounded(v));
  return out;
}

/// One end of the work, whatever the arithmetic.
struct EndOfWork {
  End end = End::none;
  double low = 0, high = 0;
  std::string exact;  ///< as a rational; empty where it is none
  std::vector<double> velocity, impulses;

  /// The number to show: the middle of a bracket.
  [[nodiscard]] double value() const { return low == high ? low : low + (high - low) / 2; }
};

template <class T>
EndOfWork end_of(const Impact<double>& impact, const WorkBound<T>& bound) {
  EndOfWork out;
  out.end = static_cast<End>(bound.end);
  if (out.end == End::none) return out;
  out.low = rounded(bound.low);
  out.high = rounded(bound.high);
  if constexpr (!std::is_same_v<T, double>)
    if (out.end == End::finite && bound.low == bound.high) out.exact = bound.low.get_str();
  out.velocity = rounded(bound.velocity);
  Distribution<double> pieces;
  for (const auto& own : bound.impulses) {
    pieces.emplace_back();
    for (const auto& piece : own) {
      ConePiece<double> p{rounded(piece.weight), piece.member, {}};
      for (const auto& s : piece.s) p.s.push_back(rounded(s));
      pieces.back().push_back(std::move(p));
    }
  }
  out.impulses = impulses_of(impact, pieces);
  return out;
}

/// What the certificate says, in doubles.
struct Findings {
  ImpactVerdict verdict = ImpactVerdict::undecided;
  double tolerance = 0;
  std::vector<double> after, separator;
  EndOfWork least, most;
  std::vector<Index> jammed;  ///< contacts of the jam ray
};

Findings findings(const ImpactAnswer& answer) {
  Findings out;
  std::visit(
      [&](const auto& c) {
        out.verdict = c.verdict;
        out.tolerance = c.tolerance;
        out.after = rounded(c.after);
        out.separator = rounded(c.separator);
        out.least = end_of(answer.impact, c.minimum);
        out.most = end_of(answer.impact, c.maximum);
        for (std::size_t i = 0; i < c.jam.size(); ++i)
          if (!c.jam[i].empty()) out.jammed.push_back(static_cast<Index>(i));
      },
      answer.certificate.certificate);
  return out;
}

std::string quoted_name(const ContactProblem& problem, Index i) {
  const std::string& own = problem.contacts[i].name;
  return own.empty() ? std::to_string(i) : concat({"\"", own, "\""});
}

/// "contact 3", "contacts "left tip" and "right tip"".
std::string contact_names(const ContactProblem& problem, const std::vector<Index>& contacts) {
  std::string out = contacts.size() == 1 ? "contact " : "contacts ";
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    if (k > 0) out += k + 1 == contacts.size() ? " and " : ", ";
    out += quoted_name(problem, contacts[k]);
  }
  return out;
}

std::string signed_joule(double x, int digits = 3) {
  return concat({x > 0 ? "+" : "", short_number(x, digits), " J"});
}

std::string end_text(const EndOfWork& e, bool upper) {
  if (e.end == End::none) return "none";
  if (e.end == End::unbounded) return upper ? "∞" : "−∞";
  return signed_joule(e.value(), 4);
}

std::string point_text(const std::vector<double>& x) {
  constexpr std::size_t most = 6;
  std::string out = "(";
  for (std::size_t k = 0; k < std::min(x.size(), most); ++k)
    out += concat({k > 0 ? ", " : "", short_number(x[k], 4)});
  return concat({out, x.size() > most ? ", …)" : ")"});
}

/// ½ (γ(u⁺) + γ(z)).λ of every contact.
std::vector<double> work_by_contact(const Impact<double>& impact, const std::vector<double>& after,
                                    const std::vector<double>& lambda) {
  const auto late = contact_velocity(impact, after);
  const auto early = contact_velocity(impact, impact.free);
  std::vector<double> out;
  for (Index i = 0; i < impact.contacts(); ++i) {
    double sum = 0;
    for (Index r = impact.offset[i]; r < impact.offset[i + 1]; ++r)
      sum += 0.5 * (late[r] + early[r]) * lambda[r];
    out.push_back(sum);
  }
  return out;
}

/// The contacts that deliver energy in the kindest distribution of impulses, largest first.
std::vector<Index> delivering(const Impact<double>& impact, const Findings& found) {
  if (found.least.end != End::finite) return {};
  const auto work = work_by_contact(impact, found.after, found.least.impulses);
  double total = 0;
  for (const double w : work) total += std::abs(w);
  std::vector<Index> out;
  for (Index i = 0; i < impact.contacts(); ++i)
    if (work[i] > tolerance::contact_work * total) out.push_back(i);
  std::stable_sort(out.begin(), out.end(), [&](Index a, Index b) { return work[a] > work[b]; });
  return out;
}

std::vector<Index> penetrating_contacts(const ImpactAnswer& answer, const Findings& found) {
  auto out = penetrating(answer.impact, found.after, found.after,
                         std::max(found.tolerance, tolerance::rounding));
  // Exactly, a contact may penetrate by less than doubles see.
  if (out.empty() && found.tolerance == 0)
    out = penetrating(answer.impact, found.after, found.after, 0.0);
  return out;
}

std::vector<Index> responsible(const ImpactAnswer& answer, const Findings& found) {
  switch (found.verdict) {
    case ImpactVerdict::kinematically_infeasible:
      return found.jammed;
    case ImpactVerdict::kinematically_incompatible:
      return penetrating_contacts(answer, found);
    case ImpactVerdict::inconsistent:
      return delivering(answer.impact, found);
    default:
      return {};
  }
}

std::string sentence_of(const ImpactAnswer& answer, const Findings& found) {
  const std::string who = contact_names(answer.problem, responsible(answer, found));
  switch (found.verdict) {
    case ImpactVerdict::kinetically_incompatible:
      return "no impulses that the contacts can give explain this velocity";
    case ImpactVerdict::kinematically_infeasible:
      return concat({who, who.starts_with("contacts") ? " close on each other" : " closes",
                     ": no admissible velocity exists"});
    case ImpactVerdict::kinematically_incompatible:
      return concat(
          {who, who.starts_with("contacts") ? " penetrate" : " penetrates", " with this velocity"});
    case ImpactVerdict::inconsistent:
      return concat({who,
                     " delivered energy: no impulses that explain this velocity give less than ",
                     end_text(found.least, false)});
    case ImpactVerdict::consistent_weak:
      return "some impulses that explain this velocity dissipate, others deliver energy";
    case ImpactVerdict::consistent_strong:
      return "whatever the impulses were, the contacts dissipated or kept energy";
    case ImpactVerdict::undecided:
      break;
  }
  return "the bounds leave the sign of the work open: not certified";
}

std::string proof_text(const Findings& found) {
  switch (found.verdict) {
    case ImpactVerdict::kinetically_incompatible:
      return concat({"velocity v = ", point_text(found.separator),
                     ": every contact opens or stays, yet v.M(u⁺−z) < 0"});
    case ImpactVerdict::kinematically_infeasible:
      return "impulses of these contacts cancel, yet do negative work against the walls' motion";
    case ImpactVerdict::inconsistent:
      return concat({"velocity b = ", point_text(found.least.velocity),
                     ": every contact opens or stays (γ(b) ≥ 0), and ½|u⁺−b|² exceeds ½|z−b|² by ",
                     short_number(found.least.value(), 4), " J"});
    case ImpactVerdict::consistent_strong:
      if (found.most.end != End::finite) return "";
      return concat({"velocity b = ", point_text(found.most.velocity),
                     ": every contact closes or stays (γ(b) ≤ 0), and ½|u⁺−b|² − ½|z−b|² = ",
                     short_number(found.most.value(), 4), " J"});
    default:
      return "";
  }
}

// ------------------------------------------------------------------------------------------- json

Json list(const std::vector<double>& x) {
  Json out = Json::array();
  for (const double v : x) out.push_back(v);
  return out;
}

Json end_json(const EndOfWork& e, bool upper) {
  if (e.end == End::none) return nullptr;
  if (e.end == End::unbounded) return upper ? "inf" : "-inf";
  return e.value();
}

Json by_contact(const Impact<double>& impact, const std::vector<double>& x) {
  Json out = Json::array();
  for (Index i = 0; i < impact.contacts(); ++i)
    out.push_back(list({x.begin() + impact.offset[i], x.begin() + impact.offset[i + 1]}));
  return out;
}

double kinetic_energy(const Impact<double>& impact, const std::vector<double>& u) {
  return 0.5 * inner(u, momentum(impact, u));
}

void add_bracket(Json& out, const std::string& field, const EndOfWork& e) {
  if (!e.exact.empty()) out[field + "_exact"] = e.exact;
  if (e.end == End::finite && e.low != e.high)
    out[field + "_bracket"] = Json::array({e.low, e.high});
}

void add_actual(Json& out, const ImpactAnswer& answer) {
  const ActualWork& actual = *answer.actual;
  out["W_actual"] = actual.work;
  out["verdict_actual"] = actual.generating() ? "generating" : "dissipative";
  out["W_actual_by_contact"] = list(actual.by_contact);
  out["W_actual_average_split"] = actual.average;
  out["momentum_residual"] = actual.off_momentum;
  out["impulses_outside_cone"] = actual.outside;
}

std::vector<double> values(const VecX& x) {
  return {x.begin(), x.end()};
}

}  // namespace

Result<ImpactAnswer> judge_impact(const ContactProblem& problem,
                                  const std::vector<ExactNumber>& exact,
                                  ImpactArithmetic arithmetic, double tolerance) {
  const auto start = std::chrono::steady_clock::now();
  auto data = impact(problem);
  if (!data) return data.error();
  ImpactAnswer out;
  out.problem = problem;
  out.impact = *std::move(data);
  out.certificate.problem = problem.name;
  const ImpactCertificate<double> in_doubles = judge(out.impact, tolerance);
  const bool small = out.impact.dof() <= most_exact_dof &&
                     static_cast<Index>(out.impact.rows.size()) <= most_exact_rows;
  if (arithmetic == ImpactArithmetic::exact ||
      (arithmetic == ImpactArithmetic::automatic && small)) {
    const auto rational = exact_impact(problem, exact);
    if (!rational) return rational.error();
    auto certificate = judge(*rational, in_doubles);
    out.checked = !refusal(*rational, certificate, tolerance);
    out.certificate.certificate = std::move(certificate);
  } else {
    out.checked = !refusal(out.impact, in_doubles, tolerance);
    out.certificate.certificate = in_doubles;
  }
  if (out.impact.impulses) out.actual = actual_work(out.impact, *out.impact.impulses, tolerance);
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return out;
}

ImpactVerdict verdict_of(const ImpactAnswer& answer) {
  return std::visit([](const auto& c) { return c.verdict; }, answer.certificate.certificate);
}

bool violates(const ImpactAnswer& answer) {
  const ImpactVerdict verdict = verdict_of(answer);
  const bool consistent =
      verdict == ImpactVerdict::consistent_weak || verdict == ImpactVerdict::consistent_strong;
  if (!consistent || !answer.checked) return true;
  if (!answer.actual) return false;
  return answer.actual->generating() || !answer.actual->momentum || !answer.actual->outside.empty();
}

std::string sentence(const ImpactAnswer& answer) {
  return sentence_of(answer, findings(answer));
}

std::string impact_json(const ImpactAnswer& answer) {
  const Findings found = findings(answer);
  const Impact<double>& impact = answer.impact;
  Json out;
  if (!answer.problem.name.empty()) out["name"] = answer.problem.name;
  if (answer.law) {
    out["law"] = answer.law->law;
    out["status"] = "solved";  // a law without an outcome has nothing to judge
  }
  out["verdict"] = std::string(name(found.verdict));
  out["W_min"] = end_json(found.least, false);
  out["W_max"] = end_json(found.most, true);
  add_bracket(out, "W_min", found.least);
  add_bracket(out, "W_max", found.most);
  if (answer.actual) add_actual(out, answer);
  if (answer.law && !answer.law->remark.empty()) out["remark"] = answer.law->remark;
  out["velocity"] = list(impact.after);
  if (impact.impulses) out["impulses"] = by_contact(impact, *impact.impulses);
  out["contact_velocities_before"] = by_contact(impact, contact_velocity(impact, impact.free));
  out["contact_velocities"] = by_contact(impact, contact_velocity(impact, impact.after));
  out["T_minus"] = kinetic_energy(impact, impact.before);
  out["T_plus"] = kinetic_energy(impact, impact.after);
  out["responsible"] = Json::array();
  for (const Index i : responsible(answer, found)) out["responsible"].push_back(i);
  out["sentence"] = sentence_of(answer, found);
  if (answer.repaired) {
    const RepairedImpact& repaired = *answer.repaired;
    out["repair"] = {{"method", repaired.method},
                     {"velocity", list(values(repaired.velocity))},
                     {"impulses", by_contact(impact, values(repaired.impulses))},
                     {"W_before", repaired.work_before},
                     {"W_after", repaired.work_after}};
  }
  if (!answer.no_repair.empty()) out["repair"] = {{"failed", answer.no_repair}};
  out["arithmetic"] = answer.certificate.exact() ? "exact" : "double";
  out["tolerance"] = found.tolerance;
  out["certificate_accepted"] = answer.checked;
  out["certificate"] = Json::parse(write_certificate(answer.certificate));
  out["seconds"] = answer.seconds;
  return json_text(out.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::string impact_table(const ImpactAnswer& answer, const std::string& source) {
  const Findings found = findings(answer);
  std::string out;
  if (answer.law) {
    out += concat({"law       ", answer.law->law, "\n"});
    if (!answer.law->remark.empty())
      out += concat({"  remark          ", answer.law->remark, "\n"});
    out += concat({"  velocity        u⁺ = ", point_text(answer.impact.after), "\n"});
  }
  out += concat({"verdict   ", name(found.verdict), "\n", "  in words        ",
                 sentence_of(answer, found), "\n"});
  if (found.least.end != End::none)
    out += concat({"  contact work    minimal ", end_text(found.least, false), "   maximal ",
                   end_text(found.most, true), "   (any impulses that explain this velocity)\n"});
  if (answer.actual) {
    const ActualWork& actual = *answer.actual;
    out += concat({"  given impulses  ", signed_joule(actual.work, 4), ", ",
                   actual.generating() ? "generating" : "dissipative", "\n"});
    if (!actual.momentum) out += "                  they do not conserve momentum\n";
    if (!actual.outside.empty())
      out += concat({"                  outside of their cone: ",
                     contact_names(answer.problem, actual.outside), "\n"});
  }
  if (const std::string proof = proof_text(found); !proof.empty())
    out += concat({"  proof           ", proof, "\n"});
  out += concat({"  certificate     ", answer.certificate.exact() ? "exact" : "in doubles",
                 answer.checked ? ", accepted by the verifier" : ", REFUSED by the verifier",
                 found.tolerance > 0
                     ? concat({", tolerance ", short_number(found.tolerance), " (rounded data)"})
                     : std::string(),
                 "\n"});
  if (answer.repaired) {
    const RepairedImpact& repaired = *answer.repaired;
    out += concat({"  repaired        u⁺ = ", point_text(values(repaired.velocity)), "   work ",
                   signed_joule(repaired.work_after, 4), "   ", repaired.method, "\n"});
  } else if (!answer.no_repair.empty()) {
    out += concat({"  not repaired    ", answer.no_repair, "\n"});
  } else if (found.verdict == ImpactVerdict::inconsistent) {
    out += concat({"  next            tact impact ", source, " --repair\n"});
  }
  return out;
}

}  // namespace tact
