// contact/contact_rows.cpp - which of the six rows a law takes.
#include "tact/contact/contact_rows.hpp"

#include "tact/base/expects.hpp"

namespace tact {

namespace {

constexpr Index all_rows[] = {0, 1, 2, 3, 4, 5};
constexpr Index flat_rows[] = {0, 1, 5};

std::span<const Index> twist_rows(Index count, bool flat) {
  TACT_EXPECTS(count == 1 || count == 3 || count == 6);
  if (flat) return flat_rows;
  return std::span<const Index>(all_rows).last(static_cast<std::size_t>(count));
}

}  // namespace

std::span<const Index> twist_rows_of(const Law& law) {
  TACT_EXPECTS(!std::holds_alternative<BoundedLaw>(law));
  return twist_rows(row_count(law), std::holds_alternative<FrictionlessPatch>(law));
}

std::span<const Index> twist_rows_of(const LocalLaw& law) {
  TACT_EXPECTS(law.kind != LawKind::bounded);
  return twist_rows(law.rows, law.kind == LawKind::patch);
}

}  // namespace tact
