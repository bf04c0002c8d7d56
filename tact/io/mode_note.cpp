#include "tact/io/mode_note.hpp"

#include <algorithm>
#include <variant>

#include "tact/body/kinematics.hpp"
#include "tact/io/number_text.hpp"
#include "tact/modes/mode_graph.hpp"

namespace tact {

namespace {

const PatchShape* shape_of(const Law& law) {
  if (const auto* patch = std::get_if<FrictionlessPatch>(&law)) return &patch->shape;
  if (const auto* patch = std::get_if<FrictionalPatch>(&law)) return &patch->shape;
  return nullptr;
}

/// A contact of the problem behind one of the modes: itself, or a corner of its patch.
struct ModeCorner {
  Index contact = 0;
  std::optional<Vec2> x;  ///< of a patch, in its frame
  std::string name;
};

/// In the order of mode_problem().
std::vector<ModeCorner> corners_of(const ContactProblem& problem, Index rim) {
  std::vector<ModeCorner> out;
  for (std::size_t k = 0; k < problem.contacts.size(); ++k) {
    const Contact& c = problem.contacts[k];
    const auto index = static_cast<Index>(k);
    const std::string name = c.name.empty() ? concat({"contact ", std::to_string(k)}) : c.name;
    const PatchShape* shape = shape_of(c.law);
    const auto hull = shape != nullptr ? convex_hull_of(*shape) : Result<PlanarSet>(PlanarSet{});
    if (shape == nullptr || !hull) {
      out.push_back({index, std::nullopt, name});
      continue;
    }
    Index number = 0;
    for (const Vec2& x : hull->outline(static_cast<int>(rim)))
      out.push_back({index, x, concat({name, ", corner ", std::to_string(number++)})});
  }
  return out;
}

std::vector<std::string> names_of(const std::vector<ModeCorner>& corners) {
  std::vector<std::string> out;
  out.reserve(corners.size());
  for (const ModeCorner& c : corners) out.push_back(c.name);
  return out;
}

/// The first modes with a velocity each; false where there are more.
Result<bool> list_modes(const ModeSystem& system, const ModeNoteOptions& options,
                        RecordedModes& out) {
  ModeOptions asked = options.modes;
  asked.witnesses = true;
  bool all = true;
  const auto visit = visit_modes(system, asked, [&](const ModeView& mode) {
    all = static_cast<Index>(out.modes.size()) < options.most;
    if (!all) return false;
    RecordedModes::Mode& m = out.modes.emplace_back();
    m.cs = mode.cs;
    m.ss = mode.ss;
    m.dim = mode.dim;
    m.velocity = VecX::Zero(system.dof());
    for (std::size_t i = 0; i < mode.witness.size(); ++i)
      m.velocity[static_cast<Index>(i)] = mode.witness[i];
    const double size = m.velocity.size() > 0 ? m.velocity.lpNorm<Eigen::Infinity>() : 0;
    if (size > 0) m.velocity /= size;
    return true;
  });
  if (!visit) return visit.error();
  return all && !visit->counts.stopped;
}

Vec3 velocity_at(const Vec6& twist, const Vec3& p) {
  return twist.tail<3>() + Vec3(twist.head<3>()).cross(p);
}

/// Bodies and contacts moved by a mode; `u` are velocities of the model.
void add_motion(const Model& model, const VecX& u, Kinematics& kin,
                const std::vector<RecordedModes::Contact>& contacts, RecordedModes::Mode& mode) {
  forward_velocities(model, u, kin);
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    mode.bodies.push_back(point_velocity(model, kin, static_cast<Index>(b), Vec3::Zero()).vec());
  for (const RecordedModes::Contact& c : contacts) {
    Vec3& v = mode.contact_velocities.emplace_back(Vec3::Zero());
    if (!c.geom1 || !c.geom2) continue;
    const Vec6& one = mode.bodies[static_cast<std::size_t>(model.geoms[*c.geom1].body)];
    const Vec6& two = mode.bodies[static_cast<std::size_t>(model.geoms[*c.geom2].body)];
    v = velocity_at(one - two, *c.p_W);
  }
}

/// Where a contact of the scene is, as one of the modes.
void place_contact(const SceneContact& scene, const ModeCorner& corner, Index tangents,
                   RecordedModes::Contact& out) {
  const Pose& X = scene.surface.X_WC;
  out.geom1 = scene.geom1;
  out.geom2 = scene.geom2;
  out.p_W = X.p;
  if (corner.x) *out.p_W += X.R.leftCols<2>() * *corner.x;
  out.n_W = X.R.col(2);
  for (Index i = 0; i < std::min<Index>(tangents, 2); ++i) out.t_W.emplace_back(X.R.col(i));
}

}  // namespace

Result<RecordedModes> mode_note(const ModeSystem& system, const std::string& title,
                                const std::vector<std::string>& names,
                                const ModeNoteOptions& options) {
  RecordedModes out;
  out.title = title;
  out.policy = options.modes.policy == ModePolicy::exact ? "exact" : "tolerance";
  out.nv = system.dof();
  out.contacts.resize(system.contacts.size());
  for (std::size_t i = 0; i < out.contacts.size(); ++i)
    out.contacts[i].name = i < names.size() ? names[i] : concat({"contact ", std::to_string(i)});
  const auto all = list_modes(system, options, out);
  if (!all) return all.error();
  out.complete = *all;
  if (!out.complete) return out;
  ModeGraphOptions graph_options;
  graph_options.modes = options.modes;
  graph_options.limit = std::max<Index>(options.most, 1);
  const auto graph = mode_graph(system, graph_options);
  if (!graph) return graph.error();
  for (std::size_t i = 0; i < out.modes.size(); ++i)
    for (const Index face : graph->faces(static_cast<Index>(i))) out.modes[i].faces.push_back(face);
  return out;
}

Result<RecordedModes> mode_note(const ModeScene& scene, const std::string& title,
                                const ModeNoteOptions& options) {
  auto made = mode_note(scene.system, title, scene.contact_names, options);
  if (!made) return made.error();
  RecordedModes out = *std::move(made);
  for (std::size_t i = 0; i < out.contacts.size(); ++i) {
    const ContactFrame& frame = scene.frames[i];
    out.contacts[i].p_W = frame.p;
    out.contacts[i].n_W = frame.n.normalized();
    if (scene.system.contacts[i].tangents > 0)
      out.contacts[i].t_W = {frame.t1.normalized(), frame.t2.normalized()};
  }
  for (RecordedModes::Mode& mode : out.modes) {
    for (std::size_t i = 0; i < out.contacts.size(); ++i) {
      const Vec6 twist = scene.relative[i] * mode.velocity;
      mode.contact_velocities.push_back(velocity_at(twist, scene.frames[i].p));
    }
    mode.bodies.emplace_back(Vec6::Zero());
    for (const ModeBody& body : scene.bodies) mode.bodies.emplace_back(body.motion * mode.velocity);
  }
  return out;
}

Result<RecordedModes> mode_note(const ProblemFile& file, const std::string& source,
                                const ModeNoteOptions& options) {
  const auto problem = mode_problem(file, source, {0, options.rim});
  if (!problem) return problem.error();
  const std::string& own = file.problem.name;
  return mode_note(problem->system, own.empty() ? source : own,
                   names_of(corners_of(file.problem, options.rim)), options);
}

Result<RecordedModes> mode_note(const Scene& scene, const State& state, const Moment& moment,
                                const std::string& source, const ModeNoteOptions& options) {
  // By way of its file, which has the rows as they are given.
  const auto file =
      read_problem_file(write_problem_file(problem_file(moment.made.problem)), source);
  if (!file) return file.error();
  const auto problem = mode_problem(*file, source, {0, options.rim});
  if (!problem) return problem.error();
  const std::vector<ModeCorner> corners = corners_of(file->problem, options.rim);
  const std::string title = concat(
      {scene.model.name.empty() ? source : scene.model.name, ": what can move at the start"});
  auto made = mode_note(problem->system, title, names_of(corners), options);
  if (!made) return made.error();
  RecordedModes out = *std::move(made);
  for (std::size_t i = 0; i < out.contacts.size() && i < corners.size(); ++i) {
    const auto at = static_cast<std::size_t>(corners[i].contact);
    if (at < moment.contacts.contacts.size())  // behind them come joints at their limits
      place_contact(moment.contacts.contacts[at], corners[i], problem->system.contacts[i].tangents,
                    out.contacts[i]);
  }
  Kinematics kin;
  forward_kinematics(scene.model, state, kin);
  const bool held = moment.made.basis.cols() > 0;
  for (RecordedModes::Mode& mode : out.modes)
    add_motion(scene.model, held ? VecX(moment.made.basis * mode.velocity) : mode.velocity, kin,
               out.contacts, mode);
  return out;
}

}  // namespace tact
