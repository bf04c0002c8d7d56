// io/step_log_csv.hpp - the table of a tact-log/1 in CSV: its columns, and a line as the fields of
// a step.
//
// Columns, in any order: step, time, dt, potential; velocity.K, after.K and impulse.K, one per
// degree of freedom; of every contact of the header NAME.n and its NAME.t, or NAME.t1 and NAME.t2
// (impulses), NAME.gap, and NAME.chi.n, NAME.chi.t ... (excitation).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tact/base/result.hpp"
#include "tact/contact/problem.hpp"
#include "tact/io/json_tree.hpp"

namespace tact::detail {

struct CsvColumn {
  enum class Kind { step, time, dt, potential, velocity, after, impulse, load, gap, excitation };
  Kind kind = Kind::step;
  Index at = 0;      ///< degree of freedom, or contact
  Index row = 0;     ///< of the contact
  std::string name;  ///< as the file has it
  bool needed = false;
};

struct CsvLayout {
  std::vector<CsvColumn> columns;  ///< in the order of the file
  std::vector<Contact> contacts;   ///< the header's: points
  /// What the header says of each contact's excitation, an object; columns replace numbers of it.
  std::vector<JsonNode> excitations;
  Index dof = 0;
};

/// `place` is FILE:LINE of the names. Refuses a column that is unknown, missing or there twice,
/// and contacts whose names make two columns the same. The excitations are left empty.
[[nodiscard]] Result<CsvLayout> csv_layout(std::string_view names,
                                           const std::vector<Contact>& contacts, Index dof,
                                           const std::string& place);

/// One line as the object a line of JSON would be.
[[nodiscard]] Result<JsonNode> csv_step(const CsvLayout& layout, std::string_view line,
                                        const std::string& place);

}  // namespace tact::detail
