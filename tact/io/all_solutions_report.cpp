// io/all_solutions_report.cpp - pieces by solution, ranges where there is a choice.
#include "tact/io/all_solutions_report.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <set>

#include <nlohmann/json.hpp>

#include "tact/io/json_text.hpp"
#include "tact/io/number_text.hpp"
#include "tact/io/text_table.hpp"

namespace tact {
namespace {

using Json = nlohmann::ordered_json;
using Status = AllSolutions::Status;

std::string_view name(Status status) {
  switch (status) {
    case Status::complete:
      return "complete";
    case Status::undecided:
      return "undecided";
    case Status::too_large:
      break;
  }
  return "too_large";
}

std::string counted(Index n, const std::string& one) {
  return concat({std::to_string(n), " ", one, n == 1 ? "" : "s"});
}

/// JSON has no infinity: a string stands for it.
Json number(double x) {
  if (std::isfinite(x)) return x;
  return x > 0 ? "inf" : "-inf";
}

Json list(const VecX& x) {
  Json out = Json::array();
  for (const double v : x) out.push_back(number(v));
  return out;
}

/// One list per contact.
Json by_contact(const ContactProblem& problem, const VecX& x) {
  const auto offset = row_offsets(problem.contacts);
  Json out = Json::array();
  for (std::size_t i = 0; i < problem.contacts.size(); ++i)
    out.push_back(list(x.segment(offset[i], offset[i + 1] - offset[i])));
  return out;
}

/// What tact solve calls contact velocities is without restitution and stabilisation; laws see
/// more by this much.
VecX shift_of(const ContactProblem& problem, Index rows) {
  if (!problem.in_mass_form()) return VecX::Zero(rows);
  return law_shift(problem, contact_velocity(problem, problem.velocity));
}

Json piece_json(const ContactProblem& problem, const SolutionPiece& piece) {
  Json out = {{"solution", piece.component}};
  out["labels"] = Json::array();
  for (const Regime r : piece.labels) out["labels"].push_back(std::string(name(r)));
  out["unique_velocity"] = piece.velocity_freedom == 0;
  out["velocity_freedom"] = piece.velocity_freedom;
  out["force_freedom"] = piece.force_freedom;
  out["impulses"] = by_contact(problem, piece.lambda);
  const VecX shift = shift_of(problem, piece.u.size());
  out["contact_velocities"] = by_contact(problem, piece.u - shift);
  if (problem.in_mass_form()) out["velocity"] = list(velocity_after(problem, piece.lambda));
  out["impulses_min"] = by_contact(problem, piece.low);
  out["impulses_max"] = by_contact(problem, piece.high);
  if (piece.velocity_freedom > 0) {
    out["contact_velocities_min"] = by_contact(problem, piece.u_low - shift);
    out["contact_velocities_max"] = by_contact(problem, piece.u_high - shift);
  }
  if (piece.enclosed > 0) out["enclosed"] = piece.enclosed;
  if (piece.listed) {
    out["vertices"] = Json::array();
    out["rays"] = Json::array();
    for (const VecX& v : piece.vertices) out["vertices"].push_back(by_contact(problem, v));
    for (const VecX& v : piece.rays) out["rays"].push_back(by_contact(problem, v));
  }
  return out;
}

Json mode_json(const UnitMode& mode) {
  switch (mode.kind) {
    case UnitMode::Kind::separate:
      return "separate";
    case UnitMode::Kind::sector:
      return {{"slide_from", mode.from}, {"slide_to", mode.to}};
    case UnitMode::Kind::ray:
      return {{"slide_along", Json::array({mode.from, mode.to})}};
    case UnitMode::Kind::face:
      break;
  }
  if (mode.first < 0) return "stick";
  return {{"corners", mode.first == mode.last ? Json::array({mode.first})
                                              : Json::array({mode.first, mode.last})}};
}

std::string_view name(ProofNode::End end) {
  switch (end) {
    case ProofNode::End::branch:
      return "branch";
    case ProofNode::End::refuted:
      return "refuted";
    case ProofNode::End::solution:
      return "solution";
    case ProofNode::End::unique:
      return "interval";
    case ProofNode::End::undecided:
      break;
  }
  return "undecided";
}

/// Angles of the two ends of a sector [rad], the second larger.
std::pair<double, double> sector_angles(const UnitMode& mode) {
  const double from = 2 * std::atan(mode.from), to = 2 * std::atan(mode.to);
  return {from, to > from ? to : to + 2 * std::numbers::pi};
}

/// What is known of an undecided place: per unit a mode, or between which angles it slides.
Json open_json(const AllSolutions& all) {
  Json out = Json::array();
  for (const auto& modes : all.open) {
    Json place = Json::array();
    for (const UnitMode& mode : modes) {
      if (mode.kind != UnitMode::Kind::sector) {
        place.push_back(mode_json(mode));
        continue;
      }
      const auto [from, to] = sector_angles(mode);
      place.push_back({{"slides_between", Json::array({from, to})}});
    }
    out.push_back(std::move(place));
  }
  return out;
}

std::string open_text(const AllSolutions& all) {
  constexpr std::size_t most = 5;
  std::string out;
  for (std::size_t k = 0; k < std::min(all.open.size(), most); ++k) {
    out += "undecided ";
    for (const UnitMode& mode : all.open[k]) {
      if (mode.kind == UnitMode::Kind::separate) out += " separate";
      if (mode.kind == UnitMode::Kind::face) out += mode.first < 0 ? " stick" : " slide";
      if (mode.kind != UnitMode::Kind::sector) continue;
      const auto [from, to] = sector_angles(mode);
      constexpr double degrees = 180 / std::numbers::pi;
      out +=
          concat({" slide ", short_number(from * degrees), "°…", short_number(to * degrees), "°"});
    }
    out += "\n";
  }
  if (all.open.size() > most)
    out += concat({"... and ", std::to_string(all.open.size() - most), " more places\n"});
  return out;
}

Json tree_json(const AllSolutions& all) {
  Json out = Json::array();
  for (const ProofNode& node : all.proof) {
    Json n = {{"end", std::string(name(node.end))}};
    if (node.unit >= 0) {
      n["unit"] = node.unit;
      n["mode"] = mode_json(node.mode);
    }
    if (!node.children.empty()) n["children"] = node.children;
    if (!node.multipliers.empty()) {
      n["multipliers"] = Json::array();
      for (const auto& [row, value] : node.multipliers)
        n["multipliers"].push_back(Json::array({row, value}));
    }
    if (node.piece >= 0) n["piece"] = node.piece;
    out.push_back(std::move(n));
  }
  return out;
}

// -------------------------------------------------------------------------------------- the table

std::string range_text(double low, double high) {
  const auto text = [](double x) -> std::string {
    if (std::isfinite(x)) return short_number(x, 4);
    return x > 0 ? "∞" : "−∞";
  };
  // What is one number at four digits is one number to a reader.
  if (text(low) == text(high)) return text(low);
  return concat({"[", text(low), ", ", text(high), "]"});
}

std::string ranges(const VecX& low, const VecX& high, Index begin, Index end) {
  std::string out;
  for (Index r = begin; r < end; ++r)
    out += concat({r > begin ? " " : "", range_text(low[r], high[r])});
  return out;
}

std::string piece_table(const ContactProblem& problem, const SolutionPiece& piece) {
  const auto offset = row_offsets(problem.contacts);
  const VecX shift = shift_of(problem, piece.u.size());
  std::vector<std::vector<std::string>> rows{
      {"contact", "law", "label", "impulse [N s]", "velocity [m/s]"}};
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const Contact& contact = problem.contacts[i];
    rows.push_back({contact.name.empty() ? std::to_string(i) : contact.name,
                    std::string(name(contact.law)), std::string(name(piece.labels[i])),
                    ranges(piece.low, piece.high, offset[i], offset[i + 1]),
                    ranges(piece.u_low - shift, piece.u_high - shift, offset[i], offset[i + 1])});
  }
  return text_table(rows);
}

std::string piece_remark(const SolutionPiece& piece) {
  std::string out;
  if (piece.velocity_freedom > 0)
    out += concat(
        {"velocities  a continuum, ", counted(piece.velocity_freedom, "free direction"), "\n"});
  if (piece.force_freedom > 0) {
    out += concat({"impulses    a continuum, ", counted(piece.force_freedom, "free direction")});
    if (piece.listed && piece.rays.empty())
      out += concat({": the hull of ", counted(static_cast<Index>(piece.vertices.size()), "point"),
                     ", which --json prints"});
    else if (piece.listed)
      out += ": without bound; --json prints corners and rays";
    out += "\n";
  }
  return out;
}

}  // namespace

