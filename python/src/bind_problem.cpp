// python/bind_problem.cpp - contact problems from arrays, files and scenes.
#include <numeric>

#include "patch.hpp"
#include "problem.hpp"
#include "scene.hpp"
#include "tact/contact/delassus.hpp"
#include "tact/contact/problem.hpp"
#include "tact/io/file.hpp"
#include "tact/io/patch_friction_report.hpp"
#include "tact/io/problem_summary.hpp"
#include "tact/io/scene_moment.hpp"

namespace tact::python {

VecX read_impulses(const py::object& value, const ContactProblem& problem, std::string_view name) {
  const auto offset = row_offsets(problem.contacts);
  const bool list = py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value);
  const bool nested =
      list && py::len(value) > 0 && py::isinstance<py::sequence>(py::object(value[py::int_(0)]));
  const bool arrays =
      list && py::len(value) > 0 && py::hasattr(py::object(value[py::int_(0)]), "__len__");
  if (!nested && !arrays) return read_vector({value}, name, offset.back());
  if (py::len(value) != problem.contacts.size())
    throw DataError(std::string(name) + ": expected one vector for each of " +
                    std::to_string(problem.contacts.size()) + " contacts, given " +
                    std::to_string(py::len(value)));
  VecX out(offset.back());
  for (std::size_t i = 0; i < problem.contacts.size(); ++i)
    out.segment(offset[i], offset[i + 1] - offset[i]) =
        read_vector({py::object(value[py::int_(i)])},
                    std::string(name) + "[" + std::to_string(i) + "]", offset[i + 1] - offset[i]);
  return out;
}

std::vector<Doubles> by_contact(const ContactProblem& problem, const VecX& flat) {
  const auto offset = row_offsets(problem.contacts);
  std::vector<Doubles> out;
  for (std::size_t i = 0; i + 1 < offset.size(); ++i)
    out.push_back(to_array(VecX(flat.segment(offset[i], offset[i + 1] - offset[i]))));
  return out;
}

ProblemPtr with_outcome(const Problem& problem, VecX velocity, std::optional<VecX> impulses) {
  auto out = std::make_shared<Problem>(problem);
  out->own_outcome = false;
  ContactProblem& p = out->file.problem;
  p.outcome.emplace();
  p.outcome->velocity = std::move(velocity);
  if (impulses) {
    const auto offset = row_offsets(p.contacts);
    p.outcome->impulses.emplace();
    for (std::size_t i = 0; i < p.contacts.size(); ++i)
      p.outcome->impulses->push_back(impulses->segment(offset[i], offset[i + 1] - offset[i]));
  }
  return out;
}

