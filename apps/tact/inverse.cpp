// tact inverse - the forces behind a motion: actuators and contacts, or the reason there are none.
#include <array>
#include <memory>
#include <string>
#include <vector>

#include <Eigen/Cholesky>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "scene_input.hpp"
#include "tact/io/number_text.hpp"
#include "tact/solve/inverse_dynamics.hpp"

namespace tact::app {

namespace {

using Json = nlohmann::ordered_json;

struct InverseWords {
  std::string file;
  SceneWords scene;
  std::vector<double> acceleration;
  bool json = false;
};

/// One name per degree of freedom: that of its joint, with a number where the joint has several.
std::vector<std::string> dof_names(const Model& model) {
  std::vector<std::string> out;
  for (Index d = 0; d < model.nv; ++d) {
    const Joint& joint = model.joints[model.dof_joint[d]];
    const std::string& body = model.bodies[joint.body].name;
    std::string name = joint.name.empty() ? body : joint.name;
    if (name.empty()) name = fmt::format("joint {}", model.dof_joint[d]);
    if (joint.type == JointType::free)
      name += std::array{" along x", " along y", " along z", " about x", " about y", " about z"}
          [static_cast<std::size_t>(d - joint.dof)];
    if (joint.type == JointType::ball)
      name +=
          std::array{" about x", " about y", " about z"}[static_cast<std::size_t>(d - joint.dof)];
    out.push_back(std::move(name));
  }
  return out;
}

std::string actuator_name(const Model& model, Index i) {
  const std::string& name = model.actuators[i].name;
  return name.empty() ? fmt::format("actuator {}", i) : name;
}

/// Of the force along a transmission; empty where it depends on the gear.
const char* unit_of(const Model& model, const Actuator& actuator) {
  if (actuator.transmission != Transmission::joint) return "";
  switch (model.joints[actuator.target].type) {
    case JointType::hinge:
    case JointType::ball:
      return "N m";
    case JointType::slide:
      return "N";
    default:
      return "";
  }
}

/// The coordinates of a velocity among those that the equations leave.
Result<VecX> carried(const SceneProblem& made, const VecX& velocity) {
  if (made.basis.cols() == 0) return velocity;
  const MatX Z = MatX(made.basis);
  const VecX y = (Z.transpose() * Z).llt().solve(Z.transpose() * velocity);
  const double missed = (Z * y - velocity).norm();
  if (missed > tolerance::written * velocity.norm())
    return Error{Errc::value,
                 fmt::format("the motion breaks the joints that close loops by {} m/s; give an "
                             "acceleration that keeps them closed",
                             short_number(missed))};
  return y;
}

Result<InverseWish> wish_of(const InverseWords& words, const Model& model, const State& state,
                            const SceneProblem& made) {
  VecX acceleration = VecX::Zero(model.nv);
  if (!words.acceleration.empty()) {
    if (static_cast<Index>(words.acceleration.size()) != model.nv)
      return Error{Errc::value,
                   fmt::format("--acceleration has {} numbers, the scene has {} degrees of freedom",
                               words.acceleration.size(), model.nv)};
    acceleration = Eigen::Map<const VecX>(words.acceleration.data(), model.nv);
    if (!acceleration.allFinite())
      return Error{Errc::value, "--acceleration has a number that is not finite; write numbers"};
  }
  InverseWish wish;
  wish.dt = made.problem.dt;
  auto velocity = carried(made, state.qvel + wish.dt * acceleration);
  if (!velocity) return velocity.error();
  wish.velocity = *std::move(velocity);
  wish.actuation = MatX(made.actuation);
  wish.lower = made.actuator_lower;
  wish.upper = made.actuator_upper;
  for (Index i = 0; i < static_cast<Index>(model.actuators.size()); ++i)
    wish.actuator_names.push_back(actuator_name(model, i));
  if (made.basis.cols() == 0) wish.dof_names = dof_names(model);
  return wish;
}

std::vector<double> numbers(const VecX& x) {
  return {x.begin(), x.end()};
}

/// Forces of a contact, out of its impulse.
VecX force_of(const ContactProblem& p, const VecX& lambda, Index contact) {
  const auto offset = row_offsets(p.contacts);
  return lambda.segment(offset[contact], offset[contact + 1] - offset[contact]) / p.dt;
}

void print_json(const Model& model, const ContactProblem& p, const InverseReport& report) {
  Json out = {{"status", name(report.status)}};
  const bool solved = report.status == InverseStatus::solved;
  if (solved) {
    Json forces = Json::array(), labels = Json::array(), contacts = Json::array();
    for (Index i = 0; i < static_cast<Index>(p.contacts.size()); ++i) {
      contacts.push_back(p.contacts[i].name);
      forces.push_back(numbers(force_of(p, report.lambda, i)));
      labels.push_back(name(report.labels[i].regime));
    }
    Json actuators = Json::array();
    for (Index i = 0; i < static_cast<Index>(model.actuators.size()); ++i)
      actuators.push_back(actuator_name(model, i));
    out["actuators"] = actuators;
    out["actuator_forces"] = numbers(report.tau);
    out["contacts"] = contacts;
    out["contact_forces"] = forces;
    out["labels"] = labels;
  } else {
    out["reason"] = report.reason;
    out["amount"] = report.amount;
    if (report.contact >= 0) out["contact"] = p.contacts[report.contact].name;
    if (report.actuator >= 0) out["actuator"] = actuator_name(model, report.actuator);
    if (report.ray.size() > 0) {
      out["ray"] = numbers(report.ray);
      out["ray_most"] = report.ray_most;
      out["ray_needed"] = report.ray_needed;
      out["ray_is_proof"] = report.ray_is_proof;
    }
  }
  out["residual"] = report.residual.figure();
  out["motion_error"] = report.motion_error;
  fmt::print("{}\n", out.dump(2, ' ', false, Json::error_handler_t::replace));
}

void print_table(const Model& model, const ContactProblem& p, const InverseReport& report) {
  if (report.status != InverseStatus::solved) {
    fmt::print(
        "{}\n  why  {}\n",
        report.status == InverseStatus::infeasible ? "no forces give this motion" : "not converged",
        report.reason);
    return;
  }
  fmt::print("forces of least actuator effort          judge's residual {}\n",
             short_number(report.residual.figure()));
  for (Index i = 0; i < report.tau.size(); ++i)
    fmt::print("  {:<28} {:>12}  {}\n", actuator_name(model, i), short_number(report.tau[i]),
               unit_of(model, model.actuators[i]));
  for (Index i = 0; i < static_cast<Index>(p.contacts.size()); ++i) {
    const VecX force = force_of(p, report.lambda, i);
    std::string line;
    for (const double x : force) line += fmt::format(" {}", short_number(x));
    fmt::print("  {:<28} {:<16}{}\n", p.contacts[i].name, name(report.labels[i].regime), line);
  }
  fmt::print(
      "contact rows: [n], [t1 t2 n] in N, or a patch's moments and forces [m_T m_N f_T f_N]\n");
}

int run_inverse(const InverseWords& words) {
  const std::string source = source_name(words.file);
  if (words.file != "-" && !is_scene_name(words.file))
    return complain(source + ": is no scene; inverse dynamics needs an .xml or .urdf file");
  MomentOptions options;
  options.with_actuators = false;
  const auto read = read_moment(words.file, words.scene, options);
  if (!read) return complain(read.error().message);
  const Model& model = read->scene.model;
  const SceneProblem& made = read->moment.made;
  const auto wish = wish_of(words, model, read->state, made);
  if (!wish) return complain(source + ": " + wish.error().message);
  const auto report = inverse_dynamics(made.problem, *wish);
  if (!report) return complain(source + ": " + report.error().message);
  if (words.json)
    print_json(model, made.problem, *report);
  else
    print_table(model, made.problem, *report);
  return report->status == InverseStatus::solved ? good : violated;
}

}  // namespace

void add_inverse(CLI::App& app, Action& action) {
  auto words = std::make_shared<InverseWords>();
  CLI::App* command = app.add_subcommand(
      "inverse",
      "The actuator and contact forces behind a motion of a scene, or the reason there are none.");
  command->footer(
      "Example: tact inverse robot.xml --keyframe stand\n"
      "Position and velocity are the keyframe's, the acceleration is given or zero. Contacts obey\n"
      "their laws: they push, never pull, and rub against the slip. Of all forces that do it, "
      "those\n"
      "of least actuator effort. Exit code 1 says that none do it, or that none were found.\n"
      "Theory: docs/inverse.md.");
  command->add_option("SCENE", words->file, "An MJCF .xml or a .urdf file; - for standard input.")
      ->required();
  command
      ->add_option("--acceleration", words->acceleration,
                   "One number per degree of freedom [m/s^2, rad/s^2]; zeros by default.")
      ->delimiter(',');
  add_moment_words(*command, words->scene);
  command->add_flag("--json", words->json, "Print one JSON object and nothing else.");
  command->callback([words, &action] { action = [words] { return run_inverse(*words); }; });
}

}  // namespace tact::app
