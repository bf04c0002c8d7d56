// [Huang20] sec. 3.2 to 6: what modes are, Algorithms 1 and 2, Table 1; one test a claim.
//
// Two referees that share nothing with the library's enumeration: every string put to an exact
// linear program, and the paper's own way in exact arithmetic. What is false as printed is shown to
// fail and, corrected, to hold.
#include <numeric>

#include <gtest/gtest.h>

#include "tact/modes/contact_rows.hpp"
#include "tact/modes/mode_scenes.hpp"
#include "tests/support/mode_paper_path.hpp"
#include "tests/support/random_modes.hpp"

namespace tact {
namespace {

using testing::Hull;
using testing::hull_of;
using testing::mode_rows;
using testing::ModeRows;
using testing::paper_cs_modes;
using testing::paper_modes;
using testing::PointSet;
using testing::StrictSystem;
using testing::tried_cs_modes;
using testing::tried_modes;
using testing::WholeRow;
using testing::WholeRows;

using Strings = std::set<std::string>;

ModeRows scene_rows(std::string_view name) {
  return mode_rows(mode_scene(name).value().system);
}

/// Contacts with one tangent each in few dimensions, written out.
ModeRows small(std::size_t dof, WholeRows normals, std::vector<WholeRows> tangents) {
  tangents.resize(normals.size());
  return {dof, std::move(normals), std::move(tangents)};
}

/// A disc with contacts in whole directions (c, s), c² + s² = r²: rows on [v, ω]. A tangent with
/// a large lever is cut by no facet of the cone.
ModeRows planar_disc(std::size_t contacts, int lever) {
  const std::vector<std::array<int, 3>> directions{{1, 0, 1}, {-3, 4, 5},   {-4, -3, 5},
                                                   {3, 4, 5}, {5, -12, 13}, {-15, 8, 17}};
  ModeRows rows{3, {}, {}};
  for (std::size_t k = 0; k < contacts; ++k) {
    const auto& [c, s, r] = directions.at(k);
    rows.normals.push_back({c, s, r});
    rows.tangents.push_back({{-s, c, lever * r}});
  }
  return rows;
}

/// A body on a floor, touched at points (x, y, 0): whole rows on [ω, v].
ModeRows floor_points(const std::vector<std::array<double, 2>>& points) {
  ModeSystem system;
  for (const auto& [x, y] : points)
    add_contact(system, free_body(6, 0, {}), fixed_body(6), {{x, y, 0}});
  return mode_rows(system);
}

int alternating_sum(const std::vector<int>& numbers) {
  int sum = 0;
  for (std::size_t k = 0; k < numbers.size(); ++k) sum += (k % 2 == 0 ? 1 : -1) * numbers[k];
  return sum;
}

// [Huang20] (5): with n into the body, lifting it makes the distance grow.
TEST(Huang20Modes, Eq5NormalRowIsTheSeparatingVelocity) {
  const ContactRows rows = contact_rows(free_body(6, 0, {}), fixed_body(6), {.p = {0.25, 0.5, -1}});
  const Vec6 lift = Twist{{0, 0, 0}, {0, 0, 2}}.vec();
  const Vec6 tilt = Twist{{3, 0, 0}, {0, 0, 0}}.vec();  // about x: rises where y > 0
  EXPECT_EQ(rows.normal.dot(lift), 2);
  EXPECT_EQ(rows.normal.dot(tilt), 1.5);
}

// [Huang20] (6): the tangent velocity of the point, spin and lever included.
TEST(Huang20Modes, Eq6TangentRowsAreTheSlidingVelocity) {
  const ContactRows rows = contact_rows(free_body(6, 0, {}), fixed_body(6), {.p = {0.25, 0.5, -1}});
  const Vec6 spin = Twist{{0, 0, 2}, {0, 0, 0}}.vec();
  EXPECT_EQ(rows.tangents * spin, (VecX(2) << -1, 0.5).finished());
}

// [Huang20] (7), (8): the faces of a cone, by the contacts that hold on them.
TEST(Huang20Modes, Eq8SignsOfTheFacesOfAQuadrant) {
  const ModeRows rows = small(2, {{1, 0}, {0, 1}}, {});
  EXPECT_EQ(tried_cs_modes(rows), (Strings{"00", "0+", "+0", "++"}));
  EXPECT_EQ(paper_cs_modes(rows), (Strings{"00", "0+", "+0", "++"}));
}

// [Huang20] sec. 5.1, eq. (20) to (22) and Algorithm 1: "Ax <= 0" with the A of (5) is the cone of
// penetration. The counts stay, the signs of sliding turn round.
TEST(Huang20Modes, ErratumConeOfAlgorithm1HasTheOtherSign) {
  const WholeRows normals{{1, 0}, {0, 1}};
  const std::vector<WholeRows> tangents{{}, {{1, 0}}};
  const ModeRows right = small(2, normals, tangents);
  const ModeRows printed = small(2, {{-1, 0}, {0, -1}}, tangents);
  EXPECT_TRUE(tried_modes(right).contains("+0|+")) << "leaving 1, 2 slides away from it";
  EXPECT_FALSE(tried_modes(right).contains("+0|-")) << "into 1";
  EXPECT_TRUE(tried_modes(printed).contains("+0|-"));
  EXPECT_FALSE(tried_modes(printed).contains("+0|+"));
  EXPECT_EQ(tried_modes(printed).size(), tried_modes(right).size());
  EXPECT_EQ(paper_modes(right), tried_modes(right));
}

// [Huang20] sec. 3.3: 4 n_t + 1 classes of tangent velocity, but 3 for n_t = 1.
TEST(Huang20Modes, ErratumSec33OnePlaneMakesThreeClasses) {
  const WholeRows planes{{1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {1, -2, 0}, {3, 1, 0}};
  for (std::size_t n = 1; n <= planes.size(); ++n) {
    const WholeRows some(planes.begin(), planes.begin() + static_cast<std::ptrdiff_t>(n));
    const ModeRows rows = small(3, {{0, 0, 1}}, {some});
    std::size_t sliding = 0;
    for (const std::string& mode : tried_modes(rows)) sliding += mode.starts_with("0|") ? 1 : 0;
    if (n == 1)
      EXPECT_EQ(sliding, 3U) << "printed: 5";
    else
      EXPECT_EQ(sliding, 4 * n + 1);
    EXPECT_EQ(paper_modes(rows), tried_modes(rows));
  }
}

// [Huang20] sec. 4.2, eq. (10) to (12) and fig. 1: nine faces of two lines.
TEST(Huang20Modes, Eq12SignsOfTheArrangementOfFigure1) {
  const WholeRows lines{{1, 0}, {0, 1}};
  const auto tried = testing::sign_strings(lines, "+0-", StrictSystem(2));
  EXPECT_EQ(Strings(tried.begin(), tried.end()),
            (Strings{"++", "+-", "-+", "--", "+0", "0+", "-0", "0-", "00"}));
}

// [Huang20] sec. 4.3, eq. (13): signs below signs are faces of faces; here 00 is below all, ++
// below nothing else.
TEST(Huang20Modes, Eq13FacesOfACellAreTheSignsBelowIt) {
  const auto below = [](const std::string& u, const std::string& v) {
    return std::ranges::equal(u, v, [](char a, char b) { return a == '0' || a == b; });
  };
  const auto faces = testing::arrangement_signs({{1, 0}, {0, 1}, {1, 1}}, 2);
  EXPECT_EQ(faces.size(), 13U);
  for (const std::string& cell : faces) {
    if (cell.find('0') != std::string::npos) continue;
    const auto count = std::ranges::count_if(faces, [&](const auto& u) { return below(u, cell); });
    EXPECT_EQ(count, 4) << "a sector, two rays and the origin: " << cell;
  }
}

// [Huang20] sec. 4.4, eq. (14) to (16): the polar of a cube is an octahedron, its lattice upside
// down.
TEST(Huang20Modes, Eq15PolarHasTheOppositeLattice) {
  WholeRows cube;
  for (int x : {-1, 1})
    for (int y : {-1, 1})
      for (int z : {-1, 1}) cube.push_back({1, x, y, z});
  WholeRows octahedron;  // (14): c x <= 1 on the cube
  for (int k : {1, 2, 3})
    for (int s : {-1, 1}) {
      WholeRow c(4);
      c[0] = 1;
      c[static_cast<std::size_t>(k)] = s;
      octahedron.push_back(c);
    }
  const std::vector<int> of_cube = testing::face_numbers(hull_of(cube, 4));
  const std::vector<int> of_polar = testing::face_numbers(hull_of(octahedron, 4));
  EXPECT_EQ(of_cube, (std::vector<int>{1, 8, 12, 6, 1}));
  EXPECT_EQ(std::vector<int>(of_polar.rbegin(), of_polar.rend()), of_cube);
}

// [Huang20] sec. 5.1, eq. (14): a cone is unbounded, so that the polar of H(A, 1) is the hull of 0
// and the rows, not V(A^T): of the quadrant seen from (1, 1) a triangle with 8 faces, not 4 modes.
// The modes are the faces of its facet opposite to 0.
TEST(Huang20Modes, ErratumPolarOfAConeHasZeroAsAVertex) {
  // c x <= 1 on { x >= -1, y >= -1 }: c <= 0 and -c1 - c2 <= 1.
  const Hull polar = hull_of({{1, 0, 0}, {1, -1, 0}, {1, 0, -1}}, 3);
  EXPECT_TRUE(testing::is_vertex(polar, 0));
  EXPECT_EQ(testing::faces_of(polar).size(), 8U);
  const Hull rows = hull_of({{1, -1, 0}, {1, 0, -1}}, 3);
  EXPECT_EQ(testing::faces_of(rows).size(), 4U);
  EXPECT_EQ(tried_cs_modes(small(2, {{1, 0}, {0, 1}}, {})).size(), 4U);
}

// [Huang20] sec. 4.5, eq. (17) and (18): the zonotope of figure 1 is a square with the signs of the
// lines.
TEST(Huang20Modes, Eq18CornersOfTheZonotopeOfFigure1) {
  const testing::Zonotope square = testing::zonotope({{1, 0}, {0, 1}}, 2, false);
  const testing::Zonotope expected{
      {{1, -1, -1}, "--"}, {{1, -1, 1}, "-+"}, {{1, 1, -1}, "+-"}, {{1, 1, 1}, "++"}};
  EXPECT_EQ(square, expected);
}

// [Huang20] sec. 4.5, eq. (19): faces of the zonotope and of the arrangement, on planes in no
// special position and on planes with parallels.
TEST(Huang20Modes, Eq19ZonotopeAndArrangementHaveTheSameSigns) {
  for (const WholeRows& planes : {WholeRows{{1, 2, 3}, {2, -1, 1}, {0, 1, -1}, {3, 0, 2}},
                                  WholeRows{{1, 0, 0}, {2, 0, 0}, {-1, 0, 0}, {0, 1, 1}}}) {
    const auto tried = testing::sign_strings(planes, "+0-", StrictSystem(3));
    EXPECT_EQ(testing::arrangement_signs(planes, 3), Strings(tried.begin(), tried.end()));
  }
}

// [Huang20] sec. 4.5, eq. (18): a plane that vanishes on the subspace has the sign 0, not +-1: v +
// h = v - h.
TEST(Huang20Modes, ErratumEq18PlanesThatVanishHaveNoSign) {
  // Three contacts that hold each other: x = y = 0 and z is left.
  const ModeRows rows = small(3, {{1, 0, 0}, {-1, -1, 0}, {0, 1, 0}, {0, 0, 1}},
                              {{{0, 1, 0}}, {{0, 0, 1}}, {{1, 0, 1}}, {{1, 2, 0}}});
  EXPECT_EQ(tried_modes(rows), (Strings{"0000|0000", "000+|0++"}));
  EXPECT_EQ(paper_modes(rows), tried_modes(rows));
  EXPECT_NE(paper_modes(rows, {.vanishing_planes = true}), tried_modes(rows));
}

// [Huang20] sec. 5.1, eq. (20) to (22): a single slack for all contacts is 0 as soon as one contact
// is forced; then r = 0 is optimal, and "only all-contacting" does not follow.
TEST(Huang20Modes, ErratumEq20OneSlackForAllContactsFindsNoInterior) {
  const ModeRows rows = small(3, {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {});
  StrictSystem printed(3);
  for (const WholeRow& n : rows.normals) printed.add(n, true);
  EXPECT_EQ(printed.witness(), std::nullopt) << "c = 0 is the optimum, at r = 0 among others";
  EXPECT_EQ(tried_cs_modes(rows), (Strings{"0000", "000+", "00+0", "00++"}));
  EXPECT_EQ(testing::forced_contacts(rows), (std::vector<bool>{true, true, false, false}));
  EXPECT_EQ(paper_cs_modes(rows), tried_cs_modes(rows));
}

// [Huang20] sec. 5.1, step 10 of Algorithm 1: the proper faces alone miss the modes that Table 1
// counts.
TEST(Huang20Modes, ErratumAlgorithm1LoopMissesTwoModes) {
  const ModeRows rows = scene_rows("box-1");
  Strings printed = paper_cs_modes(rows, {.proper_faces_only = true});
  EXPECT_EQ(printed.size(), 8U);
  printed.insert({"0000", "++++"});
  EXPECT_EQ(printed, tried_cs_modes(rows));
}

// [Huang20] sec. 5.1, eq. (23) and (24), proof of Theorem 1: "every input point is extremal".
// Corners and middles of the edges of a square: the printed reading has the right number and the
// wrong modes.
TEST(Huang20Modes, ErratumTheorem1ContactsThatAreNoVertices) {
  const ModeRows rows =
      floor_points({{-1, -1}, {-1, 0}, {-1, 1}, {0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}});
  const Strings truth = tried_cs_modes(rows);
  const Strings printed = paper_cs_modes(rows, {.vertices_only = true});
  EXPECT_EQ(printed.size(), truth.size());
  Strings missing;
  std::ranges::set_difference(truth, printed, std::inserter(missing, missing.end()));
  EXPECT_EQ(missing, (Strings{"000+++++", "++000+++", "++++000+", "0+++++00", "00000000"}));
  EXPECT_EQ(paper_cs_modes(rows), truth);
}

// [Huang20] sec. 5.1, the claim of Theorem 1: Algorithm 1, corrected, against every string.
TEST(Huang20Modes, Algorithm1FindsTheContactingModes) {
  for (const char* name :
       {"box-1", "box-2", "box-3", "box-4", "box-5", "peg-4", "peg-8", "box-box-1", "box-box-2"}) {
    const ModeRows rows = scene_rows(name);
    EXPECT_EQ(paper_cs_modes(rows), tried_cs_modes(rows)) << name;
  }
}

// [Huang20] sec. 5.2 and 5.3, eq. (25) to (27), Theorems 2 and 3: both algorithms, corrected,
// against every string.
TEST(Huang20Modes, Algorithm2FindsTheSlidingModes) {
  for (const char* name : {"box-1", "box-2", "box-4", "box-5", "peg-4"}) {
    const ModeRows rows = scene_rows(name);
    EXPECT_EQ(paper_modes(rows), tried_modes(rows)) << name;
  }
  const ModeRows one = floor_points({{1, 2}});
  EXPECT_EQ(paper_modes(one), tried_modes(one));
  EXPECT_EQ(tried_modes(one).size(), 10U);
}

TEST(Huang20Modes, AlgorithmsFindTheModesOfSystemsFullOfCoincidences) {
  Rng rng(1);
  for (int i = 0; i < 300; ++i) {
    const ModeRows rows = mode_rows(testing::random_modes(rng));
    EXPECT_EQ(paper_modes(rows), tried_modes(rows)) << "case " << i;
  }
}

// [Huang20] sec. 5.2, eq. (27): without it separating contacts penetrate, as in Table 1.
TEST(Huang20Modes, Eq27KeepsSeparatingContactsApart) {
  const ModeRows rows = scene_rows("box-2");
  const Strings truth = tried_modes(rows);
  const Strings ignored = paper_modes(rows, {.separation_ignored = true});
  EXPECT_EQ(truth.size(), 228U);
  EXPECT_EQ(ignored.size(), 1164U);
  EXPECT_TRUE(std::ranges::includes(ignored, truth));
}

// [Huang20] sec. 2: Theta(n) modes in the plane; 4 n + 2 where every facet is cut, 2 n + 2 where
// none is.
TEST(Huang20Modes, Sec2PlanarModesGrowLinearly) {
  for (std::size_t n = 3; n <= 6; ++n) {
    const ModeRows cut = planar_disc(n, 0);
    const ModeRows missed = planar_disc(n, 5);
    EXPECT_EQ(tried_cs_modes(cut).size(), 2 * n + 2);
    EXPECT_EQ(tried_modes(cut).size(), 4 * n + 2);
    EXPECT_EQ(tried_modes(missed).size(), 2 * n + 2);
    EXPECT_EQ(paper_modes(cut), tried_modes(cut));
    EXPECT_EQ(paper_modes(missed), tried_modes(missed));
  }
}

/// The contacts with these numbers.
PointSet points(std::initializer_list<std::size_t> numbers) {
  PointSet set;
  for (const std::size_t k : numbers) set.set(k);
  return set;
}

/// The polar of box-3 with three of its nine facets, those of two walls each, left in two coplanar
/// halves: a hull computed with rounding.
Hull split_hull() {
  const ModeRows rows = scene_rows("box-3");
  Hull hull = testing::polar_form(rows, testing::forced_contacts(rows)).hull;
  const std::vector<std::array<PointSet, 2>> halves{
      {points({4, 6, 8, 9, 10, 11}), points({4, 5, 6, 7, 8, 9})},
      {points({0, 1, 8, 9, 10, 11}), points({0, 1, 2, 3, 8, 10})},
      {points({0, 1, 2, 3, 4, 5}), points({0, 2, 4, 5, 6, 7})}};
  for (const auto& [a, b] : halves) {
    const auto whole = std::ranges::find(hull.facets, a | b);
    if (whole == hull.facets.end()) throw std::logic_error("not a facet");
    *whole = a;
    hull.facets.push_back(b);
  }
  return hull;
}

// [Huang20] Table 1 of box-3: 190 contacting modes printed, 136 true. Three facets left in halves
// give the printed number, and sums of Euler do not notice.
TEST(Huang20Modes, ErratumTable1Box3CountsHalvesOfFacets) {
  const ModeRows rows = scene_rows("box-3");
  const Hull hull = testing::polar_form(rows, testing::forced_contacts(rows)).hull;
  const Hull split = split_hull();
  const std::vector<int> truth = testing::face_numbers(hull);
  const std::vector<int> spurious = testing::face_numbers(split);
  EXPECT_EQ(truth, (std::vector<int>{1, 12, 36, 47, 30, 9, 1}));
  EXPECT_EQ(spurious, (std::vector<int>{1, 12, 48, 71, 45, 12, 1}));
  EXPECT_EQ(std::accumulate(truth.begin(), truth.end(), 0), 136);
  EXPECT_EQ(std::accumulate(spurious.begin(), spurious.end(), 0), 190);
  EXPECT_EQ(alternating_sum(truth), 0);
  EXPECT_EQ(alternating_sum(spurious), 0);
  EXPECT_EQ(tried_cs_modes(rows).size(), 136U);
}

// [Huang20] Table 1: the number of sliding modes printed for boxes against walls, and the true one.
TEST(Huang20Modes, ErratumTable1SlidingModesOfBoxes) {
  const std::vector<std::string_view> right{"box-1", "box-5", "peg-4", "peg-8"};
  const std::vector<std::string_view> wrong{"box-2", "box-3", "box-4", "box-box-1"};
  for (const ModeSceneName& about : mode_scene_names()) {
    const bool as_printed = std::ranges::find(right, about.name) != right.end();
    if (!as_printed && std::ranges::find(wrong, about.name) == wrong.end()) continue;
    const std::size_t full = tried_modes(scene_rows(about.name)).size();
    EXPECT_EQ(full, about.full) << about.name;
    EXPECT_EQ(full == about.printed_ss, as_printed) << about.name;
  }
}

// [Huang20] Table 1, column d_aff: the dimension of the polar. box-5 leaves four contacts in one
// point, of dimension 0; a peg leaves no point at all. Both are printed as 1.
TEST(Huang20Modes, Table1DimensionOfThePolar) {
  const std::vector<std::pair<const char*, int>> dimensions{
      {"box-1", 2},  {"box-2", 4},  {"box-3", 5},     {"box-4", 2},    {"box-5", 0},
      {"peg-4", -1}, {"peg-8", -1}, {"box-box-1", 2}, {"box-box-2", 6}};
  for (const auto& [name, dimension] : dimensions) {
    const ModeRows rows = scene_rows(name);
    const Hull hull = testing::polar_form(rows, testing::forced_contacts(rows)).hull;
    const auto rank = static_cast<int>(testing::rank_of(hull.points, hull.width));
    EXPECT_EQ(rank - 1, dimension) << name;
  }
}

// [Huang20] sec. 6: the peg keeps two degrees of freedom, along and about its axis.
TEST(Huang20Modes, Sec6PegTurnsAndSlides) {
  for (const char* name : {"peg-4", "peg-8"}) {
    const ModeRows rows = scene_rows(name);
    EXPECT_EQ(testing::forced_contacts(rows), std::vector<bool>(rows.normals.size(), true));
    EXPECT_EQ(testing::rank_of(rows.normals, rows.dof), 4U);
    for (const WholeRow& axis : {WholeRow{0, 0, 1, 0, 0, 0}, WholeRow{0, 0, 0, 0, 0, 1}})
      for (const WholeRow& n : rows.normals) EXPECT_EQ(testing::dot(n, axis), 0) << name;
  }
}

// Every sum over the sliding modes of one contacting mode is that of an open cone: the signed count
// by dimension is (-1)^dim. Here by the ranks of the zero rows of each mode.
TEST(Huang20Modes, SumsOfEulerHoldWithinEachContactingMode) {
  const ModeRows rows = scene_rows("box-1");
  const auto dimension = [&](const std::string& cs, const std::string& ss) {
    WholeRows zero;
    for (std::size_t k = 0; k < cs.size(); ++k)
      if (cs[k] == '0') zero.push_back(rows.normals[k]);
    const WholeRows kept = testing::kept_tangents(rows, cs);
    for (std::size_t k = 0; k < ss.size(); ++k)
      if (ss[k] == '0') zero.push_back(kept[k]);
    return rows.dof - testing::rank_of(zero, rows.dof);
  };
  std::map<std::string, int> sums;
  for (const std::string& mode : tried_modes(rows)) {
    const std::string cs = mode.substr(0, mode.find('|'));
    const std::string ss = mode.substr(mode.find('|') + 1);
    sums[cs] += dimension(cs, ss) % 2 == 0 ? 1 : -1;
  }
  for (const auto& [cs, sum] : sums) EXPECT_EQ(sum, dimension(cs, "") % 2 == 0 ? 1 : -1) << cs;
}

}  // namespace
}  // namespace tact
