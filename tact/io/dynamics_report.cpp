#include "tact/io/dynamics_report.hpp"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "tact/io/json_text.hpp"
#include "tact/io/number_text.hpp"

namespace tact {

namespace {

using Json = nlohmann::ordered_json;

template <class Numbers>
Json list(const Numbers& numbers) {
  Json out = Json::array();
  for (const double value : numbers) out.push_back(value);
  return out;
}

Json rows_of(const MatX& matrix) {
  Json out = Json::array();
  for (Index r = 0; r < matrix.rows(); ++r) out.push_back(list(VecX(matrix.row(r))));
  return out;
}

/// "2 a0 − N1": what is zero is left out, and so is a factor of one.
std::string sum(const VecX& row, const std::vector<std::string>& names) {
  std::string out;
  for (Index k = 0; k < row.size(); ++k) {
    if (row[k] == 0) continue;
    const double size = std::abs(row[k]);
    if (out.empty())
      out += row[k] < 0 ? "−" : "";
    else
      out += row[k] < 0 ? " − " : " + ";
    if (size != 1) out += concat({short_number(size, 6), " "});
    out += names[k];
  }
  return out.empty() ? "0" : out;
}

std::string solution_text(const DynamicsReport& report) {
  std::string out;
  const VecX& a = report.dynamics.acceleration;
  const VecX& forces = report.dynamics.forces;
  const double largest = std::max(a.lpNorm<Eigen::Infinity>(), forces.lpNorm<Eigen::Infinity>());
  const auto add = [&](Index k, double value) {
    const bool rounding = std::abs(value) <= tolerance::rounding * largest;
    out += concat({"  ", report.unknowns[k], " = ", short_number(rounding ? 0 : value, 6)});
  };
  out += "  acceleration";
  for (Index k = 0; k < a.size(); ++k) add(k, a[k]);
  out += "\n  forces      ";
  for (Index k = 0; k < forces.size(); ++k) add(a.size() + k, forces[k]);
  out += "\n";
  if (report.dynamics.undetermined > 0)
    out += concat({"  one solution of several: the equations leave ",
                   std::to_string(report.dynamics.undetermined),
                   report.dynamics.undetermined == 1 ? " dimension" : " dimensions", " open\n"});
  return out;
}

}  // namespace

Result<DynamicsReport> dynamics_report(const ModeSystem& system, const ModeLoad& load,
                                       std::string_view cs, std::string_view ss) {
  auto equations = mode_equations(system, load, cs, ss);
  if (!equations) return equations.error();
  auto dynamics = mode_dynamics(system, load, cs, ss);
  if (!dynamics) return dynamics.error();
  DynamicsReport out{
      std::string(cs), std::string(ss), {}, *std::move(equations), *std::move(dynamics)};
  for (Index k = 0; k < system.dof(); ++k) out.unknowns.push_back(concat({"a", std::to_string(k)}));
  std::vector<std::string> forces(static_cast<std::size_t>(system.rows.rows()));
  for (std::size_t c = 0; c < system.contacts.size(); ++c) {
    const ModeContact& contact = system.contacts[c];
    forces[contact.normal] = concat({"N", std::to_string(c)});
    for (Index t = 0; t < contact.tangents; ++t)
      forces[contact.normal + 1 + t] = concat({"T", std::to_string(c), ".", std::to_string(t)});
  }
  out.unknowns.insert(out.unknowns.end(), forces.begin(), forces.end());
  return out;
}

std::string dynamics_json(const DynamicsReport& report) {
  Json out;
  out["cs"] = report.cs;
  out["ss"] = report.ss;
  out["exists"] = true;
  out["consistent"] = report.dynamics.consistent;
  out["residual"] = report.dynamics.residual;
  out["undetermined"] = report.dynamics.undetermined;
  if (report.dynamics.consistent) {
    out["acceleration"] = list(report.dynamics.acceleration);
    out["forces"] = list(report.dynamics.forces);
  }
  out["unknowns"] = report.unknowns;
  out["equal"] = rows_of(report.equations.equal);
  out["right"] = list(report.equations.right);
  out["sign"] = rows_of(report.equations.sign);
  out["strict"] = report.equations.moving;
  return json_text(out.dump());
}

std::string dynamics_text(const DynamicsReport& report) {
  const bool can = report.dynamics.consistent;
  std::string out = concat({"mode ", report.cs, "|", report.ss,
                            can ? "   can follow from rest" : "   cannot follow from rest",
                            "        residual ", short_number(report.dynamics.residual), "\n"});
  if (can) out += solution_text(report);
  out += "  equations\n";
  const ModeEquations& e = report.equations;
  for (Index r = 0; r < e.equal.rows(); ++r)
    out += concat(
        {"    ", sum(e.equal.row(r), report.unknowns), " = ", short_number(e.right[r], 6), "\n"});
  if (e.sign.rows() > 0) out += "  conditions\n";
  for (Index r = 0; r < e.sign.rows(); ++r)
    out += concat({"    ", sum(e.sign.row(r), report.unknowns), e.moving[r] ? " > 0\n" : " ≥ 0\n"});
  return out;
}

}  // namespace tact
