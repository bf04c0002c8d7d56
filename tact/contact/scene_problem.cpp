// contact/scene_problem.cpp - masses, forces, contacts and limits of one moment, put together.
#include "tact/contact/scene_problem.hpp"

#include <algorithm>
#include <limits>

#include "tact/base/expects.hpp"
#include "tact/body/bias.hpp"
#include "tact/body/constraints.hpp"
#include "tact/body/mass_matrix.hpp"
#include "tact/contact/contact_rows.hpp"
#include "tact/contact/surface_law.hpp"

namespace tact {
namespace {

std::string joint_name(const Model& model, LimitRows::Kind kind, Index index) {
  const bool joint = kind == LimitRows::Kind::joint;
  const std::string& own = joint ? model.joints[index].name : model.tendons[index].name;
  return own.empty() ? (joint ? "joint " : "tendon ") + std::to_string(index) : own;
}

std::string limit_name(const Model& model, const LimitRows::Source& source) {
  return joint_name(model, source.kind, source.index) +
         (source.upper ? " at its upper limit" : " at its lower limit");
}

std::string friction_name(const Model& model, const FrictionRows::Source& source) {
  std::string name = "friction of " + joint_name(model, source.kind, source.index);
  if (source.kind == LimitRows::Kind::joint && dof_size(model.joints[source.index].type) > 1)
    name += ", axis " + std::to_string(source.axis);
  return name;
}

std::string equality_name(const Model& model, Index index) {
  const std::string& own = model.equalities[index].name;
  return own.empty() ? "equality " + std::to_string(index) : own;
}

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
    if (options_.with_forces) add_dry_friction();
    EqualityRows equalities;
    equality_rows(model_, state_, kin_, equalities);
    if (options_.equalities_as_rows) add_equalities(equalities);
    p.rows = sparse(rows_, model_.nv);
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
    Pose X_WC = c.surface.X_WC;
    if (c.surface.kind == PatchKind::point) {
      // A point has no frame of its own: the rows are taken where it is.
      const Vec2& at = all.buffer.points[c.surface.first_point];
      X_WC.p += X_WC.R * Vec3(at[0], at[1], 0);
    }
    append_contact_rows(model_, kin_, contact.law, model_.geoms[c.geom1].body,
                        model_.geoms[c.geom2].body, X_WC, rows_);
    out_.problem.contacts.push_back(std::move(contact));
  }

  void add_limits() {
    LimitRows limits;
    limit_rows(model_, state_, options_.limit_reach, limits);
    for (Index i = 0; i < limits.rows.rows(); ++i) {
      copy_row(limits.rows, i);
      Contact contact;
      contact.name = limit_name(model_, limits.source[i]);
      if (options_.with_gaps) contact.gap = limits.gap[i];
      out_.problem.contacts.push_back(std::move(contact));
    }
  }

  void copy_row(const SparseRows& from, Index i) {
    for (Index k = from.begin[i]; k < from.begin[i + 1]; ++k)
      rows_.add(from.column[k], from.value[k]);
    rows_.finish_row();
  }

  /// Bounds of forces over the step.
  void add_dry_friction() {
    FrictionRows friction;
    dry_friction_rows(model_, friction);
    const Index count = friction.rows.rows();
    if (!options_.with_dry_friction && count > 0)
      out_.notes.push_back("dry friction of " + std::to_string(count) +
                           (count == 1 ? " joint or tendon is" : " joints and tendons is") +
                           " not part of the contact problem");
    if (!options_.with_dry_friction) return;
    for (Index i = 0; i < count; ++i) {
      copy_row(friction.rows, i);
      Contact contact;
      contact.name = friction_name(model_, friction.source[i]);
      const double bound = friction.bound[i] * out_.problem.dt;
      contact.law = BoundedLaw{-bound, bound};
      out_.problem.contacts.push_back(std::move(contact));
    }
  }

  void add_equalities(const EqualityRows& equalities) {
    for (Index i = 0; i < equalities.rows.rows(); ++i) {
      copy_row(equalities.rows, i);
      Contact contact;
      contact.name = equality_name(model_, equalities.equality[i]);
      contact.law = BoundedLaw{};
      if (options_.with_gaps) contact.gap = equalities.error[i];
      contact.stabilisation = options_.equality_stabilisation;
      out_.problem.contacts.push_back(std::move(contact));
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
  SparseRows rows_;
  SceneProblem out_;
};

}  // namespace

std::string geom_name(const Model& model, Index geom) {
  const Geom& g = model.geoms[geom];
  if (!g.name.empty()) return g.name;
  const std::string& body = model.bodies[g.body].name;
  if (!body.empty()) return body;
  return g.body == 0 ? "world" : "body " + std::to_string(g.body);
}

std::string contact_name(const Model& model, const SceneContact& contact) {
  return geom_name(model, contact.geom1) + " on " + geom_name(model, contact.geom2);
}

Result<SceneProblem> scene_problem(const Model& model, const State& state,
                                   const SceneContacts& contacts,
                                   const SceneProblemOptions& options) {
  if (model.nv == 0)
    return Error{Errc::value, "nothing can move; a body needs a joint for contacts to act on"};
  return Assembly(model, state, options).make(contacts);
}

}  // namespace tact
