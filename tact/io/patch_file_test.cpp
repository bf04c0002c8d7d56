#include "tact/io/patch_file.hpp"

#include <string>

#include <gtest/gtest.h>

#include "tact/io/patch_friction_json.hpp"
#include "tact/io/patch_shape_json.hpp"

namespace tact {
namespace {

PatchShape shape(const std::string& json) {
  const auto file = read_patch_file(R"({"format": "tact-patch/1", "patch": )" + json + "}", "f");
  EXPECT_TRUE(file) << file.error().message;
  return file->patch;
}

/// What is said about a file with these fields, without the name of the file.
std::string complaint(const std::string& fields) {
  const auto file = read_patch_file(R"({"format": "tact-patch/1", )" + fields + "}", "f.json");
  if (file) return "none";
  EXPECT_TRUE(file.error().message.starts_with("f.json")) << file.error().message;
  EXPECT_EQ(file.error().message.find('\n'), std::string::npos);
  return file.error().message.substr(8);
}

TEST(PatchFile, BothSpellingsOfEveryShape) {
  const PatchShape polygon{PolygonShape{{Vec2(0, 0), Vec2(1, 0), Vec2(0.5, 2)}}};
  EXPECT_EQ(shape(R"({"polygon": [[0, 0], [1, 0], ["1/2", 2]]})"), polygon);
  EXPECT_EQ(shape(R"({"kind": "polygon", "points": [[0, 0], [1, 0], [0.5, 2]]})"), polygon);
  EXPECT_EQ(shape(R"({"shape": "polygon", "vertices": [[0, 0], [1, 0], [0.5, 2]]})"), polygon);
  const PatchShape disc{DiscShape{Vec2(1, 2), 3}};
  EXPECT_EQ(shape(R"({"disc": {"center": [1, 2], "radius": 3}})"), disc);
  EXPECT_EQ(shape(R"({"kind": "disc", "center": [1, 2], "radius": 3})"), disc);
  const PatchShape ellipse{EllipseShape{Vec2(1, 2), Vec2(3, 4), 0.5}};
  EXPECT_EQ(shape(R"({"ellipse": {"center": [1, 2], "semi_axes": [3, 4], "angle": 0.5}})"),
            ellipse);
  EXPECT_EQ(shape(R"({"kind": "ellipse", "center": [1, 2], "semi_axes": [3, 4], "angle": 0.5})"),
            ellipse);
  const PatchShape segment{SegmentShape{Vec2(1, 2), Vec2(3, 4)}};
  EXPECT_EQ(shape(R"({"segment": [[1, 2], [3, 4]]})"), segment);
  EXPECT_EQ(shape(R"({"kind": "segment", "a": [1, 2], "b": [3, 4]})"), segment);
  EXPECT_EQ(shape(R"({"kind": "segment", "points": [[1, 2], [3, 4]]})"), segment);
  const PatchShape point{PointShape{Vec2(1, 2)}};
  EXPECT_EQ(shape(R"({"point": [1, 2]})"), point);
  EXPECT_EQ(shape(R"({"kind": "point", "at": [1, 2]})"), point);
  const PatchShape stadium{StadiumShape{Vec2(0, 0), Vec2(1, 0), 0.5}};
  EXPECT_EQ(shape(R"({"stadium": {"a": [0, 0], "b": [1, 0], "radius": 0.5}})"), stadium);
  EXPECT_EQ(shape(R"({"kind": "stadium", "a": [0, 0], "b": [1, 0], "radius": 0.5})"), stadium);
  const PatchShape both{UnionShape{{disc, point}}};
  EXPECT_EQ(shape(R"({"union": [{"disc": {"center": [1, 2], "radius": 3}}, {"point": [1, 2]}]})"),
            both);
  EXPECT_EQ(shape(R"({"kind": "union", "parts": [{"kind": "disc", "center": [1, 2], "radius": 3},
                       {"point": [1, 2]}]})"),
            both);
  EXPECT_EQ(shape(shape_json(both)), both);
}

