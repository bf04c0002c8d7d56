// io/sim_report.cpp - figures into words and fields.
#include "tact/io/sim_report.hpp"

#include <cmath>
#include <vector>

#include <nlohmann/json.hpp>

#include "tact/base/hash.hpp"
#include "tact/io/number_text.hpp"
#include "tact/io/text_table.hpp"
#include "tact/sim/sensors.hpp"

namespace tact {
namespace {

using Json = nlohmann::ordered_json;
using Lines = std::vector<std::vector<std::string>>;

std::string counted(Index n, const char* one, const char* many) {
  return std::to_string(n) + " " + (n == 1 ? one : many);
}

std::string time_line(const RunReport& r) {
  const auto steps = static_cast<double>(std::max<Index>(r.run.steps, 1));
  std::string out =
      concat({counted(r.run.steps, "step", "steps"), " of ", short_number(1e3 * r.dt),
              " ms: ", short_number(r.run.simulated, 4), " s in ", short_number(r.seconds), " s (",
              short_number(1e6 * r.seconds / steps), " µs per step"});
  if (r.seconds > 0)
    out += concat({", ", short_number(r.run.simulated / r.seconds), " × real time"});
  return out + ")";
}

/// "stick 61 %   slide 39 %".
std::string regime_line(const RunSummary& run) {
  double all = 0;
  for (const Index n : run.regimes) all += static_cast<double>(n);
  if (all == 0) return "none";
  std::string out;
  for (std::size_t i = 0; i < run.regimes.size(); ++i) {
    if (run.regimes[i] == 0) continue;
    const double share = 100 * static_cast<double>(run.regimes[i]) / all;
    out += concat({out.empty() ? "" : "   ", name(static_cast<Regime>(i)), " ",
                   share < 0.5 ? "< 1" : short_number(std::round(share)), " %"});
  }
  return out;
}

std::string contact_line(const RunReport& r) {
  return concat({"at most ", counted(r.run.most_contacts, "contact", "contacts"), ", ",
                 counted(r.run.most_patches, "patch", "patches"), "; deepest penetration ",
                 short_number(r.run.max_penetration, 2), " m"});
}

std::string solver_line(const RunReport& r) {
  std::string out = concat({"worst residual ", short_number(r.run.max_residual, 2)});
  if (r.run.not_converged > 0)
    out += concat({"; ", counted(r.run.not_converged, "step", "steps"), " not converged"});
  out += concat({"; positions corrected in ", counted(r.run.position_solves, "solve", "solves")});
  if (r.run.max_joint_error > 0)
    out += concat({"; joints off by ", short_number(r.run.max_joint_error, 2)});
  return out;
}

std::string energy_line(const RunReport& r) {
  std::string out = concat({"kinetic ", short_number(r.ledger.kinetic_change.value()),
                            "   potential ", short_number(r.ledger.potential_change.value())});
  for (std::size_t i = 0; i < account_count; ++i) {
    const double joules = r.ledger.accounts[i].value();
    if (joules == 0) continue;
    out += concat({"   ", name(static_cast<Account>(i)), " ", short_number(joules)});
  }
  return out + " J";
}

std::string impact_line(const RunSummary& run) {
  const Index all = run.impacts_dissipative + run.impacts_generating;
  std::string out =
      concat({std::to_string(all), ": dissipative ", std::to_string(run.impacts_dissipative),
              ", generating ", std::to_string(run.impacts_generating)});
  if (run.impacts_unsolved > 0)
    out += concat({", without an answer ", std::to_string(run.impacts_unsolved)});
  return out;
}

std::string soft_line(const SoftPairSummary& s, Index steps) {
  std::string out = concat({s.geoms[0], ", ", s.geoms[1], ": "});
  if (s.touching == 0) return out + "never touch";
  const double share = 100 * static_cast<double>(s.touching) / static_cast<double>(steps);
  out += concat({"touching ", short_number(share, 3), " % of the time, ",
                 short_number(s.least_force, 4), " to ", short_number(s.most_force, 4),
                 " N, friction used up to ", short_number(s.most_used, 3)});
  if (s.slipping > 0)
    out += concat({", slip in ", counted(s.slipping, "step", "steps"), " costs ",
                   short_number(s.slip_loss, 3), " J"});
  if (s.released > 0) out += concat({", parted ", counted(s.released, "time", "times")});
  return out;
}

Json soft_json(const SoftPairSummary& s) {
  return {{"geoms", s.geoms},
          {"steps_touching", s.touching},
          {"steps_slipping", s.slipping},
          {"released", s.released},
          {"touches_at_end", s.touches},
          {"min_normal_force_N", s.least_force},
          {"max_normal_force_N", s.most_force},
          {"max_friction_use", s.most_used},
          {"max_depth_m", s.deepest},
          {"slip_loss_J", s.slip_loss}};
}

Json ledger_json(const EnergyLedger& ledger) {
  Json accounts = Json::object();
  for (std::size_t i = 0; i < account_count; ++i)
    accounts[std::string(name(static_cast<Account>(i)))] = ledger.accounts[i].value();
  return {{"accounts", accounts},
          {"kinetic_change", ledger.kinetic_change.value()},
          {"potential_change", ledger.potential_change.value()},
          {"moved", ledger.moved},
          {"closure", ledger.closure()}};
}

std::vector<double> entries(const VecX& x) {
  return {x.begin(), x.end()};
}

/// JSON has no infinite numbers.
Json figure_json(double x) {
  if (std::isinf(x)) return x > 0 ? "inf" : "-inf";
  return x;
}

/// What the run warns of, and what of its output is missing.
std::vector<std::string> all_warnings(const RunReport& r) {
  std::vector<std::string> out = r.run.warnings;
  if (!r.recording_trouble.empty()) out.push_back(r.recording_trouble);
  out.insert(out.end(), r.unwritten.begin(), r.unwritten.end());
  return out;
}

void take_readings(const Simulation& sim, RunReport& out) {
  const std::vector<Sensor>& sensors = sim.scene.model.sensors;
  if (sensors.empty() || out.run.steps == 0 || out.run.status == RunStatus::diverged) return;
  std::vector<ContactSample> contacts;
  observe(sim, contacts);
  for (std::size_t i = 0; i < sensors.size(); ++i) {
    std::vector<double> reading;
    read_sensor(sim, contacts, sensors[i], reading);
    if (reading.empty()) continue;
    const std::string& name = sensors[i].name;
    out.sensors.emplace_back(name.empty() ? std::to_string(i) : name, std::move(reading));
  }
}

}  // namespace

RunReport run_report(const Simulation& sim, const RunSummary& run, const std::string& scene,
                     double seconds) {
  RunReport out;
  out.scene = scene;
  out.run = run;
  out.ledger = sim.ledger;
  out.final = state_of(sim);
  out.dt = sim.options.dt;
  out.seconds = seconds;
  take_readings(sim, out);
  return out;
}

std::string run_text(const RunReport& r) {
  Lines lines;
  lines.push_back({"  time", time_line(r)});
  lines.push_back({"  contacts", contact_line(r)});
  lines.push_back({"  regimes", regime_line(r.run)});
  for (const SoftPairSummary& s : r.run.soft_pairs)
    lines.push_back({"  soft", soft_line(s, r.run.steps)});
  lines.push_back({"  solver", solver_line(r)});
  lines.push_back({"  energy", energy_line(r)});
  lines.push_back({"", concat({"closes to ", short_number(r.ledger.closure(), 2), " J of ",
                               short_number(r.ledger.moved), " J that moved"})});
  if (r.run.impacts_dissipative + r.run.impacts_generating + r.run.impacts_unsolved > 0)
    lines.push_back({"  impacts", impact_line(r.run)});
  if (!r.recording.empty()) lines.push_back({"  recording", r.recording});
  if (r.run.status == RunStatus::diverged) lines.push_back({"  stopped", r.run.why});
  if (r.run.status == RunStatus::stopped) lines.push_back({"  stopped", "before its time"});
  for (const std::string& warning : all_warnings(r)) lines.push_back({"  warning", warning});
  lines.push_back({"  hash", hex_text(state_hash(r.final))});
  return r.scene + "\n" + text_table(lines);
}

std::string run_json(const RunReport& r) {
  Json regimes = Json::object();
  for (std::size_t i = 0; i < r.run.regimes.size(); ++i)
    if (r.run.regimes[i] > 0) regimes[std::string(name(static_cast<Regime>(i)))] = r.run.regimes[i];
  Json out = {
      {"scene", r.scene},
      {"status", name(r.run.status)},
      {"steps", r.run.steps},
      {"dt", r.dt},
      {"seconds", r.seconds},
      {"simulated", r.run.simulated},
      {"max_contacts", r.run.most_contacts},
      {"max_patches", r.run.most_patches},
      {"max_penetration", r.run.max_penetration},
      {"max_joint_error", r.run.max_joint_error},
      {"constraints",
       {{"gave", r.run.constraints_gave},
        {"account", name(r.run.constraint)},
        {"generating_steps", r.run.constraints_generating},
        {"verdict", name(r.run.constraint_verdict)}}},
      {"max_residual", figure_json(r.run.max_residual)},
      {"not_converged", r.run.not_converged},
      {"position_solves", r.run.position_solves},
      {"regimes", regimes},
      {"ledger", ledger_json(r.ledger)},
      {"impacts",
       {{"dissipative", r.run.impacts_dissipative},
        {"generating", r.run.impacts_generating},
        {"unsolved", r.run.impacts_unsolved}}},
      {"warnings", all_warnings(r)},
      {"final",
       {{"time", r.final.time}, {"qpos", entries(r.final.qpos)}, {"qvel", entries(r.final.qvel)}}},
      {"hash", hex_text(state_hash(r.final))}};
  for (const SoftPairSummary& s : r.run.soft_pairs) out["soft_pairs"].push_back(soft_json(s));
  for (const OverlapSummary& o : r.run.overlaps)
    out["overlaps"].push_back(
        {{"geoms", o.geoms}, {"depth_m", o.depth}, {"one_robot", o.one_robot}});
  Json sensors = Json::object();
  for (const auto& [name, reading] : r.sensors) {
    Json numbers = Json::array();
    for (const double x : reading) numbers.push_back(figure_json(x));
    sensors[name] = numbers;
  }
  out["sensors"] = sensors;
  if (r.run.status == RunStatus::diverged) out["why"] = r.run.why;
  if (!r.recording.empty()) out["recording"] = r.recording;
  if (!r.recording_trouble.empty()) out["recording_trouble"] = r.recording_trouble;
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tact