std::string all_solutions_verdict(const AllSolutions& all) {
  if (all.status == Status::too_large)
    return concat({"too large: the search was given up after ", std::to_string(all.proof.size()),
                   " modes; all of it would take about ", short_number(all.estimate),
                   " (--max-nodes allows more)"});
  const bool sure = all.status == Status::complete;
  const std::string proof = concat({" (proved by ", counted(all.certificates, "certificate"), ")"});
  if (!sure)
    return concat({counted(all.components, "solution"), " found, and ",
                   counted(all.undecided, "place"), " undecided, where there may be others"});
  if (all.components == 0) return "no solution" + proof;
  if (all.components > 1)
    return concat({std::to_string(all.components), " solutions, and no others", proof});
  const auto most = [&](Index SolutionPiece::*freedom) {
    Index out = 0;
    for (const SolutionPiece& piece : all.pieces) out = std::max(out, piece.*freedom);
    return out;
  };
  if (all.pieces.size() > 1 || most(&SolutionPiece::velocity_freedom) > 0)
    return concat({"one connected continuum of solutions, and no others", proof});
  const Index free = most(&SolutionPiece::force_freedom);
  return concat(
      {"exactly one solution", proof,
       free > 0 ? concat({"; its impulses have ", counted(free, "free direction")}) : ""});
}

