// contact/scene_problem.cpp - masses, forces, contacts and limits of one moment, put together.
#include "tact/contact/scene_problem.hpp"

#include <algorithm>
#include <limits>

#include "tact/base/expects.hpp"
#include "tact/body/bias.hpp"
#include "tact/body/constraints.hpp"
#include "tact/body/mass_matrix.hpp"
#include "tact/contact/constraint_rows.hpp"
#include "tact/contact/surface_law.hpp"

namespace tact {
namespace {

class Assembly {
 public:
  Assembly(const Model& model, const State& state, const SceneProblemOptions& options)
      : model_(model), state_(state), options_(options) {
    forward_kinematics(model, state, kin_);
    forward_velocities(model, state.qvel, kin_);
  }

  Result<SceneProblem> make(const SceneContacts& contacts) {
    ContactProblem& p = out_.problem;
    p.name = model_.name;
    p.dt = options_.dt > 0 ? options_.dt : model_.timestep;
    MassMatrix mass;
    mass_matrix(model_, kin_, mass);
    p.mass = sparse(model_, mass);
    p.velocity = state_.qvel;
    add_forces();
    for (std::size_t i = 0; i < contacts.contacts.size(); ++i) add_contact(contacts, i);
    if (options_.with_limits) add_limits();
    if (options_.with_forces) add_friction_of_joints();
    EqualityRows equalities;
    equality_rows(model_, state_, kin_, equalities);
    if (options_.equalities_as_rows) add_equalities(equalities);
    p.rows = sparse(model_, rows_);
    if (options_.equalities_as_rows) return std::move(out_);
    if (const auto held = hold(equalities); !held) return held.error();
    return std::move(out_);
  }

 private:
  /// dt (τ - c), and the rows of the actuators as columns.
  void add_forces() {
    VecX force = VecX::Zero(model_.nv);
    Actuation actuation;
    if (options_.with_forces) passive_force(model_, state_, force);
    VecX driven = VecX::Zero(model_.nv);
    actuator_force(model_, state_, kin_, actuation, driven);
    out_.actuation = SparseMatrix(sparse(actuation.moment, model_.nv).transpose());
    bound_actuators(actuation);
    if (!options_.with_forces) return;
    VecX bias;
    BiasWorkspace work;
    bias_force(model_, state_.qvel, kin_, work, bias);
    out_.problem.impulse = out_.problem.dt * (force - bias);
    if (options_.with_actuators) out_.problem.impulse += out_.problem.dt * driven;
  }

  /// gain · ctrl + bias over the range of the controls, cut by the ranges of its force and of the
  /// joint's.
  void bound_actuators(const Actuation& actuation) {
    constexpr double unbounded = std::numeric_limits<double>::infinity();
    const auto count = static_cast<Index>(model_.actuators.size());
    out_.actuator_lower.setConstant(count, -unbounded);
    out_.actuator_upper.setConstant(count, unbounded);
    for (Index i = 0; i < count; ++i) {
      const Actuator& a = model_.actuators[i];
      const Vec3 at(1, actuation.length[i], actuation.speed[i]);
      const double gain = a.gain.dot(at), bias = a.bias.dot(at);
      double &lower = out_.actuator_lower[i], &upper = out_.actuator_upper[i];
      if (a.ctrl_limited || gain == 0) {
        const auto [low, high] =
            std::minmax({gain * a.ctrl_range[0] + bias, gain * a.ctrl_range[1] + bias});
        lower = low;
        upper = high;
      }
      if (!a.force_limited) continue;
      lower = std::clamp(lower, a.force_range[0], a.force_range[1]);
      upper = std::clamp(upper, a.force_range[0], a.force_range[1]);
    }
    for (std::size_t j = 0; j < model_.joints.size(); ++j)
      if (model_.joints[j].force_limited) bound_by_joint(static_cast<Index>(j), actuation);
  }