namespace {

/// Keyword arguments of tact.Contact.
struct ContactWords {
  Maybe normal, tangents, twist, row, bounds, excitation, gap_slope;
  std::optional<double> mu;
  std::string law, name;
  const Patch* patch = nullptr;
  double restitution = 0, gap = 0, stabilisation = 0;
  std::optional<bool> planar;
  double scale = BoxScale::inscribed().value;
  int edges = 4;
  double rolling = 0, spinning = 0;
  PressureWords pressure;
};

Law point_law(const ContactWords& w, bool planar) {
  constexpr std::string_view laws[] = {"none", "coulomb", "box", "pyramid"};
  const std::string law = w.law.empty() ? (w.mu ? "coulomb" : "none") : w.law;
  const double mu = w.mu.value_or(0);
  switch (read_word(law, "law", laws)) {
    case 0:
      return Frictionless{};
    case 1:
      return CoulombLaw{mu, planar};
    case 2:
      return BoxLaw{mu, w.scale, planar};
    default:
      return PyramidLaw{mu, w.edges, planar};
  }
}

Law patch_law(const ContactWords& w) {
  constexpr std::string_view laws[] = {"none", "coulomb", "rolling"};
  const std::string law = w.law.empty() ? (w.mu ? "coulomb" : "none") : w.law;
  const double mu = w.mu.value_or(0);
  switch (read_word(law, "law", laws)) {
    case 0:
      return FrictionlessPatch{w.patch->file.patch};
    case 1:
      return FrictionalPatch{w.patch->file.patch, mu,
                             unwrap(friction_model(friction_spec(mu, w.pressure)))};
    default:
      return RollingLaw{mu, w.rolling, w.spinning};
  }
}

BoundedLaw bounded_law(const ContactWords& w) {
  BoundedLaw law;
  if (w.bounds) {
    const Vec2 b = read_fixed<2>(*w.bounds, "bounds");
    law.lower = b[0];
    law.upper = b[1];
  }
  return law;
}

/// Rows by their numbers in a matrix.
SparseMatrix rows_of(const MatX& from, const std::vector<Index>& which) {
  MatX out(static_cast<Index>(which.size()), from.cols());
  for (std::size_t k = 0; k < which.size(); ++k)
    out.row(static_cast<Index>(k)) = from.row(which[k]);
  return sparse(out);
}

/// Rows and excitation of a contact whose own rows are `all`, of which the law uses `used`.
void set_rows(const MatX& all, const std::vector<Index>& used, const Maybe& excitation,
              ContactSpec& spec) {
  spec.columns = all.cols();
  spec.rows = rows_of(all, used);
  spec.excitation = VecX::Zero(static_cast<Index>(used.size()));
  if (!excitation) return;
  const VecX chi = read_vector(*excitation, "excitation", all.rows());
  for (std::size_t k = 0; k < used.size(); ++k)
    spec.excitation[static_cast<Index>(k)] = chi[used[k]];
}

/// normal and tangents, as [t1, t2, n], [t, n] or [n].
void set_point_rows(const ContactWords& w, ContactSpec& spec) {
  const VecX normal = read_vector(*w.normal, "normal");
  MatX tangents(0, normal.size());
  if (w.tangents) {
    const auto raw = py::module_::import("numpy").attr("atleast_2d")(w.tangents->object);
    tangents = read_matrix({raw}, "tangents", -1, normal.size());
  }
  const bool planar = w.planar.value_or(tangents.rows() == 1);
  spec.contact.law = point_law(w, planar);
  const Index needed = row_count(spec.contact.law) - 1;
  if (tangents.rows() < needed)
    throw DataError("tangents: friction needs " + std::to_string(needed) + " rows, given " +
                    std::to_string(tangents.rows()));
  MatX all(tangents.rows() + 1, normal.size());
  all << tangents, normal.transpose();
  std::vector<Index> used(static_cast<std::size_t>(needed));
  std::iota(used.begin(), used.end(), Index{0});
  used.push_back(tangents.rows());
  set_rows(all, used, w.excitation, spec);
  spec.given.tangents = sparse(tangents);
  if (w.excitation)
    spec.given.tangent_excitation =
        read_vector(*w.excitation, "excitation", all.rows()).head(tangents.rows());
}

void set_patch_rows(const ContactWords& w, ContactSpec& spec) {
  const MatX twist = read_matrix(*w.twist, "twist", 6, -1);
  const bool all = row_count(spec.contact.law) == 6;
  set_rows(twist, all ? std::vector<Index>{0, 1, 2, 3, 4, 5} : std::vector<Index>{0, 1, 5},
           w.excitation, spec);
  spec.given.twist = sparse(twist);
  if (w.excitation) spec.given.twist_excitation = read_vector(*w.excitation, "excitation", 6);
}

ContactSpec make_contact(const ContactWords& w) {
  ContactSpec spec;
  Contact& c = spec.contact;
  c.name = w.name;
  c.restitution = w.restitution;
  c.gap = w.gap;
  c.stabilisation = w.stabilisation;
  if (w.gap_slope) c.gap_slope = read_fixed<2>(*w.gap_slope, "gap_slope");
  if (w.patch) {
    if (w.normal || w.tangents || w.row)
      throw DataError("patch: has twist rows, not normal, tangents or row");
    c.law = patch_law(w);
    if (w.twist) set_patch_rows(w, spec);
  } else if (w.row || w.bounds) {
    c.law = bounded_law(w);
    if (w.row) {
      const VecX row = read_vector(*w.row, "row");
      set_rows(MatX(row.transpose()), {0}, w.excitation, spec);
    }
  } else if (w.normal) {
    set_point_rows(w, spec);
  } else {
    if (w.tangents) throw DataError("tangents: need a normal as well");
    c.law = point_law(w, w.planar.value_or(false));
  }
  const auto sound = validate(c.law);
  if (!sound) raise(sound.error());
  return spec;
}

/// J and χ from the contacts' own rows.
void stack_rows(const std::vector<ContactSpec>& contacts, Index dof, ProblemFile& file) {
  std::vector<Eigen::Triplet<double>> entries;
  const auto offset = row_offsets(file.problem.contacts);
  file.problem.excitation = VecX::Zero(offset.back());
  bool excited = false;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const ContactSpec& c = contacts[i];
    const std::string place = "contacts[" + std::to_string(i) + "]";
    if (c.columns < 0)
      throw DataError(
          place + ": has no rows; give it normal and tangents, twist or row, or the problem rows");
    if (c.columns != dof)
      throw DataError(place + ": its rows have " + std::to_string(c.columns) +
                      " columns, expected " + std::to_string(dof));
    for (Index r = 0; r < c.rows.rows(); ++r)
      for (SparseMatrix::InnerIterator it(c.rows, r); it; ++it)
        entries.emplace_back(static_cast<int>(offset[i] + r), static_cast<int>(it.col()),
                             it.value());
    file.problem.excitation.segment(offset[i], c.excitation.size()) = c.excitation;
    excited = excited || !c.excitation.isZero(0);
    file.given.push_back(c.given);
  }
  if (!excited) file.problem.excitation.resize(0);
  file.problem.rows.resize(offset.back(), dof);
  file.problem.rows.setFromTriplets(entries.begin(), entries.end());
}

