#include "tact/io/problem_file.hpp"

#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "tact/io/fclib_file.hpp"
#include "tact/io/fcp_file.hpp"
#include "tact/io/gzip.hpp"
#include "tact/io/problem_any.hpp"
#include "tact/io/problem_summary.hpp"
#include "tests/support/random_problems.hpp"

namespace tact {
namespace {

using testing::expect_same_bits;

ProblemFile read(const std::string& fields) {
  const auto file = read_problem_file(R"({"format": "tact-problem/1", )" + fields + "}", "f");
  EXPECT_TRUE(file) << file.error().message;
  return file ? *file : ProblemFile{};
}

/// Writing and reading once more changes nothing, neither bits nor texts.
void expect_stable(const ProblemFile& file) {
  const std::string text = write_problem_file(file);
  const auto again = read_problem_file(text, "again");
  ASSERT_TRUE(again) << again.error().message << "\n" << text;
  expect_same_bits(again->problem, file.problem);
  EXPECT_EQ(again->problem.name, file.problem.name);
  EXPECT_EQ(again->dof, file.dof);
  EXPECT_EQ(again->exact, file.exact);
  ASSERT_EQ(again->given.size(), file.given.size());
  for (std::size_t i = 0; i < file.given.size(); ++i) {
    expect_same_bits(again->given[i].tangents, file.given[i].tangents);
    expect_same_bits(again->given[i].twist, file.given[i].twist);
    EXPECT_EQ(again->problem.contacts[i].name, file.problem.contacts[i].name);
  }
  EXPECT_EQ(write_problem_file(*again), text);
}

const std::string lift = R"("name": "lift", "dof": 1, "mass": [[2]], "velocity": [0],
  "impulse": [0.5], "contacts": [{"name": "ground", "normal": [1]},
  {"name": "fork", "normal": [1], "excitation": {"normal": "-3"}, "restitution": 0.25}],
  "outcome": {"velocity": [3], "impulses": [[0], [6]]})";

TEST(ProblemFile, ReadsTheMassForm) {
  const ProblemFile file = read(lift);
  const ContactProblem& p = file.problem;
  EXPECT_EQ(p.name, "lift");
  EXPECT_EQ(file.dof, 1);
  EXPECT_EQ(MatX(p.mass), MatX::Constant(1, 1, 2));
  EXPECT_EQ(p.velocity, VecX::Zero(1));
  EXPECT_EQ(p.impulse, VecX::Constant(1, 0.5));
  EXPECT_EQ(MatX(p.rows), MatX::Ones(2, 1));
  EXPECT_EQ(p.excitation, Vec2(0, -3));
  EXPECT_EQ(p.contacts[1].name, "fork");
  EXPECT_EQ(p.contacts[1].restitution, 0.25);
  EXPECT_EQ(p.contacts[0].law, Law(Frictionless{}));
  EXPECT_EQ((*p.outcome->impulses)[1], VecX::Constant(1, 6));
  EXPECT_EQ(file.exact.text("contacts[1].excitation.normal"), "-3");
  expect_stable(file);
}

TEST(ProblemFile, BoundedRows) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const ProblemFile file =
      read(R"("dof": 2, "dt": 0.01, "mass": [[1, 0], [0, 1]], "velocity": [1, 2],
    "contacts": [{"name": "elbow", "row": [0, "1/2"], "bounds": [-0.1, 0.2], "excitation": {"row": 3}},
    {"normal": [1, 0]}, {"row": [1, -1], "bounds": [null, "inf"], "gap": -0.25, "stabilisation": 0.5},
    {"row": [1, 1], "bounds": ["-inf", 0]}])");
  const ContactProblem& p = file.problem;
  EXPECT_EQ(p.contacts[0].law, Law(BoundedLaw{-0.1, 0.2}));
  EXPECT_EQ(p.contacts[2].law, Law(BoundedLaw{}));
  EXPECT_EQ(p.contacts[3].law, Law(BoundedLaw{-infinity, 0}));
  EXPECT_EQ(p.contacts[2].gap, -0.25);
  EXPECT_EQ(p.contacts[2].stabilisation, 0.5);
  EXPECT_EQ(MatX(p.rows), (MatX(4, 2) << 0, 0.5, 1, 0, 1, -1, 1, 1).finished());
  EXPECT_EQ(p.excitation, VecX(Vec4(3, 0, 0, 0)));
  EXPECT_EQ(file.exact.text("contacts[0].row[1]"), "1/2");
  EXPECT_NE(summary(file).find("3 bounded"), std::string::npos) << summary(file);
  expect_stable(file);
  const ProblemFile delassus = read(R"("contacts": [{"bounds": [-1, null]}, {}],
    "delassus": [[2, 0], [0, 1]], "free_velocity": [3, -1])");
  EXPECT_EQ(delassus.problem.contacts[0].law, Law(BoundedLaw{-1, infinity}));
  expect_stable(delassus);
}

