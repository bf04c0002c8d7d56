// python/bind_model.cpp - scenes from MJCF and URDF, and their states.
#include <algorithm>
#include <array>

#include "built_in_scenes.hpp"
#include "scene.hpp"
#include "tact/base/hash.hpp"
#include "tact/body/bias.hpp"
#include "tact/body/energy.hpp"
#include "tact/body/jacobian.hpp"
#include "tact/body/mass_matrix.hpp"
#include "tact/contact/scene_problem.hpp"
#include "tact/io/scene_moment.hpp"
#include "tact/io/urdf_reader.hpp"
#include "tact/sim/simulation.hpp"

namespace tact::python {

void copy_into(const State& from, State& to) {
  TACT_EXPECTS(from.qpos.size() == to.qpos.size() && from.qvel.size() == to.qvel.size() &&
               from.ctrl.size() == to.ctrl.size());
  const auto copy = [](const VecX& a, VecX& b) { std::copy_n(a.data(), a.size(), b.data()); };
  to.time = from.time;
  copy(from.qpos, to.qpos);
  copy(from.qvel, to.qvel);
  copy(from.ctrl, to.ctrl);
  to.driven = from.driven;
}

void expect_finite(const State& state) {
  const auto check = [](const VecX& x, const char* name) {
    if (!x.allFinite())
      throw DataError(std::string("state.") + name + " has a number that is not finite");
  };
  check(state.qpos, "qpos");
  check(state.qvel, "qvel");
  check(state.ctrl, "ctrl");
  if (!std::isfinite(state.time)) throw DataError("state.time is not finite");
}

State state_or_keyframe(const ModelPtr& model, const StatePtr& state, const std::string& keyframe) {
  if (!state) return unwrap(scene_state(model->scene, model->source, keyframe));
  if (!keyframe.empty()) throw DataError("give a state or a keyframe, not both");
  const Model& m = model->model();
  if (state->state.qpos.size() != m.nq || state->state.qvel.size() != m.nv)
    throw DataError(
        "state: is of another model, with nq = " + std::to_string(state->state.qpos.size()) +
        " instead of " + std::to_string(m.nq));
  expect_finite(state->state);
  return state->state;
}

std::vector<std::string> actuator_names(const Model& model) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < model.actuators.size(); ++i)
    out.push_back(model.actuators[i].name.empty() ? "actuator " + std::to_string(i)
                                                  : model.actuators[i].name);
  return out;
}

std::vector<std::string> dof_names(const Model& model) {
  static constexpr std::array along{" along x", " along y", " along z",
                                    " about x", " about y", " about z"};
  std::vector<std::string> out;
  for (Index d = 0; d < model.nv; ++d) {
    const Joint& joint = model.joints[model.dof_joint[d]];
    std::string name = joint.name.empty() ? model.bodies[joint.body].name : joint.name;
    if (name.empty()) name = "joint " + std::to_string(model.dof_joint[d]);
    const auto k = static_cast<std::size_t>(d - joint.dof);
    if (joint.type == JointType::free) name += along[k];
    if (joint.type == JointType::ball) name += along[k + 3];
    out.push_back(std::move(name));
  }
  return out;
}

