// The consistency set against linear programs: what corners and balls say of an impact is what the
// best and the worst distribution of impulses say, to the last digit of rationals.
#include "tact/impact/consistency_set.hpp"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"

namespace tact {
namespace {

Exact small(Rng& rng) {
  const auto integer = [&](std::uint64_t n) { return static_cast<long>(rng.below(n)); };
  Exact out(integer(9) - 4, 1 + integer(3));
  out.canonicalize();
  return out;
}

ExactVector random_vector(Rng& rng, Index size) {
  ExactVector out;
  for (Index k = 0; k < size; ++k) out.push_back(small(rng));
  return out;
}

/// R R' + 1.
std::vector<ExactVector> random_mass(Rng& rng, Index dof) {
  std::vector<ExactVector> root, out;
  for (Index i = 0; i < dof; ++i) root.push_back(random_vector(rng, dof));
  for (Index i = 0; i < dof; ++i) {
    ExactVector row;
    for (Index j = 0; j < dof; ++j) row.push_back(dot(root[i], root[j]) + (i == j ? 1 : 0));
    out.push_back(std::move(row));
  }
  return out;
}

/// Directions in a subspace of random dimension; walls that stand, that move as one body does, that
/// give way to it, or that move as they like.
ImpactGenerators random_impact(Rng& rng) {
  const auto dof = static_cast<Index>(1 + rng.below(4));
  const auto rank = static_cast<Index>(1 + rng.below(static_cast<std::uint64_t>(dof)));
  ImpactGenerators out;
  out.mass = random_mass(rng, dof);
  std::vector<ExactVector> span;
  for (Index k = 0; k < rank; ++k) span.push_back(random_vector(rng, dof));
  const auto count = static_cast<Index>(1 + rng.below(8));
  const ExactVector body = random_vector(rng, dof);
  const auto excitation = rng.below(4);
  for (Index k = 0; k < count; ++k) {
    ExactVector w(static_cast<std::size_t>(dof));
    for (const ExactVector& s : span) {
      const Exact share = small(rng);
      for (Index j = 0; j < dof; ++j) w[j] += share * s[j];
    }
    out.push.excitation.push_back(excitation == 3 ? small(rng) : Exact(0));
    if (excitation == 1 || excitation == 2) out.push.excitation.back() -= dot(w, body);
    if (excitation == 2) out.push.excitation.back() += abs(small(rng));
    out.push.direction.push_back(std::move(w));
    out.push.contact.push_back(k);
  }
  out.open = out.push;
  out.before = random_vector(rng, dof);
  out.free = rng.below(2) == 0 ? out.before : random_vector(rng, dof);
  return out;
}

ExactVector minus(const ExactVector& a, const ExactVector& b) {
  ExactVector out = a;
  for (std::size_t k = 0; k < a.size(); ++k) out[k] -= b[k];
  return out;
}

ExactVector times(const std::vector<ExactVector>& A, const ExactVector& x) {
  ExactVector out;
  for (const ExactVector& row : A) out.push_back(dot(row, x));
  return out;
}

/// z + M⁻¹WΛ for nonnegative impulses, some of them zero.
ExactVector random_outcome(Rng& rng, const ImpactGenerators& g) {
  ExactVector d(g.free.size());
  for (const ExactVector& w : g.push.direction) {
    const Exact impulse = rng.below(3) == 0 ? Exact(0) : Exact(abs(small(rng)));
    for (std::size_t j = 0; j < d.size(); ++j) d[j] += impulse * w[j];
  }
  ExactVector u = *solve_exactly(g.mass, d);
  for (std::size_t j = 0; j < u.size(); ++j) u[j] += g.free[j];
  return u;
}

/// W Λ = d, Λ >= 0, with the constant in the last column.
ExactSystem explanations(const ImpactGenerators& g, const ExactVector& d) {
  ExactSystem out;
  out.columns = static_cast<Index>(g.push.direction.size()) + 1;
  for (std::size_t j = 0; j < d.size(); ++j) {
    ExactVector row;
    for (const ExactVector& w : g.push.direction) row.push_back(w[j]);
    row.push_back(-d[j]);
    out.add(std::move(row), Sense::zero);
  }
  return out;
}

/// ½|u - z|² + the least (sign -1) or largest (+1) γ(z)'Λ over all Λ >= 0 that explain u. Nothing
/// where it is unbounded; u must be reachable.
std::optional<Exact> extreme_work(const ImpactGenerators& g, const ExactVector& u, int sign) {
  const ExactVector change = minus(u, g.free), d = times(g.mass, change);
  ExactVector cost = g.push.gamma(g.free);
  for (Exact& c : cost) c *= sign;
  cost.emplace_back(0);
  const auto best = maximise(explanations(g, d), cost, static_cast<Index>(g.push.direction.size()));
  EXPECT_NE(best.end, ExactMaximum::End::empty);
  if (best.end != ExactMaximum::End::found) return std::nullopt;
  return dot(d, change) / 2 + sign * best.value;
}

bool can_explain(const ImpactGenerators& g, const ExactVector& u) {
  ExactSystem system = explanations(g, times(g.mass, minus(u, g.free)));
  ExactVector unit(static_cast<std::size_t>(system.columns));
  unit.back() = 1;
  system.add(std::move(unit), Sense::above);
  return decide(system).feasible;
}

constexpr int cases = 1000;

// [Glocker] 7 and 8, both directions: W_min <= α exactly where u lies in every ball about a corner,
// with α below, at and above W_min; likewise the most work and the balls about corners of P⁻.
TEST(ConsistencySetLaws, BallsSayWhatLinearProgramsSay) {
  Rng rng(2024);
  int unbounded = 0, flat = 0, several = 0;
  for (int n = 0; n < cases; ++n) {
    const ImpactGenerators g = random_impact(rng);
    const ExactVector u = random_outcome(rng, g);
    const auto least = extreme_work(g, u, -1), most = extreme_work(g, u, 1);
    const auto set = consistency_set(g);
    ASSERT_TRUE(set);
    const auto m = membership(*set, u);
    EXPECT_TRUE(m.reachable);
    EXPECT_EQ(m.least, least);
    EXPECT_EQ(m.most, most);
    EXPECT_EQ(set->opening.empty(), !least);
    EXPECT_EQ(set->closing.empty(), !most);
    unbounded += least ? 0 : 1;
    flat += set->dimension() < set->dof() ? 1 : 0;
    several += set->opening.corners.size() > 1 ? 1 : 0;
    const Exact step(1, 1000);
    for (const Exact& shift : {Exact(-step), Exact(0), step}) {
      if (least) {
        const auto bounded = consistency_set(g, *least + shift);
        EXPECT_EQ(membership(*bounded, u).dissipative, sgn(shift) >= 0);
      }
      if (most) {
        const auto bounded = consistency_set(g, *most + shift);
        EXPECT_EQ(membership(*bounded, u).strong, sgn(shift) >= 0);
      }
    }
  }
  EXPECT_GT(unbounded, cases / 50);
  EXPECT_GT(flat, cases / 4);
  EXPECT_GT(several, cases / 6);
}

// [Glocker] 7 (1), (2): b₀ are the corners whose normal cone holds -M(u - z), and no others.
TEST(ConsistencySetLaws, NormalConesFindTheCorner) {
  Rng rng(7);
  for (int n = 0; n < cases; ++n) {
    const ImpactGenerators g = random_impact(rng);
    const ExactVector u = random_outcome(rng, g);
    const auto set = consistency_set(g);
    ASSERT_TRUE(set);
    const auto m = membership(*set, u);
    for (std::size_t i = 0; i < set->opening.corners.size(); ++i) {
      const PolyhedronCorner& b = set->opening.corners[i];
      const ExactVector value = g.push.gamma(b.velocity);
      ImpactGenerators active = g;
      active.push.direction.clear();
      for (std::size_t k = 0; k < value.size(); ++k) {
        EXPECT_GE(value[k], 0);
        const bool listed =
            std::find(b.active.begin(), b.active.end(), static_cast<Index>(k)) != b.active.end();
        EXPECT_EQ(listed, sgn(value[k]) == 0);
        if (listed) active.push.direction.push_back(g.push.direction[k]);
      }
      const bool best = std::find(m.least_at.begin(), m.least_at.end(), static_cast<Index>(i)) !=
                        m.least_at.end();
      EXPECT_EQ(can_explain(active, u), best);
    }
  }
}

/// A jam ray is one, and membership of any velocity agrees with its definition.
TEST(ConsistencySetLaws, MembershipAndRays) {
  Rng rng(99);
  int jams = 0, reachable = 0;
  for (int n = 0; n < cases; ++n) {
    const ImpactGenerators g = random_impact(rng);
    const auto set = consistency_set(g);
    ASSERT_TRUE(set);
    for (const auto& [p, sign] : {std::pair(&set->opening, -1), std::pair(&set->closing, 1)}) {
      EXPECT_EQ(p->empty(), p->contradiction.has_value());
      if (sign < 0) {
        EXPECT_EQ(p->contradiction, set->jam);
      }
      if (!p->contradiction) continue;
      ++jams;
      const ExactVector& y = *p->contradiction;
      ASSERT_EQ(y.size(), g.push.direction.size());
      for (const Exact& v : y) EXPECT_GE(v, 0);
      for (std::size_t j = 0; j < g.free.size(); ++j) {
        Exact sum = 0;
        for (std::size_t k = 0; k < y.size(); ++k) sum += y[k] * g.push.direction[k][j];
        EXPECT_EQ(sum, 0);
      }
      EXPECT_GT(sign * dot(g.push.excitation, y), 0);
    }
    const ExactVector u =
        rng.below(2) == 0 ? random_vector(rng, set->dof()) : random_outcome(rng, g);
    const auto m = membership(*set, u);
    const ExactVector value = g.push.gamma(u), y = seen_in_slice(*set, u);
    EXPECT_EQ(m.admissible,
              std::all_of(value.begin(), value.end(), [](const Exact& v) { return v >= 0; }));
    EXPECT_EQ(m.reachable, can_explain(g, u));
    const bool in_faces = std::all_of(set->reach.begin(), set->reach.end(),
                                      [&](const ExactVector& f) { return dot(f, y) >= 0; });
    EXPECT_EQ(m.reachable, in_faces && velocity_at(*set, y) == u);
    reachable += m.reachable ? 1 : 0;
  }
  EXPECT_GT(jams, cases / 20);
  EXPECT_GT(reachable, cases / 4);
  EXPECT_LT(reachable, cases);
}

/// The projection is optimal, takes half its square of energy, and shows that I has a member
/// whenever P⁺ has. [Glocker] 8
TEST(ConsistencySetLaws, TheProjectionIsAlwaysConsistent) {
  Rng rng(5);
  int moved = 0;
  for (int n = 0; n < cases; ++n) {
    const ImpactGenerators g = random_impact(rng);
    const auto set = consistency_set(g);
    ASSERT_TRUE(set);
    EXPECT_EQ(set->opening.empty(), !set->projection);
    if (!set->projection) continue;
    const ExactVector p = velocity_at(*set, *set->projection);
    const auto m = membership(*set, p);
    EXPECT_TRUE(m.inside());
    const Exact half = square(*set, *set->projection) / 2;
    EXPECT_EQ(m.least, Exact(-half));
    moved += sgn(half) > 0 ? 1 : 0;
    for (const PolyhedronCorner& b : set->opening.corners) {
      // (z - p)'M(b - p) <= 0 for every b of P⁺.
      const ExactVector away = times(set->metric, minus(b.at, *set->projection));
      EXPECT_GE(dot(*set->projection, away), 0);
    }
  }
  EXPECT_GT(moved, cases / 4);
}

std::set<std::vector<std::string>> texts(const std::vector<PolyhedronCorner>& corners) {
  std::set<std::vector<std::string>> out;
  for (const PolyhedronCorner& b : corners) {
    std::vector<std::string> one{b.radius2.get_str()};
    for (const Exact& v : b.velocity) one.push_back(v.get_str());
    out.insert(std::move(one));
  }
  return out;
}

TEST(ConsistencySetLaws, OrderCopiesAndFramesChangeNothing) {
  Rng rng(31);
  for (int n = 0; n < cases / 4; ++n) {
    const ImpactGenerators g = random_impact(rng);
    ImpactGenerators other = g;
    other.push.direction.clear();
    other.push.excitation.clear();
    other.push.contact.clear();
    std::vector<std::size_t> order;
    for (std::size_t k = 0; k < g.push.direction.size(); ++k)
      for (std::uint64_t copy = 0; copy <= rng.below(3); ++copy) order.push_back(k);
    for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[rng.below(k)]);
    for (const std::size_t k : order) {
      other.push.direction.push_back(g.push.direction[k]);
      other.push.excitation.push_back(g.push.excitation[k]);
      other.push.contact.push_back(g.push.contact[k]);
    }
    other.open = other.push;
    const auto a = consistency_set(g), b = consistency_set(other);
    ASSERT_TRUE(a && b);
    EXPECT_EQ(texts(a->opening.corners), texts(b->opening.corners));
    EXPECT_EQ(texts(a->closing.corners), texts(b->closing.corners));
    EXPECT_EQ(a->opening.edges.size(), b->opening.edges.size());
    const ExactVector u = random_outcome(rng, g);
    EXPECT_EQ(membership(*a, u).least, membership(*b, u).least);
    if (a->projection) {
      EXPECT_EQ(velocity_at(*a, *a->projection), velocity_at(*b, *b->projection));
    }

    // The same impact seen by an observer who moves.
    const ExactVector observer = random_vector(rng, a->dof());
    ImpactGenerators seen = g;
    seen.before = minus(seen.before, observer);
    seen.free = minus(seen.free, observer);
    for (std::size_t k = 0; k < seen.push.excitation.size(); ++k)
      seen.push.excitation[k] += dot(seen.push.direction[k], observer);
    seen.open = seen.push;
    const auto c = consistency_set(seen);
    ASSERT_TRUE(c);
    ASSERT_EQ(a->opening.corners.size(), c->opening.corners.size());
    for (std::size_t i = 0; i < a->opening.corners.size(); ++i) {
      EXPECT_EQ(a->opening.corners[i].radius2, c->opening.corners[i].radius2);
      EXPECT_EQ(minus(a->opening.corners[i].velocity, observer), c->opening.corners[i].velocity);
    }
    EXPECT_EQ(membership(*a, u).least, membership(*c, minus(u, observer)).least);
  }
}

}  // namespace
}  // namespace tact
