// contact/detect.cpp - bounds, pairs, contacts, sorted.
#include "tact/contact/detect.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

#include "tact/base/expects.hpp"
#include "tact/geom/collide.hpp"
#include "tact/geom/grazing.hpp"

namespace tact {
namespace {

/// How far a point of the geom may get in that time: |v| of its frame plus |ω| times its size.
double travel(const Model& model, const Kinematics& kin, Index geom, const Vec3& at, double size,
              double time) {
  if (!(time > 0) || model.tree.link_of(model.geoms[geom].body) < 0) return 0;
  const Twist T = point_velocity(model, kin, model.geoms[geom].body, at);
  const double turning = T.w.norm();
  return time * (T.v.norm() + (turning > 0 ? turning * size : 0));
}

/// The smaller of two sizes; zero where both are infinite.
double smaller(double a, double b) {
  const double least = std::min(a, b);
  return std::isfinite(least) ? least : 0;
}

/// The memory of a pair from the last time; the lists ascend, and so do the pairs.
PairMemory recalled(const std::vector<std::pair<std::uint64_t, PairMemory>>& last, std::size_t& at,
                    std::uint64_t key) {
  while (at < last.size() && last[at].first < key) ++at;
  return at < last.size() && last[at].first == key ? last[at].second : PairMemory{};
}

void place_geoms(const Model& model, const Kinematics& kin, const DetectOptions& options,
                 DetectWorkspace& work) {
  const std::size_t n = model.geoms.size();
  work.X_WG.resize(n);
  work.reach.resize(n);
  work.bounds.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Geom& g = model.geoms[i];
    work.X_WG[i] = kin.X_WB[g.body] * g.X_BG;
    const double size = std::isfinite(work.size[i]) ? work.size[i] : 0;
    work.reach[i] =
        travel(model, kin, static_cast<Index>(i), work.X_WG[i].p, size, options.travel_time) +
        (options.driven.empty() ? 0 : options.driven[i]);
    // Half of what a pair is given, from each of the two.
    const double margin =
        g.margin + 0.5 * (options.reach + 2 * options.size_share * size) + work.reach[i];
    work.bounds[i] = bounds_of(g.shape, work.X_WG[i], margin);
  }
}

void collide_any(const Model& model, Index geom1, Index geom2, const CollideOptions& near,
                 PairMemory& memory, DetectWorkspace& work) {
  const Shape &first = model.geoms[geom1].shape, &second = model.geoms[geom2].shape;
  if (std::holds_alternative<HeightField>(first)) return;  // two fields do not meet
  if (const auto* field = std::get_if<HeightField>(&second)) {
    collide_height_field(first, work.X_WG[geom1], *field, work.X_WG[geom2], near, work.field,
                         work.found);
    return;
  }
  collide(first, work.X_WG[geom1], second, work.X_WG[geom2], near, memory, work.found);
}

/// How far the geoms approach each other along n in that time: the most over the ends of the
/// contact.
double approach(const Model& model, const Kinematics& kin, Index geom1, Index geom2,
                const SurfaceContact& c, const ContactBuffer& buffer, const Vec3& n, double time) {
  const auto velocity = [&](Index geom, const Vec3& at) -> Vec3 {
    const Index body = model.geoms[geom].body;
    return model.tree.link_of(body) < 0 ? Vec3::Zero() : point_velocity(model, kin, body, at).v;
  };
  double most = -std::numeric_limits<double>::infinity();
  for (Index k = c.first_point; k < c.first_point + c.point_count; ++k) {
    const Vec3 at = c.X_WC.p + c.X_WC.R.leftCols<2>() * buffer.points[k];
    most = std::max(most, time * n.dot(velocity(geom2, at) - velocity(geom1, at)));
  }
  return most;
}

/// Whether two polyhedra touch along edges or in corners only, and one of the faces that separate
/// them still does so at the end of the step: nothing presses there, and the normal of a contact
/// would be a matter of rounding.
bool only_graze(const Model& model, const Kinematics& kin, Index geom1, Index geom2,
                const DetectOptions& options, DetectWorkspace& work) {
  const auto has_flat_faces = [&](Index geom) {
    const Shape& shape = model.geoms[geom].shape;
    return std::holds_alternative<Box>(shape) || std::holds_alternative<ConvexMesh>(shape);
  };
  if (work.found.contacts.size() != 1 || !has_flat_faces(geom1) || !has_flat_faces(geom2))
    return false;
  const SurfaceContact& c = work.found.contacts.front();
  constexpr double slack = tolerance::support;
  if (std::abs(c.distance) > slack) return false;
  const double span = work.size[geom1] + work.size[geom2];
  if (patch_area(c, work.found) > slack * span) return false;
  if (!options.driven.empty() && options.driven[geom1] + options.driven[geom2] > 0) return false;
  const Convex first = convex_of(model.geoms[geom1].shape, work.X_WG[geom1]);
  const Convex second = convex_of(model.geoms[geom2].shape, work.X_WG[geom2]);
  separating_faces(first, second, c.X_WC.p, slack, work.faces);
  if (work.faces.size() < 2) return false;
  if (!(options.travel_time > 0)) return true;
  return std::any_of(work.faces.begin(), work.faces.end(), [&](const SeparatingFace& face) {
    return face.separation - approach(model, kin, geom1, geom2, c, work.found, face.normal_W,
                                      options.travel_time) >=
           -slack;
  });
}

/// Copies the points of a contact to the end of the buffer; the contact as it is there.
SurfaceContact with_points(SurfaceContact c, const ContactBuffer& from, ContactBuffer& to) {
  const auto first = static_cast<std::size_t>(c.first_point);
  c.first_point = static_cast<Index>(to.points.size());
  for (std::size_t k = first; k < first + static_cast<std::size_t>(c.point_count); ++k) {
    to.points.push_back(from.points[k]);
    to.point_features.push_back(from.point_features[k]);
  }
  return c;
}

/// What `found` holds goes to `out`, as contacts of these geoms.
void append(const ContactBuffer& found, Index geom1, Index geom2, const PairParameters& pair,
            SceneContacts& out) {
  for (const SurfaceContact& c : found.contacts)
    out.contacts.push_back({geom1, geom2, with_points(c, found, out.buffer), pair});
}

/// Contacts that may be joined: the same two rigid bodies, the same friction.
auto merge_key(const Model& model, const CollisionRules& rules, const SceneContact& c) {
  const Vec3& mu = c.pair.friction;
  return std::tuple(rules.weld[model.geoms[c.geom1].body], rules.weld[model.geoms[c.geom2].body],
                    c.pair.condim, mu[0], mu[1], mu[2]);
}

/// One contact for each plane in which two bodies meet; in the order of their first.
void join_coplanar(const Model& model, DetectWorkspace& work, SceneContacts& out) {
  const auto key = [&](Index i) { return merge_key(model, work.rules, out.contacts[i]); };
  work.order.resize(out.contacts.size());
  std::iota(work.order.begin(), work.order.end(), Index{0});
  // By number among their like; a stable sort would ask for memory.
  std::sort(work.order.begin(), work.order.end(), [&](Index a, Index b) {
    const auto first = key(a), second = key(b);
    return first != second ? first < second : a < b;
  });
  const auto alike = [&](Index a, Index b) { return key(a) == key(b); };
  if (std::adjacent_find(work.order.begin(), work.order.end(), alike) == work.order.end()) return;
  std::swap(work.apart, out);
  out.contacts.clear();
  out.buffer.clear();
  const auto own = [&](Index i) -> const SceneContact& { return work.apart.contacts[i]; };
  const auto key_of = [&](std::size_t k) {
    return merge_key(model, work.rules, own(work.order[k]));
  };
  for (std::size_t first = 0, last = 0; first < work.order.size(); first = last) {
    work.found.clear();
    for (; last < work.order.size() && key_of(last) == key_of(first); ++last)
      work.found.contacts.push_back(
          with_points(own(work.order[last]).surface, work.apart.buffer, work.found));
    if (work.found.contacts.size() > 1) join_patches(work.found, 0, work.join);
    const SceneContact& leader = own(work.order[first]);
    append(work.found, leader.geom1, leader.geom2, leader.pair, out);
  }
}

}  // namespace