namespace {

ModelPtr made(Scene scene, std::string source) {
  return std::make_shared<SceneModel>(SceneModel{std::move(scene), std::move(source)});
}

/// Files that a dict holds, by their names.
FileReader files_in(const std::map<std::string, std::string>& files) {
  return {[files](const std::string& path) { return files.count(path) > 0; },
          [files](const std::string& path) -> Result<std::string> {
            const auto it = files.find(path);
            if (it == files.end()) return Error{Errc::io, path + ": not found among files"};
            return it->second;
          }};
}

ModelPtr from_text(const std::string& text, const std::string& name,
                   const std::map<std::string, std::string>& files, bool free_base) {
  const FileReader reader = files_in(files);
  const bool urdf = text.find("<robot") < text.find("<mujoco");
  const std::string source = name.empty() ? (urdf ? "text.urdf" : "text.xml") : name;
  if (urdf) return made(unwrap(read_urdf_text(text, source, reader, {free_base})), source);
  return made(unwrap(read_mjcf_text(text, source, reader)), source);
}

ModelPtr from_path(const PathLike& path, bool free_base) {
  if (free_base) return made(unwrap(read_urdf(path.text, {true})), path.text);
  return made(unwrap(read_scene(path.text)), path.text);
}

ModelPtr built_in(const std::string& word) {
  std::string plain = word;
  std::replace(plain.begin(), plain.end(), '-', '_');
  for (const app::BuiltInSim& scene : app::built_in_sims()) {
    if (scene.name != plain) continue;
    std::map<std::string, std::string> files;
    if (!scene.side_car.empty()) files[plain + ".tact.json"] = std::string(scene.side_car);
    return made(unwrap(read_mjcf_text(scene.text, plain + ".xml", files_in(files))), word);
  }
  throw DataError("name is \"" + word + "\"; tact.built_in_scenes() lists the scenes there are");
}

/// Kinematics of a state, made for one question.
Kinematics moving(const Model& model, const State& state) {
  Kinematics kin;
  forward_kinematics(model, state, kin);
  forward_velocities(model, state.qvel, kin);
  return kin;
}

Index found(Index index, const char* kind, const std::string& name) {
  if (index < 0) throw DataError(std::string("there is no ") + kind + " \"" + name + "\"");
  return index;
}

MatX jacobian_of(const Model& model, const State& state, Index body, const Vec3& point_W) {
  const Kinematics kin = moving(model, state);
  std::vector<Motion> columns;
  point_jacobian(model, kin, body, point_W, columns);
  MatX out = MatX::Zero(6, model.nv);
  const auto dofs = chain(model, body);
  for (std::size_t k = 0; k < dofs.size(); ++k) {
    out.block<3, 1>(0, dofs[k]) = columns[k].w;
    out.block<3, 1>(3, dofs[k]) = columns[k].v;
  }
  return out;
}

template <class Items>
std::vector<std::string> names_of(const Items& items) {
  std::vector<std::string> out;
  out.reserve(items.size());
  for (const auto& item : items) out.push_back(item.name);
  return out;
}

void bind_makers(py::class_<SceneModel, ModelPtr>& c) {
  c.def_static("from_xml_path", &from_path, "path"_a, "free_base"_a = false,
               "Reads MJCF (.xml, .mjcf) or URDF (.urdf), with NAME.tact.json beside it where "
               "there is one. "
               "free_base: the root link of a URDF moves freely.",
               py::call_guard<py::gil_scoped_release>())
      .def_static(
          "from_xml_string", &from_text, "text"_a, "name"_a = "",
          "files"_a = std::map<std::string, std::string>{}, "free_base"_a = false,
          "The same from text; `files` has meshes and includes by the names that the text uses, "
          "and NAME.tact.json, where `name` is what the text is called in complaints.")
      .def_static("built_in", &built_in, "name"_a,
                  "One of the scenes inside tact: tact.built_in_scenes() lists them.");
}

void bind_names(py::class_<SceneModel, ModelPtr>& c) {
  c.def_property_readonly(
       "name", [](const SceneModel& m) { return m.model().name; }, "Of the scene.")
      .def_readonly("source", &SceneModel::source, "Where it came from.")
      .def_property_readonly(
          "not_modelled", [](const SceneModel& m) { return m.scene.not_modelled; },
          "What the file has and tact does not model, one sentence a kind.")
      .def_property_readonly(
          "nq", [](const SceneModel& m) { return m.model().nq; }, "Positions.")
      .def_property_readonly(
          "nv", [](const SceneModel& m) { return m.model().nv; }, "Velocities: degrees of freedom.")
      .def_property_readonly(
          "nu", [](const SceneModel& m) { return m.model().actuators.size(); }, "Actuators.")
      .def_property_readonly(
          "nbody", [](const SceneModel& m) { return m.model().bodies.size(); },
          "Bodies, the world included.")
      .def_property_readonly(
          "ngeom", [](const SceneModel& m) { return m.model().geoms.size(); }, "Geoms.")
      .def_property_readonly(
          "timestep", [](const SceneModel& m) { return m.model().timestep; },
          "The file's step [s].")
      .def_property_readonly(
          "gravity", [](const SceneModel& m) { return to_array<3>(m.model().gravity); }, "[m/s²]")
      .def_property_readonly(
          "mass",
          [](const SceneModel& m) {
            double sum = 0;
            for (const Body& b : m.model().bodies) sum += b.mass;
            return sum;
          },
          "Of all bodies [kg].")
      .def_property_readonly(
          "qpos0", [](const SceneModel& m) { return to_array(m.model().qpos0); },
          "Positions of the file.")
      .def_property_readonly(
          "numerics",
          [](const SceneModel& m) {
            py::dict out;
            for (const auto& [name, value] : m.scene.numerics) out[py::str(name)] = to_array(value);
            return out;
          },
          "<custom><numeric> of the file, by name.");
}

void bind_parts(py::class_<SceneModel, ModelPtr>& c) {
  c.def_property_readonly(
       "body_names", [](const SceneModel& m) { return names_of(m.model().bodies); },
       "By index; the world first.")
      .def_property_readonly(
          "joint_names", [](const SceneModel& m) { return names_of(m.model().joints); },
          "By index.")
      .def_property_readonly(
          "geom_names",
          [](const SceneModel& m) {
            std::vector<std::string> out;
            for (Index g = 0; g < static_cast<Index>(m.model().geoms.size()); ++g)
              out.push_back(geom_name(m.model(), g));
            return out;
          },
          "By index: its own name or that of its body.")
      .def_property_readonly(
          "actuator_names", [](const SceneModel& m) { return actuator_names(m.model()); },
          "By index: the order of State.ctrl.")
      .def_property_readonly(
          "dof_names", [](const SceneModel& m) { return dof_names(m.model()); },
          "By index: the order of State.qvel.")
      .def_property_readonly(
          "keyframe_names", [](const SceneModel& m) { return names_of(m.model().keyframes); },
          "By index.");
}

void bind_ids(py::class_<SceneModel, ModelPtr>& c) {
  c.def(
       "body_id",
       [](const SceneModel& m, const std::string& n) {
         return found(find_body(m.model(), n), "body", n);
       },
       "name"_a, "Index of a body.")
      .def(
          "geom_id",
          [](const SceneModel& m, const std::string& n) {
            return found(find_geom(m.model(), n), "geom", n);
          },
          "name"_a, "Index of a geom.")
      .def(
          "joint_id",
          [](const SceneModel& m, const std::string& n) {
            return found(find_joint(m.model(), n), "joint", n);
          },
          "name"_a, "Index of a joint.")
      .def(
          "joint_qpos",
          [](const SceneModel& m, const std::string& n) {
            const Joint& j = m.model().joints[found(find_joint(m.model(), n), "joint", n)];
            return py::slice(j.qpos, j.qpos + qpos_size(j.type), 1);
          },
          "name"_a, "Where the joint stands in qpos, as a slice.")
      .def(
          "joint_qvel",
          [](const SceneModel& m, const std::string& n) {
            const Joint& j = m.model().joints[found(find_joint(m.model(), n), "joint", n)];
            return py::slice(j.dof, j.dof + dof_size(j.type), 1);
          },
          "name"_a, "Where the joint stands in qvel, as a slice.")
      .def(
          "summary", [](const SceneModel& m) { return scene_summary(m.scene); },
          "What `tact check` says of the scene.")
      .def("__repr__", [](const SceneModel& m) {
        return "<tact.Model \"" + (m.model().name.empty() ? m.source : m.model().name) + "\": nq " +
               std::to_string(m.model().nq) + ", nv " + std::to_string(m.model().nv) + ", " +
               std::to_string(m.model().geoms.size()) + " geoms>";
      });
}

void bind_mechanics(py::class_<SceneModel, ModelPtr>& c) {
  c.def(
       "state",
       [](const ModelPtr& m, const std::string& keyframe) {
         return std::make_shared<ModelState>(
             ModelState{m, state_or_keyframe(m, nullptr, keyframe)});
       },
       "keyframe"_a = "",
       "The start of the file: its keyframe `init` where there is one, or the one named; "
       "\"none\" takes no keyframe.")
      .def(
          "mass_matrix",
          [](const ModelPtr& m, const StatePtr& s) {
            const State state = state_or_keyframe(m, s, "");
            MassMatrix mass;
            mass_matrix(m->model(), moving(m->model(), state), mass);
            return to_array(dense(m->model(), mass));
          },
          "state"_a = py::none(), "M(q) [nv, nv] with the armature. [Featherstone] sec. 6.2")
      .def(
          "bias_force",
          [](const ModelPtr& m, const StatePtr& s) {
            const State state = state_or_keyframe(m, s, "");
            BiasWorkspace work;
            VecX force;
            bias_force(m->model(), state.qvel, moving(m->model(), state), work, force);
            return to_array(force);
          },
          "state"_a = py::none(),
          "c(q, q̇) [nv] of M q̈ + c = τ: Coriolis, gyroscopic terms and weight.")
      .def(
          "energy",
          [](const ModelPtr& m, const StatePtr& s) {
            const State state = state_or_keyframe(m, s, "");
            const Kinematics kin = moving(m->model(), state);
            return std::pair(
                kinetic_energy(m->model(), state.qvel, kin),
                gravity_potential(m->model(), kin) + spring_potential(m->model(), state));
          },
          "state"_a = py::none(), "Kinetic and potential energy [J].");
}

void bind_kinematics(py::class_<SceneModel, ModelPtr>& c) {
  c.def(
       "body_poses",
       [](const ModelPtr& m, const StatePtr& s) {
         const State state = state_or_keyframe(m, s, "");
         const Kinematics kin = moving(m->model(), state);
         Doubles out({static_cast<py::ssize_t>(kin.X_WB.size()), py::ssize_t{4}, py::ssize_t{4}});
         double* at = out.mutable_data();
         for (const Pose& X : kin.X_WB) {
           const Mat4 h = matrix(X);
           for (int i = 0; i < 16; ++i) *at++ = h(i / 4, i % 4);
         }
         return out;
       },
       "state"_a = py::none(), "X_WB of every body [nbody, 4, 4].")
      .def(
          "jacobian",
          [](const ModelPtr& m, Index body, const ArrayLike& point, const StatePtr& s) {
            if (body < 0 || body >= static_cast<Index>(m->model().bodies.size()))
              throw DataError("body is " + std::to_string(body) + "; the model has " +
                              std::to_string(m->model().bodies.size()));
            return to_array(jacobian_of(m->model(), state_or_keyframe(m, s, ""), body,
                                        read_fixed<3>(point, "point_W")));
          },
          "body"_a, "point_W"_a, "state"_a = py::none(),
          "Rows [ω(3), v(3)] in the axes of the world of the body's point at point_W [6, nv].");
}

using StateClass = py::class_<ModelState, StatePtr>;

void bind_state_rest(StateClass& c) {
  c.def_property(
       "time", [](const ModelState& s) { return s.state.time; },
       [](ModelState& s, double time) { s.state.time = time; }, "[s]")
      .def_property_readonly(
          "model", [](const ModelState& s) { return s.model; }, "Whose state it is.")
      .def_property(
          "driven",
          [](const ModelState& s) {
            py::list out;
            for (const Pose& X : s.state.driven) out.append(to_array(X));
            return out;
          },
          [](ModelState& s, const std::vector<ArrayLike>& poses) {
            if (poses.size() != s.state.driven.size())
              throw DataError("driven: expected " + std::to_string(s.state.driven.size()) +
                              " poses, given " + std::to_string(poses.size()));
            for (std::size_t i = 0; i < poses.size(); ++i)
              s.state.driven[i] = read_pose(poses[i], "driven");
          },
          "Poses X_WB (4 x 4) of the bodies that are moved and not pushed (mocap); copies.")
      .def_property_readonly(
          "hash", [](const ModelState& s) { return hex_text(state_hash(s.state)); },
          "Sixteen digits that two states share if they agree bit for bit.")
      .def(
          "copy", [](const ModelState& s) { return std::make_shared<ModelState>(s); },
          "A state of its own.")
      .def("__copy__", [](const ModelState& s) { return std::make_shared<ModelState>(s); })
      .def(
          "__deepcopy__",
          [](const ModelState& s, const py::dict&) { return std::make_shared<ModelState>(s); },
          "memo"_a)
      .def("__repr__", [](const ModelState& s) {
        return "<tact.State at " + py::str(py::float_(s.state.time)).cast<std::string>() +
               " s: nq " + std::to_string(s.state.qpos.size()) + ", nv " +
               std::to_string(s.state.qvel.size()) + ">";
      });
}

void bind_state(py::module_& m) {
  StateClass c(m, "State",
               "What changes: positions, velocities, controls and time of "
               "one model.\n\nqpos and qvel are as in "
               "MuJoCo: a free joint has [p(3), quaternion w x y z] and [v "
               "in W, ω in B]. The arrays are views: "
               "what is written into them is written into the state.");
  const auto vector = [&](const char* name, VecX State::*member, const char* doc) {
    c.def_property(
        name,
        [member](const py::object& self) {
          return view_of(self.cast<ModelState&>().state.*member, self);
        },
        [member, name](ModelState& s, const ArrayLike& value) {
          VecX& to = s.state.*member;
          const VecX from = read_vector(value, name, to.size());
          to = from;  // a copy: views keep pointing at this memory
        },
        doc);
  };
  c.def(py::init([](const ModelPtr& model, const std::string& keyframe) {
          return std::make_shared<ModelState>(
              ModelState{model, state_or_keyframe(model, nullptr, keyframe)});
        }),
        "model"_a, "keyframe"_a = "", "As Model.state().");
  vector("qpos", &State::qpos, "Positions [nq], a view.");
  vector("qvel", &State::qvel, "Velocities [nv], a view.");
  vector("ctrl", &State::ctrl, "Controls [nu], a view.");
  bind_state_rest(c);
}

}  // namespace

void bind_model(py::module_& m) {
  py::class_<SceneModel, ModelPtr> c(m, "Model",
                                     "A scene: bodies in trees, their joints, shapes, actuators "
                                     "and constraints; it does not change.");
  bind_state(m);
  bind_makers(c);
  bind_names(c);
  bind_parts(c);
  bind_ids(c);
  bind_mechanics(c);
  bind_kinematics(c);
  m.def(
      "built_in_scenes",
      [] {
        std::vector<std::string> out;
        for (const app::BuiltInSim& scene : app::built_in_sims()) out.emplace_back(scene.name);
        return out;
      },
      "Names for Model.built_in().");
}

}  // namespace tact::python
