// tests/support/mode_referee.hpp - modes by trying: every sign string is put to an exact linear
// program. Shares nothing with the library but the rows.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "tests/support/whole.hpp"

namespace tact::testing {

/// The simplex method in whole numbers (Edmonds' pivoting, Bland's rule) on
///   y >= 0, sum_j y_j row_j = 0, sum over strict j of y_j = 1,
/// which has no solution iff some x has row_j x >= 0 for all j and > 0 for the strict ones (Gordan,
/// Motzkin); the multipliers of phase one are that x.
class StrictSystem {
 public:
  explicit StrictSystem(std::size_t dof) : dof_(dof) {}

  void add(const WholeRow& row, bool strict) {
    rows_.push_back(row);
    strict_.push_back(strict);
  }

  /// x with row x > 0 for '+', < 0 for '-', = 0 for '0'; >= 0 for '?'.
  void add_signed(const WholeRow& row, char sign) {
    if (sign == '+' || sign == '?') add(row, sign == '+');
    if (sign == '-') add(negated(row), true);
    if (sign == '0') {
      add(row, false);
      add(negated(row), false);
    }
  }

  [[nodiscard]] std::optional<WholeRow> witness() const {
    if (std::ranges::find(strict_, true) == strict_.end()) return WholeRow(dof_);
    Tableau t = start();
    while (improve(t)) {
    }
    const WholeRow& cost = t.entries.back();
    if (cost.back().sign() == 0) return std::nullopt;
    WholeRow x;
    for (std::size_t i = 0; i < dof_; ++i) x.push_back(cost[rows_.size() + i] - t.scale);
    x = reduced(x);
    for (std::size_t j = 0; j < rows_.size(); ++j)
      if (dot(rows_[j], x) < Whole(strict_[j] ? 1 : 0)) throw std::logic_error("no witness");
    return x;
  }

 private:
  /// Constraint rows, then the cost row; columns y, artificials, right-hand side.
  struct Tableau {
    WholeRows entries;
    std::vector<std::size_t> basis;
    Whole scale = 1;
  };

  [[nodiscard]] Tableau start() const {
    const std::size_t m = rows_.size();
    Tableau t;
    t.entries.assign(dof_ + 2, WholeRow(m + dof_ + 2));
    for (std::size_t i = 0; i <= dof_; ++i) {
      for (std::size_t j = 0; j < m; ++j) {
        const Whole a = i < dof_ ? rows_[j][i] : Whole(strict_[j] ? 1 : 0);
        t.entries[i][j] = a;
        t.entries.back()[j] = t.entries.back()[j] - a;
      }
      t.entries[i][m + i] = 1;
      t.basis.push_back(m + i);
    }
    t.entries[dof_].back() = 1;
    t.entries.back().back() = -1;
    return t;
  }

  /// One pivot; false at the optimum.
  bool improve(Tableau& t) const {
    const WholeRow& cost = t.entries.back();
    std::size_t enter = 0;
    while (enter < rows_.size() && cost[enter].sign() >= 0) ++enter;
    if (enter == rows_.size()) return false;
    std::optional<std::size_t> leave;
    for (std::size_t i = 0; i <= dof_; ++i) {
      if (t.entries[i][enter].sign() <= 0) continue;
      if (!leave || before(t, i, *leave, enter)) leave = i;
    }
    if (!leave.has_value()) throw std::logic_error("phase one is bounded");
    pivot(t, *leave, enter);
    return true;
  }

  static bool before(const Tableau& t, std::size_t i, std::size_t k, std::size_t enter) {
    const Whole a = t.entries[i].back() * t.entries[k][enter];
    const Whole b = t.entries[k].back() * t.entries[i][enter];
    return a < b || (a == b && t.basis[i] < t.basis[k]);
  }

  static void pivot(Tableau& t, std::size_t leave, std::size_t enter) {
    const WholeRow row = t.entries[leave];
    for (std::size_t i = 0; i < t.entries.size(); ++i) {
      if (i == leave) continue;
      const Whole factor = t.entries[i][enter];
      for (std::size_t j = 0; j < row.size(); ++j)
        t.entries[i][j] = (t.entries[i][j] * row[enter] - factor * row[j]) / t.scale;
    }
    t.scale = row[enter];
    t.basis[leave] = enter;
  }

  std::size_t dof_;
  WholeRows rows_;
  std::vector<bool> strict_;
};

/// All sign strings of `planes` with the letters of `alphabet` that some x has, where x also obeys
/// `given`. A string is not continued once its beginning is impossible.
inline std::vector<std::string> sign_strings(const WholeRows& planes, std::string_view alphabet,
                                             const StrictSystem& given,
                                             const std::string& begun = {}) {
  if (begun.size() == planes.size()) return {begun};
  std::vector<std::string> all;
  for (const char sign : alphabet) {
    StrictSystem with = given;
    with.add_signed(planes[begun.size()], sign);
    if (!with.witness()) continue;
    for (std::string& s : sign_strings(planes, alphabet, with, begun + sign))
      all.push_back(std::move(s));
  }
  return all;
}

/// The rows of a system by kind, as whole numbers.
struct ModeRows {
  std::size_t dof = 0;
  WholeRows normals;
  std::vector<WholeRows> tangents;  ///< per contact
};

inline ModeRows mode_rows(const ModeSystem& system) {
  const WholeRows rows = whole_rows(system);
  ModeRows result;
  result.dof = static_cast<std::size_t>(system.dof());
  for (const ModeContact& contact : system.contacts) {
    result.normals.push_back(rows.at(contact.normal));
    const auto first = rows.begin() + contact.normal + 1;
    result.tangents.emplace_back(first, first + contact.tangents);
  }
  return result;
}

/// The tangents that a cs string keeps, in order.
inline WholeRows kept_tangents(const ModeRows& rows, std::string_view cs) {
  WholeRows kept;
  for (std::size_t k = 0; k < cs.size(); ++k)
    if (cs[k] == '0') kept.insert(kept.end(), rows.tangents[k].begin(), rows.tangents[k].end());
  return kept;
}

inline std::set<std::string> tried_cs_modes(const ModeRows& rows) {
  const auto all = sign_strings(rows.normals, "+0", StrictSystem(rows.dof));
  return {all.begin(), all.end()};
}

/// Every mode as "cs|ss".
inline std::set<std::string> tried_modes(const ModeRows& rows) {
  std::set<std::string> modes;
  for (const std::string& cs : tried_cs_modes(rows)) {
    StrictSystem given(rows.dof);
    for (std::size_t k = 0; k < cs.size(); ++k) given.add_signed(rows.normals[k], cs[k]);
    for (const std::string& ss : sign_strings(kept_tangents(rows, cs), "+-0", given))
      modes.insert(std::string(cs).append("|").append(ss));
  }
  return modes;
}

}  // namespace tact::testing
