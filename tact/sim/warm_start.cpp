// sim/warm_start.cpp - wrenches in W to loads in contact frames and back.
#include "tact/sim/warm_start.hpp"

#include <algorithm>

#include <Eigen/Geometry>

namespace tact {
namespace {

void write_rows(const LocalLaw& law, const Vec6& wrench, double* lambda) {
  if (law.rows == 6)
    for (Index r = 0; r < 6; ++r) lambda[r] = wrench[r];
  else if (law.is_patch())
    lambda[0] = wrench[0], lambda[1] = wrench[1], lambda[2] = wrench[5];
  else if (law.rows == 3)
    for (Index r = 0; r < 3; ++r) lambda[r] = wrench[3 + r];
  else
    lambda[0] = wrench[5];
}

/// The load of this key; null where there was none.
const RememberedLoad* find(const std::vector<RememberedLoad>& loads, const RowKey& key) {
  const auto at = std::lower_bound(
      loads.begin(), loads.end(), key,
      [](const RememberedLoad& load, const RowKey& other) { return before(load.key, other); });
  return at == loads.end() || !(at->key == key) ? nullptr : &*at;
}

/// Whether the patch is the one before that has slid on: its load goes along, as the weight does
/// that it carries. Where another part of the surface touches, the load stays where it was.
bool has_slid(const LocalLaw& law, const Vec3& by) {
  constexpr double share = 0.1;  // of the patch
  if (!law.is_patch()) return false;
  const double most = share * law.patch->cone.hull().radius();
  return by.squaredNorm() <= most * most;
}

}  // namespace

Vec6 whole_wrench(const LocalLaw& law, const double* lambda) {
  Vec6 out = Vec6::Zero();
  if (law.rows == 6)
    for (Index r = 0; r < 6; ++r) out[r] = lambda[r];
  else if (law.is_patch())
    out << lambda[0], lambda[1], 0, 0, 0, lambda[2];
  else if (law.rows == 3)
    out.tail<3>() << lambda[0], lambda[1], lambda[2];
  else
    out[5] = lambda[0];
  return out;
}

void recall_loads(const StepMemory& memory, const ConstraintRows& rows, VecX& lambda) {
  lambda.setZero(rows.rows);
  for (std::size_t i = 0; i < rows.groups.size(); ++i) {
    const RowGroup& group = rows.groups[i];
    const RememberedLoad* at = find(memory.loads, group.key);
    if (at == nullptr) continue;
    double* out = lambda.data() + group.first_row;
    if (at->force.isZero(0) && at->moment.isZero(0)) continue;
    const Vec3 by = group.X_WC.p - at->at;
    Vec3 moment = at->moment;
    if (!has_slid(rows.laws[i], by)) moment -= by.cross(at->force);
    Vec6 wrench;
    wrench << group.X_WC.R.transpose() * moment, group.X_WC.R.transpose() * at->force;
    write_rows(rows.laws[i], wrench, out);
  }
}

void remember_loads(const ConstraintRows& rows, const VecX& recalled, const VecX& lambda,
                    StepMemory& memory) {
  const auto same = [&](const RowGroup& group) {
    const double *now = lambda.data() + group.first_row, *was = recalled.data() + group.first_row;
    return std::equal(now, now + group.row_count, was);
  };
  std::swap(memory.loads, memory.before);
  memory.loads.clear();
  for (std::size_t i = 0; i < rows.groups.size(); ++i) {
    const RowGroup& group = rows.groups[i];
    const RememberedLoad* was = find(memory.before, group.key);
    // Turning a load into W and back costs a bit now and then, and what rests would drift.
    if (was != nullptr && was->at == group.X_WC.p && same(group)) {
      memory.loads.push_back(*was);
      continue;
    }
    RememberedLoad load;
    load.key = group.key;
    const Vec6 wrench = whole_wrench(rows.laws[i], lambda.data() + group.first_row);
    load.moment = group.X_WC.R * wrench.head<3>();
    load.force = group.X_WC.R * wrench.tail<3>();
    load.at = group.X_WC.p;
    memory.loads.push_back(load);
  }
  const auto order = [](const RememberedLoad& a, const RememberedLoad& b) {
    return before(a.key, b.key);
  };
  if (!std::is_sorted(memory.loads.begin(), memory.loads.end(), order))
    std::sort(memory.loads.begin(), memory.loads.end(), order);
}

}  // namespace tact