TEST(ProblemFile, RowsAreTangentsFirst) {
  const ProblemFile file = read(R"("dof": 3, "dt": 0.01, "contacts": [
    {"normal": [0, 0, 1], "tangents": [[1, 0, 0], [0, 1, 0]], "friction": {"law": "coulomb", "mu": 0.5},
     "excitation": {"normal": 3, "tangents": [1, 2]}, "gap": 0.1, "stabilisation": 0.2},
    {"normal": [0, 0, 2], "tangents": [[2, 0, 0]], "friction": {"mu": 0.25}, "planar": true},
    {"normal": [0, 0, 3], "tangents": [[3, 0, 0], [0, 3, 0], [3, 3, 0]],
     "excitation": {"tangents": [7, 8, 9]}}])");
  const ContactProblem& p = file.problem;
  EXPECT_FALSE(p.in_mass_form());
  EXPECT_FALSE(validate(p));  // no mass
  const MatX wanted =
      (MatX(6, 3) << 1, 0, 0, 0, 1, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 0, 0, 3).finished();
  EXPECT_EQ(MatX(p.rows), wanted);
  EXPECT_EQ(p.excitation, (VecX(6) << 1, 2, 3, 0, 0, 0).finished());
  EXPECT_EQ(p.contacts[0].law, Law(CoulombLaw{0.5, false}));
  EXPECT_EQ(p.contacts[1].law, Law(CoulombLaw{0.25, true}));
  EXPECT_EQ(p.contacts[2].law, Law(Frictionless{}));
  EXPECT_EQ(file.given[2].tangents.rows(), 3);  // dividing planes
  EXPECT_EQ(file.given[2].tangent_excitation, Vec3(7, 8, 9));
  EXPECT_EQ(file.given[0].tangents.rows(), 2);
  expect_stable(file);
}

TEST(ProblemFile, ReadsEveryLawOfAPoint) {
  const auto law = [](const std::string& friction) {
    return read(R"("dof": 1, "contacts": [{"normal": [1], "tangents": [[0]], "friction": )" +
                friction + "}]")
        .problem.contacts[0]
        .law;
  };
  EXPECT_EQ(law(R"({"law": "none"})"), Law(Frictionless{}));
  EXPECT_EQ(law(R"({"mu": 0.5})"), Law(CoulombLaw{0.5, true}));
  EXPECT_EQ(law(R"({"law": "box", "mu": 1})"), Law(BoxLaw{1, BoxScale::inscribed().value, true}));
  EXPECT_EQ(law(R"({"law": "box", "mu": 1, "scale": "mean"})"),
            Law(BoxLaw{1, BoxScale::mean_dissipation().value, true}));
  EXPECT_EQ(law(R"({"law": "box", "mu": 1, "scale": "9/10"})"), Law(BoxLaw{1, 0.9, true}));
  EXPECT_EQ(law(R"({"law": "pyramid", "mu": 1, "edges": 8})"), Law(PyramidLaw{1, 8, true}));
  EXPECT_EQ(law(R"({"law": "pyramid", "mu": 1})"), Law(PyramidLaw{1, 4, true}));
}

const std::string twist_rows = R"("twist": [[1, 0], [0, 1], [2, 0], [0, 2], [3, 0], [0, 3]])";

ProblemFile patch_file(const std::string& fields) {
  return read(R"("dof": 2, "contacts": [{)" + twist_rows + ", " + fields + "}]");
}

TEST(ProblemFile, PatchesWithoutFrictionUseThreeRows) {
  const ProblemFile file = patch_file(
      R"("patch": {"disc": {"radius": "1/10"}}, "excitation": {"twist": [1, 2, 3, 4, 5, 6]})");
  EXPECT_EQ(MatX(file.problem.rows), (MatX(3, 2) << 1, 0, 0, 1, 0, 3).finished());
  EXPECT_EQ(file.problem.excitation, Vec3(1, 2, 6));
  EXPECT_EQ(file.given[0].twist.rows(), 6);
  EXPECT_EQ(file.exact.text("contacts[0].patch.disc.radius"), "1/10");
  expect_stable(file);
}

