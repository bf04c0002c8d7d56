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

  void add_normal(const VecX& row) { normals_.push_back(row); }

  void add_normal_row(Index i) {
    add_normal(VecX::Unit(f_.gamma.size(), f_.offset[i] + f_.laws[i].normal_row()));
    normal_cones_.push_back(1);
  }

  /// |T| <= mu N.
  void add_disc(Index i, double mu) {
    polyhedral_ = false;
    Index at[3];
    for (Index k = 0; k < 3; ++k) at[k] = add_column(i, Vec3(Vec3::Unit(k)));
    loads_.push_back({{at[2], mu}});
    loads_.push_back({{at[0], 1.0}});
    loads_.push_back({{at[1], 1.0}});
    load_cones_.push_back(3);
  }

  void add_patch(Index i, const PlanarSet& hull) {
    if (hull.kind() == PlanarSet::Kind::polygon) {
      for (const Vec2& x : hull.vertices()) {
        const Vec2 turned = perp(x);
        const Vec3 load(turned[0], turned[1], 1);
        add_ray(i, load);
        VecX row = VecX::Zero(f_.gamma.size());
        row.segment<3>(f_.offset[i]) = load;
        add_normal(row);
        normal_cones_.push_back(1);
      }
      return;
    }
    if (hull.kind() != PlanarSet::Kind::ellipse) {
      supported_ = false;
      return;
    }
    add_ellipse(i, hull.form());
  }

  /// m_T = f_N x^perp with x = c + B u, |u| <= 1: |B⁻¹(x - c)| f_N <= f_N. And for velocities
  /// v_N + ω.c^perp >= |(R B)'ω|, R x = x^perp.
  void add_ellipse(Index i, const EllipseForm& form) {
    polyhedral_ = false;
    Mat2 turn;
    turn << 0, 1, -1, 0;
    const Mat2 to_unit = form.axes.inverse() * turn.transpose();
    const Vec2 centre = form.axes.inverse() * form.center;
    Index at[3];
    for (Index k = 0; k < 3; ++k) at[k] = add_column(i, Vec3(Vec3::Unit(k)));
    loads_.push_back({{at[2], 1.0}});
    for (Index r = 0; r < 2; ++r)
      loads_.push_back({{at[0], to_unit(r, 0)}, {at[1], to_unit(r, 1)}, {at[2], -centre[r]}});
    load_cones_.push_back(3);

    const Index first = f_.offset[i];
    const Vec2 turned = turn * form.center;
    const Mat2 axes = (turn * form.axes).transpose();
    VecX row = VecX::Zero(f_.gamma.size());
    row.segment<3>(first) = Vec3(turned[0], turned[1], 1);
    add_normal(row);
    for (Index r = 0; r < 2; ++r) {
      row.segment<3>(first) = Vec3(axes(r, 0), axes(r, 1), 0);
      add_normal(row);
    }
    normal_cones_.push_back(3);
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
