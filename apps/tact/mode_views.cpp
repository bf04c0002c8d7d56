#include "mode_views.hpp"

#include <vector>

#include <fmt/core.h>

#include "commands.hpp"
#include "tact/io/dynamics_report.hpp"
#include "tact/io/file.hpp"
#include "tact/io/grasp_report.hpp"
#include "tact/io/lattice_picture.hpp"
#include "tact/io/mode_graph_file.hpp"
#include "tact/modes/grasp.hpp"
#include "tact/modes/mode_graph.hpp"

namespace tact::app {

namespace {

Result<std::string> graph_text(const ModeGraph& graph, const std::string& name,
                               const std::string& file) {
  if (file.ends_with(".graphml")) return mode_graph_graphml(graph, name);
  if (file.ends_with(".dot")) return mode_graph_dot(graph, name);
  if (file.ends_with(".json")) return mode_graph_json(graph, name);
  return Error{Errc::value, file + ": a graph is written as .graphml, .dot or .json"};
}

}  // namespace

std::optional<Error> write_views(const ModeSystem& system, const std::string& name,
                                 const ModeOptions& options, const ModeFiles& files) {
  std::vector<FileContent> out;
  ModeGraphOptions graph_options;
  graph_options.modes = options;
  const auto graph = mode_graph(system, graph_options);
  if (!graph) {
    const bool layers = files.graph.empty() && files.html.empty();
    if (!layers) return graph.error();
    const auto counts = count_modes(system, options);
    if (!counts) return counts.error();
    out.push_back({files.svg, layers_picture(*counts, name)});
    return write_files(out);
  }
  if (!files.graph.empty()) {
    const auto text = graph_text(*graph, name, files.graph);
    if (!text) return text.error();
    out.push_back({files.graph, *text});
  }
  if (!files.svg.empty()) out.push_back({files.svg, lattice_picture(*graph, name)});
  if (!files.html.empty()) out.push_back({files.html, lattice_page(*graph, name)});
  return write_files(out);
}

int tell_grasp(const ModeSystem& system, const std::string& source,
               const std::vector<double>& friction, const std::optional<ModeLoad>& load,
               const std::string& desired, const ModeOptions& options, bool as_json) {
  GraspOptions grasp;
  grasp.modes = options;
  grasp.modes.kind = ModeKind::sliding;
  const std::vector<double> mu =
      friction.empty() ? std::vector<double>(system.contacts.size(), 0.0) : friction;
  grasp.desired = desired;
  const auto report = grasp_report(system, mu, load, grasp);
  if (!report) return complain(source + ": " + report.error().message);
  fmt::print("{}", as_json ? grasp_json(*report) : grasp_text(*report));
  const bool held = report->stability ? report->stability->stable() : report->force.closed;
  return held ? good : violated;
}

int tell_dynamics(const ModeSystem& system, const std::string& source,
                  const std::optional<ModeLoad>& load, const std::string& cs, const std::string& ss,
                  bool as_json) {
  if (!load)
    return complain(source +
                    ": the dynamics of a mode need a mass; give a problem file with mass and "
                    "impulse");
  const auto report = dynamics_report(system, *load, cs, ss);
  if (!report) return complain(source + ": " + report.error().message);
  fmt::print("{}", as_json ? dynamics_json(*report) : dynamics_text(*report));
  return report->dynamics.consistent ? good : violated;
}

}  // namespace tact::app