ProblemPtr from_arrays(const std::vector<ContactSpec>& contacts, const Maybe& mass,
                       const Maybe& velocity, const Maybe& impulse, double dt, const Maybe& rows,
                       const Maybe& excitation, const std::string& name) {
  auto out = std::make_shared<Problem>();
  out->source = name.empty() ? "problem" : name;
  ContactProblem& p = out->file.problem;
  p.name = name;
  p.dt = dt;
  for (const ContactSpec& c : contacts) p.contacts.push_back(c.contact);
  Index dof = -1;
  if (mass) {
    p.mass = read_sparse(*mass, "mass");
    dof = p.mass.rows();
    if (p.mass.cols() != dof)
      throw DataError("mass: expected a square matrix, given shape (" + std::to_string(dof) + ", " +
                      std::to_string(p.mass.cols()) + ")");
    p.velocity = velocity ? read_vector(*velocity, "velocity", dof) : VecX(VecX::Zero(dof));
  } else if (velocity) {
    throw DataError("velocity: is given without a mass");
  }
  if (impulse) p.impulse = read_vector(*impulse, "impulse", dof);
  const Index count = row_offsets(p.contacts).back();
  if (rows) {
    p.rows = read_sparse(*rows, "rows", count, dof);
    if (excitation) p.excitation = read_vector(*excitation, "excitation", count);
  } else {
    if (excitation)
      throw DataError(
          "excitation: belongs to rows; contacts with rows of their own have their own");
    if (dof < 0 && !contacts.empty()) dof = contacts.front().columns;
    stack_rows(contacts, dof, out->file);
  }
  out->file.dof = p.rows.cols();
  if (mass) (void)unwrap(validate(p));
  return out;
}

ProblemPtr from_delassus(const ArrayLike& matrix, const ArrayLike& free_velocity,
                         const std::vector<ContactSpec>& contacts, const std::string& name) {
  auto out = std::make_shared<Problem>();
  out->source = name.empty() ? "problem" : name;
  ContactProblem& p = out->file.problem;
  p.name = name;
  for (const ContactSpec& c : contacts) p.contacts.push_back(c.contact);
  const Index count = row_offsets(p.contacts).back();
  p.delassus = read_sparse(matrix, "delassus", count, count);
  p.free_velocity = read_vector(free_velocity, "free_velocity", count);
  (void)unwrap(validate(p));
  return out;
}

