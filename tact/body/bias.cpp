#include "tact/body/bias.hpp"

#include "tact/base/expects.hpp"
#include "tact/body/motion_algebra.hpp"

namespace tact {

namespace {

/// The force on a link that moves with V and accelerates with A (gravity in it).
Motion newton_euler(const PointInertia& I, const Motion& V, const Motion& A) {
  Motion force = momentum(I, A);
  add_dual_bracket(V, momentum(I, V), force);
  return force;
}

/// The same for a body that is alone, from its constant inertia in its own frame: v of the origin
/// in W, ω in B, as its coordinates are. `acceleration` is that of qvel, gravity not in it.
void alone_force(const Tree::Link& link, const Mat3& R, const Vec3& g, const double* qvel,
                 const double* acceleration, double* out) {
  const Vec3 w(qvel[3], qvel[4], qvel[5]);
  const Vec3& c = link.com_B;
  Vec3 linear_B = cross(w, cross(w, c));
  Vec3 linear = -g;
  Vec3 moment = cross(w, link.inertia_B * w);
  if (acceleration != nullptr) {
    const Vec3 turn(acceleration[3], acceleration[4], acceleration[5]);
    linear += Vec3(acceleration[0], acceleration[1], acceleration[2]);
    linear_B += cross(turn, c);
    moment += link.inertia_B * turn;
  }
  moment += link.mass * cross(c, R.transpose() * linear);
  linear = link.mass * (linear + R * linear_B);
  for (int i = 0; i < 3; ++i) {
    out[i] = linear[i];
    out[3 + i] = moment[i];
  }
}

/// Sums the forces towards the roots and projects them on the axes.
void gather(const Tree& tree, const Kinematics& kin, std::vector<Motion>& force, double* out) {
  for (Index i = static_cast<Index>(tree.links.size()) - 1; i >= 0; --i) {
    const Tree::Link& link = tree.links[i];
    if (link.alone) continue;
    const Motion& f = force[i];
    for (Index d = link.first_dof; d < link.first_dof + link.dof_count; ++d)
      out[d] = power(kin.axis[d], f);
    if (link.parent >= 0) add(f, force[link.parent]);
  }
}

/// The weight that is taken off pushes up at each body's centre.
void compensate(const Model& model, const Kinematics& kin, VecX& out) {
  const Tree& tree = model.tree;
  for (Index i = 1; i < static_cast<Index>(model.bodies.size()); ++i) {
    const Body& b = model.bodies[i];
    const Index link = tree.link_of(i);
    if (b.gravity_compensation == 0 || link < 0) continue;
    const Vec3 f = b.gravity_compensation * b.mass * model.gravity;
    const Motion force{cross(centre(model, kin, i) - kin.origin[link], f), f};
    const Tree::Link& l = tree.links[link];
    const Index last = l.first_dof + l.dof_count - 1;
    for (Index e = tree.row[last]; e < tree.row[last + 1]; ++e)
      out[tree.column[e]] += power(kin.axis[tree.column[e]], force);
  }
}

}  // namespace

void bias_force(const Model& model, const VecX& qvel, const Kinematics& kin, BiasWorkspace& work,
                VecX& c) {
  const Tree& tree = model.tree;
  TACT_EXPECTS(qvel.size() == model.nv && kin.velocity.size() == tree.links.size());
  work.force.resize(tree.links.size());
  c.resize(model.nv);
  const Vec3& g = tree.gravity;
  const auto links = static_cast<Index>(tree.links.size());
  for (Index i = 0; i < links; ++i) {
    const Tree::Link& link = tree.links[i];
    if (link.alone) {
      const Index d = link.first_dof;
      alone_force(link, kin.X_WB[link.body].R, g, qvel.data() + d, nullptr, c.data() + d);
      continue;
    }
    const Motion& B = kin.bias[i];
    work.force[i] = newton_euler(kin.inertia[i], kin.velocity[i], {B.w, B.v - g});
  }
  gather(tree, kin, work.force, c.data());
  if (tree.compensated) compensate(model, kin, c);
}

void inverse_dynamics(const Model& model, const VecX& qvel, const VecX& qacc, const Kinematics& kin,
                      BiasWorkspace& work, VecX& tau) {
  const Tree& tree = model.tree;
  TACT_EXPECTS(qvel.size() == model.nv && qacc.size() == model.nv);
  TACT_EXPECTS(kin.velocity.size() == tree.links.size());
  work.force.resize(tree.links.size());
  work.acceleration.resize(tree.links.size());
  tau.resize(model.nv);
  const auto links = static_cast<Index>(tree.links.size());
  for (Index i = 0; i < links; ++i) {
    const Tree::Link& link = tree.links[i];
    if (link.alone) {
      const Index d = link.first_dof;
      alone_force(link, kin.X_WB[link.body].R, tree.gravity, qvel.data() + d, qacc.data() + d,
                  tau.data() + d);
      continue;
    }
    Motion& A = work.acceleration[i];  // Σ S q̈, without the bias and without gravity
    A = link.parent >= 0 ? work.acceleration[link.parent] : Motion{};
    for (Index d = link.first_dof; d < link.first_dof + link.dof_count; ++d)
      add(scaled(kin.axis[d], qacc[d]), A);
    const Motion& B = kin.bias[i];
    work.force[i] =
        newton_euler(kin.inertia[i], kin.velocity[i], {A.w + B.w, A.v + B.v - tree.gravity});
  }
  gather(tree, kin, work.force, tau.data());
  if (tree.compensated) compensate(model, kin, tau);
  tau += tree.armature.cwiseProduct(qacc);
}

}  // namespace tact
