// impact/repair_program.hpp - the admissible impulses of an impact, as unknowns of a program.
//
// λ = C x. Polygonal cones by their rays, x >= 0: the corners of the friction polygon with a normal
// of one, the corners of a hull. A friction disc and an elliptic hull keep their three rows as
// unknowns, with one second-order cone each. Columns are scaled to unit energy.
#pragma once

#include <vector>

#include "tact/impact/energy_frame.hpp"

namespace tact {

struct RepairProgram {
  bool supported = true;   ///< every cone is one of the above
  bool polyhedral = true;  ///< every cone is a polygonal one
  MatX to_rows;            ///< C [rows x unknowns]
  MatX columns;            ///< B C [dof x unknowns]
  VecX approach;           ///< C'γ⁻
  /// λ in K: cones of sizes `load_cones` hold (load_rows x), each of unknowns of its own.
  MatX load_rows;
  std::vector<Index> load_cones;
  /// γ_N⁺ in K_N*: cones of sizes `normal_cones` hold normal_rows (γ⁻ + B'y), rows of γ.
  MatX normal_rows;
  std::vector<Index> normal_cones;
};

[[nodiscard]] RepairProgram repair_program(const ImpactFrame& frame);

}  // namespace tact
