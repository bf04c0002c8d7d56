#include "tact/modes/mode_system.hpp"

#include <cmath>
#include <numbers>
#include <string>

#include "tact/base/expects.hpp"

namespace tact {

void add_contact(ModeSystem& system, const VecX& normal, const MatX& tangents) {
  TACT_EXPECTS(system.rows.rows() == 0 || normal.size() == system.dof());
  TACT_EXPECTS(tangents.rows() == 0 || tangents.cols() == normal.size());
  const Index first = system.rows.rows();
  system.rows.conservativeResize(first + 1 + tangents.rows(), normal.size());
  if (normal.size() > 0) system.rows.row(first) = normal.transpose();
  if (tangents.size() > 0) system.rows.bottomRows(tangents.rows()) = tangents;
  system.contacts.push_back({first, tangents.rows()});
}

namespace {

/// A direction in the plane of two tangents, of any length.
struct PlaneDirection {
  double c = 1, s = 0;
};

/// At quarter / planes of a right angle, quarter <= planes. Few digits, so that multiples of short
/// rows are not rounded: a plane then contains the line where the axes vanish, exactly, and equal
/// directions of several contacts stay equal. The angle is off by 2^-30 at most.
PlaneDirection direction_in_quadrant(Index quarter, Index planes) {
  if (quarter == 0) return {1, 0};
  if (2 * quarter == planes) return {1, 1};
  if (2 * quarter > planes) {
    const PlaneDirection mirrored = direction_in_quadrant(planes - quarter, planes);
    return {mirrored.s, mirrored.c};
  }
  constexpr double grid = 1 << 30;
  const double angle =
      std::numbers::pi / 2 * static_cast<double>(quarter) / static_cast<double>(planes);
  return {std::round(grid * std::cos(angle)) / grid, std::round(grid * std::sin(angle)) / grid};
}

}  // namespace

Vec2 plane_direction(Index k, Index planes) {
  const bool obtuse = 2 * k > planes;
  const PlaneDirection d = direction_in_quadrant(2 * (obtuse ? planes - k : k), planes);
  return {obtuse ? -d.c : d.c, d.s};
}

MatX dividing_planes(const VecX& t1, const VecX& t2, Index planes) {
  TACT_EXPECTS(planes >= 1 && t1.size() == t2.size());
  MatX rows(planes, t1.size());
  for (Index k = 0; k < planes; ++k) {
    const Vec2 d = plane_direction(k, planes);
    rows.row(k) = (d[0] * t1 + d[1] * t2).transpose();
  }
  return rows;
}

Result<bool> validate(const ModeSystem& system) {
  Index row = 0;
  for (const ModeContact& contact : system.contacts) {
    TACT_EXPECTS(contact.normal == row && contact.tangents >= 0);
    row += 1 + contact.tangents;
  }
  TACT_EXPECTS(row == system.rows.rows());
  for (std::size_t k = 0; k < system.contacts.size(); ++k) {
    const ModeContact& contact = system.contacts[k];
    const auto block = system.rows.middleRows(contact.normal, 1 + contact.tangents);
    if (!block.allFinite())
      return Error{Errc::value, std::string("contact ")
                                    .append(std::to_string(k))
                                    .append(" has a row that is not finite: give numbers")};
  }
  for (const ExactEntry& entry : system.exact)
    TACT_EXPECTS(entry.row >= 0 && entry.row < system.rows.rows() && entry.column >= 0 &&
                 entry.column < system.dof());
  return true;
}

}  // namespace tact
