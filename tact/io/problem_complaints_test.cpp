// Every complaint about a problem file names path, value and remedy.
#include <string>

#include <gtest/gtest.h>

#include "tact/io/law_json.hpp"
#include "tact/io/matrix_json.hpp"
#include "tact/io/problem_file.hpp"

namespace tact {
namespace {

/// What is said about a file with these fields, without the name of the file.
std::string complaint(const std::string& fields) {
  const auto file = read_problem_file(R"({"format": "tact-problem/1", )" + fields + "}", "f.json");
  if (file) return "none";
  EXPECT_TRUE(file.error().message.starts_with("f.json")) << file.error().message;
  EXPECT_EQ(file.error().message.find('\n'), std::string::npos);
  return file.error().message.substr(8);
}

void expect_start(const std::string& fields, const std::string& start) {
  const std::string told = complaint(fields);
  EXPECT_EQ(told.substr(0, start.size()), start) << fields << "\n" << told;
}

/// In a problem of two degrees of freedom with a mass.
std::string with_mass(const std::string& fields) {
  return R"("dof": 2, "mass": [[1, 0], [0, 1]], "velocity": [0, 0], )" + fields;
}
std::string contact(const std::string& fields) {
  return with_mass(R"("contacts": [{"normal": [0, 1], )" + fields + "}]");
}
std::string patch_contact(const std::string& fields) {
  return with_mass(R"("contacts": [{"twist": [[1, 0], [0, 1], [2, 0], [0, 2], [3, 0], [0, 3]], )" +
                   fields + "}]");
}

TEST(ProblemComplaints, TheWholeFile) {
  expect_start(R"("contacts": [])", "dof is missing; write the number of degrees of freedom");
  expect_start(R"("dof": 1)", "contacts is missing; write a list, [] when there are none");
  expect_start(R"("dof": -1, "contacts": [])",
               "dof is -1; dof is a whole number from 0 to 1000000");
  expect_start(R"("dof": 1.5, "contacts": [])", "dof is 1.5; dof is a whole number");
  expect_start(R"("dof": 1e18, "contacts": [])", "dof is 1e+18; dof is a whole number");
  expect_start(R"("dof": 1, "contacts": {})", "contacts is {}; write a list of contacts");
  expect_start(R"("dof": 1, "contact": [])",
               "contact is []; the file has no such field, did you "
               "mean \"contacts\"?");
  expect_start(R"("dof": 1, "dt": 0, "contacts": [])", "dt is 0; a time step is positive");
  expect_start(R"("dof": 1, "dt": NaN, "contacts": [])", "dt is NaN; write a finite number");
  const auto file = read_problem_file(R"({"format": "tact-problem/2"})", "f");
  EXPECT_EQ(file.error().message, "f: format is \"tact-problem/2\"; write \"tact-problem/1\"");
}

TEST(ProblemComplaints, BoundedRows) {
  const auto row = [](const std::string& fields) {
    return with_mass(R"("contacts": [{)" + fields + "}]");
  };
  expect_start(row(R"("row": [0, 1])"),
               "contacts[0].bounds is missing; write [lower, upper], null or \"-inf\" and \"inf\"");
  expect_start(row(R"("bounds": [0, 1])"),
               "contacts[0].row is missing; with bounds, write the row that they bound");
  expect_start(row(R"("row": [0, 1], "bounds": [1, -1])"),
               "contacts[0].bounds is [1, -1]; the lower bound comes first");
  expect_start(row(R"("row": [0, 1], "bounds": [1])"), "contacts[0].bounds is [1]; write [lower,");
  expect_start(row(R"("row": [0, 1], "bounds": ["inf", 1])"), "contacts[0].bounds[0] is \"inf\"");
  expect_start(row(R"("row": [0, 1], "bounds": [0, 1], "restitution": 0.5)"),
               "contacts[0].restitution is 0.5; a bounded row has no normal load, leave it out");
  expect_start(row(R"("row": [0, 1], "bounds": [0, 1], "friction": {"mu": 1})"),
               "contacts[0].friction is {\"mu\": 1}; a bounded row is all there is of its contact");
  expect_start(contact(R"("bounds": [0, 1])"),
               "contacts[0].normal is [0, 1]; a bounded row is all");
  expect_start(row(R"("row": [0, 1], "bounds": [0, 1], "gap": 1)"),
               "contacts[0].gap is 1; a gap needs the step dt");
  expect_start(R"("contacts": [{"bounds": [0, 1], "row": [1]}], "delassus": [[1]],
                 "free_velocity": [0])",
               "contacts[0].row is [1]; the Delassus form has no rows");
}

TEST(ProblemComplaints, MassAndVelocity) {
  expect_start(R"("dof": 1, "mass": [[1]], "contacts": [])",
               "velocity is missing; with a mass, write the velocity before the step");
  expect_start(R"("dof": 2, "mass": [[1, 0]], "velocity": [0, 0], "contacts": [])",
               "mass is [[1, 0]]; a mass matrix has dof rows of dof numbers, dof is 2, and this "
               "has 1 rows");
  expect_start(
      R"("dof": 2, "mass": [[1, 0], [0]], "velocity": [0, 0], "contacts": [])",
      "mass[1] is [0]; a mass matrix has dof rows of dof numbers, dof is 2, and this has 1");
  expect_start(R"("dof": 2, "mass": [[1, 1], [0, 1]], "velocity": [0, 0], "contacts": [])",
               "mass is [[1, 1], [0, 1]]; a mass matrix is symmetric, write one that is");
  expect_start(R"("dof": 2, "mass": 3, "velocity": [0, 0], "contacts": [])", "mass is 3; ");
  expect_start(R"("dof": 1, "mass": [[Infinity]], "velocity": [0], "contacts": [])",
               "mass[0][0] is Infinity; write a finite number");
  expect_start(R"("dof": 1, "velocity": [0, 1], "contacts": [])",
               "velocity is [0, 1]; one number per degree of freedom is needed, 1, and this has 2");
  expect_start(R"("dof": 1, "impulse": ["1/0"], "contacts": [])",
               "impulse[0] is \"1/0\"; write a finite number");
  expect_start(R"("dof": 1, "free_velocity": [1], "contacts": [])",
               "free_velocity is [1]; it belongs to delassus, which is not given");
}

TEST(ProblemComplaints, SparseMatrices) {
  const auto mass = [](const std::string& m) {
    return R"("dof": 2, "velocity": [0, 0], "contacts": [], "mass": )" + m;
  };
  EXPECT_EQ(complaint(mass(R"({"rows": 2, "cols": 2, "entries": [[0, 0, 1], [1, 1, 1]]})")),
            "none");
  expect_start(mass(R"({"rows": 3, "cols": 2, "entries": []})"),
               "mass.rows is 3; 2 is needed here");
  expect_start(mass(R"({"cols": 2, "entries": []})"), "mass.rows is missing; a sparse matrix has");
  expect_start(mass(R"({"rows": 2, "cols": 2, "entries": [[0, 2, 1]]})"),
               "mass.entries[0][1] is 2; a column lies between 0 and cols - 1");
  expect_start(mass(R"({"rows": 2, "cols": 2, "entries": [[0, 1]]})"),
               "mass.entries[0] is [0, 1]; an entry is [row, column, value]");
  expect_start(mass(R"({"rows": 2, "cols": 2, "entries": [[0, 0, 1], [0, 0, 1]]})"),
               "mass.entries is [[0, 0, 1], [0, 0, 1]]; two entries stand at the same place");
  expect_start(mass(R"({"rows": 2, "cols": 2, "entries": [], "x": 1})"),
               "mass.x is 1; mass has no");
  expect_start(R"("dof": 0, "contacts": [], "velocity": [],
                  "mass": {"rows": 0, "cols": 0, "entries": [[0, 0, 1]]})",
               "mass.entries[0][0] is 0; a row lies");
}

