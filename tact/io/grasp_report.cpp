#include "tact/io/grasp_report.hpp"

#include <nlohmann/json.hpp>

#include "tact/io/json_text.hpp"
#include "tact/io/number_text.hpp"

namespace tact {

namespace {

using Json = nlohmann::ordered_json;

Json list(const VecX& x) {
  Json out = Json::array();
  for (const double value : x) out.push_back(value);
  return out;
}

std::string written(const VecX& x) {
  std::string out = "(";
  for (Index i = 0; i < x.size(); ++i) out += concat({i > 0 ? ", " : "", short_number(x[i])});
  return out + ")";
}

Json stability_json(const GraspStability& stability) {
  Json out;
  out["desired"] = stability.wanted;
  out["desired_exists"] = stability.desired_exists;
  out["desired_consistent"] = stability.desired.has_value();
  out["stable"] = stability.stable();
  out["modes_examined"] = stability.examined;
  Json& modes = out["consistent_modes"] = Json::array();
  for (const ConsistentMode& mode : stability.modes)
    modes.push_back({{"mode", mode.cs + "|" + mode.ss},
                     {"dim", mode.dim},
                     {"acceleration", list(mode.dynamics.acceleration)},
                     {"forces", list(mode.dynamics.forces)},
                     {"residual", mode.dynamics.residual}});
  return out;
}

std::string stability_text(const GraspStability& stability) {
  std::string out = concat({"  under this load  ", std::to_string(stability.modes.size()), " of ",
                            std::to_string(stability.examined), " modes can follow: "});
  if (stability.stable())
    out += concat({"only ", stability.wanted, ", the grasp is stable\n"});
  else if (stability.desired)
    out += concat({stability.wanted, " is not the only one, the grasp is not stable\n"});
  else
    out += concat({stability.wanted, " is not among them\n"});
  for (const ConsistentMode& mode : stability.modes)
    out += concat({"    ", mode.cs, "|", mode.ss, "   acceleration ",
                   written(mode.dynamics.acceleration), "\n"});
  return out;
}

}  // namespace

std::string grasp_json(const GraspReport& report) {
  Json out;
  out["form_closure"] = report.form.closed;
  out["freedom"] = report.form.freedom;
  out["forced"] = report.form.forced;
  if (!report.form.closed) out["escape"] = list(report.form.escape);
  out["force_closure"] = report.force.closed;
  if (!report.force.closed) out["unresisted_motion"] = list(report.force.motion);
  if (report.stability) out["stability"] = stability_json(*report.stability);
  return json_text(out.dump());
}

std::string grasp_text(const GraspReport& report) {
  std::string out = concat({"  form closure     ", report.form.closed ? "yes" : "no"});
  if (!report.form.closed)
    out += concat({": velocities of dimension ", std::to_string(report.form.freedom),
                   " remain, such as ",
                   written(report.form.escape.isZero(0) && report.form.keeping.cols() > 0
                               ? VecX(report.form.keeping.col(0))
                               : report.form.escape)});
  out += concat({"\n  force closure    ", report.force.closed ? "yes" : "no"});
  if (!report.force.closed) out += concat({": nothing resists ", written(report.force.motion)});
  out += "\n";
  if (report.stability) out += stability_text(*report.stability);
  return out;
}

}  // namespace tact