  /// The range of a joint's force as one of the actuator that drives it. Where several share the
  /// joint it holds for their sum, which no bounds of each can say.
  void bound_by_joint(Index joint, const Actuation& actuation) {
    const Joint& j = model_.joints[joint];
    Index driver = -1;
    double lever = 0;
    for (Index i = 0; i < actuation.moment.rows(); ++i)
      for (Index k = actuation.moment.begin[i]; k < actuation.moment.begin[i + 1]; ++k) {
        if (actuation.moment.column[k] != j.dof || actuation.moment.value[k] == 0) continue;
        if (driver >= 0 && driver != i) {
          out_.notes.push_back("the force range of " +
                               joint_name(model_, LimitRows::Kind::joint, joint) +
                               " holds for its actuators together and bounds none of them");
          return;
        }
        driver = i;
        lever += actuation.moment.value[k];
      }
    if (driver < 0 || lever == 0) return;
    const auto [low, high] = std::minmax({j.force_range[0] / lever, j.force_range[1] / lever});
    double &lower = out_.actuator_lower[driver], &upper = out_.actuator_upper[driver];
    lower = std::clamp(lower, low, high);
    upper = std::clamp(upper, low, high);
  }

  void add_contact(const SceneContacts& all, std::size_t i) {
    const SceneContact& c = all.contacts[i];
    TACT_EXPECTS(options_.choices.empty() || options_.choices.size() == all.contacts.size());
    const ContactChoice choice = options_.choices.empty() ? ContactChoice{} : options_.choices[i];
    Contact contact = surface_contact(c.surface, all.buffer, c.pair, choice.pressure);
    contact.name = contact_name(model_, c);
    contact.restitution = choice.restitution;
    if (!options_.with_gaps) {
      contact.gap = 0;
      contact.gap_slope.setZero();
    }
    add_surface(model_, kin_, all, static_cast<Index>(i), choice.pressure, rows_);
    out_.problem.contacts.push_back(std::move(contact));
  }

  void add_limits() {
    LimitRows limits;
    limit_rows(model_, state_, options_.limit_reach, limits);
    for (Index i = 0; i < limits.rows.rows(); ++i) {
      add_limit(model_, limits, i, rows_);
      Contact contact;
      contact.name = limit_name(model_, limits.source[i]);
      if (options_.with_gaps) contact.gap = limits.gap[i];
      out_.problem.contacts.push_back(std::move(contact));
    }
  }

  /// Bounds of forces over the step.
  void add_friction_of_joints() {
    FrictionRows friction;
    dry_friction_rows(model_, friction);
    const Index count = friction.rows.rows();
    if (!options_.with_dry_friction && count > 0)
      out_.notes.push_back("dry friction of " + std::to_string(count) +
                           (count == 1 ? " joint or tendon is" : " joints and tendons is") +
                           " not part of the contact problem");
    if (!options_.with_dry_friction) return;
    for (Index i = 0; i < count; ++i) {
      add_dry_friction(model_, friction, i, out_.problem.dt, rows_);
      Contact contact;
      contact.name = dry_friction_name(model_, friction.source[i]);
      contact.law = BoundedLaw{rows_.laws.back().lower, rows_.laws.back().upper};
      out_.problem.contacts.push_back(std::move(contact));
    }
  }

  void add_equalities(const EqualityRows& equalities) {
    for (Index i = 0; i < equalities.groups(); ++i) {
      add_equality(model_, equalities, i, rows_);
      Contact contact;  // of a problem every row is one
      contact.name = equality_name(model_, equalities.equality[i]);
      contact.law = BoundedLaw{};
      contact.stabilisation = options_.equality_stabilisation;
      for (Index row = equalities.begin[i]; row < equalities.begin[i + 1]; ++row) {
        if (options_.with_gaps) contact.gap = equalities.error[row];
        out_.problem.contacts.push_back(contact);
      }
    }
  }

  Result<bool> hold(const EqualityRows& equalities) {
    if (equalities.rows.rows() == 0) return true;
    auto held = eliminate_held(out_.problem, sparse(equalities.rows, model_.nv));
    if (!held) return held.error();
    out_.basis = held->basis;
    out_.actuation = SparseMatrix(out_.basis.transpose()) * out_.actuation;
    out_.problem = std::move(held)->problem;
    out_.notes.push_back(std::to_string(equalities.rows.rows()) +
                         " equations of joints and welds are eliminated: velocities are those of "
                         "the motion that is left");
    return true;
  }

  const Model& model_;
  const State& state_;
  const SceneProblemOptions& options_;
  Kinematics kin_;
  ConstraintRows rows_;
  SceneProblem out_;
};

}  // namespace

Result<SceneProblem> scene_problem(const Model& model, const State& state,
                                   const SceneContacts& contacts,
                                   const SceneProblemOptions& options) {
  if (model.nv == 0)
    return Error{Errc::value, "nothing can move; a body needs a joint for contacts to act on"};
  return Assembly(model, state, options).make(contacts);
}

}  // namespace tact
