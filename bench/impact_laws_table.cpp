// bench/impact_laws_table.cpp - what the impact laws do to energy and to the walls, counted over
// random impacts.
//
//   impact_laws_table FOLDER [COUNT] [SEED]     writes impact_laws_table and impact_friction_table,
//                                               .csv and .md
//
// COUNT impacts (default 100000), sixteen kinds in turn: walls fixed or moving, contacts that open
// before the impact or none, mass ratios up to a million, repeated, dependent and nearly dependent
// contacts. Every law sees the same impacts. Of planar Coulomb friction a fifth of that number, for
// one and for two contacts.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "support/table.hpp"
#include "tact/base/tolerance.hpp"
#include "tact/impact/law.hpp"
#include "tact/impact/repair.hpp"
#include "tests/support/impacts.hpp"

namespace {

using namespace tact;
using namespace tact::bench;

constexpr double touching = 1e-12;

struct Counts {
  int solved = 0, gains = 0, penetrates = 0, no_solution = 0, does_not_end = 0, not_converged = 0;
  int identity = 0;  ///< where W and ½(γ⁺ + γ⁻).λ disagree on a gain
  int repaired = 0, wanted = 0;
  double most_gain = 0;         ///< of W over its terms
  double most_momentum = 0;     ///< error over its terms
  double most_penetration = 0;  ///< the same, of those not counted
  int most_events = 0;
};

struct Entry {
  std::string label;
  ImpactLaw law;
  Counts closing, opening;  ///< every γ⁻ <= 0, or not
};

void count(const ContactProblem& p, const ImpactOutcome& out, Counts& c) {
  c.no_solution += out.status == ImpactStatus::no_solution;
  c.does_not_end += out.status == ImpactStatus::does_not_end;
  c.not_converged += out.status == ImpactStatus::not_converged;
  if (out.status != ImpactStatus::solved) return;
  ++c.solved;
  c.most_events = std::max(c.most_events, out.events);
  const bool gains = out.work > tolerance::contact_work * out.work_size;
  const double average = 0.5 * (out.gamma_plus + out.gamma_minus).dot(out.impulses);
  const double far = 2 * tolerance::contact_work * out.work_size;
  c.identity += (average > far) != gains && std::abs(average) > 2 * far;
  const testing::ImpactErrors errors = testing::impact_errors(p, out);
  const bool penetrates = errors.penetration > touching;
  c.gains += gains;
  c.penetrates += penetrates;
  if (out.work_size > 0) c.most_gain = std::max(c.most_gain, out.work / out.work_size);
  c.most_momentum = std::max(c.most_momentum, errors.momentum);
  if (!penetrates) c.most_penetration = std::max(c.most_penetration, errors.penetration);
  if (!gains && !penetrates) return;
  ++c.wanted;
  const auto mended = repair(p, out.impulses);
  c.repaired += mended && (mended->status == RepairStatus::repaired ||
                           mended->status == RepairStatus::not_needed);
}

std::vector<std::string> row(const std::string& label, const char* when, const Counts& c) {
  return {label,
          when,
          std::to_string(c.solved),
          std::to_string(c.gains),
          std::to_string(c.penetrates),
          std::to_string(c.no_solution),
          std::to_string(c.does_not_end),
          std::to_string(c.not_converged),
          std::to_string(c.identity),
          std::to_string(c.repaired) + "/" + std::to_string(c.wanted),
          figure(c.most_gain),
          figure(c.most_momentum),
          figure(c.most_penetration),
          std::to_string(c.most_events)};
}

/// Three or four degrees of freedom, every contact approached.
ContactProblem random_planar(Rng& rng, Index contacts) {
  const Index n = 3 + static_cast<Index>(rng.below(2));
  MatX W_N = testing::random_impact_columns(rng, n, contacts, false);
  const MatX W_T = testing::random_impact_columns(rng, n, contacts, false);
  VecX before(n), e(contacts);
  for (double& x : before) x = rng.normal();
  for (double& x : e) x = rng.uniform();
  for (Index j = 0; j < contacts; ++j)
    if (W_N.col(j).dot(before) > 0) W_N.col(j) = -VecX(W_N.col(j));
  return testing::planar_impact(testing::random_impact_mass(rng, n, false), W_N, W_T, before, e,
                                rng.uniform(0, 1.5));
}

std::vector<std::string> friction_row(const ImpactLaw& law, Index contacts, int impacts,
                                      std::uint64_t seed) {
  Rng rng(seed);
  int solved = 0, none = 0, other = 0, gains = 0, repaired = 0;
  double most = 0, least_share = 1;
  for (int k = 0; k < impacts; ++k) {
    const ContactProblem p = random_planar(rng, contacts);
    const auto out = apply(p, law, {});
    if (!out || out->status != ImpactStatus::solved) {
      const bool jam = out && out->status == ImpactStatus::no_solution;
      (jam ? none : other) += 1;
      continue;
    }
    ++solved;
    if (out->work_size > 0) most = std::max(most, out->work / out->work_size);
    if (!(out->work > tolerance::contact_work * out->work_size)) continue;
    ++gains;
    const auto mended = repair(p, out->impulses);
    if (!mended || mended->status != RepairStatus::repaired) continue;
    ++repaired;
    least_share = std::min(least_share, mended->share);
  }
  return {std::string(name(law)),
          std::to_string(contacts),
          std::to_string(solved),
          std::to_string(none),
          std::to_string(other),
          std::to_string(gains),
          std::to_string(repaired) + "/" + std::to_string(gains),
          figure(least_share),
          figure(most)};
}

bool write_friction(const std::string& folder, int impacts, std::uint64_t seed) {
  Table table({"law", "contacts", "solved", "no solution", "not converged", "gain", "repaired",
               "smallest s", "largest W"});
  for (const ImpactLaw& law : {ImpactLaw(Moreau{}), ImpactLaw(Newton{}), ImpactLaw(Poisson{})})
    for (const Index contacts : {1, 2}) table.add(friction_row(law, contacts, impacts, seed));
  return write_table(folder, "impact_friction_table", table.csv(), table.markdown());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: impact_laws_table FOLDER [COUNT] [SEED]\n");
    return 2;
  }
  const int impacts = argc > 2 ? std::atoi(argv[2]) : 100'000;
  const auto seed = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1ULL;
  std::vector<Entry> entries = {
      {"moreau e = 0", Moreau{0}, {}, {}},
      {"moreau e = 0.7", Moreau{0.7}, {}, {}},
      {"newton", Newton{}, {}, {}},
      {"newton_clamped", NewtonClamped{}, {}, {}},
      {"poisson", Poisson{}, {}, {}},
      {"fremond", Fremond{}, {}, {}},
      {"generalized_reflections", GeneralizedReflections{}, {}, {}},
      {"generalized_reflections c = 0.5", GeneralizedReflections{0.5}, {}, {}},
      {"sequential", Sequential{}, {}, {}}};
  Rng rng(seed);
  for (int k = 0; k < impacts; ++k) {
    const ContactProblem p =
        testing::random_impact(rng, {(k & 1) != 0, (k & 2) != 0, (k & 4) != 0, (k & 8) != 0});
    for (Entry& entry : entries) {
      const auto out = apply(p, entry.law, {});
      if (!out) {
        std::fprintf(stderr, "impact %d: %s\n", k, out.error().message.c_str());
        return 1;
      }
      count(p, *out, out->gamma_minus.maxCoeff() > 0 ? entry.opening : entry.closing);
    }
  }
  Table table({"law", "before", "solved", "gain", "penetrate", "no solution", "do not end",
               "not converged", "identity broken", "repaired", "largest W", "momentum",
               "penetration", "events"});
  for (const Entry& entry : entries) {
    table.add(row(entry.label, "closing", entry.closing));
    table.add(row(entry.label, "opening", entry.opening));
  }
  const bool written = write_table(argv[1], "impact_laws_table", table.csv(), table.markdown()) &&
                       write_friction(argv[1], impacts / 5, seed);
  return written ? 0 : 1;
}