TEST(ProblemComplaints, RowsOfContacts) {
  expect_start(with_mass(R"("contacts": [{}])"), "contacts[0].normal is missing; write the row");
  expect_start(with_mass(R"("contacts": [{"normal": [1]}])"),
               "contacts[0].normal is [1]; a normal is a row of 2 numbers, one per degree of "
               "freedom, and this has 1");
  expect_start(contact(R"("tangents": [1, 0])"),
               "contacts[0].tangents[0] is 1; a tangent is a row");
  expect_start(contact(R"("tangents": [{"rows": 2, "cols": 2, "entries": []}])"),
               "contacts[0].tangents[0].rows is 2; 1 is needed here");
  expect_start(contact(R"("tangents": [[1, 0, 0]])"),
               "contacts[0].tangents[0] is [1, 0, 0]; a tangent is a row of 2 numbers");
  expect_start(contact(R"("twist": [])"), "contacts[0].twist is []; only a patch has a twist");
  expect_start(contact(R"("patch": {"point": [0, 0]})"),
               "contacts[0].normal is [0, 1]; a patch has the 6 rows of twist instead");
  expect_start(with_mass(R"("contacts": [{"patch": {"point": [0, 0]}}])"),
               "contacts[0].twist is missing; a twist has 6 rows");
  expect_start(with_mass(R"("contacts": [{"patch": {"point": [0, 0]}, "twist": [[1, 0]]}])"),
               "contacts[0].twist is [[1, 0]]; a twist has 6 rows");
  expect_start(contact(R"("excitation": {"twist": [0, 0, 0, 0, 0, 0]})"),
               "contacts[0].excitation.twist is [0, 0, 0, 0, 0, 0]; only a patch has a twist");
  expect_start(contact(R"("excitation": {"tangents": [1]})"),
               "contacts[0].excitation.tangents is [1]; write one number per tangent");
  expect_start(patch_contact(R"("patch": {"point": [0, 0]}, "excitation": {"normal": 1})"),
               "contacts[0].excitation.normal is 1; a patch has the 6 numbers of twist instead");
  expect_start(contact(R"("exitation": {})"),
               "contacts[0].exitation is {}; contacts[0] has no such "
               "field, did you mean \"excitation\"?");
}

