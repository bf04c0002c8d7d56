// What must hold for the modes of every system: two ways of counting, referees, and changes that
// change nothing.
#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/modes/mode_cone.hpp"
#include "tact/modes/modes.hpp"
#include "tests/support/cdd_faces.hpp"
#include "tests/support/mode_referee.hpp"
#include "tests/support/random_modes.hpp"

namespace tact {
namespace {

using Strings = std::set<std::string>;

Strings modes_of(const ModeSystem& system, const ModeOptions& options = {}) {
  Strings out;
  const auto visit = visit_modes(system, options, [&](const ModeView& mode) {
    EXPECT_TRUE(out.insert(std::string(mode.cs).append("|").append(mode.ss)).second);
    return true;
  });
  EXPECT_TRUE(visit.has_value());
  return out;
}

/// Three to six contacts of a body with six freedoms: points and axes on a small lattice.
ModeSystem lattice_body(Rng& rng) {
  const auto coordinate = [&] { return static_cast<double>(rng.below(3)) - 1; };
  ModeSystem system;
  for (std::uint64_t k = 3 + rng.below(4); k > 0; --k) {
    const Vec3 p(coordinate(), coordinate(), coordinate());
    const auto axis = static_cast<Index>(rng.below(3));
    const double side = rng.below(2) == 0 ? 1 : -1;
    MatX rows(3, 6);
    for (Index i = 0; i < 3; ++i) {
      const Vec3 n = (i == 0 ? side : 1) * Vec3::Unit((axis + i) % 3);
      rows.row(i) << n.transpose(), p.cross(n).transpose();
    }
    add_contact(system, rows.row(0).transpose(), rows.bottomRows(static_cast<Index>(rng.below(3))));
  }
  return system;
}

ModeSystem random_system(Rng& rng, int round) {
  return round % 2 == 0 ? testing::random_modes(rng) : lattice_body(rng);
}

constexpr int rounds = 200;

TEST(ModeLaws, EveryStringThatIsPossibleAndNoOther) {
  Rng rng(1);
  for (int round = 0; round < 60; ++round) {
    const ModeSystem system = random_system(rng, round);
    ASSERT_EQ(modes_of(system), testing::tried_modes(testing::mode_rows(system))) << round;
  }
}

TEST(ModeLaws, CountingIsVisiting) {
  Rng rng(2);
  for (int round = 0; round < 2 * rounds; ++round) {
    const ModeSystem system = random_system(rng, round);
    for (const ModeKind kind : {ModeKind::contacting, ModeKind::sliding, ModeKind::slipping}) {
      ModeOptions options;
      options.kind = kind;
      ModeCounts counted = *count_modes(system, options);
      ModeCounts visited = visit_modes(system, options, {})->counts;
      const auto trim = [](std::vector<ModeCount>& counts) {
        while (!counts.empty() && counts.back() == 0) counts.pop_back();
      };
      for (ModeCounts* counts : {&counted, &visited}) {
        trim(counts->cs_by_dim);
        trim(counts->full_by_dim);
      }
      ASSERT_EQ(counted, visited) << round;
    }
  }
}

TEST(ModeLaws, EulerSums) {
  // The faces of an open cone of dimension k, with (-1)^dim each, sum to (-1)^k.
  Rng rng(3);
  for (int round = 0; round < rounds; ++round) {
    const ModeSystem system = random_system(rng, round);
    std::map<std::string, int> sum;
    std::map<std::string, Index> dim;
    ASSERT_TRUE(visit_modes(system, {}, [&](const ModeView& mode) {
      const std::string cs(mode.cs);
      sum[cs] += mode.dim % 2 == 0 ? 1 : -1;
      dim[cs] = std::max(dim[cs], mode.dim);
      return true;
    }));
    for (const auto& [cs, total] : sum) ASSERT_EQ(total, dim[cs] % 2 == 0 ? 1 : -1) << cs;
  }
}

/// Adds multiples of columns to others: another basis of the same velocities.
ModeSystem in_another_basis(ModeSystem system, Rng& rng, std::uint64_t size) {
  const Index dof = system.dof();
  for (int step = 0; step < 3 * static_cast<int>(dof) && dof > 1; ++step) {
    const auto i = static_cast<Index>(rng.below(static_cast<std::uint64_t>(dof)));
    const auto j = static_cast<Index>(rng.below(static_cast<std::uint64_t>(dof)));
    if (i == j) continue;
    const double factor = static_cast<double>(rng.below(2 * size + 1)) - static_cast<double>(size);
    const VecX column = system.rows.col(i) + factor * system.rows.col(j);
    // Whole numbers below 2^53 are exact; a step that leaves them is not taken.
    if (column.cwiseAbs().maxCoeff() < 0x1p52) system.rows.col(i) = column;
  }
  return system;
}

TEST(ModeLaws, AnotherBasis) {
  Rng rng(4);
  for (int round = 0; round < rounds; ++round) {
    const ModeSystem system = random_system(rng, round);
    const Strings modes = modes_of(system);
    ASSERT_EQ(modes_of(in_another_basis(system, rng, 3)), modes) << round;
    // Numbers too large for 64 bits after the first product: the filter has to decide.
    ASSERT_EQ(modes_of(in_another_basis(system, rng, 1000000007)), modes) << round;
  }
}

TEST(ModeLaws, RowsOfAnyLength) {
  Rng rng(5);
  for (int round = 0; round < rounds; ++round) {
    const ModeSystem system = random_system(rng, round);
    const Strings modes = modes_of(system);
    ModeSystem binary = system;
    ModeSystem decimal = system;
    for (Index i = 0; i < system.rows.rows(); ++i) {
      binary.rows.row(i) *= std::ldexp(1.0, static_cast<int>(rng.below(80)) - 40);
      const bool up = rng.below(2) == 0;
      for (Index j = 0; j < system.dof(); ++j) {
        const auto entry = std::to_string(static_cast<long>(system.rows(i, j)));
        decimal.exact.push_back(
            {i, j, up ? Rational{entry + "000000", "1"} : Rational{entry, "1000000"}});
        decimal.rows(i, j) *= up ? 1e6 : 1e-6;
      }
    }
    ASSERT_EQ(modes_of(binary), modes) << round;
    ASSERT_EQ(modes_of(decimal), modes) << round;
    decimal.exact.clear();  // rounded now: the tolerance policy's case
    ModeOptions tolerant;
    tolerant.policy = ModePolicy::tolerance;
    ASSERT_EQ(modes_of(decimal, tolerant), modes) << round;
  }
}

/// The contacts in another order, with repetitions: `from[k]` is the contact at place k.
ModeSystem arranged(const ModeSystem& system, const std::vector<std::size_t>& from) {
  ModeSystem out;
  out.rows.resize(0, system.dof());
  for (const std::size_t k : from) {
    const ModeContact& contact = system.contacts[k];
    add_contact(out, system.rows.row(contact.normal).transpose(),
                system.rows.middleRows(contact.normal + 1, contact.tangents));
  }
  return out;
}

/// The same arrangement of the strings.
std::string arranged(const std::string& mode, const ModeSystem& system,
                     const std::vector<std::size_t>& from) {
  const std::size_t bar = mode.find('|');
  std::vector<std::string> ss(system.contacts.size());
  std::size_t next = bar + 1;
  for (std::size_t k = 0; k < bar; ++k) {
    if (mode[k] != '0') continue;
    ss[k] = mode.substr(next, static_cast<std::size_t>(system.contacts[k].tangents));
    next += ss[k].size();
  }
  std::string cs, rest;
  for (const std::size_t k : from) {
    cs.push_back(mode[k]);
    rest += ss[k];
  }
  return cs.append("|").append(rest);
}

TEST(ModeLaws, OrderAndRepetition) {
  Rng rng(6);
  for (int round = 0; round < rounds; ++round) {
    const ModeSystem system = random_system(rng, round);
    std::vector<std::size_t> from(system.contacts.size());
    std::iota(from.begin(), from.end(), std::size_t{0});
    for (std::size_t k = from.size(); k > 1; --k) std::swap(from[k - 1], from[rng.below(k)]);
    from.push_back(from[rng.below(from.size())]);
    Strings wanted;
    for (const std::string& mode : modes_of(system)) wanted.insert(arranged(mode, system, from));
    ASSERT_EQ(modes_of(arranged(system, from)), wanted) << round;
  }
}

TEST(ModeLaws, FlippedTangents) {
  Rng rng(7);
  for (int round = 0; round < rounds; ++round) {
    const ModeSystem system = random_system(rng, round);
    ModeSystem flipped = system;
    for (const ModeContact& contact : system.contacts)
      flipped.rows.middleRows(contact.normal + 1, contact.tangents) *= -1;
    Strings wanted;
    for (std::string mode : modes_of(system)) {
      for (std::size_t k = mode.find('|'); k < mode.size(); ++k)
        mode[k] = mode[k] == '+' ? '-' : (mode[k] == '-' ? '+' : mode[k]);
      wanted.insert(mode);
    }
    ASSERT_EQ(modes_of(flipped), wanted) << round;
  }
}

TEST(ModeLaws, WitnessesHaveTheirMode) {
  Rng rng(8);
  for (int round = 0; round < rounds; ++round) {
    const ModeSystem system = random_system(rng, round);
    ModeOptions options;
    options.witnesses = true;
    ASSERT_TRUE(visit_modes(system, options, [&](const ModeView& mode) {
      const VecX x = Eigen::Map<const VecX>(mode.witness.data(), system.dof());
      const VecX values = system.rows * x;  // small whole numbers: exact
      std::size_t next = 0;
      for (std::size_t k = 0; k < system.contacts.size(); ++k) {
        const ModeContact& contact = system.contacts[k];
        EXPECT_TRUE(mode.cs[k] == '+' ? values[contact.normal] > 0 : values[contact.normal] == 0);
        for (Index t = 1; t <= contact.tangents && mode.cs[k] == '0'; ++t) {
          const double v = values[contact.normal + t];
          EXPECT_EQ(mode.ss[next++], v > 0 ? '+' : (v < 0 ? '-' : '0'));
        }
      }
      return !::testing::Test::HasFailure();
    }));
    ASSERT_FALSE(HasFailure()) << round;
  }
}

TEST(ModeLaws, ThreadsAndPoliciesAgree) {
  Rng rng(9);
  for (int round = 0; round < 50; ++round) {
    const ModeSystem system = random_system(rng, round);
    ModeOptions options;
    const auto one = visit_modes(system, options, {});
    options.threads = 3;
    const auto three = visit_modes(system, options, {});
    EXPECT_EQ(one->hash, three->hash);
    EXPECT_EQ(one->counts, three->counts);
    options.policy = ModePolicy::tolerance;
    EXPECT_EQ(visit_modes(system, options, {})->hash, one->hash) << round;
  }
}

#ifdef TACT_HAVE_CDD
TEST(ModeLaws, FacesOfCddlib) {
  Rng rng(10);
  for (int round = 0; round < 2 * rounds; ++round) {
    const ModeSystem system = random_system(rng, round);
    ModeOptions options;
    options.kind = ModeKind::contacting;
    Strings faces;
    for (const std::string& mode : modes_of(system, options))
      faces.insert(mode.substr(0, mode.find('|')));
    ASSERT_EQ(faces, testing::cdd_faces(system)) << round;
  }
}
#endif

}  // namespace
}  // namespace tact