TEST(ProblemFile, PatchesWithFrictionUseAllRows) {
  const std::string square = R"("patch": {"polygon": [[0, 0], [1, 0], [1, 1], [0, 1]]}, )";
  for (const std::string friction :
       {R"({"mu": 0.5})", R"({"mu": 0.5, "pattern": "4+8+12"})",
        R"({"mu": "1/2", "pressure": "ellipsoid", "radius": "1/3"})",
        R"({"mu": 0.5, "pressure": "ellipsoid"})", R"({"mu": 0.5, "pressure": "vertex"})",
        R"({"mu": 0.5, "pressure": "winkler", "nodes": [[0, 0], ["1/2", 1]], "areas": [1, 2]})"}) {
    const ProblemFile file = patch_file(square + R"("friction": )" + friction);
    EXPECT_EQ(row_count(file.problem.contacts[0].law), 6);
    EXPECT_EQ(friction_of(file.problem.contacts[0].law), 0.5);
    EXPECT_EQ(file.problem.rows.rows(), 6);
    expect_stable(file);
  }
}

TEST(ProblemFile, RollingFrictionIsThatOfAPointPatch) {
  const ProblemFile file = patch_file(
      R"("patch": {"point": [0, 0]}, "friction": {"law": "rolling", "mu": 0.5, "rolling": 0.01, "spinning": 0.02})");
  EXPECT_EQ(file.problem.contacts[0].law, Law(RollingLaw{0.5, 0.01, 0.02}));
  expect_stable(file);
}

TEST(ProblemFile, ReadsTheDelassusForm) {
  const ProblemFile file =
      read(R"("contacts": [{"name": "a"}, {"friction": {"mu": 0.5}, "planar": true},
    {"patch": {"point": [0, 0]}}], "free_velocity": [1, 2, 3, 4, 5, 6],
    "delassus": {"rows": 6, "cols": 6, "entries": [[0, 0, 1], [1, 5, "1/3"], [5, 1, -2]]}, "outcome": {"impulses": [[1], [0, 2], [0, 0, 3]]})");
  const ContactProblem& p = file.problem;
  EXPECT_EQ(row_offsets(p.contacts), (std::vector<Index>{0, 1, 3, 6}));
  EXPECT_EQ(p.delassus.nonZeros(), 3);
  EXPECT_EQ(p.delassus.coeff(1, 5), 1.0 / 3);
  EXPECT_EQ(file.exact.at("delassus[1][5]", 1.0 / 3), (Rational{"1", "3"}));
  EXPECT_EQ(p.free_velocity[5], 6);
  EXPECT_TRUE(validate(p));
  expect_stable(file);
}

TEST(ProblemFile, SparseRowsAreReadLikeDenseOnes) {
  const ProblemFile file = read(R"("dof": 4, "contacts": [
    {"normal": {"rows": 1, "cols": 4, "entries": [[0, 3, "1/2"]]},
     "tangents": {"rows": 2, "cols": 4, "entries": [[1, 0, "0.1"], [0, 2, 5]]}}])");
  EXPECT_EQ(MatX(file.problem.rows), (MatX(1, 4) << 0, 0, 0, 0.5).finished());
  EXPECT_EQ(MatX(file.given[0].tangents), (MatX(2, 4) << 0, 0, 5, 0, 0.1, 0, 0, 0).finished());
  EXPECT_EQ(file.exact.text("contacts[0].normal[3]"), "1/2");
  EXPECT_EQ(file.exact.text("contacts[0].tangents[1][0]"), "0.1");
  expect_stable(file);
}

TEST(ProblemFile, TangentsMayBeSparseOneByOne) {
  const ProblemFile file = read(R"("dof": 4, "contacts": [{"normal": [0, 0, 0, 1],
     "tangents": [{"rows": 1, "cols": 4, "entries": [[0, 2, 5]]}, ["0.1", 0, 0, 0],
                  {"rows": 1, "cols": 4, "entries": [[0, 1, "1/2"], [0, 0, 3]]}]}])");
  EXPECT_EQ(MatX(file.given[0].tangents),
            (MatX(3, 4) << 0, 0, 5, 0, 0.1, 0, 0, 0, 3, 0.5, 0, 0).finished());
  EXPECT_EQ(file.exact.text("contacts[0].tangents[1][0]"), "0.1");
  EXPECT_EQ(file.exact.text("contacts[0].tangents[2][1]"), "1/2");
  expect_stable(file);
}