ProblemPtr from_bytes(const std::string& bytes, const std::string& source) {
  AnyProblem any = unwrap(read_problem(bytes, source));
  return std::make_shared<Problem>(Problem{std::move(any.file), any.format, source, true});
}

MomentOptions moment_options(const std::string& use, double dt, double touch) {
  constexpr std::string_view uses[] = {"step", "modes", "impact"};
  MomentOptions options;
  options.use = static_cast<MomentUse>(read_word(use, "use", uses));
  options.dt = dt;
  options.touch = touch;
  return options;
}

ProblemPtr of_scene(const ModelPtr& model, const StatePtr& state, const std::string& keyframe,
                    const std::string& use, double dt, double touch) {
  const State at = state_or_keyframe(model, state, keyframe);
  Moment moment =
      unwrap(moment_of(model->scene, at, moment_options(use, dt, touch)), model->source);
  auto out = std::make_shared<Problem>();
  // Through the file format, as the command line does it: the rows that modes need are read back.
  const std::string text = write_problem_file(problem_file(std::move(moment.made.problem)));
  return from_bytes(text, model->source);
}

py::dict contact_dict(const Contact& c) {
  py::dict out("name"_a = c.name, "law"_a = std::string(name(c.law)), "rows"_a = row_count(c.law),
               "mu"_a = friction_of(c.law), "restitution"_a = c.restitution, "gap"_a = c.gap,
               "gap_slope"_a = to_array<2>(c.gap_slope), "stabilisation"_a = c.stabilisation);
  return out;
}

void bind_contact(py::module_& m) {
  py::class_<ContactSpec>(m, "Contact",
                          "One contact of a problem: a law, and its rows.\n\nA point has `normal` "
                          "[dof] and `tangents` [2, dof] (or one row: "
                          "planar), a patch has `twist` [6, dof], rows [ω_T(2), ω_N, v_T(2), v_N] "
                          "at the origin of its frame, and a bounded "
                          "row has `row` [dof]. The normal points from body 2 into body 1; rows "
                          "give the velocity of body 1 relative to body 2. "
                          "Impulses come in the order [n], [t1, t2, n], [t, n], [m_T(2), f_N] or "
                          "[m_T(2), m_N, f_T(2), f_N].")
      .def(py::init([](const Maybe& normal, const Maybe& tangents, std::optional<double> mu,
                       const std::string& law, const std::string& name, const Patch* patch,
                       const Maybe& twist, const Maybe& row, const Maybe& bounds,
                       const Maybe& excitation, double restitution, double gap,
                       const Maybe& gap_slope, double stabilisation, std::optional<bool> planar,
                       double scale, int edges, double rolling, double spinning,
                       const std::string& pressure, std::optional<std::string> pattern,
                       std::optional<double> radius, const Maybe& nodes, const Maybe& areas,
                       const Maybe& radii) {
             ContactWords w{normal,    tangents,
                            twist,     row,
                            bounds,    excitation,
                            gap_slope, mu,
                            law,       name,
                            patch,     restitution,
                            gap,       stabilisation,
                            planar,    scale,
                            edges,     rolling,
                            spinning,  {pressure, std::move(pattern), radius, nodes, areas, radii}};
             return make_contact(w);
           }),
           "normal"_a = py::none(), "tangents"_a = py::none(), py::kw_only(), "mu"_a = py::none(),
           "law"_a = "", "name"_a = "", "patch"_a = py::none(), "twist"_a = py::none(),
           "row"_a = py::none(), "bounds"_a = py::none(), "excitation"_a = py::none(),
           "restitution"_a = 0.0, "gap"_a = 0.0, "gap_slope"_a = py::none(),
           "stabilisation"_a = 0.0, "planar"_a = py::none(),
           "scale"_a = BoxScale::inscribed().value, "edges"_a = 4, "rolling"_a = 0.0,
           "spinning"_a = 0.0, "pressure"_a = "effective", "pattern"_a = py::none(),
           "radius"_a = py::none(), "nodes"_a = py::none(), "areas"_a = py::none(),
           "radii"_a = py::none(),
           "law: none, coulomb (default with mu), box, pyramid; rolling with a patch. mu: "
           "friction. restitution e of "
           "γ⁺ = -e γ⁻; gap [m]; excitation χ of γ = row·u + χ, tangents first, normal last. "
           "pressure: effective, "
           "ellipsoid, vertex, winkler, of patches with friction.")
      .def_property_readonly(
          "name", [](const ContactSpec& c) { return c.contact.name; }, "May be empty.")
      .def_property_readonly(
          "law", [](const ContactSpec& c) { return std::string(name(c.contact.law)); },
          "frictionless, coulomb, box, pyramid, rolling, patch, patch_friction or bounded.")
      .def_property_readonly(
          "rows", [](const ContactSpec& c) { return to_array(MatX(c.rows)); },
          "Rows of the law in its order [rows, dof].")
      .def("__repr__", [](const ContactSpec& c) {
        return "<tact.Contact " + c.contact.name + (c.contact.name.empty() ? "" : ": ") +
               std::string(name(c.contact.law)) + ">";
      });
}

