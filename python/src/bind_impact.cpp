// python/bind_impact.cpp - impact laws, certificates, repair, and the books of a step.
#include "problem.hpp"
#include "tact/contact/delassus.hpp"
#include "tact/impact/audit.hpp"
#include "tact/impact/law.hpp"
#include "tact/impact/ledger.hpp"
#include "tact/impact/repair.hpp"
#include "tact/io/certificate_file.hpp"
#include "tact/io/exact_entries.hpp"
#include "tact/io/impact_report.hpp"

namespace tact::python {
namespace {

// ---- laws

struct Applied {
  ProblemPtr problem;
  std::string law;
  ImpactOutcome outcome;
};

/// The restitution of all contacts, where they agree.
double common_restitution(const ContactProblem& problem) {
  const auto& c = problem.contacts;
  for (std::size_t i = 1; i < c.size(); ++i)
    if (c[i].restitution != c[0].restitution)
      throw DataError("contacts[" + std::to_string(i) +
                      "].restitution differs from that of the first contact; this law has "
                      "one for all: give restitution");
  return c.empty() ? 0 : c[0].restitution;
}

ImpactLaw wanted_law(const std::string& word, const ContactProblem& problem,
                     std::optional<double> restitution, std::optional<double> blend,
                     std::optional<double> stiffness) {
  const auto known = impact_law(word);
  if (!known) throw DataError("law: " + known.error().message);
  ImpactLaw law = *known;
  if (auto* moreau = std::get_if<Moreau>(&law)) moreau->e = common_restitution(problem);
  if (auto* fremond = std::get_if<Fremond>(&law)) fremond->k = stiffness;
  if (auto* reflections = std::get_if<GeneralizedReflections>(&law)) {
    const double e = blend ? 0 : common_restitution(problem);
    reflections->blend = blend ? *blend : restitution ? *restitution : e > 0 ? e : 1.0;
  }
  return law;
}

Applied apply_law(const Problem& problem, const std::string& law, std::optional<double> restitution,
                  std::optional<double> blend, std::optional<double> stiffness,
                  const py::object& start, bool count_solutions) {
  Problem changed = problem;
  if (restitution)
    for (Contact& c : changed.file.problem.contacts) c.restitution = *restitution;
  const ContactProblem& p = changed.problem();
  ImpactOptions options;
  if (!start.is_none()) options.start = read_impulses(start, p, "start");
  options.count_solutions = count_solutions;
  const ImpactLaw wanted = wanted_law(law, p, restitution, blend, stiffness);
  const py::gil_scoped_release release;
  ImpactOutcome outcome = unwrap(apply(p, wanted, options), problem.source);
  ProblemPtr after = outcome.status == ImpactStatus::solved
                         ? with_outcome(changed, outcome.velocity, outcome.impulses)
                         : std::make_shared<Problem>(changed);
  after->own_outcome = false;
  return {after, law, std::move(outcome)};
}

void bind_law(py::module_& m) {
  const auto vector = [](VecX ImpactOutcome::*member) {
    return [member](const Applied& a) { return to_array(a.outcome.*member); };
  };
  py::class_<Applied>(m, "ImpactOutcome", "What an impact law makes of a contact problem.")
      .def_property_readonly(
          "status", [](const Applied& a) { return word(a.outcome.status); },
          "solved, no_solution, does_not_end, not_converged or undefined_for_law.")
      .def_readonly("law", &Applied::law, "Its name.")
      .def_property_readonly("velocity", vector(&ImpactOutcome::velocity), "u⁺ [dof].")
      .def_property_readonly("impulse", vector(&ImpactOutcome::impulses), "λ of all rows [N s].")
      .def_property_readonly(
          "impulses",
          [](const Applied& a) { return by_contact(a.problem->problem(), a.outcome.impulses); },
          "λ, one array per contact.")
      .def_property_readonly("gamma_minus", vector(&ImpactOutcome::gamma_minus),
                             "Relative velocities before, per row.")
      .def_property_readonly("gamma_plus", vector(&ImpactOutcome::gamma_plus), "And after.")
      .def_property_readonly(
          "work", [](const Applied& a) { return a.outcome.work; },
          "Of the contacts, ½(γ⁺ + γ⁻)·λ [J]. [Glocker] 3")
      .def_property_readonly(
          "events", [](const Applied& a) { return a.outcome.events; }, "Impacts in a row.")
      .def_property_readonly("ray", vector(&ImpactOutcome::ray),
                             "Proof of no_solution or does_not_end; may be empty.")
      .def_property_readonly(
          "solutions", [](const Applied& a) { return a.outcome.solutions; },
          "Where counted; else None.")
      .def_property_readonly(
          "why", [](const Applied& a) { return a.outcome.why; },
          "One sentence where it is not solved.")
      .def_readonly("problem", &Applied::problem, "The problem with this outcome, to be certified.")
      .def(
          "raise_if_failed",
          [](const Applied& a) {
            if (a.outcome.status != ImpactStatus::solved)
              throw std::runtime_error(a.law + ": " + word(a.outcome.status) + ": " +
                                       a.outcome.why);
          },
          "RuntimeError unless solved.")
      .def("__repr__", [](const Applied& a) {
        return "<tact.ImpactOutcome of " + a.law + ": " + word(a.outcome.status) + ">";
      });
  m.def("impact", &apply_law, "problem"_a, "law"_a = "newton", py::kw_only(),
        "restitution"_a = py::none(), "blend"_a = py::none(), "stiffness"_a = py::none(),
        "start"_a = py::none(), "count_solutions"_a = false,
        "Applies an impact law: moreau, newton, newton_clamped, poisson, fremond, "
        "generalized_reflections, sequential. "
        "restitution: of all contacts, instead of their own. blend: of generalized_reflections. "
        "stiffness: k of fremond [kg]. "
        "[Glocker] 3, 5");
}

// ---- certificates

struct Certificate {
  ProblemPtr problem;
  ImpactAnswer answer;
  py::dict report;  ///< what `tact impact --json` says
};

/// Numbers in quotes but those of an outcome that is not the file's.
std::vector<ExactNumber> entries_of(const Problem& problem) {
  auto out = exact_entries(problem.file);
  using Field = ExactNumber::Field;
  if (!problem.own_outcome)
    std::erase_if(out, [](const ExactNumber& e) {
      return e.field == Field::after || e.field == Field::impulses || e.field == Field::restitution;
    });
  return out;
}

Certificate certify(const ProblemPtr& problem, const Maybe& velocity, const py::object& impulses,
                    const std::string& arithmetic, double tolerance) {
  constexpr std::string_view words[] = {"auto", "exact", "double"};
  const auto how = static_cast<ImpactArithmetic>(read_word(arithmetic, "arithmetic", words));
  ProblemPtr judged = problem;
  if (velocity) {
    std::optional<VecX> flat;
    if (!impulses.is_none()) flat = read_impulses(impulses, problem->problem(), "impulses");
    judged = with_outcome(*problem, read_vector(*velocity, "velocity", problem->problem().dof()),
                          std::move(flat));
  } else if (!impulses.is_none()) {
    throw DataError("impulses: need a velocity as well");
  }
  if (!judged->problem().outcome)
    throw DataError(
        "problem: has no outcome; give velocity, or apply a law with tact.impact first");
  const auto exact = entries_of(*judged);
  ImpactAnswer answer = [&] {
    const py::gil_scoped_release release;
    return unwrap(judge_impact(judged->problem(), exact, how, tolerance), problem->source);
  }();
  py::dict report = from_json(impact_json(answer));
  return {judged, std::move(answer), std::move(report)};
}

std::optional<std::string> why_refused(const Problem& problem, const CertificateFile& file,
                                       double most) {
  const py::gil_scoped_release release;
  if (!file.exact())
    return refusal(unwrap(impact(problem.problem()), problem.source), std::get<0>(file.certificate),
                   most);
  const auto data = unwrap(exact_impact(problem.problem(), entries_of(problem)), problem.source);
  return refusal(data, std::get<1>(file.certificate), most);
}

void bind_certificate(py::module_& m) {
  const auto field = [](const char* name) {
    return [name](const Certificate& c) -> std::optional<double> {
      if (!c.report.contains(name) || py::object(c.report[name]).is_none()) return std::nullopt;
      return py::float_(py::object(c.report[name])).cast<double>();  // "inf" and "-inf" are text
    };
  };
  py::class_<Certificate>(
      m, "Certificate",
      "What is certain about the contact work of an impact, with all that is needed to check "
      "it by products alone. [Glocker] 6, 7")
      .def_property_readonly(
          "verdict", [](const Certificate& c) { return word(verdict_of(c.answer)); },
          "kinetically_incompatible, kinematically_infeasible, kinematically_incompatible, "
          "inconsistent, "
          "consistent_weak, consistent_strong or undecided.")
      .def_property_readonly("W_min", field("W_min"),
                             "The least work the contacts can have done [J]; -inf, or None.")
      .def_property_readonly("W_max", field("W_max"), "The largest [J]; inf, or None.")
      .def_property_readonly("W_actual", field("W_actual"), "Of the impulses given [J], or None.")
      .def_property_readonly(
          "exact", [](const Certificate& c) { return c.answer.certificate.exact(); },
          "Whether it is decided in rationals, without rounding.")
      .def_property_readonly(
          "accepted", [](const Certificate& c) { return c.answer.checked; },
          "Whether the verifier accepted it.")
      .def_property_readonly(
          "sentence", [](const Certificate& c) { return sentence(c.answer); }, "In words.")
      .def_property_readonly(
          "consistent", [](const Certificate& c) { return !violates(c.answer); },
          "Whether nothing is violated.")
      .def_readonly("problem", &Certificate::problem, "With the outcome that was judged.")
      .def(
          "verify",
          [](const Certificate& c, double tolerance) {
            return !why_refused(*c.problem, c.answer.certificate, tolerance);
          },
          "tolerance"_a = tolerance::contact_work,
          "Checks it again: products, sums and comparisons only.")
      .def(
          "to_json", [](const Certificate& c) { return write_certificate(c.answer.certificate); },
          "As tact-certificate/1 text, to be kept, sent and checked elsewhere.")
      .def(
          "to_dict", [](const Certificate& c) { return c.report; },
          "What `tact impact --json` says.")
      .def("__str__",
           [](const Certificate& c) { return impact_table(c.answer, c.problem->source); })
      .def("__repr__", [](const Certificate& c) {
        return "<tact.Certificate: " + word(verdict_of(c.answer)) + ">";
      });
}

void bind_judging(py::module_& m) {
  m.def("certificate", &certify, "problem"_a, "velocity"_a = py::none(), "impulses"_a = py::none(),
        py::kw_only(), "arithmetic"_a = "auto", "tolerance"_a = tolerance::contact_work,
        "Judges an outcome, the problem's own or u⁺ [dof] given here: how much energy the contacts "
        "delivered at least and at "
        "most over all impulses that explain it. arithmetic: auto, exact or double.");
  m.def(
      "verify",
      [](const Problem& problem, const std::string& text, double tolerance) {
        const CertificateFile file = unwrap(read_certificate(text, "certificate"));
        const auto why = why_refused(problem, file, tolerance);
        return std::pair(!why, why.value_or(""));
      },
      "problem"_a, "certificate"_a, "tolerance"_a = tolerance::contact_work,
      "Whether a tact-certificate/1 text proves what it says of the problem's outcome, and why "
      "not.");
}

// ---- repair

void bind_repair(py::module_& m) {
  py::class_<Repair>(
      m, "Repair",
      "An impact brought back by its impulses alone, so that momentum stays exact. [Glocker] 8")
      .def_property_readonly(
          "status", [](const Repair& r) { return word(r.status); },
          "repaired, not_needed, impossible, not_converged or unsupported.")
      .def_property_readonly(
          "method", [](const Repair& r) { return word(r.method); }, "none, line or nearest.")
      .def_property_readonly(
          "impulse", [](const Repair& r) { return to_array(r.impulses); }, "λ of all rows [N s].")
      .def_property_readonly(
          "velocity", [](const Repair& r) { return to_array(r.velocity); }, "u⁺ [dof].")
      .def_readonly("work_before", &Repair::work_before, "[J]")
      .def_readonly("work_after", &Repair::work_after, "[J]")
      .def_readonly("share", &Repair::share, "Of the way from the inelastic impact.")
      .def_readonly("distance", &Repair::distance,
                    "Of the velocities in the metric of the mass [J^½].")
      .def_readonly("why", &Repair::why, "One sentence where it failed.")
      .def(
          "raise_if_failed",
          [](const Repair& r) {
            if (r.status != RepairStatus::repaired && r.status != RepairStatus::not_needed)
              throw std::runtime_error(word(r.status) + ": " + r.why);
          },
          "RuntimeError unless repaired or not needed.");
  m.def(
      "repair",
      [](const Problem& p, const Maybe& velocity, const py::object& impulses) {
        if (velocity.has_value() == !impulses.is_none())
          throw DataError("give either velocity or impulses");
        if (velocity) {
          const VecX u = read_vector(*velocity, "velocity", p.problem().dof());
          const py::gil_scoped_release release;
          return unwrap(repair_to_nearest(p.problem(), u), p.source);
        }
        const VecX lambda = read_impulses(impulses, p.problem(), "impulses");
        const py::gil_scoped_release release;
        return unwrap(repair(p.problem(), lambda), p.source);
      },
      "problem"_a, "velocity"_a = py::none(), "impulses"_a = py::none(),
      "The nearest outcome that pulls nowhere, penetrates nowhere and gains no energy: from a "
      "velocity or from impulses.");
}

// ---- the books of one step

py::dict figure_dict(const Figure& f) {
  return py::dict("amount"_a = f.amount, "scale"_a = f.scale, "relative"_a = f.relative());
}

py::dict audit_step(const Problem& problem, std::optional<double> potential_change,
                    double tolerance) {
  const ContactProblem& p = problem.problem();
  (void)unwrap(validate(p), problem.source);
  if (!p.in_mass_form() || !p.outcome || !p.outcome->impulses)
    throw DataError("problem: needs a mass and an outcome with impulses");
  VecX lambda(row_offsets(p.contacts).back());
  Index at = 0;
  for (const VecX& own : *p.outcome->impulses) {
    lambda.segment(at, own.size()) = own;
    at += own.size();
  }
  const VecX z = velocity_after(p, VecX::Zero(lambda.size()));
  const StepLedger ledger = step_ledger(p, {z, p.outcome->velocity, lambda, potential_change});
  const StepFindings findings = judge(ledger, tolerance);
  py::dict violations;
  for (const Violation v : all_violations) {
    const auto& f = findings[static_cast<std::size_t>(v)];
    if (!f) continue;
    violations[py::str(word(v))] =
        py::dict("amount"_a = f->amount, "limit"_a = f->limit, "unit"_a = std::string(unit(v)),
                 "contact"_a = f->contact, "dof"_a = f->dof);
  }
  return py::dict("T_minus"_a = ledger.T_minus, "T_plus"_a = ledger.T_plus,
                  "change"_a = ledger.change, "force"_a = ledger.W_force,
                  "contact"_a = ledger.W_contact, "stabilisation"_a = ledger.W_stab,
                  "wall"_a = ledger.W_wall, "closure"_a = figure_dict(ledger.closure),
                  "momentum"_a = figure_dict(ledger.momentum), "work"_a = figure_dict(ledger.work),
                  "verdict"_a = word(ledger.verdict_actual()), "violations"_a = violations);
}

}  // namespace

void bind_impact(py::module_& m) {
  bind_law(m);
  bind_certificate(m);
  bind_judging(m);
  bind_repair(m);
  m.def("audit_step", &audit_step, "problem"_a, "potential_change"_a = py::none(),
        "tolerance"_a = tolerance::audit,
        "The books of one step of any engine, from the problem's outcome with impulses: where the "
        "kinetic energy came from and "
        "went [J], and `violations` by name (momentum, cone, complementarity, penetration, "
        "dissipation, friction, closure), each "
        "with amount, limit, unit and contact. [Glocker] 3");
}

}  // namespace tact::python