TEST(ProblemComplaints, NumbersOfContacts) {
  expect_start(contact(R"("restitution": -0.5)"), "contacts[0].restitution is -0.5; a coefficient");
  expect_start(contact(R"("stabilisation": 2)"), "contacts[0].stabilisation is 2; the share");
  expect_start(contact(R"("gap": 0.1)"), "contacts[0].gap is 0.1; a gap needs the step dt");
  EXPECT_EQ(complaint(R"("dt": 0.1, )" + contact(R"("gap": 0.1)")), "none");
  expect_start(contact(R"("name": 3)"), "contacts[0].name is 3; write a text in quotes");
  expect_start(contact(R"("planar": 1)"), "contacts[0].planar is 1; write true or false");
  expect_start(contact(R"("planar": true)"), "contacts[0].planar is true; only a point with");
  expect_start(contact(R"("tangents": [[1, 0]], "friction": {"mu": 1}, "planar": false)"),
               "contacts[0].planar is false; one tangent makes it planar");
}

TEST(ProblemComplaints, FrictionOfPoints) {
  const auto friction = [](const std::string& fields) {
    return contact(R"("tangents": [[1, 0]], "friction": )" + fields);
  };
  const std::string at = "contacts[0].friction";
  expect_start(contact(R"("friction": {"mu": 0.5})"),
               "contacts[0].tangents is missing; friction needs one tangent row");
  EXPECT_EQ(complaint(contact(R"("friction": {"law": "none"})")), "none");
  expect_start(contact(R"("tangents": [[1, 0], [1, 0], [1, 0]], "friction": {"mu": 1})"),
               "contacts[0].tangents is [[1, 0], [1, 0], [1, 0]]; friction has one tangent row");
  expect_start(friction(R"({})"), at + ".mu is missing; friction needs its coefficient");
  expect_start(friction(R"({"mu": -1})"), at + ".mu is -1; a friction coefficient cannot be");
  expect_start(friction(R"({"law": "glue", "mu": 1})"),
               at + ".law is \"glue\"; the friction law of a point is one of coulomb, box,");
  expect_start(friction(R"({"mu": 1, "scale": 1})"),
               at + ".scale is 1; leave it out, only the law box");
  expect_start(friction(R"({"law": "box", "mu": 1, "scale": "big"})"),
               at + ".scale is \"big\"; a scale is inscribed, circumscribed, mean, or");
  expect_start(friction(R"({"law": "box", "mu": 1, "scale": 0})"),
               at + ".scale is 0; a scale must be");
  expect_start(friction(R"({"law": "box", "mu": 1, "edges": 4})"),
               at + ".edges is 4; leave it out");
  expect_start(friction(R"({"law": "pyramid", "mu": 1, "edges": 2})"),
               at + ".edges is 2; a pyramid has 3 to 1000 edges");
  expect_start(friction(R"({"mu": 1, "pressure": "vertex"})"),
               at + ".pressure is \"vertex\"; leave it out, only patches have it");
  expect_start(friction(R"({"mu": 1, "rolling": 1})"),
               at + ".rolling is 1; rolling friction needs");
  expect_start(friction(R"({"mue": 1})"), at + ".mue is 1; contacts[0].friction has no such field");
}