using Class = py::class_<Problem, ProblemPtr>;

void bind_makers(Class& c) {
  c.def(py::init(&from_arrays), "contacts"_a, "mass"_a = py::none(), "velocity"_a = py::none(),
        "impulse"_a = py::none(), "dt"_a = 0.0, "rows"_a = py::none(), "excitation"_a = py::none(),
        "name"_a = "",
        "From arrays. mass [dof, dof] symmetric positive definite, dense or anything with tocsr(); "
        "velocity u⁻ [dof]; "
        "impulse p [dof] of the smooth forces [N s]; dt [s] where gaps are given. rows: all of J "
        "[rows, dof] in the order of "
        "the contacts, where they have none of their own; excitation χ [rows] beside it. Modes "
        "need no mass.")
      .def_static("from_delassus", &from_delassus, "delassus"_a, "free_velocity"_a, "contacts"_a,
                  "name"_a = "",
                  "From G [rows, rows] and b [rows] of γ = G λ + b; excitation, restitution and "
                  "gaps are already in b.")
      .def_static(
          "from_file",
          [](const PathLike& path) { return from_bytes(unwrap(read_file(path.text)), path.text); },
          "path"_a, "Reads tact-problem/1, .fcp[.gz] or FCLIB's HDF5; the content decides.")
      .def_static(
          "from_json", [](const std::string& text) { return from_bytes(text, "text"); }, "text"_a,
          "From the text of a tact-problem/1 file.")
      .def_static("from_model", &of_scene, "model"_a, "state"_a = py::none(), py::kw_only(),
                  "keyframe"_a = "", "use"_a = "step", "dt"_a = 0.0, "touch"_a = 0.0,
                  "The contact problem of a scene at one moment. use: step (contacts near enough "
                  "to close, all forces), modes "
                  "(what touches now), impact (what touches now; no forces).")
      .def(
          "to_json", [](const Problem& p) { return write_problem_file(p.file); },
          "As tact-problem/1 text; reads back to the same bits.")
      .def(
          "save",
          [](const Problem& p, const PathLike& path) {
            unwrap(write_file({path.text, write_problem_file(p.file)}));
          },
          "path"_a, "Writes a tact-problem/1 file, entirely or not at all.")
      .def(
          "with_outcome",
          [](const Problem& p, const ArrayLike& velocity, const py::object& impulses) {
            std::optional<VecX> flat;
            if (!impulses.is_none()) flat = read_impulses(impulses, p.problem(), "impulses");
            const Index dof = p.problem().in_mass_form() ? p.problem().dof() : 0;
            return with_outcome(p, read_vector(velocity, "velocity", dof), std::move(flat));
          },
          "velocity"_a, "impulses"_a = py::none(),
          "The same problem with somebody's outcome, to be judged: u⁺ [dof], and impulses where "
          "they are known.");
}

