#include "scenes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

#include <Eigen/Dense>

#include "tact/base/rng.hpp"
#include "tact/contact/delassus.hpp"
#include "tact/contact/local_law.hpp"
#include "tact/spatial/inertia.hpp"

namespace tact::bench {
namespace {

constexpr double dt = 0.001;
constexpr double gravity = 9.81;
constexpr double half = 0.1;  ///< half edge, radius
constexpr Index ground = -1;

using Entry = Eigen::Triplet<double>;

/// Bodies and contacts one after another; velocities are [ω, v] at the centre, axes of the world.
class Scene {
 public:
  Index add_body(const Inertia& inertia, const Vec3& at, const Vec6& velocity) {
    const auto body = static_cast<Index>(centres_.size());
    centres_.push_back(at);
    velocity_.push_back(velocity);
    weight_.push_back(inertia.mass());
    for (Index r = 0; r < 3; ++r) {
      for (Index c = 0; c < 3; ++c)
        if (inertia.about_com()(r, c) != 0)
          mass_.emplace_back(6 * body + r, 6 * body + c, inertia.about_com()(r, c));
      mass_.emplace_back(6 * body + 3 + r, 6 * body + 3 + r, inertia.mass());
    }
    return body;
  }

  /// b relative to a; the frame's third column is the normal, from a to b.
  void add_contact(Index a, Index b, const Vec3& at, const Mat3& frame, const Law& law) {
    Contact contact;
    contact.law = law;
    contacts_.push_back(contact);
    const bool turns = row_count(law) == 6;
    const bool flat = std::holds_alternative<FrictionlessPatch>(law);
    if (turns || flat)
      for (Index k = 0; k < (turns ? 3 : 2); ++k) add_row(a, b, at, Vec3::Zero(), frame.col(k));
    for (Index k = flat || row_count(law) == 1 ? 2 : 0; k < 3; ++k)
      add_row(a, b, at, frame.col(k), Vec3::Zero());
  }

  [[nodiscard]] ContactProblem problem() const {
    ContactProblem out;
    const auto dof = 6 * static_cast<Index>(centres_.size());
    out.contacts = contacts_;
    out.mass.resize(dof, dof);
    out.mass.setFromTriplets(mass_.begin(), mass_.end());
    out.rows.resize(rows_, dof);
    out.rows.setFromTriplets(jacobian_.begin(), jacobian_.end());
    out.velocity.resize(dof);
    out.impulse = VecX::Zero(dof);
    for (std::size_t i = 0; i < centres_.size(); ++i) {
      const auto at = 6 * static_cast<Index>(i);
      out.velocity.segment<6>(at) = velocity_[i];
      out.impulse[at + 5] = -weight_[i] * gravity * dt;
    }
    out.dt = dt;
    return out;
  }

 private:
  /// The velocity along `push` at a point, or about `turn`.
  void add_row(Index a, Index b, const Vec3& at, const Vec3& push, const Vec3& turn) {
    for (const auto& [body, sign] : {std::pair{a, -1.0}, std::pair{b, 1.0}}) {
      if (body == ground) continue;
      const Vec3 arm = at - centres_[static_cast<std::size_t>(body)];
      const Vec3 angular = sign * (turn + arm.cross(push)), linear = sign * push;
      for (Index k = 0; k < 3; ++k) {
        if (angular[k] != 0) jacobian_.emplace_back(rows_, 6 * body + k, angular[k]);
        if (linear[k] != 0) jacobian_.emplace_back(rows_, 6 * body + 3 + k, linear[k]);
      }
    }
    ++rows_;
  }