TEST(ProblemFile, ExactNumbersAreNamedAlikeInBothSpellingsOfAShape) {
  const auto place_of = [](const std::string& patch) {
    return patch_file(R"("patch": )" + patch).exact.texts().begin()->first;
  };
  const std::string at = "contacts[0].patch.";
  EXPECT_EQ(place_of(R"({"kind": "polygon", "points": [[0, "1/3"]]})"), at + "polygon[0][1]");
  EXPECT_EQ(place_of(R"({"polygon": {"vertices": [[0, "1/3"]]}})"), at + "polygon[0][1]");
  EXPECT_EQ(place_of(R"({"kind": "disc", "radius": "1/3"})"), at + "disc.radius");
  EXPECT_EQ(place_of(R"({"kind": "stadium", "a": ["1/3", 0], "b": [1, 0], "radius": 1})"),
            at + "stadium.a[0]");
  EXPECT_EQ(place_of(R"({"kind": "segment", "a": [0, 0], "b": ["1/3", 0]})"), at + "segment[1][0]");
  EXPECT_EQ(place_of(R"({"segment": [[0, 0], ["1/3", 0]]})"), at + "segment[1][0]");
  EXPECT_EQ(place_of(R"({"kind": "point", "at": [0, "1/3"]})"), at + "point[1]");
  EXPECT_EQ(place_of(R"({"union": [{"point": [0, "1/3"]}]})"), at + "union[0].point[1]");
}

TEST(ProblemFile, AChangedNumberIsNotWrittenAsItWas) {
  ProblemFile file = read(lift);
  file.problem.excitation[1] = -4;
  const ProblemFile again = *read_problem_file(write_problem_file(file), "f");
  EXPECT_EQ(again.problem.excitation[1], -4);
  EXPECT_TRUE(again.exact.texts().empty());
}

TEST(ProblemFile, RoundTripThroughEveryFormat) {
  Rng rng(11);
  for (int k = 0; k < 60; ++k) {
    const ContactProblem p =
        testing::random_coulomb(rng, k % 2 == 0, k % 4 < 2, 1 + static_cast<int>(rng.below(6)));
    const auto one = read_problem(write_problem_file(problem_file(p)), "one.json");
    ASSERT_TRUE(one) << one.error().message;
    EXPECT_EQ(one->format, ProblemFormat::json);
    const auto two = read_problem(gzip(*write_fcp(one->file.problem)), "two.fcp.gz");
    ASSERT_TRUE(two) << two.error().message;
    EXPECT_EQ(two->format, ProblemFormat::fcp);
    const auto three = read_problem(*write_fclib(two->file.problem), "three.hdf5");
    ASSERT_TRUE(three) << three.error().message;
    EXPECT_EQ(three->format, ProblemFormat::fclib);
    const auto four = read_problem(write_problem_file(three->file), "four.json");
    ASSERT_TRUE(four) << four.error().message;
    expect_same_bits(four->file.problem, p);
    EXPECT_EQ(write_problem_file(four->file), write_problem_file(one->file));
    EXPECT_EQ(four->file.problem.name, "random");
  }
}

TEST(ProblemAny, TheContentDecides) {
  EXPECT_EQ(format_of(" \n{", "a.fcp"), ProblemFormat::json);
  EXPECT_EQ(format_of("fcp 1", "a.json"), ProblemFormat::fcp);
  EXPECT_EQ(format_of("x", "a.fcp"), ProblemFormat::fcp);
  EXPECT_EQ(format_of("x", "a.fcp.gz"), ProblemFormat::fcp);
  EXPECT_EQ(format_of("", "a.h5"), ProblemFormat::fclib);
  EXPECT_EQ(format_of("", "a"), ProblemFormat::json);
  EXPECT_EQ(name(ProblemFormat::fclib), "FCLIB");
  const std::string twice = gzip(gzip("fcp 1"));
  EXPECT_EQ(read_problem(twice, "f").error().message, "f: is compressed twice; unpack it once");
  EXPECT_TRUE(read_problem(gzip(R"({"format": "tact-problem/1", "dof": 0, "contacts": []})"), "f"));
}

TEST(ProblemSummary, SaysWhatIsInside) {
  EXPECT_EQ(summary(read(lift)),
            "lift: 2 contacts (2 frictionless), 1 degree of freedom, 2 rows, mass 1 x 1 symmetric "
            "with 1 entry, outcome, 1 exact number");
  EXPECT_EQ(summary(read(R"("dof": 0, "contacts": [])")),
            "0 contacts, 0 degrees of freedom, 0 rows, no mass");
  EXPECT_EQ(summary(read(R"("contacts": [{"friction": {"mu": 1}, "planar": true}],
                             "delassus": [[1, 2], [0, 1]], "free_velocity": [0, 0])")),
            "1 contact (1 coulomb), 2 rows, Delassus matrix 2 x 2 not symmetric with 3 entries");
  EXPECT_FALSE(is_symmetric(SparseMatrix(1, 2)));
}

}  // namespace
}  // namespace tact
