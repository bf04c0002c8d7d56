// impact/repair_program.cpp - rays and cones of every law.
#include "tact/impact/repair_program.hpp"

#include <utility>

#include <Eigen/LU>

namespace tact {
namespace {

class Writer {
 public:
  explicit Writer(const ImpactFrame& frame) : f_(frame) {}

  void add(Index i) {
    const LocalLaw& law = f_.laws[i];
    switch (law.kind) {
      case LawKind::frictionless:
        add_normal_row(i);
        add_ray(i, VecX::Ones(1));
        return;
      case LawKind::interval:
        add_normal_row(i);
        add_ray(i, Vec2(law.mu, 1));
        if (law.mu > 0) add_ray(i, Vec2(-law.mu, 1));
        return;
      case LawKind::polygon:
        add_normal_row(i);
        for (const Vec2& c : *law.polygon) add_ray(i, Vec3(c[0], c[1], 1));
        return;
      case LawKind::disc:
        add_normal_row(i);
        if (law.mu > 0)
          add_disc(i, law.mu);
        else
          add_ray(i, Vec3::UnitZ());
        return;
      case LawKind::patch:
        add_patch(i, law.patch->cone.hull());
        return;
      default:
        supported_ = false;
    }
  }

  [[nodiscard]] RepairProgram program() const {
    RepairProgram p;
    p.supported = supported_;
    p.polyhedral = polyhedral_;
    const auto unknowns = static_cast<Index>(columns_.size());
    p.to_rows.setZero(f_.gamma.size(), unknowns);
    for (Index j = 0; j < unknowns; ++j) p.to_rows.col(j) = columns_[j];
    p.columns = f_.rows * p.to_rows;
    const VecX unit = units(p.columns);
    p.to_rows *= unit.asDiagonal();
    p.columns *= unit.asDiagonal();
    p.approach = p.to_rows.transpose() * f_.gamma;
    p.load_rows.setZero(unknowns, unknowns);
    Index at = 0;
    for (const MatX& load : loads_) {
      p.load_rows.block(at, at, load.rows(), load.rows()) = load;
      p.load_cones.push_back(load.rows());
      at += load.rows();
    }
    p.load_rows *= unit.asDiagonal();
    p.normal_rows.setZero(normal_count_, f_.gamma.size());
    at = 0;
    for (const auto& [contact, rows] : normals_) {
      p.normal_rows.block(at, f_.offset[contact], rows.rows(), rows.cols()) = rows;
      p.normal_cones.push_back(rows.rows());
      at += rows.rows();
    }
    return p;
  }

 private:
  /// One over the length of every column; one for a column that moves nothing.
  [[nodiscard]] static VecX units(const MatX& columns) {
    VecX unit(columns.cols());
    for (Index j = 0; j < columns.cols(); ++j) {
      const double length = columns.col(j).norm();
      unit[j] = length > 0 ? 1 / length : 1.0;
    }
    return unit;
  }

  /// A new unknown; `load` in the rows of the contact.
  void add_column(Index i, const VecX& load) {
    columns_.emplace_back(VecX::Zero(f_.gamma.size()));
    columns_.back().segment(f_.offset[i], load.size()) = load;
  }

  void add_ray(Index i, const VecX& load) {
    add_column(i, load);
    loads_.emplace_back(MatX::Ones(1, 1));
  }

  /// Of velocities: these rows of the contact are in one second-order cone.
  void add_normals(Index i, const MatX& rows) {
    normals_.emplace_back(i, rows);
    normal_count_ += rows.rows();
  }

  void add_normal_row(Index i) {
    add_normals(i, VecX::Unit(f_.laws[i].rows, f_.laws[i].normal_row()).transpose());
  }

  /// Three rows of load as unknowns x, with load x in a second-order cone.
  void add_round(Index i, const Mat3& load) {
    polyhedral_ = false;
    for (Index k = 0; k < 3; ++k) add_column(i, Vec3(Vec3::Unit(k)));
    loads_.emplace_back(load);
  }

  /// |T| <= mu N.
  void add_disc(Index i, double mu) {
    Mat3 load;
    load << 0, 0, mu, 1, 0, 0, 0, 1, 0;
    add_round(i, load);
  }

  void add_patch(Index i, const PlanarSet& hull) {
    if (hull.kind() == PlanarSet::Kind::polygon) {
      for (const Vec2& x : hull.vertices()) {
        const Vec3 load = load_at(x);
        add_ray(i, load);
        add_normals(i, load.transpose());
      }
    } else if (hull.kind() == PlanarSet::Kind::ellipse) {
      add_ellipse(i, hull.form());
    } else {
      supported_ = false;
    }
  }

  /// m_T = f_N x^perp with x = c + B u, |u| <= 1: |B⁻¹(x - c)| f_N <= f_N. And for velocities
  /// v_N + ω.c^perp >= |(R B)'ω|, R x = x^perp.
  void add_ellipse(Index i, const EllipseForm& form) {
    Mat2 turn;
    turn << 0, 1, -1, 0;
    Mat3 load = Mat3::Zero();
    load(0, 2) = 1;
    load.bottomLeftCorner<2, 2>() = form.axes.inverse() * turn.transpose();
    load.bottomRightCorner<2, 1>() = -(form.axes.inverse() * form.center);
    add_round(i, load);
    Mat3 opening = Mat3::Zero();
    opening.row(0) << (turn * form.center).transpose(), 1;
    opening.bottomLeftCorner<2, 2>() = (turn * form.axes).transpose();
    add_normals(i, opening);
  }

  const ImpactFrame& f_;
  bool supported_ = true, polyhedral_ = true;
  std::vector<VecX> columns_;
  std::vector<MatX> loads_;                      ///< one after the other, as many as columns
  std::vector<std::pair<Index, MatX>> normals_;  ///< and their contacts
  Index normal_count_ = 0;
};

}  // namespace

RepairProgram repair_program(const ImpactFrame& frame) {
  Writer writer(frame);
  for (std::size_t i = 0; i < frame.laws.size(); ++i) writer.add(static_cast<Index>(i));
  return writer.program();
}

}  // namespace tact
