// io/fit_report.cpp - values with their intervals.
#include "tact/io/fit_report.hpp"

#include <cmath>

#include <nlohmann/json.hpp>

#include "tact/io/number_text.hpp"
#include "tact/io/text_table.hpp"

namespace tact {
namespace {

using Json = nlohmann::ordered_json;

std::string interval(const FittedNumber& n, std::string_view unit) {
  if (std::isinf(n.high))
    return concat({"at least ", short_number(n.low, 4), unit, ": nothing slipped"});
  return concat({short_number(n.value, 5), unit, "   95 %: ", short_number(n.low, 5), " to ",
                 short_number(n.high, 5)});
}

Json number_json(const FittedNumber& n) {
  const auto finite = [](double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); };
  return {{"value", n.value},
          {"standard_error", finite(n.error)},
          {"low", n.low},
          {"high", finite(n.high)}};
}

}  // namespace

std::string fit_text(const FitReport& r) {
  const SoftFit& f = r.fit;
  std::vector<std::vector<std::string>> lines;
  lines.push_back({"  stiffness", interval(f.stiffness, " N/m^n")});
  lines.push_back({"  exponent", interval(f.exponent, "")});
  lines.push_back({"  damping", interval(f.damping_s_per_m, " s/m")});
  lines.push_back({"  residual", concat({short_number(f.noise_N, 3), " N over ",
                                         std::to_string(f.samples), " samples in contact"})});
  if (f.tangent) {
    const TangentFit& t = *f.tangent;
    lines.push_back({"  tangential", interval(t.stiffness_N_per_m, " N/m")});
    lines.push_back(
        {"", concat({"at the depth ", short_number(1e3 * t.reference_depth_m, 4), " mm"})});
    lines.push_back({"  friction", interval(t.friction, "")});
    lines.push_back({"  residual",
                     concat({short_number(t.noise_N, 3), " N; slip in ", std::to_string(t.slipping),
                             " of ", std::to_string(t.samples), " samples"})});
  }
  if (!f.converged) lines.push_back({"  warning", "the fit did not converge"});
  if (r.check) {
    const FitCheck& c = *r.check;
    std::string text =
        concat({r.checked_source, c.explains ? " is explained" : " is NOT explained", ": residual ",
                short_number(c.normal_rms_N, 3), " N of ", short_number(c.normal_size_N, 3), " N"});
    if (c.shear_size_N > 0)
      text += concat({", shear ", short_number(c.shear_rms_N, 3), " N of ",
                      short_number(c.shear_size_N, 3), " N"});
    lines.push_back({"  validation", text});
  }
  return r.source + "\n" + text_table(lines);
}

std::string fit_json(const FitReport& r) {
  const SoftFit& f = r.fit;
  Json out = {{"trace", r.source},
              {"status", f.converged ? "converged" : "not_converged"},
              {"iterations", f.iterations},
              {"samples", f.samples},
              {"stiffness_N_per_m_to_n", number_json(f.stiffness)},
              {"exponent", number_json(f.exponent)},
              {"damping_s_per_m", number_json(f.damping_s_per_m)},
              {"residual_N", f.noise_N}};
  if (f.tangent)
    out["tangential"] = {{"stiffness_N_per_m", number_json(f.tangent->stiffness_N_per_m)},
                         {"reference_depth_m", f.tangent->reference_depth_m},
                         {"friction", number_json(f.tangent->friction)},
                         {"residual_N", f.tangent->noise_N},
                         {"slipping_samples", f.tangent->slipping}};
  if (r.check)
    out["validation"] = {{"trace", r.checked_source},
                         {"explains", r.check->explains},
                         {"normal_residual_N", r.check->normal_rms_N},
                         {"normal_force_N", r.check->normal_size_N},
                         {"shear_residual_N", r.check->shear_rms_N},
                         {"shear_force_N", r.check->shear_size_N}};
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tact