TEST(ProblemComplaints, FrictionOfPatches) {
  const std::string at = "contacts[0].friction", disc = R"("patch": {"disc": {"radius": 1}}, )";
  const auto friction = [&](const std::string& fields) {
    return patch_contact(disc + R"("friction": )" + fields);
  };
  expect_start(
      friction(R"({"law": "box", "mu": 1})"),
      at + ".law is \"box\"; the friction law of a patch is one of coulomb, none, rolling");
  expect_start(friction(R"({"law": "rolling", "mu": 1})"),
               "contacts[0].patch is {\"disc\": {\"radius\": 1}}; rolling friction is that of a "
               "point at the origin");
  expect_start(
      patch_contact(R"("patch": {"point": [1, 0]}, "friction": {"law": "rolling", "mu": 1})"),
      "contacts[0].patch is {\"point\": [1, 0]}; rolling friction is that");
  expect_start(
      patch_contact(
          R"("patch": {"point": [0, 0]}, "friction": {"law": "rolling", "mu": 1, "rolling": -1})"),
      at + ".rolling is -1; the length of a friction moment cannot be negative");
  expect_start(friction(R"({"mu": 1, "radius": 1})"), at + ".radius is 1; leave it out, or set");
  expect_start(
      friction(R"({"mu": 1, "pressure": "winkler", "nodes": [[0, 0], [3, 0]], "areas": [1, 1]})"),
      at + ".nodes[1] is [3, 0]; it lies outside the patch, move it onto the patch");
  expect_start(patch_contact(R"("patch": {"polygon": []})"),
               "contacts[0].patch.polygon is []; a patch needs at least one point");
}

