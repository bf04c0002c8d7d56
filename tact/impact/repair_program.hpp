// impact/repair_program.hpp - the admissible impulses of an impact, as unknowns of a program.
//
// λ = C x: the cones of solve/load_set.hpp at rest. Polygonal ones have their rays, x >= 0;
// friction discs, rolling and round hulls second-order cones. Columns are scaled to unit energy.
#pragma once

#include <vector>

#include "tact/impact/energy_frame.hpp"

namespace tact {

struct RepairProgram {
  bool supported = true;   ///< friction of patches is not, but for that of corners
  bool polyhedral = true;  ///< every cone is a polygonal one
  MatX to_rows;            ///< C [rows x unknowns]
  MatX columns;            ///< B C [dof x unknowns]
  VecX approach;           ///< C'γ⁻
  /// λ in K: cones of sizes `load_cones` hold (load_rows x).
  MatX load_rows;
  std::vector<Index> load_cones;
  /// γ_N⁺ in K_N*: cones of sizes `normal_cones` hold normal_rows (γ⁻ + B'y), rows of γ.
  MatX normal_rows;
  std::vector<Index> normal_cones;
};

[[nodiscard]] RepairProgram repair_program(const ImpactFrame& frame);

}  // namespace tact