std::string all_solutions_json(const ContactProblem& problem, const AllSolutions& all,
                               const AllSolutionsDetail& detail) {
  Json out;
  if (!problem.name.empty()) out["name"] = problem.name;
  out["status"] = std::string(name(all.status));
  out["verdict"] = all_solutions_verdict(all);
  if (all.status == Status::too_large) {
    out["estimate"] = all.estimate;
  } else {
    out["solutions"] = all.components;
    out["pieces"] = Json::array();
    for (const SolutionPiece& piece : all.pieces)
      out["pieces"].push_back(piece_json(problem, piece));
  }
  if (!all.open.empty()) out["undecided"] = open_json(all);
  out["proof"] = {{"nodes", all.proof.size()},
                  {"certificates", all.certificates},
                  {"undecided", all.undecided},
                  {"checked", detail.checked}};
  if (detail.proof) out["proof"]["tree"] = tree_json(all);
  out["seconds"] = detail.seconds;
  return json_text(out.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::string all_solutions_table(const ContactProblem& problem, const AllSolutions& all,
                                const AllSolutionsDetail& detail) {
  std::string out;
  if (!problem.name.empty()) out += problem.name + "\n\n";
  if (all.status != Status::too_large) {
    constexpr std::size_t most = 20;
    for (std::size_t k = 0; k < std::min(all.pieces.size(), most); ++k) {
      const SolutionPiece& piece = all.pieces[k];
      out += concat({"solution ", std::to_string(piece.component + 1), "\n",
                     piece_table(problem, piece), piece_remark(piece), "\n"});
    }
    if (all.pieces.size() > most)
      out += concat(
          {"... and ", std::to_string(all.pieces.size() - most), " more; --json prints all\n\n"});
  }
  out += open_text(all);
  out += all_solutions_verdict(all) + "\n";
  if (all.status != Status::too_large)
    out += concat({"proof       ", counted(static_cast<Index>(all.proof.size()), "node"), ", ",
                   detail.checked ? "checked" : "NOT ACCEPTED by the check", ", ",
                   short_number(detail.seconds * 1e3), " ms\n"});
  return out;
}

}  // namespace tact
