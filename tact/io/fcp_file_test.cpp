#include "tact/io/fcp_file.hpp"

#include <string>

#include <gtest/gtest.h>

#include "tact/io/fc3d.hpp"
#include "tact/io/gzip.hpp"

namespace tact {
namespace {

// One contact, W = [1 2 3; 4 5 6; 7 8 9] in the order n, t1, t2.
const std::string local_text =
    "fcp 1\nname one\nform local\ndim 3\nnc 1\nmatrix M 3 3 9\n"
    "0 0 1\n0 1 2\n0 2 3\n1 0 4\n1 1 5\n1 2 6\n2 0 7\n2 1 8\n2 2 9\n"
    "vector q 3\n-1\n0.5\n1e-3\nvector mu 1\n0.25\n";
const std::string global_text =
    "fcp 1\nname two\nform global\ndim 2\nnc 1\nmatrix M 3 3 3\n0 0 1\n1 1 2\n2 2 4\n"
    "matrix H 3 2 2\n0 0 1\n1 1 -1\nvector f 3\n-9\n8\n7\nvector b 2\n0.5\n-0.25\nvector mu 1\n1\n";

std::string complaint(const std::string& text) {
  const auto problem = read_fcp(text, "f.fcp");
  if (problem) return "none";
  EXPECT_TRUE(problem.error().message.starts_with("f.fcp:")) << problem.error().message;
  EXPECT_EQ(problem.error().message.find('\n'), std::string::npos);
  return problem.error().message.substr(6);
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

TEST(FcpFile, PutsTheNormalLast) {
  const auto p = read_fcp(local_text, "f");
  ASSERT_TRUE(p) << p.error().message;
  EXPECT_EQ(p->name, "one");
  EXPECT_EQ(p->contacts.size(), 1U);
  EXPECT_EQ(p->contacts[0].law, Law(CoulombLaw{0.25, false}));
  const MatX wanted = (MatX(3, 3) << 5, 6, 4, 8, 9, 7, 2, 3, 1).finished();
  EXPECT_EQ(MatX(p->delassus), wanted);
  EXPECT_EQ(p->free_velocity, Vec3(0.5, 1e-3, -1));
  EXPECT_TRUE(validate(*p));
}

TEST(FcpFile, TheGlobalFormBecomesTheMassForm) {
  const auto p = read_fcp(global_text, "f");
  ASSERT_TRUE(p) << p.error().message;
  EXPECT_TRUE(p->in_mass_form() && p->mass_is_general);
  EXPECT_EQ(p->contacts[0].law, Law(CoulombLaw{1, true}));
  EXPECT_EQ(MatX(p->rows), (MatX(2, 3) << 0, -1, 0, 1, 0, 0).finished());
  EXPECT_EQ(p->excitation, Vec2(-0.25, 0.5));
  EXPECT_EQ(p->impulse, Vec3(-9, 8, 7));
  EXPECT_EQ(p->velocity, Vec3(0, 0, 0));
  EXPECT_TRUE(validate(*p));
}

TEST(FcpFile, WritesBackWhatItRead) {
  for (const std::string& text : {local_text, global_text}) {
    const auto p = read_fcp(text, "f");
    ASSERT_TRUE(p);
    const auto written = write_fcp(*p);
    ASSERT_TRUE(written) << written.error().message;
    const auto again = read_fcp(gzip(*written), "f.gz");
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(*write_fcp(*again), *written);
  }
  EXPECT_EQ(*write_fcp(*read_fcp(global_text, "f")), global_text);
}

TEST(FcpFile, WithoutContactsThereIsStillAFile) {
  const auto local = read_fcp(
      "fcp 1\nname none\nform local\ndim 3\nnc 0\nmatrix M 0 0 0\nvector q 0\nvector mu 0\n", "f");
  ASSERT_TRUE(local) << local.error().message;
  EXPECT_TRUE(local->contacts.empty());
  EXPECT_TRUE(validate(*local));
  const auto global = read_fcp(
      "fcp 1 name none form global dim 3 nc 0 matrix M 1 1 1 0 0 2 matrix H 1 0 0 vector f 1 3 "
      "vector b 0 vector mu 0",
      "f");
  ASSERT_TRUE(global) << global.error().message;
  EXPECT_EQ(global->dof(), 1);
  EXPECT_TRUE(validate(*global));
}

TEST(FcpFile, FiveRowsAreRollingFrictionWithoutSpin) {
  // Normal, two tangents, two rolling moments; the diagonal tells which row went where.
  const auto file = read_fcp(
      "fcp 1\nname ball\nform local\ndim 5\nnc 1\nmatrix M 5 5 5\n0 0 1\n1 1 2\n2 2 3\n3 3 4\n"
      "4 4 5\nvector q 5\n-1\n10\n20\n30\n40\nvector mu 1\n0.5\nvector mur 1\n0.01\n",
      "ball.fcp");
  ASSERT_TRUE(file);
  EXPECT_EQ(file->contacts[0].law, Law(RollingLaw{0.5, 0.01, 0}));
  VecX diagonal(6), q(6);
  diagonal << 4, 5, 0, 2, 3, 1;
  q << 30, 40, 0, 10, 20, -1;
  EXPECT_EQ(VecX(MatX(file->delassus).diagonal()), diagonal);
  EXPECT_EQ(file->free_velocity, q);
}

TEST(FcpFile, EveryComplaintNamesTheLine) {
  EXPECT_EQ(complaint(replaced(local_text, "0.5", "nan")),
            "18: found \"nan\"; write a finite number");
  EXPECT_EQ(complaint(replaced(local_text, "0.5", "1e999")),
            "18: found \"1e999\"; write a finite number");
  EXPECT_EQ(complaint(replaced(local_text, "0.5", "0.5x")),
            "18: found \"0.5x\"; write a finite number");
  EXPECT_EQ(complaint(replaced(local_text, "2 2 9", "2 3 9")),
            "15: found \"3\"; write a column of the matrix, a whole number from 0 to 2");
  EXPECT_EQ(complaint(replaced(local_text, "2 2 9", "2 1 9")).substr(0, 28),
            "15: the matrix that ends her");
  EXPECT_FALSE(complaint(replaced(local_text, "dim 3", "dim 5")).empty());
  EXPECT_EQ(complaint(replaced(local_text, "local", "lokal")),
            "3: found \"lokal\"; write local or global");
  EXPECT_EQ(complaint(replaced(local_text, "vector mu", "vector my")),
            "20: found \"my\"; write mu");
  EXPECT_EQ(complaint(replaced(local_text, "0.25", "-0.25")),
            " mu[0] is not a finite number, zero or more");
  EXPECT_EQ(complaint(local_text + "7"), "22: found \"7\"; nothing may follow the last vector");
  EXPECT_EQ(complaint("fcp 2"), "1: found \"2\"; write 1");
  EXPECT_EQ(complaint(""), "1: the file ends here; write fcp");
}

TEST(FcpFile, AHeaderThatLiesAllocatesNothing) {
  EXPECT_NE(complaint(replaced(local_text, "nc 1", "nc 1000000000")).find("number of contacts"),
            std::string::npos);
  EXPECT_NE(complaint(replaced(local_text, "nc 1", "nc 40")).find("too short"), std::string::npos);
  EXPECT_NE(complaint(replaced(local_text, "3 3 9", "3 3 2147483647")).find("too short"),
            std::string::npos);
  EXPECT_NE(complaint(replaced(global_text, "M 3 3", "M 2000000000 2000000000")), "none");
  EXPECT_NE(complaint(replaced(global_text, "M 3 3", "M 50 50")), "none");
}

TEST(FcpFile, EveryTruncationIsOneSentence) {
  for (const std::string& text : {local_text, global_text})
    for (std::size_t cut = 0; cut + 5 < text.size(); ++cut)
      EXPECT_NE(complaint(text.substr(0, cut)), "none") << cut;
}

TEST(FcpFile, RefusesToWriteWhatItCannotSay) {
  ContactProblem p = *read_fcp(local_text, "f");
  p.contacts[0].law = BoxLaw{0.3};
  EXPECT_EQ(write_fcp(p).error().message,
            "contacts[0] is box; this format has Coulomb friction at points only");
  p.contacts[0].law = CoulombLaw{0.3, true};
  EXPECT_FALSE(write_fcp(p));
}

TEST(Fc3d, VelocityRestitutionAndGapEnterTheForces) {
  ContactProblem p = *read_fcp(global_text, "f");
  p.velocity = Vec3(-2, 1, 0);
  p.contacts[0].restitution = 0.5;
  p.contacts[0].gap = -0.1;
  p.contacts[0].stabilisation = 0.2;
  p.dt = 0.01;
  const auto out = normal_first(p);
  ASSERT_TRUE(out) << out.error().message;
  EXPECT_EQ(out->f, Vec3(-9 - 2, 8 + 2, 7));
  // γ⁻_n = -2 + 0.5, half of it comes back, and a fifth of 0.1 m in 0.01 s.
  EXPECT_DOUBLE_EQ(out->b[0], 0.5 + 0.5 * -1.5 - 2);
  EXPECT_EQ(out->b[1], -0.25);
}

TEST(Fc3d, OrdersRowsNormalLast) {
  EXPECT_EQ(normal_last(0, 3), 2);
  EXPECT_EQ(normal_last(1, 3), 0);
  EXPECT_EQ(normal_last(5, 3), 4);
  EXPECT_EQ(normal_last(2, 2), 3);
  EXPECT_EQ(normal_last(3, 2), 2);
}

}  // namespace
}  // namespace tact
