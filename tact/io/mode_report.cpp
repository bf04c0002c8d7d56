#include "tact/io/mode_report.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "tact/base/hash.hpp"
#include "tact/io/json_text.hpp"
#include "tact/io/number_text.hpp"

namespace tact {

namespace {

using Json = nlohmann::ordered_json;

std::string_view at_least(ModeCount count) {
  return count == most_modes ? "at least " : "";
}

/// A number, or beyond what doubles hold exactly a string.
Json count_json(ModeCount count) {
  constexpr ModeCount exact = ModeCount{1} << 53U;
  if (count <= exact) return static_cast<std::uint64_t>(count);
  return concat({at_least(count), to_string(count)});
}

Json by_dim_json(const std::vector<ModeCount>& counts) {
  Json out = Json::object();
  for (std::size_t k = 0; k < counts.size(); ++k)
    if (counts[k] != 0) out[std::to_string(k)] = count_json(counts[k]);
  return out;
}

Json column_json(const VecX& x) {
  Json out = Json::array();
  for (const double value : x) out.push_back(value);
  return out;
}

std::string_view policy_name(ModePolicy policy) {
  return policy == ModePolicy::exact ? "exact" : "tolerance";
}
std::string_view method_name(ModeMethod method) {
  return method == ModeMethod::witnesses ? "witnesses" : "rays";
}
std::string_view kind_name(ModeKind kind) {
  switch (kind) {
    case ModeKind::contacting:
      return "contacting";
    case ModeKind::sliding:
      return "sliding";
    case ModeKind::slipping:
      return "slipping";
  }
  return "";
}

std::string by_dim_text(const std::vector<ModeCount>& counts) {
  std::string out;
  for (std::size_t k = 0; k < counts.size(); ++k)
    if (counts[k] != 0)
      out += concat({out.empty() ? "" : "  ", std::to_string(k), ":", grouped(counts[k])});
  return out;
}

std::string padded(const std::string& text, std::size_t width) {
  return concat({std::string(width - std::min(width, text.size()), ' '), text});
}

std::string duration(double seconds) {
  if (seconds < 1e-3) return concat({short_number(seconds * 1e6), " µs"});
  if (seconds < 1) return concat({short_number(seconds * 1e3), " ms"});
  return concat({short_number(seconds), " s"});
}

void list_table(const ModeReport& report, std::string& out) {
  for (const ListedModes& group : *report.list) {
    out += concat({"  ", group.cs.empty() ? "(no contact)" : group.cs, "\n"});
    if (report.options.kind == ModeKind::contacting) continue;
    for (std::size_t k = 0; k < group.ss.size(); ++k) {
      out += concat({"      ", group.ss[k].empty() ? "(nothing slides)" : group.ss[k]});
      if (k < group.witnesses.size()) {
        out += "   velocity";
        for (const double x : group.witnesses[k]) out += concat({" ", short_number(x, 6)});
      }
      out += "\n";
    }
  }
  if (report.list_cut) out += "  ... the limit of the list is reached\n";
}

}  // namespace

std::string grouped(ModeCount count) {
  const std::string digits = to_string(count);
  std::string out(at_least(count));
  for (std::size_t k = 0; k < digits.size(); ++k) {
    if (k > 0 && (digits.size() - k) % 3 == 0) out.push_back(' ');
    out.push_back(digits[k]);
  }
  return out;
}

std::string mode_json(const ModeReport& report) {
  Json out;
  if (!report.name.empty()) out["name"] = report.name;
  out["contacts"] = report.contacts;
  out["dof"] = report.dof;
  out["policy"] = std::string(policy_name(report.options.policy));
  if (report.options.policy == ModePolicy::tolerance) {
    out["tolerance"] = report.options.tolerance;
    out["inconsistent"] = report.counts.inconsistent;
  }
  out["method"] = std::string(method_name(report.counts.method));
  out["kind"] = std::string(kind_name(report.options.kind));
  out["complete"] = !report.counts.stopped && !report.list_cut;
  out["cs"] = count_json(report.counts.cs);
  out["full"] = count_json(report.counts.full);
  out["cs_by_dim"] = by_dim_json(report.counts.cs_by_dim);
  out["full_by_dim"] = by_dim_json(report.counts.full_by_dim);
  if (report.hash) out["hash"] = hex_text(*report.hash);
  if (report.list) {
    Json& modes = out["modes"] = Json::object();
    for (const ListedModes& group : *report.list) modes[group.cs] = group.ss;
    if (std::any_of(report.list->begin(), report.list->end(),
                    [](const ListedModes& group) { return !group.witnesses.empty(); })) {
      Json& witnesses = out["witnesses"] = Json::object();
      for (const ListedModes& group : *report.list) {
        Json& list = witnesses[group.cs] = Json::array();
        for (const VecX& w : group.witnesses) list.push_back(column_json(w));
      }
    }
  }
  if (!report.notes.empty()) out["notes"] = report.notes;
  out["seconds"] = report.seconds;
  return json_text(out.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::string mode_table(const ModeReport& report) {
  std::string planes = std::to_string(report.planes_least);
  if (report.planes_most != report.planes_least)
    planes += concat({" to ", std::to_string(report.planes_most)});
  std::string out =
      concat({report.name, "   ", std::to_string(report.contacts),
              report.contacts == 1 ? " contact, " : " contacts, ", std::to_string(report.dof),
              " dof, ", planes, planes == "1" ? " plane" : " planes", " per contact        policy ",
              policy_name(report.options.policy)});
  if (report.options.policy == ModePolicy::tolerance)
    out += concat({" (zero up to ", short_number(report.options.tolerance), ")"});
  out += concat({", by ", method_name(report.counts.method), "\n"});
  const std::string cs = grouped(report.counts.cs);
  const std::string full = grouped(report.counts.full);
  const std::size_t width = std::max({cs.size(), full.size(), std::size_t{6}});
  out += concat({"  cs modes    ", padded(cs, width), "     by dimension  ",
                 by_dim_text(report.counts.cs_by_dim), "\n"});
  if (report.options.kind != ModeKind::contacting) {
    out += concat({report.options.kind == ModeKind::slipping ? "  stick/slip  " : "  full modes  ",
                   padded(full, width), "     by dimension  ",
                   by_dim_text(report.counts.full_by_dim), "\n"});
  }
  if (report.counts.stopped) out += "  stopped: these are the modes found so far, not all\n";
  if (report.counts.inconsistent)
    out +=
        "  the tolerance joins what does not belong together: signs contradict each other; "
        "choose another --tolerance or --policy exact\n";
  if (report.hash) out += concat({"  hash of the list  ", hex_text(*report.hash), "\n"});
  if (report.list) list_table(report, out);
  out += concat({"  in ", duration(report.seconds), "\n"});
  for (const std::string& note : report.notes) out += concat({"  note: ", note, "\n"});
  return out;
}

std::string mode_cone_json(const ModeCone& cone, std::string_view cs, std::string_view ss) {
  Json out;
  out["cs"] = std::string(cs);
  out["ss"] = std::string(ss);
  out["exists"] = true;
  out["dim"] = cone.dim;
  out["witness"] = column_json(cone.witness);
  if (!cone.exact_witness.empty()) {
    Json& exact = out["exact_witness"] = Json::array();
    for (const Rational& x : cone.exact_witness) exact.push_back(x.numerator);
  }
  for (const auto& [name, columns] : {std::pair<const char*, const MatX*>{"rays", &cone.rays},
                                      std::pair<const char*, const MatX*>{"lines", &cone.lines}}) {
    Json& list = out[name] = Json::array();
    for (Index k = 0; k < columns->cols(); ++k) list.push_back(column_json(columns->col(k)));
  }
  return json_text(out.dump());
}

std::string mode_cone_table(const ModeCone& cone, std::string_view cs, std::string_view ss) {
  const auto line = [](const VecX& x) {
    std::string out;
    for (const double value : x) out += concat({" ", padded(short_number(value, 6), 8)});
    return out + "\n";
  };
  std::string out =
      concat({"mode ", cs, "|", ss, "   velocities of dimension ", std::to_string(cone.dim), "\n"});
  out += concat({"  witness ", line(cone.witness)});
  for (Index k = 0; k < cone.rays.cols(); ++k)
    out += concat({"  ray     ", line(cone.rays.col(k))});
  for (Index k = 0; k < cone.lines.cols(); ++k)
    out += concat({"  line +- ", line(cone.lines.col(k))});
  return out;
}

}  // namespace tact
