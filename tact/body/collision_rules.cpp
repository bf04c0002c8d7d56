// body/collision_rules.cpp - masks, welds, exclusions and named pairs.
#include "tact/body/collision_rules.hpp"

#include <algorithm>
#include <utility>

namespace tact {
namespace {

bool contains(const std::vector<std::uint64_t>& sorted, std::uint64_t key) {
  return std::binary_search(sorted.begin(), sorted.end(), key);
}

}  // namespace

std::uint64_t pair_key(Index a, Index b) {
  const auto [low, high] = std::minmax(a, b);
  return (static_cast<std::uint64_t>(low) << 32) | static_cast<std::uint64_t>(high);
}

CollisionRules collision_rules(const Model& model) {
  CollisionRules out;
  for (Index i = 0; i < static_cast<Index>(model.bodies.size()); ++i) {
    const Body& body = model.bodies[i];
    const bool welded = i > 0 && body.joint_count == 0 && !body.driven;
    out.weld.push_back(welded ? out.weld[body.parent] : i);
    const Index parent = model.bodies[out.weld[i]].parent;
    out.weld_parent.push_back(out.weld[parent]);
    out.fixed.push_back(out.weld[i] == 0 || model.bodies[out.weld[i]].driven);
  }
  for (const auto& [a, b] : model.exclusions) out.excluded.push_back(pair_key(a, b));
  for (const GeomPair& pair : model.pairs) out.named.push_back(pair_key(pair.first, pair.second));
  std::sort(out.excluded.begin(), out.excluded.end());
  std::sort(out.named.begin(), out.named.end());
  return out;
}

bool of_one_robot(const Model& model, Index body1, Index body2) {
  const auto below_world = [&](Index body) {
    while (body > 0 && model.bodies[body].parent > 0) body = model.bodies[body].parent;
    return body;
  };
  return body1 > 0 && body2 > 0 && below_world(body1) == below_world(body2);
}

bool may_collide(const Model& model, const CollisionRules& rules, Index geom1, Index geom2) {
  const Geom &g1 = model.geoms[geom1], &g2 = model.geoms[geom2];
  if (rules.fixed[g1.body] && rules.fixed[g2.body]) return false;
  if (contains(rules.elsewhere, pair_key(geom1, geom2))) return false;
  if (contains(rules.named, pair_key(geom1, geom2))) return g1.body != g2.body;
  if ((g1.contype & g2.conaffinity) == 0 && (g2.contype & g1.conaffinity) == 0) return false;
  const Index w1 = rules.weld[g1.body], w2 = rules.weld[g2.body];
  if (w1 == w2) return false;
  const bool related = rules.weld_parent[g1.body] == w2 || rules.weld_parent[g2.body] == w1;
  if (related && w1 != 0 && w2 != 0) return false;
  return !contains(rules.excluded, pair_key(g1.body, g2.body));
}

PairParameters pair_parameters(const Model& model, const CollisionRules& rules, Index geom1,
                               Index geom2) {
  const Geom &g1 = model.geoms[geom1], &g2 = model.geoms[geom2];
  PairParameters out{std::max(g1.condim, g2.condim), g1.friction.cwiseMax(g2.friction),
                     std::max(g1.margin, g2.margin)};
  if (g1.priority != g2.priority) {
    const Geom& first = g1.priority > g2.priority ? g1 : g2;
    out.condim = first.condim;
    out.friction = first.friction;
  }
  if (!contains(rules.named, pair_key(geom1, geom2))) return out;
  for (const GeomPair& pair : model.pairs)
    if (pair_key(pair.first, pair.second) == pair_key(geom1, geom2)) {
      out.condim = pair.condim;
      out.friction[0] = pair.friction;
      out.margin = pair.margin;
    }
  return out;
}

}  // namespace tact
