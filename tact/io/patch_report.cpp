#include "tact/io/patch_report.hpp"

#include <algorithm>
#include <cmath>

#include "tact/cone/patch.hpp"
#include "tact/cone/patch_field.hpp"
#include "tact/io/number_text.hpp"
#include "tact/linalg/metric.hpp"

namespace tact {

namespace {

const double smallest_radius = std::pow(10.0, -60);  ///< [m]

RegimeScales scales_of(const PatchFile& file, const PlanarSet& hull) {
  RegimeScales scales =
      natural_scales(hull, file.wrench.value_or(Wrench{}), file.twist.value_or(Twist{}));
  scales.force = file.force_scale.value_or(scales.force);
  scales.velocity = file.velocity_scale.value_or(scales.velocity);
  scales.tolerance = file.tolerance.value_or(scales.tolerance);
  return scales;
}

std::string outside_sentence(const PatchReport& report, const Wrench& wrench) {
  if (wrench.f_n() < 0)
    return "the wrench pulls with " + short_number(-wrench.f_n()) + " N; a contact only pushes";
  if (!report.cop)
    return "the wrench turns without pressing: no pressure has a moment and no force";
  return "the centre of pressure " + short_point(*report.cop) + " m lies " +
         short_number(-report.hull.signed_distance(*report.cop)) +
         " m outside the hull of the patch";
}

/// What the tolerance accepts lies on the boundary: zero, so that the sign agrees with the verdict.
double margin_of_verdict(double margin, bool inside) {
  return inside ? std::max(margin, 0.0) : margin;
}

void judge_wrench(PatchReport& report, const Wrench& wrench, double relative_margin) {
  const RegimeScales& scales = report.scales;
  report.in_cone = relative_margin >= -scales.tolerance;
  report.margin =
      margin_of_verdict(PatchCone(report.hull).margin(normal_part(wrench)), *report.in_cone);
  if (wrench.f_n() > scales.tolerance * scales.force) report.cop = center_of_pressure(wrench);
  if (*report.in_cone) report.witness = pressure_witness(report.hull, wrench, scales.tolerance);
  if (!*report.in_cone)
    report.violations.push_back(
        {"wrench_outside_cone", -report.margin, outside_sentence(report, wrench)});
}

void judge_twist(PatchReport& report, const Twist& twist, const RegimeReport& found) {
  const RegimeScales& scales = report.scales;
  report.in_dual_cone = found.twist_margin >= -scales.tolerance;
  report.dual_margin = margin_of_verdict(PatchCone(report.hull).dual_margin(normal_part(twist)),
                                         *report.in_dual_cone);
  report.largest_opening = found.largest_opening;
  const double turning = report.hull.radius() * twist.w_t().norm();
  if (report.hull.radius() == 0 || turning > scales.tolerance * scales.velocity)
    report.zero_line = found.zero_line;
  if (!*report.in_dual_cone) {
    const Vec2 deepest = report.hull.support(perp(twist.w_t()));
    report.violations.push_back({"twist_outside_dual_cone", -report.dual_margin,
                                 "the patch closes at " + short_number(-report.dual_margin) +
                                     " m/s at " + short_point(deepest) + " m"});
  }
}

void judge_pair(PatchReport& report, const RegimeReport& found) {
  report.power = normal_part(*report.file.wrench).dot(normal_part(*report.file.twist));
  report.regime = found.regime;
  report.pivot = found.pivot;
  report.largest_sliding = found.largest_sliding;
  if (!*report.in_cone || !*report.in_dual_cone) return;
  if (std::abs(found.power) <= report.scales.tolerance) return;
  report.violations.push_back({"power", *report.power,
                               "the pressure works with " + short_number(*report.power) +
                                   " W: it presses where the patch opens"});
}

/// From the twist alone (18) already says where the centre of pressure must be.
std::optional<ExtendedCop> extended_cop(const PatchReport& report) {
  const PatchFile& file = report.file;
  if (!file.twist && !report.cop) return std::nullopt;
  return extended_center_of_pressure(report.hull, file.wrench.value_or(Wrench{}),
                                     file.twist.value_or(Twist{}), report.scales);
}

std::string excess_sentence(const PatchFrictionReport& f) {
  if (!(f.capacity > 0))
    return "the wrench has a tangential part, but there is no friction to bear it";
  return "friction is asked for " + short_number(100 * f.used) + " % of its limit";
}

std::string slack_sentence(const PatchFrictionReport& f) {
  return "sliding friction dissipates " + short_number(*f.dissipated) +
         " W where it must dissipate " + short_number(*f.dissipation) + " W: the load must be " +
         short_number((*f.sliding_load)[0]) + " N, " + short_number((*f.sliding_load)[1]) + " N, " +
         short_number((*f.sliding_load)[2]) + " N m";
}

std::optional<Error> judge_friction(PatchReport& report, ReportDetail detail) {
  const PatchFile& file = report.file;
  if (!file.friction) return std::nullopt;
  if (const auto model = friction_model(*file.friction); !model) return model.error();
  if (!report.in_cone.value_or(false)) return std::nullopt;
  const auto found = report_on_friction(*file.friction, report.hull, *file.wrench, file.twist,
                                        report.scales, detail);
  if (!found) return found.error();
  report.friction = *found;
  if (!found->model_carries)
    report.violations.push_back(
        {"pressure_model", 0,
         "the elastic bed cannot carry this wrench: its nodes do not surround the centre of "
         "pressure, or their areas differ too much"});
  if (!found->within_limit)
    report.violations.push_back({"friction_limit", found->force.norm(), excess_sentence(*found)});
  if (found->within_limit && !found->dissipates_most)
    report.violations.push_back(
        {"maximum_dissipation", *found->dissipation - *found->dissipated, slack_sentence(*found)});
  return std::nullopt;
}

void project_in_metric(PatchReport& report) {
  const PatchFile& file = report.file;
  if (!file.metric) return;
  const Metric<3> metric = Metric<3>::from_spd(*file.metric);
  const PatchCone cone(report.hull);
  if (file.wrench) report.projected_wrench = cone.project(normal_part(*file.wrench), metric);
  if (file.twist) report.projected_twist = cone.project_dual(normal_part(*file.twist), metric);
}

}  // namespace

Result<PatchReport> report_on(const PatchFile& file, ReportDetail detail) {
  const auto hull = convex_hull_of(file.patch);
  if (!hull) return hull.error();
  // Fourth powers of lengths must neither underflow nor overflow.
  if (hull->radius() > 0 && hull->radius() < smallest_radius)
    return Error{Errc::geometry, "patch has a radius of " + short_number(hull->radius()) +
                                     " m, too small to compute with; check the unit"};
  PatchReport report;
  report.file = file;
  report.hull = *hull;
  report.scales = scales_of(file, *hull);
  const RegimeReport found =
      classify(*hull, file.wrench.value_or(Wrench{}), file.twist.value_or(Twist{}), report.scales);
  if (file.wrench) judge_wrench(report, *file.wrench, found.wrench_margin);
  if (file.twist) judge_twist(report, *file.twist, found);
  if (file.wrench && file.twist) judge_pair(report, found);
  report.extended_cop = extended_cop(report);
  project_in_metric(report);
  if (const auto error = judge_friction(report, detail)) return *error;
  return report;
}

}  // namespace tact
