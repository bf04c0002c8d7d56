// python/bind_soft.cpp - compliant contact: pairs, the power port, and pairs from traces.
#include "convert.hpp"
#include "tact/io/file.hpp"
#include "tact/io/fit_report.hpp"
#include "tact/io/trace_file.hpp"
#include "tact/soft/fit.hpp"
#include "tact/soft/material.hpp"
#include "tact/soft/port.hpp"

namespace tact::python {
namespace {

/// Keyword arguments of tact.SoftPair.
struct PairWords {
  std::optional<double> modulus, stiffness;
  double damping = 0, linear_damping = 0, mu = 0.5, static_ratio = 1;
  std::optional<double> shear_modulus, torsion_modulus, tangential_stiffness, torsion_stiffness,
      torsion_arm;
  double tangential_damping = 0, centre_share = 0.5;
  int cells = 1;
};

SoftPair pair_of(const PairWords& w) {
  if (w.modulus && w.stiffness)
    throw DataError("give modulus_Pa (Hertz) or stiffness_N_per_m (linear), not both");
  SoftPair pair;
  if (w.stiffness) {
    pair.normal = LinearNormal{*w.stiffness, w.linear_damping, w.damping, true};
    pair.patch = PatchModel::none;
  } else {
    HertzNormal hertz;
    if (w.modulus) hertz.modulus_Pa = *w.modulus;
    hertz.damping_s_per_m = w.damping;
    pair.normal = hertz;
  }
  MindlinTangent mindlin;
  if (w.shear_modulus) mindlin.shear_modulus_Pa = *w.shear_modulus;
  if (w.torsion_modulus) mindlin.torsion_modulus_Pa = *w.torsion_modulus;
  pair.tangent = mindlin;
  if (w.tangential_stiffness || w.stiffness) {
    SoftPad pad;
    if (w.tangential_stiffness) pad.stiffness_N_per_m = *w.tangential_stiffness * Mat2::Identity();
    if (w.torsion_stiffness) pad.torsion_Nm_per_rad = *w.torsion_stiffness;
    pair.tangent = PadTangent{pad, std::nullopt};
  }
  pair.friction.coefficient = w.mu;
  pair.friction.static_ratio = w.static_ratio;
  pair.friction.torsion_arm_m = w.torsion_arm;
  if (w.stiffness && !w.torsion_arm) pair.friction.torsion_arm_m = 0.0;
  pair.damping.tangential_s = w.tangential_damping;
  pair.centre_share = w.centre_share;
  pair.cells = w.cells;
  return unwrap(checked(pair));
}

void bind_pair(py::module_& m) {
  py::class_<SoftPair>(
      m, "SoftPair",
      "All that two bodies need to touch softly, SI units. [Stramigioli] sec. 5 to 7")
      .def(py::init([](std::optional<double> modulus, std::optional<double> stiffness,
                       double damping, double linear_damping, double mu, double static_ratio,
                       std::optional<double> shear, std::optional<double> torsion,
                       std::optional<double> k_t, std::optional<double> k_theta,
                       std::optional<double> arm, double tangential_damping, double centre_share,
                       int cells) {
             return pair_of({modulus, stiffness, damping, linear_damping, mu, static_ratio, shear,
                             torsion, k_t, k_theta, arm, tangential_damping, centre_share, cells});
           }),
           py::kw_only(), "modulus_Pa"_a = py::none(), "stiffness_N_per_m"_a = py::none(),
           "damping_s_per_m"_a = 0.0, "damping_Ns_per_m"_a = 0.0, "mu"_a = 0.5,
           "static_ratio"_a = 1.0, "shear_modulus_Pa"_a = py::none(),
           "torsion_modulus_Pa"_a = py::none(), "tangential_stiffness_N_per_m"_a = py::none(),
           "torsion_stiffness_Nm_per_rad"_a = py::none(), "torsion_arm_m"_a = py::none(),
           "tangential_damping_s"_a = 0.0, "centre_share"_a = 0.5, "cells"_a = 1,
           "Hertz with modulus_Pa E*, or linear with stiffness_N_per_m; damping_s_per_m d of Hunt "
           "and Crossley, "
           "damping_Ns_per_m b of Kelvin and Voigt (linear). Tangentially Mindlin's moduli, or "
           "constant stiffnesses. mu: "
           "friction; cells > 1: Mindlin's hysteresis.")
      .def_static(
          "elastic",
          [](double young1, double poisson1, double young2, double poisson2, double mu) {
            return unwrap(
                elastic_pair(Material{young1, poisson1, 0}, Material{young2, poisson2, 0}, mu));
          },
          "young1_Pa"_a, "poisson1"_a, "young2_Pa"_a, "poisson2"_a, "mu"_a = 0.5,
          "Of two elastic materials; Young's modulus inf: a hard body. [Johnson] sec. 4.2");
}

void bind_port_step(py::module_& m) {
  py::class_<PortStep>(m, "PortStep", "What a soft contact did in one step.")
      .def_property_readonly(
          "status",
          [](const PortStep& s) {
            constexpr std::string_view words[] = {"tracked", "lost_convexity", "past_window",
                                                  "not_converged", "left_surface"};
            return std::string(words[static_cast<std::size_t>(s.status)]);
          },
          "tracked; else nothing has happened: lost_convexity, past_window, not_converged, "
          "left_surface.")
      .def_property_readonly(
          "why", [](const PortStep& s) { return std::string(describe(s.status)); }, "In words.")
      .def_property_readonly(
          "wrench", [](const PortStep& s) { return to_array<6>(s.on_body1.vec()); },
          "On body 1, mean over the step, in W about its origin: [m(3), f(3)] [N m, N]; on body 2 "
          "the opposite.")
      .def_readonly("normal_force", &PortStep::normal_force, "[N]")
      .def_readonly("slips", &PortStep::slips, "Whether it slipped.");
}

void bind_port(py::module_& m) {
  py::class_<SoftPort>(
      m, "SoftPort",
      "One compliant contact as a power port of a foreign simulator: twists in, wrench out, and "
      "supplied = stored + dissipated to rounding.")
      .def(py::init([](const Surface& one, const Surface& two, const SoftPair& pair,
                       const ArrayLike& X1, const ArrayLike& X2) {
             return unwrap(
                 soft_port(one, two, pair, read_pose(X1, "pose1"), read_pose(X2, "pose2")));
           }),
           "body1"_a, "body2"_a, "pair"_a, "pose1"_a, "pose2"_a,
           "Between two surfaces at these poses X_WB (4 x 4, or p and quaternion w x y z).")
      .def(
          "advance",
          [](SoftPort& port, const ArrayLike& X1, const ArrayLike& T1, const ArrayLike& X2,
             const ArrayLike& T2, double dt) {
            if (!(dt > 0)) throw DataError("dt must be a positive number of seconds");
            return advance(port, read_pose(X1, "pose1"), read_twist(T1, "twist1"),
                           read_pose(X2, "pose2"), read_twist(T2, "twist2"), dt);
          },
          "pose1"_a, "twist1"_a, "pose2"_a, "twist2"_a, "dt"_a,
          "The bodies move from these poses with constant twists [ω(3), v(3)] at the world's "
          "origin for dt seconds.")
      .def_property_readonly(
          "gap", [](const SoftPort& p) { return p.state.facing.gap; },
          "[m], negative while they touch.")
      .def_readonly("supplied", &SoftPort::supplied, "Work done on the contact so far [J].")
      .def_readonly("dissipated", &SoftPort::dissipated, "[J]")
      .def_property_readonly(
          "stored", [](const SoftPort& p) { return stored_energy(p); }, "[J]");
  m.def(
      "integrate_pose",
      [](const ArrayLike& pose, const ArrayLike& twist, double dt) {
        return to_array(integrate_spatial(read_pose(pose, "pose"), read_twist(twist, "twist"), dt));
      },
      "pose"_a, "twist"_a, "dt"_a,
      "e^(V dt) X: a pose (4 x 4) moved by a constant spatial twist [ω(3), v(3)]. [Stramigioli] "
      "(6)");
}

SoftTrace trace_of(const py::object& source, std::string& name) {
  if (!py::isinstance<py::dict>(source)) {
    const auto path = source.cast<PathLike>();
    name = path.text;
    return unwrap(read_trace(unwrap(read_file(path.text)), path.text));
  }
  const auto columns = source.cast<py::dict>();
  SoftTrace trace;
  const auto column = [&](const char* key, std::vector<double>& to) {
    if (!columns.contains(key)) return;
    const VecX x = read_vector({py::object(columns[key])}, key);
    to.assign(x.begin(), x.end());
  };
  column("time_s", trace.time_s);
  column("gap_m", trace.gap_m);
  column("normal_force_N", trace.normal_force_N);
  column("gap_rate_m_per_s", trace.gap_rate_m_per_s);
  if (columns.contains("slide_m"))
    trace.slide_m = read_points({py::object(columns["slide_m"])}, "slide_m");
  if (columns.contains("shear_force_N"))
    trace.shear_force_N = read_points({py::object(columns["shear_force_N"])}, "shear_force_N");
  return trace;
}

py::dict number_dict(const FittedNumber& n) {
  return py::dict("value"_a = n.value, "error"_a = n.error, "low"_a = n.low, "high"_a = n.high);
}

void bind_fitted(py::module_& m) {
  py::class_<SoftFit>(m, "SoftFit",
                      "A compliant pair identified from a trace: f_N = K x^n max(0, 1 + d x').")
      .def_property_readonly(
          "stiffness", [](const SoftFit& f) { return number_dict(f.stiffness); },
          "K [N/m^n]: value, standard error, low and high of 95 %.")
      .def_property_readonly(
          "exponent", [](const SoftFit& f) { return number_dict(f.exponent); },
          "The n of x^n, likewise.")
      .def_property_readonly(
          "damping", [](const SoftFit& f) { return number_dict(f.damping_s_per_m); }, "d [s/m].")
      .def_property_readonly(
          "friction",
          [](const SoftFit& f) {
            return f.tangent ? std::optional(number_dict(f.tangent->friction)) : std::nullopt;
          },
          "mu, or None without a tangential part.")
      .def_property_readonly(
          "tangential_stiffness",
          [](const SoftFit& f) {
            return f.tangent ? std::optional(number_dict(f.tangent->stiffness_N_per_m))
                             : std::nullopt;
          },
          "[N/m] at the reference depth, or None.")
      .def_readonly("noise_N", &SoftFit::noise_N,
                    "What the law does not explain, root mean square.")
      .def_readonly("samples", &SoftFit::samples, "While touching.")
      .def_readonly("converged", &SoftFit::converged, "A status, never an exception.")
      .def(
          "check",
          [](const SoftFit& f, const py::object& trace) {
            std::string name = "trace";
            const FitCheck c = unwrap(check_fit(f, trace_of(trace, name)), name);
            return py::dict("explains"_a = c.explains, "normal_rms_N"_a = c.normal_rms_N,
                            "normal_size_N"_a = c.normal_size_N, "shear_rms_N"_a = c.shear_rms_N,
                            "shear_size_N"_a = c.shear_size_N);
          },
          "trace"_a, "How the fit explains another trace.")
      .def(
          "to_dict",
          [](const SoftFit& f) {
            return from_json(fit_json({"trace", f, "", std::nullopt}));
          },
          "What `tact fit --json` says.")
      .def(
          "raise_if_failed",
          [](const SoftFit& f) {
            if (!f.converged) throw std::runtime_error("the fit did not converge");
          },
          "RuntimeError unless it converged.");
}

void bind_fit(py::module_& m) {
  m.def(
      "fit",
      [](const py::object& trace) {
        std::string name = "trace";
        const SoftTrace read = trace_of(trace, name);
        const py::gil_scoped_release release;
        return unwrap(fit_soft_pair(read), name);
      },
      "trace"_a,
      "Identifies a compliant pair from the path of a CSV file (docs/fit.md) or a dict of arrays: "
      "time_s, gap_m, "
      "normal_force_N, and optionally gap_rate_m_per_s, slide_m [n, 2], shear_force_N [n, 2].");
}

}  // namespace

void bind_soft(py::module_& m) {
  bind_surface(m);
  bind_pair(m);
  bind_port_step(m);
  bind_port(m);
  bind_fitted(m);
  bind_fit(m);
}

}  // namespace tact::python
