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
    p.load_rows.setZero(static_cast<Index>(loads_.size()), unknowns);
    for (std::size_t r = 0; r < loads_.size(); ++r)
      for (const auto& [column, value] : loads_[r])
        p.load_rows(static_cast<Index>(r), column) = value * unit[column];
    p.load_cones = load_cones_;
    p.normal_rows.setZero(static_cast<Index>(normals_.size()), f_.gamma.size());
    for (std::size_t r = 0; r < normals_.size(); ++r)
      p.normal_rows.row(static_cast<Index>(r)) = normals_[r].transpose();
    p.normal_cones = normal_cones_;
    return p;
  }

 private:
  using Terms = std::vector<std::pair<Index, double>>;

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
  Index add_column(Index i, const VecX& load) {
    VecX column = VecX::Zero(f_.gamma.size());
    column.segment(f_.offset[i], load.size()) = load;
    columns_.push_back(std::move(column));
    return static_cast<Index>(columns_.size()) - 1;
  }

  void add_ray(Index i, const VecX& load) {
    loads_.push_back({{add_column(i, load), 1.0}});
    load_cones_.push_back(1);
  }

  /// Of velocities: these rows of the contact are in one second-order cone.
  void add_normals(Index i, const MatX& rows) {
    for (Index r = 0; r < rows.rows(); ++r) {
      normals_.emplace_back(VecX::Zero(f_.gamma.size()));
      normals_.back().segment(f_.offset[i], rows.cols()) = rows.row(r);
    }
    normal_cones_.push_back(rows.rows());
  }

  void add_normal_row(Index i) {
    add_normals(i, VecX::Unit(f_.laws[i].rows, f_.laws[i].normal_row()).transpose());
  }

  /// Three rows of load as unknowns x, with load x in a second-order cone.
  void add_round(Index i, const Mat3& load) {
    polyhedral_ = false;
    Index at[3];
    for (Index k = 0; k < 3; ++k) at[k] = add_column(i, Vec3(Vec3::Unit(k)));
    for (Index r = 0; r < 3; ++r)
      loads_.push_back({{at[0], load(r, 0)}, {at[1], load(r, 1)}, {at[2], load(r, 2)}});
    load_cones_.push_back(3);
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
  std::vector<VecX> columns_, normals_;
  std::vector<Terms> loads_;
  std::vector<Index> load_cones_, normal_cones_;
};

}  // namespace

RepairProgram repair_program(const ImpactFrame& frame) {
  Writer writer(frame);
  for (std::size_t i = 0; i < frame.laws.size(); ++i) writer.add(static_cast<Index>(i));
  return writer.program();
}

}  // namespace tact