TEST(ProblemComplaints, DelassusForm) {
  const auto delassus = [](const std::string& fields) {
    return R"("delassus": [[1]], "free_velocity": [0], )" + fields;
  };
  EXPECT_EQ(complaint(delassus(R"("contacts": [{}])")), "none");
  EXPECT_EQ(complaint(delassus(R"("dof": 6, "contacts": [{"restitution": 0}])")), "none");
  expect_start(delassus(R"("dof": 1, "mass": [[1]], "contacts": [{}])"),
               "mass is [[1]]; the file has delassus, give one of the two forms");
  expect_start(delassus(R"("contacts": [{"normal": [1]}])"),
               "contacts[0].normal is [1]; the Delassus form has no rows");
  expect_start(delassus(R"("contacts": [{"excitation": {"normal": 1}}])"),
               "contacts[0].excitation is {\"normal\": 1}; free_velocity already includes it");
  expect_start(delassus(R"("contacts": [{"restitution": 0.5}])"),
               "contacts[0].restitution is 0.5; free_velocity already includes it");
  expect_start(delassus(R"("contacts": [{"friction": {"mu": 1}}])"),
               "delassus is [[1]]; the contacts have 3 rows, so write 3 rows of 3 numbers, and "
               "this has 1 rows");
  expect_start(R"("delassus": [[1]], "contacts": [{}])",
               "free_velocity is missing; with delassus,");
  expect_start(R"("delassus": [[1]], "free_velocity": [1, 2], "contacts": [{}])",
               "free_velocity is [1, 2]; the contacts have 1 rows");
  expect_start(delassus(R"("contacts": [{}], "outcome": {"velocity": [1]})"),
               "outcome.velocity is [1]; the Delassus form has no velocity");
}

TEST(ProblemComplaints, Outcome) {
  const auto outcome = [](const std::string& fields) {
    return with_mass(R"("contacts": [{"normal": [0, 1]}], "outcome": )" + fields);
  };
  expect_start(outcome(R"({})"), "outcome.velocity is missing; write the velocity after");
  expect_start(outcome(R"({"velocity": [1]})"), "outcome.velocity is [1]; one number per degree");
  expect_start(outcome(R"({"velocity": [1, 2], "impulses": []})"),
               "outcome.impulses is []; write one list per contact, there are 1 contacts");
  expect_start(
      outcome(R"({"velocity": [1, 2], "impulses": [[1, 2]]})"),
      "outcome.impulses[0] is [1, 2]; this contact has rows for 1 numbers, and this has 2");
}

TEST(ProblemComplaints, EveryTruncationIsOneSentence) {
  const std::string text =
      R"({"format": "tact-problem/1", "dof": 1, "mass": [["1/2"]], "velocity": [0],
    "contacts": [{"normal": [1], "tangents": [[0]], "friction": {"law": "box", "mu": 0.5}}]})";
  EXPECT_TRUE(read_problem_file(text, "f"));
  for (std::size_t cut = 0; cut < text.size(); ++cut) {
    const auto file = read_problem_file(text.substr(0, cut), "f");
    ASSERT_FALSE(file) << cut;
    EXPECT_EQ(file.error().message.find('\n'), std::string::npos);
  }
}

TEST(MatrixJson, ReadsRowsOfAnyNumber) {
  const JsonDocument d(R"({"m": [[1, 0], [0, 2], [0, 0]], "r": [0, 5]})", "f");
  const SparseMatrix m = read_matrix(d.root().optional("m"), -1, 2, "two columns");
  EXPECT_EQ(MatX(m), (MatX(3, 2) << 1, 0, 0, 2, 0, 0).finished());
  EXPECT_EQ(MatX(read_row(d.root().optional("r"), 2, "two")), (MatX(1, 2) << 0, 5).finished());
  EXPECT_FALSE(d.error());
}

TEST(LawJson, WritesWhatItReads) {
  for (const Law& law : {Law(CoulombLaw{0.5}), Law(BoxLaw{0.5, 0.9}), Law(PyramidLaw{0.5, 6}),
                         Law(BoxLaw{0.5, BoxScale::circumscribed().value})}) {
    const JsonDocument d(R"({"friction": )" + friction_json(law) + "}", "f");
    EXPECT_EQ(read_law(d.root(), 2), law);
    EXPECT_FALSE(d.error());
    EXPECT_EQ(law_patch_json(law), "");
  }
  EXPECT_EQ(friction_json(Frictionless{}), "");
  EXPECT_EQ(law_patch_json(RollingLaw{}), R"({"point":[0.0,0.0]})");
}

}  // namespace
}  // namespace tact
