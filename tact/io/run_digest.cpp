#include "tact/io/run_digest.hpp"

#include "tact/base/hash.hpp"

namespace tact {

namespace {

/// Numbers of any kind, one after the other.
struct Digest {
  StateHash hash;

  void all() {}
  template <class First, class... Rest>
  void all(const First& first, const Rest&... rest) {
    one(first);
    all(rest...);
  }

  void one(double x) { hash.add(x); }
  template <class T>
  requires(std::is_integral_v<T> || std::is_enum_v<T>) void one(T x) {
    hash.add(static_cast<std::uint64_t>(x));
  }
  template <class Derived>
  void one(const Eigen::MatrixBase<Derived>& m) {
    one(m.size());
    for (Index j = 0; j < m.cols(); ++j)
      for (Index i = 0; i < m.rows(); ++i) one(m(i, j));
  }
  template <class T>
  void one(const std::optional<T>& x) {
    one(x.has_value());
    if (x) one(*x);
  }
  template <class A, class B>
  void one(const std::pair<A, B>& x) {
    all(x.first, x.second);
  }
  template <class T>
  void one(const std::vector<T>& xs) {
    list(xs);
  }
  template <class List>
  void list(const List& xs) {
    one(xs.size());
    for (const auto& x : xs) one(x);
  }
  template <class... Kinds>
  void one(const std::variant<Kinds...>& x) {
    one(x.index());
    std::visit([&](const auto& kind) { one(kind); }, x);
  }
  void one(const Pose& X) { all(X.R, X.p); }

  // ---- shapes
  void one(const HalfSpace&) {}
  void one(const Sphere& s) { one(s.radius); }
  void one(const Capsule& s) { all(s.radius, s.half_length); }
  void one(const Cylinder& s) { all(s.radius, s.half_length); }
  void one(const Ellipsoid& s) { one(s.semi_axes); }
  void one(const Box& s) { one(s.half_extents); }
  void one(const ConvexMesh& s) {
    one(s.polyhedron->vertices);
    for (const Polyhedron::Face& face : s.polyhedron->faces)
      all(face.normal, face.offset, face.corners);
  }
  void one(const HeightField& s) {
    all(s.grid->rows, s.grid->columns, s.grid->half_size, s.grid->base, s.grid->heights);
  }

  // ---- parts of the model
  void one(const Body& b) {
    all(b.parent, b.X_PB, b.mass, b.com_B, b.inertia_com_B, b.driven, b.gravity_compensation);
  }
  void one(const Joint& j) {
    all(j.type, j.body, j.anchor_B, j.axis_B, j.reference, j.limited, j.range, j.stiffness,
        j.spring_reference, j.damping, j.armature, j.dry_friction);
  }
  void one(const Geom& g) {
    all(g.body, g.shape, g.X_BG, g.friction, g.contype, g.conaffinity, g.condim, g.priority,
        g.margin);
  }
  void one(const Site& s) { all(s.body, s.X_BS); }
  void one(const FixedTendon& t) {
    all(t.joints, t.limited, t.range, t.stiffness, t.damping, t.dry_friction, t.rest_length);
  }
  void one(const Actuator& a) {
    all(a.transmission, a.target, a.gear, a.gain, a.bias, a.ctrl_limited, a.force_limited,
        a.ctrl_range, a.force_range);
  }
  void one(const Equality& e) {
    all(e.type, e.active, e.first, e.second, e.anchor_first, e.anchor_second, e.R_first_second);
    list(e.polynomial);
  }
  void one(const GeomPair& p) { all(p.first, p.second, p.condim, p.friction, p.margin); }