  std::vector<Vec3> centres_;
  std::vector<Vec6> velocity_;
  std::vector<double> weight_;
  std::vector<Contact> contacts_;
  std::vector<Entry> mass_, jacobian_;
  Index rows_ = 0;
};

Vec6 velocity_of(Motion motion, Rng& rng) {
  Vec6 out = Vec6::Zero();
  if (motion == Motion::tipping) {
    out.head<2>() = Vec2(rng.normal(), rng.normal());
    out.tail<3>() = half * Vec3(rng.normal(), rng.normal(), rng.normal());
  }
  if (motion == Motion::pushed) {
    out[2] = rng.normal();
    out.segment<2>(3) = Vec2(rng.normal(), rng.normal());
  }
  return out;
}

/// Where an interface touches, in its own plane.
std::vector<Vec2> points_of(const Tower& t) {
  std::vector<Vec2> out;
  if (t.round) {
    for (int k = 0; k < t.points; ++k) {
      const double angle = 2 * std::numbers::pi * k / t.points;
      out.emplace_back(half * std::cos(angle), half * std::sin(angle));
    }
    return out;
  }
  const int side = std::max(2, static_cast<int>(std::lround(std::sqrt(t.points))));
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j)
      out.emplace_back(half * (2.0 * i / (side - 1) - 1), half * (2.0 * j / (side - 1) - 1));
  return out;
}

PatchShape shape_of(const Tower& t) {
  if (t.round) return {DiscShape{Vec2::Zero(), half}};
  return {PolygonShape{{{-half, -half}, {half, -half}, {half, half}, {-half, half}}}};
}

Law patch_law(const Tower& t) {
  if (t.mu > 0) return FrictionalPatch{shape_of(t), t.mu, EffectivePatch{}};
  return FrictionlessPatch{shape_of(t)};
}

Law point_law(double mu) {
  if (mu > 0) return CoulombLaw{mu, false};
  return Frictionless{};
}

/// An orthonormal frame whose third axis is n.
Mat3 frame_of(const Vec3& n) {
  const Vec3 helper = std::abs(n[0]) < 0.5 ? Vec3::UnitX() : Vec3::UnitY();
  Mat3 out;
  out.col(2) = n;
  out.col(0) = n.cross(helper).normalized();
  out.col(1) = n.cross(out.col(0));
  return out;
}

struct Sphere {
  Vec3 at;
  double radius;
};

/// Close-packed layers, every sphere moved a little.
std::vector<Sphere> lattice(Index count, Rng& rng) {
  std::vector<Sphere> out;
  const auto side = std::max<Index>(1, std::lround(std::cbrt(static_cast<double>(count))));
  constexpr double step = 2 * half;
  for (Index z = 0; std::ssize(out) < count; ++z)
    for (Index y = 0; y < side; ++y)
      for (Index x = 0; x < side && std::ssize(out) < count; ++x) {
        const double shift = z % 2 == 0 ? 0 : 0.5;
        const Vec3 place(static_cast<double>(x) + shift, static_cast<double>(y) + shift,
                         0.5 + static_cast<double>(z) / std::numbers::sqrt2);
        const Vec3 jitter(rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1));
        out.push_back({step * (place + 0.05 * jitter), half * rng.uniform(0.8, 1.2)});
      }
  return out;
}

