// cone/polyhedral.hpp - cones with finitely many rays or faces, in any dimension.
#pragma once

#include "tact/cone/cone.hpp"

namespace tact {

/// { G t : t >= 0 } when given by rays, { x : G'x >= 0 } when given by half-spaces; the columns of
/// G are the rays, or the inward normals. One is the dual of the other.
class PolyhedralCone {
 public:
  static constexpr int dim = Eigen::Dynamic;
  enum class Form { rays, half_spaces };

  PolyhedralCone() = default;  ///< of dimension zero
  [[nodiscard]] static PolyhedralCone from_rays(const MatX& rays);
  [[nodiscard]] static PolyhedralCone from_half_spaces(const MatX& normals);

  [[nodiscard]] Form form() const { return form_; }
  [[nodiscard]] const MatX& columns() const { return columns_; }
  [[nodiscard]] Index ambient_dim() const { return columns_.rows(); }

  [[nodiscard]] VecX project(const VecX& x) const;
  [[nodiscard]] VecX project(const VecX& x, const Metric<Eigen::Dynamic>& metric) const;
  /// Distance to the boundary, negative outside. Of a cone given by rays the faces are found first:
  /// every choice of dim - 1 rays is tried, so this is for small cones.
  [[nodiscard]] double margin(const VecX& x) const;
  /// Given by rays: the unit ray that maximises its product with d. By half-spaces: of the unit
  /// ball.
  [[nodiscard]] VecX support(const VecX& direction) const;
  [[nodiscard]] PolyhedralCone dual() const;
  /// { A x : x in K }, A invertible.
  [[nodiscard]] PolyhedralCone mapped(const MatX& a) const;

  bool operator==(const PolyhedralCone&) const = default;

 private:
  PolyhedralCone(MatX columns, Form form) : columns_(std::move(columns)), form_(form) {}

  MatX columns_;
  Form form_ = Form::rays;
};

static_assert(Cone<PolyhedralCone>);

/// Inward unit normals of the faces of { G t : t >= 0 }, as columns; a cone that does not span the
/// space also gets a pair ±n for each missing direction.
[[nodiscard]] MatX facet_normals(const MatX& rays);

}  // namespace tact
