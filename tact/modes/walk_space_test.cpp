#include "tact/modes/walk_space.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "tact/base/rng.hpp"
#include "tact/modes/doubled.hpp"

namespace tact::detail {
namespace {

ModeSystem rows_of(Index rows, Index dof, bool whole) {
  Rng rng(static_cast<std::uint64_t>(17 * rows + dof));
  ModeSystem system;
  for (Index i = 0; i < rows; ++i) {
    const VecX row = VecX::NullaryExpr(
        dof, [&] { return whole ? static_cast<double>(rng.below(3)) - 1 : rng.normal(); });
    add_contact(system, row, MatX(0, dof));
  }
  return system;
}

/// Restricted to one row after the other, doubles stay as close as they say, zeros are zeros, and
/// anchors tell coordinates.
void expect_sound(const ModeSystem& system) {
  const NumberRows<Doubled> rows{big_rows(system)};
  PartsBuilder<Doubled> builder(system, rows, Doubled{}, true, false);
  const ModeParts<Doubled> parts = builder.build(std::nullopt);
  WalkSpace<Doubled> here;
  here.cone = parts.parts[0].cone;
  here.find_anchors();
  here.settle();
  Cutter<Doubled> cutter(Doubled{});
  for (int row = 0; here.dim() > 0; ++row) {
    for (int l = 0; l < here.dim(); ++l)
      for (int k = 0; k < here.cone.planes; ++k) {
        const Exact exact = here.exact_lines()[l].at(k);
        EXPECT_EQ(sgn(exact), sign_of(here.values(k, l)));
        EXPECT_LE(abs(Exact(exact - here.values(k, l))), here.error[l]);
        const auto of_line = std::find(here.anchor.begin(), here.anchor.end(), k);
        if (of_line != here.anchor.end()) {
          EXPECT_EQ(sgn(exact) != 0, of_line - here.anchor.begin() == l);
        }
      }
    while (row < here.cone.planes && here.vanishes(row)) ++row;
    ASSERT_LT(row, here.cone.planes);
    WalkSpace<Doubled> next;
    restrict_space(cutter, here, row, next);
    EXPECT_EQ(next.dim(), here.dim() - 1);
    EXPECT_TRUE(next.vanishes(row));
    here = next;
  }
}

TEST(WalkSpace, LinesAreAsCloseAsTheySay) {
  for (const bool whole : {true, false}) {
    expect_sound(rows_of(9, 4, whole));
    expect_sound(rows_of(30, 12, whole));
  }
}

TEST(WalkSpace, SignsOfWitnessesAreExact) {
  MatX t(0, 2);
  ModeSystem system;
  for (const double x : {1.0, 3.0, -7.0}) add_contact(system, Vec2(x, 1), t);
  const NumberRows<Doubled> rows{big_rows(system)};
  PartsBuilder<Doubled> builder(system, rows, Doubled{}, true, false);
  WalkSpace<Doubled> space;
  space.cone = builder.build(std::nullopt).parts[0].cone;
  space.find_anchors();
  space.settle();
  // On row 2 but for one part in 2^52, which no double product would show.
  Witness witness;
  witness.z = VecX::Zero(space.dim());
  witness.exact.assign(2, 0);
  const Exact a = space.exact_lines()[0].at(2);
  const Exact b = space.exact_lines()[1].at(2);
  for (const int side : {-1, 0, 1}) {
    witness.exact[0] = b;
    witness.exact[1] = -a + side * abs(a) * Exact(tolerance::epsilon);
    witness.evaluate(space);
    EXPECT_EQ(witness.sign(space, 2), side * sgn(b));
  }
}

}  // namespace
}  // namespace tact::detail
