#include "tact/io/patch_report.hpp"

#include <string>

#include <gtest/gtest.h>

#include "tact/io/patch_friction_report.hpp"
#include "tact/io/patch_words.hpp"

namespace tact {
namespace {

PatchFile square() {
  PatchFile file;
  file.patch = {PolygonShape{{Vec2(-1, -1), Vec2(1, -1), Vec2(1, 1), Vec2(-1, 1)}}};
  return file;
}

PatchFile standing(const Vec3& moment, const Vec3& force) {
  PatchFile file = square();
  file.wrench = Wrench{moment, force};
  file.twist = Twist{};
  return file;
}

PatchFile with_friction(PatchFile file, double mu, PressureModel pressure) {
  file.friction = PatchFrictionSpec{};
  file.friction->mu = mu;
  file.friction->pressure = pressure;
  if (pressure == PressureModel::winkler) {
    file.friction->nodes = {Vec2(-1, -1), Vec2(1, -1), Vec2(1, 1), Vec2(-1, 1), Vec2(0, 0)};
    file.friction->areas = {1, 1, 1, 1, 2};
  }
  return file;
}

constexpr PressureModel all_models[] = {PressureModel::effective, PressureModel::ellipsoid,
                                        PressureModel::vertex, PressureModel::winkler};

TEST(PatchReport, StandingSticks) {
  const auto r = *report_on(standing({0, -5, 0}, {0, 0, 10}));
  EXPECT_EQ(r.regime, Regime::stick);
  EXPECT_EQ(r.cop, Vec2(0.5, 0));
  EXPECT_TRUE(r.violations.empty());
  EXPECT_EQ(headline(r), "the centre of pressure is 0.5 m inside the rim");
  EXPECT_EQ(regime_color(r), "stick");
}

TEST(PatchReport, ViolationsAreNamedInWords) {
  const auto outside = *report_on(standing({0, -20, 0}, {0, 0, 10}));
  ASSERT_EQ(outside.violations.size(), 1U);
  EXPECT_EQ(outside.violations[0].sentence,
            "the centre of pressure (2, 0) m lies 1 m outside the hull of the patch");
  EXPECT_EQ(regime_color(outside), "bad");
  const auto pulls = *report_on(standing({0, 0, 0}, {0, 0, -3}));
  EXPECT_EQ(pulls.violations[0].sentence, "the wrench pulls with 3 N; a contact only pushes");
  const auto turns = *report_on(standing({0, 1, 0}, {0, 0, 0}));
  EXPECT_EQ(turns.violations[0].kind, "wrench_outside_cone");
  PatchFile file = square();
  file.twist = Twist{{0, -1, 0}, {0, 0, 0}};
  EXPECT_EQ(report_on(file)->violations[0].sentence,
            "the patch closes at 1 m/s at (\u22121, \u22121) m");
}

TEST(PatchReport, EmptyFileSaysWhatItCan) {
  const auto r = *report_on(square());
  EXPECT_FALSE(r.in_cone || r.in_dual_cone || r.regime || r.extended_cop || r.friction);
  EXPECT_EQ(report_lines(r).size(), 1U);
  EXPECT_NE(report_json(r).find("\"in_cone\": null"), std::string::npos);
}

TEST(PatchReport, AShapeWithoutPointsIsRefused) {
  PatchFile file;
  file.patch = {PolygonShape{}};
  EXPECT_FALSE(report_on(file));
}

TEST(PatchFrictionReport, SlidingWithoutSpinUsesAllOfTheCapacityInEveryModel) {
  for (const PressureModel model : all_models) {
    PatchFile file = with_friction(standing({0, 0, 0}, {-5, 0, 10}), 0.5, model);
    file.twist = Twist{{0, 0, 0}, {2, 0, 0}};
    const auto r = *report_on(file);
    ASSERT_TRUE(r.friction) << name(model);
    EXPECT_NEAR(r.friction->used, 1, 1e-8) << name(model);
    EXPECT_TRUE(r.friction->within_limit) << name(model);
    EXPECT_NEAR(*r.friction->dissipation, 10, 1e-8) << name(model);
    EXPECT_NEAR(*r.friction->dissipated, 10, 1e-8) << name(model);
    EXPECT_NEAR((*r.friction->sliding_load)[0], -5, 1e-8) << name(model);
    EXPECT_EQ(r.regime, Regime::slide);
  }
}

TEST(PatchFrictionReport, BeyondTheLimitIsAViolationInEveryModel) {
  for (const PressureModel model : all_models) {
    const auto r = *report_on(with_friction(standing({0, 0, 0}, {6, 0, 10}), 0.5, model));
    EXPECT_NEAR(r.friction->used, 1.2, 1e-7) << name(model);
    ASSERT_EQ(r.violations.size(), 1U) << name(model);
    EXPECT_EQ(r.violations[0].kind, "friction_limit");
  }
}

TEST(PatchFrictionReport, TheLimitCurvesAreLimits) {
  for (const PressureModel model : all_models) {
    const auto r = *report_on(with_friction(standing({0, -2, 1}, {1, 2, 10}), 0.5, model),
                              ReportDetail::picture);
    const PatchFrictionReport& f = *r.friction;
    const auto set = make_friction_set(*friction_model(*r.file.friction), r.hull,
                                       NormalLoad::at(*r.cop, 10), 0.5);
    for (const Vec2& force : f.force_limit) {
      const Vec3 load(force[0], force[1], f.moment + cross(*r.cop, force));
      EXPECT_NEAR(set.gauge(load), 1, 2e-3) << name(model);
    }
    double most_force = 0, most_moment = 0;
    for (const Vec2& x : f.turning_limit) {
      most_force = std::max(most_force, x[0]);
      most_moment = std::max(most_moment, x[1]);
    }
    EXPECT_NEAR(most_force, f.capacity, 0.02 * f.capacity) << name(model);
    EXPECT_NEAR(most_moment, f.turning_capacity, 0.02 * f.turning_capacity) << name(model);
  }
}

TEST(PatchFrictionReport, WithoutFrictionTangentialLoadIsTooMuch) {
  PatchFile file = with_friction(standing({0, 0, 0}, {1, 0, 10}), 0, PressureModel::effective);
  file.friction->coulomb = false;
  EXPECT_EQ(report_on(file)->violations.size(), 1U);
  EXPECT_NE(report_json(*report_on(file)).find("\"used\": null"), std::string::npos);
  file.wrench = Wrench{{0, 0, 0}, {0, 0, 10}};
  EXPECT_TRUE(report_on(file)->violations.empty());
}

TEST(PatchReport, SlidingFrictionMustDissipateMost) {
  PatchFile file = with_friction(standing({0, 0, 0}, {-5, 0, 10}), 0.5, PressureModel::effective);
  file.twist = Twist{Vec3::Zero(), Vec3(1, 0, 0)};
  EXPECT_TRUE(report_on(file)->violations.empty());
  file.wrench->f[0] = 5;  // along the motion: inside the limit, and it creates energy
  ASSERT_EQ(report_on(file)->violations.size(), 1U);
  EXPECT_EQ(report_on(file)->violations[0].kind, "maximum_dissipation");
  file.wrench->f[0] = -1;  // against it, but less than sliding makes
  EXPECT_EQ(report_on(file)->violations[0].kind, "maximum_dissipation");
}

TEST(PatchReport, MarginsAgreeWithTheVerdict) {
  const auto r = *report_on(standing({0, -10 * (1 + 1e-11), 0}, {0, 0, 10}));
  EXPECT_TRUE(*r.in_cone);
  EXPECT_EQ(r.margin, 0) << "within the tolerance of the rim is on the rim";
}

TEST(PatchReport, ABedThatCannotCarryIsSaidSo) {
  PatchFile file = with_friction(standing({0, -5, 0}, {0, 0, 10}), 0.5, PressureModel::winkler);
  file.friction->nodes = {Vec2(-1, 0), Vec2(-0.5, 0.5), Vec2(-0.5, -0.5)};
  file.friction->areas = {1, 1, 1};
  EXPECT_EQ(report_on(file)->violations[0].kind, "pressure_model");
  file.friction->nodes[0] = Vec2(-7, 0);
  EXPECT_FALSE(report_on(file)) << "a node beside the patch";
}

}  // namespace
}  // namespace tact