TEST(PatchFile, WhatIsWrittenReadsBackEqual) {
  PatchFile file;
  file.name = "a \"name\" \u03bc";
  file.patch = {UnionShape{{PatchShape{DiscShape{Vec2(0.1, -1.0 / 3), 1e-9}},
                            PatchShape{PolygonShape{{Vec2(0, 0), Vec2(1e6, 0.3)}}}}}};
  file.wrench = Wrench::from((Vec6() << 1.0 / 3, 2, 3, 4, 5, 6e-30).finished());
  file.twist = Twist::from((Vec6() << 0, -2, 3, 4, 5, 0.1).finished());
  file.friction = PatchFrictionSpec{};
  file.friction->mu = 0.7;
  file.friction->pressure = PressureModel::winkler;
  file.friction->nodes = {Vec2(0, 0), Vec2(1, 1)};
  file.friction->areas = {1, 2};
  file.friction->radii = {0, 0.5};
  file.force_scale = 10;
  file.velocity_scale = 0.1;
  file.tolerance = 1e-7;
  file.metric = (Mat3() << 2, 1, 0, 1, 2, 0, 0, 0, 1).finished();
  const auto again = read_patch_file(write_patch_file(file), "f");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(*again, file);
}

TEST(PatchFile, EveryComplaintNamesPathValueAndRemedy) {
  const std::string disc = R"("patch": {"disc": {"radius": 1}})";
  EXPECT_EQ(complaint(R"("patch": {"polygon": []})"),
            "patch.polygon is []; a patch needs at least one point [x, y]");
  EXPECT_EQ(complaint(R"("patch": {"polygon": [[0, 0], [1, 2, 3]]})"),
            "patch.polygon[1] is [1, 2, 3]; a point is two numbers [x, y], and this has 3");
  EXPECT_EQ(complaint(R"("patch": {"union": []})"),
            "patch.union is []; a union needs at least one shape");
  EXPECT_EQ(complaint(R"("patch": {"disc": {"radius": -1}})"),
            "patch.disc.radius is -1; a radius cannot be negative");
  EXPECT_EQ(complaint(disc + R"(, "friction": {"law": "coulomb", "mu": -0.3})"),
            "friction.mu is -0.3; a friction coefficient cannot be negative");
  EXPECT_EQ(complaint(disc + R"(, "friction": {"law": "box", "mu": 1})"),
            "friction.law is \"box\"; the friction law of a patch is one of coulomb, none");
  EXPECT_EQ(
      complaint(disc + R"(, "wrench": [1, 2, 3])"),
      "wrench is [1, 2, 3]; a wrench is 6 numbers [m_x, m_y, m_N, f_x, f_y, f_N], and this has 3");
  EXPECT_EQ(
      complaint(disc + R"(, "metric": [[1, 0, 0], [0, 1, 0], [0, 0, -1]])"),
      "metric is [[1, 0, 0], [0, 1, 0], [0, 0, -1]]; a metric must be positive definite; write a "
      "symmetric positive definite matrix");
  EXPECT_EQ(complaint(disc + R"(, "tolerance": 0)"),
            "tolerance is 0; a tolerance lies between 0 and 1");
  EXPECT_EQ(complaint(disc + R"(, "force_scale": 0)"),
            "force_scale is 0; a scale must be positive");
  EXPECT_EQ(complaint(disc + R"(, "friction": {"mu": 1, "radius": 1})").substr(0, 36),
            "friction.radius is 1; leave it out, ");
  EXPECT_EQ(complaint(R"("wrench": [0, 0, 0, 0, 0, 0])").substr(0, 17), "patch is missing;");
  EXPECT_EQ(complaint(R"("patch": [[0, 0]])").substr(0, 17), "patch is [[0, 0]]");
  EXPECT_EQ(complaint(R"("patch": {"polygon": [[1e80, 0]]})").substr(0, 32),
            "patch.polygon[0] is [1e+80, 0]; ");
  EXPECT_EQ(complaint(disc + R"(, "frction": {})").substr(0, 55),
            "frction is {}; the file has no such field, did you mean");
}

TEST(PatchFrictionJson, IsReadBackEqual) {
  PatchFrictionSpec spec;
  spec.mu = 0.3;
  spec.pattern = "4+8";
  const JsonDocument document(patch_friction_json(spec), "f");
  EXPECT_EQ(read_patch_friction(document.root()), spec);
}

TEST(PatchFile, TheFormatMustBeRight) {
  const auto file =
      read_patch_file(R"({"format": "tact-patch/2", "patch": {"point": [0, 0]}})", "f");
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().message, "f: format is \"tact-patch/2\"; write \"tact-patch/1\"");
  EXPECT_FALSE(read_patch_file("[]", "f"));
}

TEST(PatchFile, DescribesShapes) {
  EXPECT_EQ(describe({PolygonShape{{Vec2(0, 0)}}}), "polygon of 1 point");
  EXPECT_EQ(describe({UnionShape{}}), "union of 0 shapes");
  EXPECT_EQ(name(PressureModel::vertex), "vertex");
}

}  // namespace
}  // namespace tact