  // ---- what is prescribed, chosen, asked for
  void one(const Schedule& s) { all(s.time, s.value); }
  void one(const SmoothMove& m) { all(m.start, m.duration, m.change); }
  void one(const Drive& d) { all(d.driven, d.motion, d.moves); }
  void one(const SurfaceMotion& s) { all(s.geom, s.velocity_G, s.angular_velocity_G); }
  void one(const EffectivePatch& p) { one(p.pattern); }
  void one(const EllipsoidAtCop& p) { one(p.radius); }
  void one(const VertexModel& p) { one(p.ring); }
  void one(const Winkler& p) {
    list(p.points());
    list(p.areas());
    list(p.radii());
  }
  void one(const ContactChoice& c) { all(c.restitution, c.pressure); }
  // ---- compliance; laws that are functions have no digest
  void one(const LinearNormal& n) {
    all(n.stiffness_N_per_m, n.damping_Ns_per_m, n.damping_s_per_m, n.never_pulls);
  }
  void one(const HertzNormal& n) { all(n.modulus_Pa, n.damping_s_per_m); }
  void one(const UserNormal& n) { one(n.damping_s_per_m); }
  void one(const SoftPad& p) { all(p.stiffness_N_per_m, p.torsion_Nm_per_rad, p.direction); }
  void one(const PadTangent& t) { all(t.one, t.two); }
  void one(const MindlinTangent& t) { all(t.shear_modulus_Pa, t.torsion_modulus_Pa); }
  void one(const FrictionTensor& t) { all(t.squared, t.direction, t.on_two); }
  void one(const SoftFriction& f) { all(f.coefficient, f.tensor, f.torsion_arm_m, f.static_ratio); }
  void one(const TangentDamping& d) { all(d.tangential_s, d.tangential_sqrt_kg, d.torsion_s); }
  void one(const SoftPair& p) {
    all(p.normal, p.patch, p.tangent, p.friction, p.damping, p.centre_share, p.curvature, p.cells);
  }
  void one(const TorusSurface& s) { all(s.ring, s.tube, s.axis); }
  void one(const SuperellipsoidSurface& s) { all(s.semi_axes, s.e1, s.e2); }
  /// Of surfaces that are not those of the geoms; functions have no digest.
  void surface(const Surface& s) {
    all(static_cast<Index>(s.form.index()), s.inside_out);
    if (const auto* torus = std::get_if<TorusSurface>(&s.form)) one(*torus);
    if (const auto* super = std::get_if<SuperellipsoidSurface>(&s.form)) one(*super);
  }
  void one(const SoftGeoms& g) {
    all(g.geom1, g.geom2, g.model.pair, g.rigid_when_lost);
    surface(g.model.one);
    surface(g.model.two);
  }
  void one(const BodySpring& s) {
    all(s.stiffness_N_per_m, s.damping_Ns_per_m, s.turning_Nm_per_rad,
        s.turning_damping_Nms_per_rad);
  }
  void one(const SceneSpring& s) { all(s.body1, s.body2, s.X_B1A, s.X_B2B, s.spring); }

  void one(const Moreau& law) { one(law.e); }
  void one(const tact::Newton&) {}
  void one(const NewtonClamped&) {}
  void one(const Poisson&) {}
  void one(const Fremond& law) { one(law.k); }
  void one(const GeneralizedReflections& law) { one(law.blend); }
  void one(const Sequential&) {}
};

}  // namespace

std::uint64_t run_digest(const Simulation& sim) {
  Digest d;
  const Model& m = sim.scene.model;
  d.all(m.gravity, m.bodies, m.joints, m.geoms, m.sites, m.tendons, m.actuators, m.equalities,
        m.pairs, m.exclusions, sim.scene.shift);
  d.all(sim.prescribed.drives, sim.prescribed.surfaces, sim.prescribed.controls);
  d.all(sim.choices.common, sim.choices.pairs);
  d.all(sim.soft.pairs, sim.soft.springs);
  const SimOptions& o = sim.options;
  d.all(o.dt, o.law, o.solver, o.tolerance, o.max_iterations, o.margin_share, o.most_impacts);
  return d.hash.value();
}

}  // namespace tact
