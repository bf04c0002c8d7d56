// contact/contact_rows.cpp - which of the six rows a law takes.
#include "tact/contact/contact_rows.hpp"

#include "tact/base/expects.hpp"

namespace tact {

std::span<const Index> twist_rows_of(const LocalLaw& law) {
  static constexpr Index all_rows[] = {0, 1, 2, 3, 4, 5}, flat_rows[] = {0, 1, 5};
  TACT_EXPECTS(law.kind != LawKind::bounded && (law.rows == 1 || law.rows == 3 || law.rows == 6));
  if (law.kind == LawKind::patch) return flat_rows;
  return std::span<const Index>(all_rows).last(law.rows);
}

}  // namespace tact
