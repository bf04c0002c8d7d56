#include "tact/modes/contact_cone.hpp"

#include <gtest/gtest.h>

#include "tact/modes/face_tally.hpp"
#include "tact/modes/mode_parts.hpp"
#include "tact/modes/stick_count.hpp"

namespace tact::detail {
namespace {

ModeSystem normals_only(const MatX& rows) {
  ModeSystem system;
  for (Index i = 0; i < rows.rows(); ++i)
    add_contact(system, rows.row(i).transpose(), MatX(0, rows.cols()));
  return system;
}

ModeParts<Whole64> parts_of(const ModeSystem& system, bool together) {
  return PartsBuilder<Whole64>(system, small_rows(system), Whole64{}, together, false).build();
}

std::vector<std::string> faces_of(const ContactCone<Whole64>& part) {
  std::vector<std::string> out;
  FaceWalk walk(part, [&](const ContactFace& face) {
    out.push_back(face.cs);
    return true;
  });
  walk.walk();
  return out;
}

TEST(ContactCone, OrthantHasEveryString) {
  const auto parts = parts_of(normals_only(MatX::Identity(4, 4)), true);
  ASSERT_EQ(parts.parts.size(), 1U);
  const auto faces = faces_of(parts.parts[0]);
  EXPECT_EQ(faces.size(), 16U);
  EXPECT_TRUE(std::is_sorted(faces.begin(), faces.end()));
  EXPECT_EQ(parts.parts[0].cone.rays, 4);
  EXPECT_EQ(parts.parts[0].cone.lines, 0);
}

TEST(ContactCone, IndependentContactsAreParts) {
  EXPECT_EQ(parts_of(normals_only(MatX::Identity(4, 4)), false).parts.size(), 4U);
  MatX tied(3, 4);
  tied << 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0;
  const auto parts = parts_of(normals_only(tied), false);
  EXPECT_EQ(parts.parts.size(), 3U);  // two rows of two velocities: a basis of their own
  EXPECT_EQ(parts.kernel, 1);
  MatX circle(3, 2);
  circle << 1, 0, 0, 1, 1, 1;
  EXPECT_EQ(parts_of(normals_only(circle), false).parts.size(), 1U);
}

TEST(ContactCone, DimensionsOfASquareCone) {
  MatX rows(4, 3);
  rows << 1, 0, 1, -1, 0, 1, 0, 1, 1, 0, -1, 1;
  const auto parts = parts_of(normals_only(rows), true);
  const ContactCone<Whole64>& part = parts.parts[0];
  std::map<int, int> by_dim;
  FaceRestriction<Whole64> restriction{Whole64{}};
  SlidingFace<Whole64> sliding;
  FaceWalk walk(part, [&](const ContactFace& face) {
    restriction.restrict_to(part, face, false, {}, sliding);
    ++by_dim[sliding.cone.dim];
    return true;
  });
  walk.walk();
  EXPECT_EQ(by_dim, (std::map<int, int>{{0, 1}, {1, 4}, {2, 4}, {3, 1}}));
}

TEST(ContactCone, ForcedContactsStay) {
  // x >= 0 and -x >= 0: neither separates; y is free to.
  MatX rows(3, 2);
  rows << 1, 0, -1, 0, 0, 1;
  EXPECT_EQ(faces_of(parts_of(normals_only(rows), true).parts[0]),
            (std::vector<std::string>{"00+", "000"}));
}

/// [Huang20] Theorem 1 assumes that every contact is extremal; this one is not.
TEST(ContactCone, RedundantContactsFollow) {
  // The third normal is the sum of the others: it separates when one of them does.
  MatX rows(3, 2);
  rows << 1, 0, 0, 1, 1, 1;
  EXPECT_EQ(faces_of(parts_of(normals_only(rows), true).parts[0]),
            (std::vector<std::string>{"+++", "+0+", "0++", "000"}));
}

TEST(StickSets, TwoContactsOfOneSlidingBody) {
  // A body in the plane on two points: x-velocity v + w, v - w; sticking at both is rest.
  ModeSystem system;
  MatX t(1, 2);
  t << 1, 1;
  add_contact(system, VecX::Zero(2), t);
  t << 1, -1;
  add_contact(system, VecX::Zero(2), t);
  const auto parts = parts_of(system, true);
  FaceRestriction<Whole64> restriction{Whole64{}};
  SlidingFace<Whole64> sliding;
  StickSets<Whole64> sticks{Whole64{}};
  std::map<std::string, int> found;
  FaceWalk walk(parts.parts[0], [&](const ContactFace& face) {
    restriction.restrict_to(parts.parts[0], face, false, {}, sliding);
    sticks.visit(sliding, staying_contacts(face), [&](const std::vector<char>& set, int dim) {
      std::string text;
      for (const char stuck : set) text.push_back(stuck ? '0' : 's');
      found[text] = dim;
    });
    return true;
  });
  walk.walk();
  EXPECT_EQ(found, (std::map<std::string, int>{{"ss", 2}, {"0s", 1}, {"s0", 1}, {"00", 0}}));
}

}  // namespace
}  // namespace tact::detail