void bind_sizes(Class& c) {
  c.def_property_readonly(
       "name", [](const Problem& p) { return p.problem().name; }, "Title; may be empty.")
      .def_property_readonly(
          "dof", [](const Problem& p) { return p.file.dof; }, "Degrees of freedom.")
      .def_property_readonly(
          "in_mass_form", [](const Problem& p) { return p.problem().in_mass_form(); },
          "Whether mass and rows are given, and not G and b.")
      .def_property_readonly(
          "contacts",
          [](const Problem& p) {
            py::list out;
            for (const Contact& contact : p.problem().contacts) out.append(contact_dict(contact));
            return out;
          },
          "One dict per contact: name, law, rows, mu, restitution, gap, gap_slope, stabilisation.")
      .def_property_readonly(
          "offsets", [](const Problem& p) { return row_offsets(p.problem().contacts); },
          "First row of every contact, and the number of rows.");
}

void bind_arrays(Class& c) {
  const auto dense = [](SparseMatrix ContactProblem::*member) {
    return [member](const Problem& p) { return to_array(MatX(p.problem().*member)); };
  };
  const auto vector = [](VecX ContactProblem::*member) {
    return [member](const Problem& p) { return to_array(p.problem().*member); };
  };
  c.def_property_readonly("mass", dense(&ContactProblem::mass), "M [dof, dof].")
      .def_property_readonly("rows", dense(&ContactProblem::rows),
                             "J [rows, dof], contact after contact.")
      .def_property_readonly("velocity", vector(&ContactProblem::velocity), "u⁻ [dof].")
      .def_property_readonly("impulse", vector(&ContactProblem::impulse),
                             "p [dof], or empty: zero.")
      .def_property_readonly("excitation", vector(&ContactProblem::excitation),
                             "χ [rows], or empty: zero.")
      .def_property_readonly(
          "dt", [](const Problem& p) { return p.problem().dt; }, "[s]")
      .def_property_readonly(
          "outcome",
          [](const Problem& p) -> std::optional<py::dict> {
            if (!p.problem().outcome) return std::nullopt;
            py::dict out("velocity"_a = to_array(p.problem().outcome->velocity),
                         "impulses"_a = py::none());
            if (p.problem().outcome->impulses) {
              py::list all;
              for (const VecX& x : *p.problem().outcome->impulses) all.append(to_array(x));
              out["impulses"] = all;
            }
            return out;
          },
          "What somebody claims to be the answer: velocity and impulses, or None.")
      .def(
          "reduced",
          [](const Problem& p) {
            const DelassusProblem made = unwrap(reduce(p.problem()), p.source);
            MatX G(made.rows(), made.rows());
            VecX e = VecX::Zero(made.rows()), column;
            for (Index k = 0; k < made.rows(); ++k) {
              e[k] = 1;
              multiply(made.G, e, column);
              G.col(k) = column;
              e[k] = 0;
            }
            return std::pair(to_array(G), to_array(made.b));
          },
          "G = J M⁻¹ J' [rows, rows] and b = J (u⁻ + M⁻¹ p) + χ + e γ⁻ + s [rows].")
      .def("__len__", [](const Problem& p) { return p.problem().contacts.size(); })
      .def("__repr__", [](const Problem& p) {
        return "<tact.ContactProblem" +
               (p.problem().name.empty() ? "" : " \"" + p.problem().name + "\"") + ": " +
               std::to_string(p.problem().contacts.size()) + " contacts, " +
               std::to_string(p.file.dof) + " dof>";
      });
}

}  // namespace

void bind_problem(py::module_& m) {
  bind_contact(m);
  Class c(m, "ContactProblem",
          "One contact problem: M (u⁺ - u⁻) = p + J'λ, γ = J u⁺ + χ, law(λ, γ + e γ⁻ + s) at every "
          "contact.");
  bind_makers(c);
  bind_sizes(c);
  bind_arrays(c);
}

}  // namespace tact::python
