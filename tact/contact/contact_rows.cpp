// contact/contact_rows.cpp - the axes of the contact frame as rows over both bodies.
#include "tact/contact/contact_rows.hpp"

#include "tact/base/expects.hpp"

namespace tact {

std::span<const Index> twist_rows_of(const Law& law) {
  static constexpr Index all[] = {0, 1, 2, 3, 4, 5};
  static constexpr Index flat[] = {0, 1, 5};
  const std::span<const Index> rows(all);
  TACT_EXPECTS(!std::holds_alternative<BoundedLaw>(law));
  switch (row_count(law)) {
    case 1:
      return rows.last(1);
    case 3:
      return std::holds_alternative<FrictionlessPatch>(law) ? std::span<const Index>(flat)
                                                            : rows.last(3);
    default:
      TACT_EXPECTS(row_count(law) == 6);
      return rows;
  }
}

void append_contact_rows(const Model& model, const Kinematics& kin, const Law& law, Index body1,
                         Index body2, const Pose& X_WC, SparseRows& rows) {
  for (const Index row : twist_rows_of(law)) {
    const Vec3 axis = X_WC.R.col(row % 3);
    RowSide first{body1, X_WC.p, Vec3::Zero(), Vec3::Zero()};
    RowSide second{body2, X_WC.p, Vec3::Zero(), Vec3::Zero()};
    if (row < 3) {
      first.axis = axis;
      second.axis = -axis;
    } else {
      first.direction = axis;
      second.direction = -axis;
    }
    append_row(model, kin, first, second, rows);
  }
}

}  // namespace tact