void prepare(const Model& model, DetectWorkspace& work) {
  work.rules = collision_rules(model);
  work.size.clear();
  for (const Geom& g : model.geoms) {
    const Bounds own = bounds_of(g.shape, Pose{});
    const Vec3 sides = own.upper - own.lower;
    work.size.push_back(sides.allFinite() ? 0.5 * sides.norm()
                                          : std::numeric_limits<double>::infinity());
  }
  work.memory.clear();
  work.last.clear();
}

void detect(const Model& model, const Kinematics& kin, const DetectOptions& options,
            DetectWorkspace& work, SceneContacts& out) {
  TACT_EXPECTS(work.size.size() == model.geoms.size());
  out.contacts.clear();
  out.buffer.clear();
  place_geoms(model, kin, options, work);
  overlapping_pairs(work.bounds, work.broad, work.pairs,
                    [&](int a, int b) { return may_collide(model, work.rules, a, b); });
  work.memory.swap(work.last);
  work.memory.clear();
  std::size_t at = 0;
  for (const IndexPair& pair : work.pairs) {
    const Index low = pair.first, high = pair.second;
    const std::uint64_t key = pair_key(low, high);
    PairMemory memory = recalled(work.last, at, key);
    // The later body is body 1: the floor pushes it up.
    const bool in_order = model.geoms[high].body >= model.geoms[low].body;
    Index geom1 = in_order ? high : low, geom2 = in_order ? low : high;
    // A height field is always the second.
    if (std::holds_alternative<HeightField>(model.geoms[geom1].shape)) std::swap(geom1, geom2);
    const PairParameters parameters = pair_parameters(model, work.rules, geom1, geom2);
    CollideOptions near;
    near.margin = parameters.margin + options.reach +
                  options.size_share * smaller(work.size[low], work.size[high]) + work.reach[low] +
                  work.reach[high];
    work.found.clear();
    collide_any(model, geom1, geom2, near, memory, work);
    work.memory.emplace_back(key, memory);
    if (only_graze(model, kin, geom1, geom2, options, work)) continue;
    append(work.found, geom1, geom2, parameters, out);
  }
  join_coplanar(model, work, out);
}

}  // namespace tact
