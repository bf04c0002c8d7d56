// What pictures are made of: numbers, SVG, frames, space. The pictures themselves are looked at.
#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "tact/base/expects.hpp"
#include "tact/io/cone_picture.hpp"
#include "tact/io/friction_picture.hpp"
#include "tact/io/number_text.hpp"
#include "tact/io/patch_picture.hpp"
#include "tact/io/plot_frame.hpp"
#include "tact/io/scene3.hpp"
#include "tact/io/svg.hpp"

namespace tact {
namespace {

TEST(NumberText, AFewDigitsForPeople) {
  EXPECT_EQ(short_number(0), "0");
  EXPECT_EQ(short_number(-0.0), "0");
  EXPECT_EQ(short_number(412.3), "412");
  EXPECT_EQ(short_number(0.1), "0.1");
  EXPECT_EQ(short_number(-0.05), "\u22120.05");
  EXPECT_EQ(short_number(123456), "123456");
  EXPECT_EQ(short_number(9.999), "10");
  EXPECT_EQ(short_number(3.14e-13), "3.14e\u221213");
  EXPECT_EQ(short_number(2e9), "2e9");
  EXPECT_EQ(short_number(1.0 / 3, 2), "0.33");
  EXPECT_EQ(short_number(std::numeric_limits<double>::infinity()), "infinite");
  EXPECT_EQ(short_point(Vec2(0.1, -0.05)), "(0.1, \u22120.05)");
  EXPECT_EQ(plain_number(-0.001, 2), "0");
  EXPECT_EQ(plain_number(1.5, 2), "1.5");
  EXPECT_EQ(concat({"a", "", "b"}), "ab");
}

TEST(Svg, EscapesTextAndNeverPrintsNotANumber) {
  EXPECT_EQ(xml_escaped("a<b & \"c\"\n"), "a&lt;b &amp; &quot;c&quot; ");
  EXPECT_EQ(xml_escaped_lines("a\n<\n"), "a\n&lt;\n");
  SvgCanvas canvas(10, 10);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  canvas.line({nan, 1e300}, {0, 0}, {.stroke = "ink"});
  canvas.arrow({0, 0}, {nan, 0}, {.stroke = "ink"});
  canvas.text({1, 1}, "<x>", {.bold = true});
  const std::string text = canvas.finish("t", "d");
  EXPECT_EQ(text.find("nan"), std::string::npos);
  EXPECT_NE(text.find("&lt;x&gt;"), std::string::npos);
  EXPECT_NE(svg_style().find("prefers-color-scheme:dark"), std::string_view::npos);
}

TEST(PlotFrame, EqualAxesKeepShapesAndTheMiddle) {
  const PlotFrame f = equal_frame({0, 0}, {200, 100}, {0, 0}, {1, 1});
  EXPECT_EQ(f(Vec2(0.5, 0.5)), Vec2(100, 50));
  EXPECT_EQ(f(Vec2(0.5, 1)), Vec2(100, 0));
  EXPECT_DOUBLE_EQ(f(Vec2(1, 0.5))[0] - f(Vec2(0.5, 0.5))[0], 50);
  EXPECT_THROW((void)equal_frame({0, 0}, {1, 1}, {0, 0}, {0, 0}), ContractViolation);
}

TEST(PlotFrame, RoundSteps) {
  EXPECT_DOUBLE_EQ(round_step(0.7), 1);
  EXPECT_DOUBLE_EQ(round_step(3), 5);
  EXPECT_DOUBLE_EQ(round_step(19), 20);
}

TEST(Scene3, UpIsUpAndNearPiecesComeLast) {
  const Camera camera{{0, 0}, 100};
  EXPECT_LT(camera(Vec3::UnitZ())[1], 0);
  EXPECT_GT(camera(Vec3::UnitY())[0], 0);
  Scene3 scene(camera);
  scene.line({1, 1, 0}, {1, 1, 1}, {.stroke = "ink"});
  scene.line({-1, -1, 0}, {-1, -1, 1}, {.stroke = "soft"});
  SvgCanvas canvas(10, 10);
  scene.paint_on(canvas);
  const std::string text = canvas.finish("", "");
  const std::string body = text.substr(text.find("</style>"));
  EXPECT_LT(body.find("s-soft"), body.find("s-ink"));
}

PatchReport report(const PatchShape& shape) {
  PatchFile file;
  file.patch = shape;
  file.wrench = Wrench{{0.1, 0.2, 0.3}, {1, 2, 30}};
  file.twist = Twist{{0.1, 0.2, 0.3}, {1, 2, 3}};
  return *report_on(file, ReportDetail::picture);
}

TEST(PatchPicture, EveryShapeOfEverySizeCanBeDrawn) {
  for (const double size : {1e-9, 1.0, 1e6})
    for (const double far : {0.0, 1e6}) {
      const Vec2 at = Vec2::Constant(far), end = at + Vec2(size, 0.5 * size);
      for (const PatchShape& shape :
           {PatchShape{PointShape{at}}, PatchShape{SegmentShape{at, end}},
            PatchShape{DiscShape{at, size}}, PatchShape{EllipseShape{at, Vec2(size, 0), 1}},
            PatchShape{StadiumShape{at, end, size}}, PatchShape{PolygonShape{{at, end, at}}}}) {
        for (const std::string& picture :
             {patch_picture(report(shape)), cone_picture(report(shape))}) {
          EXPECT_TRUE(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
          EXPECT_EQ(picture.find("nan"), std::string::npos);
        }
      }
    }
}

// [MontMarin25] Fig. 3, Fig. 4 and Fig. 6: the wrench meets the plane z = 1 in the turned centre of
// pressure, the plane normal to the twist meets it in the turned zero-line.
TEST(ConePicture, ShowsWhatTheCaseHas) {
  PatchFile file;
  file.patch = {DiscShape{Vec2(0, 0), 1}};
  const auto shows = [&](const char* word) {
    return cone_picture(*report_on(file, ReportDetail::picture)).find(word) != std::string::npos;
  };
  EXPECT_FALSE(shows("c_p turned"));
  file.wrench = Wrench{{0, -1, 0}, {0, 0, 1}};
  EXPECT_TRUE(shows("c_p turned"));
  EXPECT_FALSE(shows("D_z turned"));
  file.twist = Twist{{0, 1, 0}, {0, 0, 1}};
  EXPECT_TRUE(shows("D_z turned"));
  file.wrench = Wrench{};
  EXPECT_FALSE(shows("c_p turned"));
  file.twist = Twist{{0, 0, 0}, {0, 0, 1}};  // lifted straight up: no zero-line
  EXPECT_FALSE(shows("D_z turned"));
}

TEST(PatchPicture, TheSamePictureIsTheSameText) {
  const PatchShape disc{DiscShape{Vec2(0, 0), 1}};
  EXPECT_EQ(patch_picture(report(disc)), patch_picture(report(disc)));
}

TEST(PatchPicture, PointSetsThatAreNoOutlineAreDots) {
  const auto crossed =
      outlines_of({PolygonShape{{Vec2(0, 0), Vec2(1, 1), Vec2(1, 0), Vec2(0, 1)}}}, 8);
  EXPECT_EQ(crossed.size(), 4U);
  const auto outline =
      outlines_of({PolygonShape{{Vec2(0, 0), Vec2(1, 0), Vec2(0.2, 0.2), Vec2(0, 1)}}}, 8);
  ASSERT_EQ(outline.size(), 1U);
  EXPECT_EQ(outline[0].size(), 4U);
  EXPECT_EQ(
      outlines_of(
          {UnionShape{{PatchShape{DiscShape{Vec2(0, 0), 1}}, PatchShape{PointShape{Vec2(3, 0)}}}}},
          8)
          .size(),
      2U);
}

TEST(FrictionPicture, NothingWithoutCapacity) {
  SvgCanvas canvas(10, 10), empty(10, 10);
  draw_friction(canvas, {}, {0, 0});
  EXPECT_EQ(canvas.finish("", ""), empty.finish("", ""));
}

}  // namespace
}  // namespace tact