/// Gap, first (or the ground) and second sphere of all pairs that are near.
std::vector<std::tuple<double, Index, Index>> near_pairs(const std::vector<Sphere>& spheres) {
  std::vector<std::tuple<double, Index, Index>> out;
  // Spheres are numbered layer by layer: partners are at most a good layer away.
  const auto count = std::ssize(spheres);
  const auto side = std::max<Index>(1, std::lround(std::cbrt(static_cast<double>(count))));
  const Index reach = side * side + 2 * side + 2;
  for (Index i = 0; i < count; ++i) {
    const Sphere& one = spheres[static_cast<std::size_t>(i)];
    if (one.at[2] < 2 * half) out.emplace_back(one.at[2] - one.radius, ground, i);
    for (Index j = i + 1; j < std::min(count, i + reach); ++j) {
      const Sphere& other = spheres[static_cast<std::size_t>(j)];
      const double distance = (other.at - one.at).norm();
      if (distance < 3 * half) out.emplace_back(distance - one.radius - other.radius, i, j);
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// Load and motion of one point that obey its law; regime 0 sticks, 1 slides, 2 opens.
void obey(const Law& law, std::uint64_t regime, Rng& rng, Vec3& load, Vec3& motion) {
  load.setZero();
  motion.setZero();
  const Vec2 along(rng.normal(), rng.normal());
  if (regime == 2) {
    motion << along, rng.uniform(0.1, 1);
    return;
  }
  load[2] = rng.uniform(0.1, 1);
  const LocalLaw local = local_law(law);
  Vec2 limit = -local.mu * along.normalized();
  if (local.polygon) {
    limit = local.polygon->front();
    for (const Vec2& corner : *local.polygon)
      if (corner.dot(along) < limit.dot(along)) limit = corner;
  }
  load.head<2>() = (regime == 0 ? 0.5 : 1.0) * load[2] * limit;
  if (regime == 1) motion.head<2>() = along;
}

}  // namespace

const char* name(Motion motion) {
  constexpr const char* names[] = {"resting", "tipping", "pushed"};
  return names[static_cast<std::size_t>(motion)];
}

ContactProblem tower(const Tower& t) {
  Scene scene;
  Rng rng(t.seed);
  for (int i = 0; i < t.bodies; ++i) {
    const double mass = i + 1 == t.bodies ? t.top : 1;
    const Inertia inertia =
        t.round ? cylinder_inertia(mass, half, half) : box_inertia(mass, Vec3::Constant(half));
    const Vec3 at(0, 0, half * (2 * i + 1));
    const Index body = scene.add_body(inertia, at, velocity_of(t.motion, rng));
    const Vec3 below = at - half * Vec3::UnitZ();
    if (t.points == 0) {
      scene.add_contact(body - 1, body, below, Mat3::Identity(), patch_law(t));
      continue;
    }
    for (const Vec2& p : points_of(t))
      scene.add_contact(body - 1, body, below + Vec3(p[0], p[1], 0), Mat3::Identity(),
                        point_law(t.mu));
  }
  return scene.problem();
}

ContactProblem pile(Index contacts, double mu, std::uint64_t seed) {
  Rng rng(seed);
  const auto count = std::max<Index>(2, std::lround(static_cast<double>(contacts) / 2.5));
  const std::vector<Sphere> spheres = lattice(count, rng);
  Scene scene;
  constexpr double density = 240;  // a sphere of 0.1 m has 1 kg
  for (const Sphere& s : spheres) {
    const double mass = density * s.radius * s.radius * s.radius * (4 * std::numbers::pi / 3);
    Vec6 velocity;
    for (double& v : velocity) v = 0.01 * rng.normal();
    scene.add_body(sphere_inertia(mass, s.radius), s.at, velocity);
  }
  Index made = 0;
  for (const auto& [gap, a, b] : near_pairs(spheres)) {
    if (made++ == contacts) break;
    const Sphere& upper = spheres[static_cast<std::size_t>(b)];
    const Vec3 from =
        a == ground ? Vec3(upper.at[0], upper.at[1], 0) : spheres[static_cast<std::size_t>(a)].at;
    const Vec3 n = (upper.at - from).normalized();
    scene.add_contact(a, b, upper.at - upper.radius * n, frame_of(n), point_law(mu));
  }
  return scene.problem();
}

ContactProblem column(int bodies, double ratio, const Law& law, std::uint64_t seed) {
  Scene scene;
  Rng rng(seed);
  for (int i = 0; i < bodies; ++i) {
    const double mass = std::pow(ratio, static_cast<double>(i) / std::max(1, bodies - 1));
    const Vec3 at(0, 0, half * (2 * i + 1));
    Vec6 velocity;
    for (double& v : velocity) v = 0.01 * rng.normal();
    const Index body = scene.add_body(sphere_inertia(mass, half), at, velocity);
    Vec3 n(0.1 * rng.normal(), 0.1 * rng.normal(), 1);
    n.normalize();
    scene.add_contact(body - 1, body, at - half * Vec3::UnitZ(), frame_of(n), law);
  }
  return scene.problem();
}

ContactProblem with_spectrum(Index contacts, double condition, const Law& law, std::uint64_t seed) {
  Rng rng(seed);
  const Index n = 3 * contacts;
  MatX basis(n, n);
  for (double& x : basis.reshaped()) x = rng.normal();
  const MatX Q = Eigen::HouseholderQR<MatX>(basis).householderQ();
  VecX values(n);
  for (Index i = 0; i < n; ++i)
    values[i] = std::pow(condition, -static_cast<double>(i) / static_cast<double>(n - 1));
  const MatX half_G = Q * values.cwiseSqrt().asDiagonal();
  const MatX G = half_G * half_G.transpose();
  ContactProblem out;
  VecX load(n), motion(n);
  for (Index i = 0; i < contacts; ++i) {
    Contact contact;
    contact.law = law;
    out.contacts.push_back(contact);
    Vec3 l, u;
    obey(law, rng.below(3), rng, l, u);
    load.segment<3>(3 * i) = l;
    motion.segment<3>(3 * i) = u;
  }
  out.delassus = sparse(0.5 * (G + G.transpose()));
  out.free_velocity = motion - out.delassus * load;
  return out;
}

namespace {

/// Rank and condition of S' S, where S' has the columns J M^{-1/2}.
void condition_of(const MatX& square, Index& rank, double& condition) {
  const VecX values =
      Eigen::SelfAdjointEigenSolver<MatX>(square, Eigen::EigenvaluesOnly).eigenvalues();
  const double largest = values[values.size() - 1];
  constexpr double zero = 1e-11;
  rank = 0;
  double smallest = largest;
  for (const double v : values) {
    if (v <= zero * largest) continue;
    smallest = std::min(smallest, v);
    ++rank;
  }
  condition = largest / smallest;
}

}  // namespace

Spectrum spectrum(const ContactProblem& problem) {
  Spectrum out;
  const auto reduced = reduce(problem);
  const MatX L = MatX(problem.mass).llt().matrixL();
  const MatX S = L.triangularView<Eigen::Lower>().solve(MatX(problem.rows.transpose()));
  MatX weighted = S, scaled = S;
  for (Index i = 0; i < reduced->contacts(); ++i) {
    const Index at = reduced->G.offset[i], rows = reduced->laws[i].rows;
    if (reduced->laws[i].is_patch()) weighted.middleCols(at, rows == 6 ? 3 : 2) *= half;
    scaled.middleCols(at, rows) = S.middleCols(at, rows) * reduced->metric(i).inverse();
  }
  condition_of(weighted * weighted.transpose(), out.rank, out.condition);
  Index same = 0;
  condition_of(scaled * S.transpose(), same, out.scaled);
  return out;
}

}  // namespace tact::bench
