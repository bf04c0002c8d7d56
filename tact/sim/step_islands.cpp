// sim/step_islands.cpp - who hangs together, and the numbers of each.
#include "tact/sim/step_islands.hpp"

#include <algorithm>
#include <cmath>

#include "tact/sim/step_work.hpp"

namespace tact {
namespace {

Index top(std::vector<Index>& up, Index i) {
  while (up[i] != i) i = up[i] = up[up[i]];
  return i;
}

/// Every group's first of its island, into `up`. Groups that move nothing are one. `of_tree` is
/// scratch.
void join_groups(const ConstraintRows& rows, Index dofs, std::vector<Index>& of_tree,
                 std::vector<Index>& up) {
  const auto count = static_cast<Index>(rows.groups.size());
  Index idle = -1;
  of_tree.assign(static_cast<std::size_t>(dofs) + 1, -1);
  up.resize(static_cast<std::size_t>(count));
  for (Index i = 0; i < count; ++i) {
    const RowGroup& group = rows.groups[i];
    up[i] = i;
    if (group.side_count == 0) up[i] = idle = idle < 0 ? i : idle;
    for (Index s = group.first_side; s < group.first_side + group.side_count; ++s) {
      Index& met = of_tree[rows.side_tree[s]];
      if (met < 0) met = i;
      const Index a = top(up, i), b = top(up, met);
      up[std::max(a, b)] = std::min(a, b);
    }
  }
  for (Index i = 0; i < count; ++i) up[i] = top(up, i);
}

/// The memory of the island with this lowest leaf.
Index place_at(Index leaf, StepIslands& islands) {
  if (islands.at_leaf[leaf] < 0) {
    islands.at_leaf[leaf] = static_cast<Index>(islands.kept.size());
    islands.kept.emplace_back();
  }
  return islands.at_leaf[leaf];
}

/// Which groups are whose.
void gather_members(const Model& model, const StepWork& w, StepIslands& islands) {
  const std::size_t count = w.rows.groups.size();
  islands.local.resize(static_cast<std::size_t>(model.nv));
  islands.at_leaf.resize(static_cast<std::size_t>(model.nv) + 1, -1);
  islands.place.assign(count, model.nv);  // the lowest leaf of an island, at its first group
  for (std::size_t i = 0; i < count; ++i) {
    const RowGroup& group = w.rows.groups[i];
    Index& lowest = islands.place[islands.up[i]];
    for (Index s = group.first_side; s < group.first_side + group.side_count; ++s)
      lowest = std::min(lowest, w.rows.sides[s].leaf);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const auto first = static_cast<std::size_t>(islands.up[i]);
    if (first == i) {
      islands.place[i] = place_at(islands.place[i], islands);
      islands.found.push_back(islands.place[i]);
      islands.kept[islands.place[i]].members.clear();
    }
    islands.kept[islands.place[first]].members.push_back(static_cast<Index>(i));
  }
}

void cut_metrics(const DelassusProblem& whole, StepIsland& island) {
  DelassusProblem& part = island.problem;
  part.metric_at.clear();
  part.metric_values.clear();
  for (const Index i : island.members) {
    const double* metric = whole.metric_values.data() + whole.metric_at[i];
    part.metric_at.push_back(static_cast<Index>(part.metric_values.size()));
    part.metric_values.insert(part.metric_values.end(), metric,
                              metric + metric_size(whole.laws[i]));
  }
}

/// What rounding of the free motion of some degrees of freedom amounts to, as the root of an
/// energy, of the diagonal of M.
double velocity_noise(const Model& model, const StepWork& w, std::span<const Index> dofs) {
  double sum = 0;
  for (const Index d : dofs)
    sum += w.mass.values[model.tree.row[d + 1] - 1] * w.smooth.z[d] * w.smooth.z[d];
  return tolerance::rounding * std::sqrt(sum);
}

/// Groups, laws, gaps and vectors.
void cut_rows(const Model& model, const StepWork& w, StepIsland& island) {
  ConstraintRows& rows = island.rows;
  rows.groups.clear();
  rows.laws.clear();
  rows.rows = 0;
  island.gaps.clear();
  for (const Index i : island.members) {
    RowGroup group = w.rows.groups[i];
    group.first_row = rows.rows;
    rows.rows += group.row_count;
    rows.groups.push_back(group);
    rows.laws.push_back(w.rows.laws[i]);
    island.gaps.push_back(w.gaps[i]);
  }
  island.problem.laws.assign(rows.laws.begin(), rows.laws.end());
  island.dt = w.dt;
  island.problem.noise = velocity_noise(model, w, island.bodies.of_dof);
  gather(w.rows, island, w.problem.b, island.problem.b);
  gather(w.rows, island, w.expected, island.expected);
  gather(w.rows, island, w.recalled, island.recalled);
  island.lambda = island.recalled;
}

}  // namespace

void find_islands(const Model& model, StepWork& w) {
  w.islands.found.clear();
  join_groups(w.rows, model.nv, w.islands.joined, w.islands.up);
  gather_members(model, w, w.islands);
  for (const Index k : w.islands.found) {
    StepIsland& island = w.islands.kept[k];
    island.solved = false;
  }
}

void cut_island(const Model& model, StepWork& w, StepIsland& island) {
  make_body_rows(model, w.rows, island.members, w.islands.local, island.bodies);
  sub_matrix(w.problem.G, island.members, w.islands.renamed, island.problem.G);
  cut_metrics(w.problem, island);
  cut_rows(model, w, island);
  island.solved = true;
  island.opened = false;
}

void couple_island(const Model& model, StepWork& w, StepIsland& island) {
  if (!is_coupled(island))
    make_island_matrix(model, w.rows, island.members, w.problem.G, island.problem.G);
}

void cut_islands(const Model& model, StepWork& w) {
  StepIslands& islands = w.islands;
  find_islands(model, w);
  islands.present = islands.found;
  for (const Index k : islands.present) cut_island(model, w, islands.kept[k]);
}

void gather(const ConstraintRows& rows, const StepIsland& island, const VecX& from, VecX& to) {
  to.resize(island.rows.rows);
  for (std::size_t j = 0; j < island.members.size(); ++j) {
    const RowGroup& own = island.rows.groups[j];
    to.segment(own.first_row, own.row_count) =
        from.segment(rows.groups[island.members[j]].first_row, own.row_count);
  }
}

void scatter(const ConstraintRows& rows, const StepIsland& island, const VecX& from, VecX& to) {
  for (std::size_t j = 0; j < island.members.size(); ++j) {
    const RowGroup& own = island.rows.groups[j];
    to.segment(rows.groups[island.members[j]].first_row, own.row_count) =
        from.segment(own.first_row, own.row_count);
  }
}

}  // namespace tact
