// impact/repair_program.cpp - the cones of every law at rest, put together.
#include "tact/impact/repair_program.hpp"

#include "tact/solve/load_set.hpp"

namespace tact {
namespace {

constexpr double rest[6] = {0, 0, 0, 0, 0, 0}, ones[6] = {1, 1, 1, 1, 1, 1};
constexpr LoadMotion at_rest{rest, ones, 0};

/// The normal velocities of contact i that are in cones, by rows of γ.
void add_normals(const ImpactFrame& f, Index i, std::vector<VecX>& rows,
                 std::vector<Index>& cones) {
  const RowSplit& split = f.split[i];
  const auto add = [&](const Vec3& load) {
    VecX& row = rows.emplace_back(VecX::Zero(f.gamma.size()));
    for (Index k = 0; k < split.normal_count; ++k)
      row[f.offset[i] + split.normal[k]] = load[3 - split.normal_count + k];
  };
  if (!f.laws[i].is_patch()) {
    add(Vec3::UnitZ());
    cones.push_back(1);
    return;
  }
  // v_N(x) over x = c + B s, |s| <= 1, is v_N + ω.c^perp + s.(B^perp)'ω.
  for (const EllipseForm& part : closed_parts(f.laws[i], at_rest)) {
    add(load_at(part.center));
    cones.push_back(part.is_point() ? 1 : 3);
    for (Index k = 0; k < 2 && !part.is_point(); ++k)
      add(load_at(part.axes.col(k)) - Vec3::UnitZ());
  }
}

}  // namespace

RepairProgram repair_program(const ImpactFrame& f) {
  RepairProgram p;
  std::vector<LoadSet> sets;
  std::vector<VecX> normals;
  Index unknowns = 0, rows = 0;
  for (std::size_t i = 0; i < f.laws.size(); ++i) {
    const LoadSet& set = sets.emplace_back(load_set(f.laws[i], at_rest, {}));
    p.supported = p.supported && !set.frozen;
    p.load_cones.insert(p.load_cones.end(), set.cones.begin(), set.cones.end());
    unknowns += set.E.cols();
    rows += set.C.rows();
    add_normals(f, static_cast<Index>(i), normals, p.normal_cones);
  }
  for (const Index size : p.load_cones) p.polyhedral = p.polyhedral && size == 1;
  p.to_rows.setZero(f.gamma.size(), unknowns);
  p.load_rows.setZero(rows, unknowns);
  Index column = 0, row = 0;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const LoadSet& set = sets[i];
    p.to_rows.block(f.offset[i], column, set.E.rows(), set.E.cols()) = set.E;
    p.load_rows.block(row, column, set.C.rows(), set.C.cols()) = set.C;
    column += set.E.cols();
    row += set.C.rows();
  }
  p.columns = f.rows * p.to_rows;
  // Unit energy; a column that moves nothing keeps its own size.
  VecX unit = p.columns.colwise().norm();
  unit = unit.unaryExpr([](double length) { return length > 0 ? 1 / length : 1.0; });
  for (MatX* m : {&p.to_rows, &p.columns, &p.load_rows}) *m *= unit.asDiagonal();
  p.approach = p.to_rows.transpose() * f.gamma;
  p.normal_rows.resize(static_cast<Index>(normals.size()), f.gamma.size());
  for (std::size_t k = 0; k < normals.size(); ++k)
    p.normal_rows.row(static_cast<Index>(k)) = normals[k].transpose();
  return p;
}

}  // namespace tact
