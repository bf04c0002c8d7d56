// io/mode_report.hpp - counts and lists of modes, for people and for machines.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tact/modes/mode_cone.hpp"
#include "tact/modes/modes.hpp"

namespace tact {

/// The modes of one cs string; the list of a system is in order.
struct ListedModes {
  std::string cs;
  std::vector<std::string> ss;
  std::vector<VecX> witnesses;  ///< one per ss, if asked for
};

struct ModeReport {
  std::string name;
  Index contacts = 0;
  Index dof = 0;
  Index planes_least = 0, planes_most = 0;  ///< per contact
  ModeOptions options;
  ModeCounts counts;
  std::optional<std::uint64_t> hash;  ///< of a visit
  std::optional<std::vector<ListedModes>> list;
  bool list_cut = false;           ///< a limit ended the list
  std::vector<std::string> notes;  ///< one sentence each
  double seconds = 0;
};

[[nodiscard]] std::string mode_json(const ModeReport& report);
[[nodiscard]] std::string mode_table(const ModeReport& report);

[[nodiscard]] std::string mode_cone_json(const ModeCone& cone, std::string_view cs,
                                         std::string_view ss);
[[nodiscard]] std::string mode_cone_table(const ModeCone& cone, std::string_view cs,
                                          std::string_view ss);

/// 29 046: digits in groups of three; most_modes with the words "at least".
[[nodiscard]] std::string grouped(ModeCount count);

}  // namespace tact
