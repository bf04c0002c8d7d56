// sim/impact_phase.cpp - when, who, and by which law.
#include "tact/sim/impact_phase.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "tact/contact/held_rows.hpp"
#include "tact/contact/surface_law.hpp"
#include "tact/geom/clip_faces.hpp"
#include "tact/impact/ledger.hpp"
#include "tact/sim/position_step.hpp"
#include "tact/sim/soft_touches.hpp"
#include "tact/sim/step.hpp"
#include "tact/sim/step_work.hpp"

namespace tact {
namespace {

struct Trigger {
  double time = std::numeric_limits<double>::infinity();  ///< from now [s]
  RowKey key;
  Index geom1 = 0, geom2 = 0;
  double approach = 0;  ///< [m/s]
};

bool law_knows_friction(const ImpactLaw& law) {
  if (const auto* moreau = std::get_if<Moreau>(&law)) return moreau->e == 0;
  return std::holds_alternative<tact::Newton>(law) || std::holds_alternative<Poisson>(law);
}

/// The others go from point to point.
bool law_knows_round_rims(const ImpactLaw& law) {
  return std::holds_alternative<Moreau>(law) || std::holds_alternative<tact::Newton>(law) ||
         std::holds_alternative<Poisson>(law);
}

bool pair_bounces(const Simulation& sim, const SceneContact& c) {
  if (sim.options.time_of_impact) return true;
  if (const auto* moreau = std::get_if<Moreau>(&sim.options.law)) return moreau->e > 0;
  if (const auto* row = std::get_if<GeneralizedReflections>(&sim.options.law))
    return row->blend > 0;
  return sim.choices.of(c.geom1, c.geom2).restitution > 0;
}

/// When gap + γ t + ½ a t² first reaches zero; infinite where it does not.
double time_to_close(double gap, double rate, double acceleration) {
  if (gap <= tolerance::support && rate < 0) return 0;
  const double under = rate * rate - 2 * acceleration * gap;
  if (under < 0) return std::numeric_limits<double>::infinity();
  // The smaller positive root, without cancellation.
  const double low = -rate + std::sqrt(under);
  if (low > 0) return 2 * gap / low;
  return std::numeric_limits<double>::infinity();
}

double gap_at(const SurfaceContact& c, const Vec2& x) {
  return value_at(gap_twist(c.gap), x);
}

/// v_N at the point x of a contact, from the rows of its group.
double normal_rate(const RowGroup& group, const LocalLaw& law, const VecX& rates, const Vec2& x) {
  const Vec3 W = moved_gap(group, law, Vec3::Zero(), rates, 1);
  return law.is_patch() ? value_at(W, x) : W[2];
}

/// Contacts at the start of the flight, and the rates of their rows at u⁻ and at z.
void look_ahead(Simulation& sim, double left) {
  const Model& model = sim.scene.model;
  ImpactWork& w = sim.work->impact;
  forward_kinematics(model, sim.state, w.kin);
  forward_velocities(model, sim.state.qvel, w.kin);
  drive_velocities(model, sim.prescribed, sim.state.time, w.drives);
  drive_velocities(model, sim.prescribed, sim.state.time + left, w.drives_then);
  driven_travel(model, w.kin, w.drives, w.drives_then, sim.detect.size, left, w.driven);
  DetectOptions near;
  near.travel_time = left;
  near.driven = w.driven;
  near.reach = 2 * model.gravity.norm() * left * sim.options.dt + 2 * tolerance::support;
  detect(model, w.kin, near, w.detect, w.contacts);
  clear(w.rows);
  for (std::size_t i = 0; i < w.contacts.contacts.size(); ++i)
    add_surface(model, w.kin, w.contacts, static_cast<Index>(i), EffectivePatch{}, w.rows);
}

/// γ of all rows at the velocity u and these of the walls.
void wall_rates(const Simulation& sim, const VecX& u, const std::vector<Twist>& drives, VecX& out) {
  const ImpactWork& w = sim.work->impact;
  row_velocities(sim.scene.model, w.rows, u, out);
  if (sim.prescribed.drives.empty() && sim.prescribed.surfaces.empty()) return;
  for (std::size_t i = 0; i < w.rows.groups.size(); ++i)
    add_wall_velocity(sim, w.kin, w.contacts, w.rows, static_cast<Index>(i), drives, out);
}

/// Of one contact: what its points add to those that wait, and whether one of them is the first. A
/// point waits, too, that closes just after: a step brakes what would close at the velocity of its
/// end, though the mean velocity does not take it there.
void look_at_points(ImpactWork& w, std::size_t at, double left, double slow, LeftOut& waiting,
                    Trigger& first) {
  const SceneContact& c = w.contacts.contacts[at];
  const RowGroup& group = w.rows.groups[at];
  const LocalLaw& law = w.rows.laws[at];
  bool waits = false;
  impact_points(c.surface, w.contacts.buffer, w.points);
  for (const Vec2& x : w.points) {
    const double gap = law.is_patch() ? gap_at(c.surface, x) : c.surface.gap[0];
    const double rate = normal_rate(group, law, w.rates, x);
    const double pull = (normal_rate(group, law, w.free_rates, x) - rate) / left;
    const double time = time_to_close(gap, rate, pull);
    const bool closes = time <= left;
    if (!closes && !(gap + left * (rate + pull * left) < 0)) continue;
    const double approach = -(rate + pull * time);
    if (!(approach > slow)) continue;
    waits = waits || gap > tolerance::support;
    if (closes && (time < first.time || (time == first.time && approach > first.approach)))
      first = {time, group.key, c.geom1, c.geom2, approach};
  }
  if (waits) waiting.keys.push_back(group.key);
}

/// The first impact that is due within `left` seconds; all that wait go to `waiting`.
Trigger next_impact(Simulation& sim, double left, LeftOut& waiting) {
  ImpactWork& w = sim.work->impact;
  waiting.keys.clear();
  Trigger first;
  look_ahead(sim, left);
  if (w.contacts.contacts.empty() || !prepare_step(sim, left)) return first;
  wall_rates(sim, sim.state.qvel, w.drives, w.rates);
  wall_rates(sim, sim.work->smooth.z, w.drives_then, w.free_rates);
  const double slow = least_impact_speed(sim);
  for (std::size_t i = 0; i < w.contacts.contacts.size(); ++i)
    if (pair_bounces(sim, w.contacts.contacts[i])) look_at_points(w, i, left, slow, waiting, first);
  return first;
}

Index root_of(const Model& model, Index geom) {
  const Index link = model.tree.link_of(model.geoms[geom].body);
  return link < 0 ? -1 : model.tree.links[link].root;
}

/// An equality passes a blow on at once: whether it reached another tree.
bool pass_on(const Model& model, const EqualityRows& equalities, std::vector<bool>& hit) {
  const auto root = [&](Index entry) {
    const Index dof = equalities.rows.column[entry];
    return model.tree.links[model.tree.link_of(model.dof_body[dof])].root;
  };
  bool grew = false;
  for (Index i = 0; i < equalities.rows.rows(); ++i) {
    const Index from = equalities.rows.begin[i], to = equalities.rows.begin[i + 1];
    bool any = false;
    for (Index e = from; e < to; ++e) any = any || hit[root(e)];
    if (!any) continue;
    for (Index e = from; e < to; ++e) {
      grew = grew || !hit[root(e)];
      hit[root(e)] = true;
    }
  }
  return grew;
}

/// Limits of the trees that are hit, where a joint rests on them, behind the contacts: they bear
/// the blow too, and do not give it back.
void add_closed_limits(Simulation& sim) {
  const Model& model = sim.scene.model;
  ImpactWork& w = sim.work->impact;
  limit_rows(model, sim.state, tolerance::support, w.limits);
  for (Index i = 0; i < w.limits.rows.rows(); ++i) {
    const Index dof = w.limits.rows.column[w.limits.rows.begin[i]];
    if (!w.hit[model.tree.links[model.tree.link_of(model.dof_body[dof])].root]) continue;
    add_limit(model, w.limits, i, w.rows);
  }
}

/// Which closed contacts are connected to the one that was hit, through bodies that move.
void choose_island(const Model& model, const Trigger& trigger, ImpactWork& w) {
  w.hit.assign(model.tree.links.size(), false);
  w.member.assign(w.closed.contacts.size(), false);
  for (const Index geom : {trigger.geom1, trigger.geom2})
    if (const Index root = root_of(model, geom); root >= 0) w.hit[root] = true;
  for (bool grew = true; grew;) {
    grew = pass_on(model, w.equalities, w.hit);
    for (std::size_t i = 0; i < w.closed.contacts.size(); ++i) {
      if (w.member[i]) continue;
      const Index a = root_of(model, w.closed.contacts[i].geom1);
      const Index b = root_of(model, w.closed.contacts[i].geom2);
      if (!((a >= 0 && w.hit[a]) || (b >= 0 && w.hit[b]))) continue;
      w.member[i] = grew = true;
      if (a >= 0) w.hit[a] = true;
      if (b >= 0) w.hit[b] = true;
    }
  }
}

/// w.dofs: those of the bodies that are hit; w.place: their places.
void choose_dofs(const Model& model, ImpactWork& w) {
  w.dofs.clear();
  w.place.assign(static_cast<std::size_t>(model.nv), -1);
  for (const Tree::Link& link : model.tree.links) {
    if (!w.hit[link.root]) continue;
    for (Index d = link.first_dof; d < link.first_dof + link.dof_count; ++d) w.dofs.push_back(d);
  }
  std::sort(w.dofs.begin(), w.dofs.end());
  for (std::size_t k = 0; k < w.dofs.size(); ++k) w.place[w.dofs[k]] = static_cast<Index>(k);
}

/// M over these dofs.
SparseMatrix island_mass(const Model& model, const ImpactWork& w) {
  std::vector<Eigen::Triplet<double>> entries;
  for (const Index d : w.dofs)
    for (Index e = model.tree.row[d]; e < model.tree.row[d + 1]; ++e) {
      const auto r = static_cast<int>(w.place[d]);
      const auto c = static_cast<int>(w.place[model.tree.column[e]]);
      entries.emplace_back(r, c, w.mass.values[e]);
      if (r != c) entries.emplace_back(c, r, w.mass.values[e]);
    }
  const auto n = static_cast<Index>(w.dofs.size());
  SparseMatrix out(n, n);
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

bool is_round(const SurfaceContact& c) {
  return c.kind == PatchKind::disc || c.kind == PatchKind::ellipse || c.kind == PatchKind::stadium;
}

Vec2 axes_of(const SurfaceContact& c) {
  return c.kind == PatchKind::ellipse ? c.semi_axes : Vec2(c.radius, c.radius);
}

/// A stadium has two round ends.
Index round_parts(const SurfaceContact& c) {
  return c.kind == PatchKind::stadium ? 2 : 1;
}

/// `count` points around a round rim (each of the two of a stadium).
void append_rim(const SurfaceContact& c, const Vec2& centre, int count, std::vector<Vec2>& out) {
  const Vec2 axes = axes_of(c);
  for (int i = 0; i < count; ++i) {
    const double angle = 2 * std::numbers::pi * i / count;
    out.emplace_back(centre + axes.cwiseProduct(Vec2(std::cos(angle), std::sin(angle))));
  }
}

/// A round rim as the corners that geometry cuts it into elsewhere.
void cut_rim(SurfaceContact& c, std::vector<Vec2>& scratch, ContactBuffer& buffer) {
  scratch.clear();
  for (Index k = 0; k < round_parts(c); ++k)
    append_rim(c, buffer.points[c.first_point + k], rim_points, scratch);
  c.kind = PatchKind::polygon;
  c.first_point = static_cast<Index>(buffer.points.size());
  c.point_count = static_cast<Index>(scratch.size());
  buffer.points.insert(buffer.points.end(), scratch.begin(), scratch.end());
  buffer.point_features.resize(buffer.points.size(), 0);
}

/// Closed contacts at the state, those of the island as rows; contacts without friction where the
/// law knows none, with corners where it asks for them. False where none is closed.
bool gather(Simulation& sim, const Trigger& trigger) {
  const Model& model = sim.scene.model;
  ImpactWork& w = sim.work->impact;
  look_ahead(sim, 0);
  w.closed.contacts.clear();
  w.closed.buffer.clear();
  for (std::size_t i = 0; i < w.contacts.contacts.size(); ++i)
    append_closed_part(w.contacts, static_cast<Index>(i), tolerance::support, w.points, w.closed);
  equality_rows(model, sim.state, w.kin, w.equalities);
  choose_island(model, trigger, w);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < w.closed.contacts.size(); ++i)
    if (w.member[i]) w.closed.contacts[kept++] = w.closed.contacts[i];
  w.closed.contacts.resize(kept);
  if (!law_knows_friction(sim.options.law))
    for (SceneContact& c : w.closed.contacts) c.pair.condim = 1;
  if (!law_knows_round_rims(sim.options.law))
    for (SceneContact& c : w.closed.contacts)
      if (is_round(c.surface)) cut_rim(c.surface, w.points, w.closed.buffer);
  std::swap(w.contacts, w.closed);
  clear(w.rows);
  for (std::size_t i = 0; i < w.contacts.contacts.size(); ++i) {
    const SceneContact& c = w.contacts.contacts[i];
    add_surface(model, w.kin, w.contacts, static_cast<Index>(i),
                sim.choices.of(c.geom1, c.geom2).pressure, w.rows);
  }
  add_closed_limits(sim);
  mass_matrix(model, w.kin, w.mass);
  return kept > 0;
}

ContactProblem island_problem(const Simulation& sim, ImpactWork& w) {
  ContactProblem problem;
  choose_dofs(sim.scene.model, w);
  problem.mass = island_mass(sim.scene.model, w);
  problem.rows = sparse(sim.scene.model, w.rows, w.place, static_cast<Index>(w.dofs.size()));
  problem.velocity.resize(static_cast<Index>(w.dofs.size()));
  for (std::size_t k = 0; k < w.dofs.size(); ++k)
    problem.velocity[static_cast<Index>(k)] = sim.state.qvel[w.dofs[k]];
  problem.excitation.setZero(w.rows.rows);
  for (std::size_t i = 0; i < w.contacts.contacts.size(); ++i) {
    const SceneContact& c = w.contacts.contacts[i];
    const ContactChoice& choice = sim.choices.of(c.geom1, c.geom2);
    Contact contact;
    contact.law = surface_law(c.surface, w.contacts.buffer, c.pair, choice.pressure);
    contact.restitution = choice.restitution;
    problem.contacts.push_back(std::move(contact));
    add_wall_velocity(sim, w.kin, w.contacts, w.rows, static_cast<Index>(i), w.drives,
                      problem.excitation);
  }
  for (std::size_t i = w.contacts.contacts.size(); i < w.rows.groups.size(); ++i) {
    Contact limit;
    limit.name = "a joint's limit";
    limit.law = Frictionless{};
    problem.contacts.push_back(std::move(limit));
  }
  return problem;
}

/// E of the equalities over the dofs of the island.
SparseMatrix island_equalities(const ImpactWork& w) {
  const SparseRows& rows = w.equalities.rows;
  std::vector<Eigen::Triplet<double>> entries;
  for (Index i = 0; i < rows.rows(); ++i)
    for (Index e = rows.begin[i]; e < rows.begin[i + 1]; ++e)
      if (const Index at = w.place[rows.column[e]]; at >= 0)
        entries.emplace_back(static_cast<int>(i), static_cast<int>(at), rows.value[e]);
  SparseMatrix out(rows.rows(), static_cast<Index>(w.dofs.size()));
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

/// What equalities hold stays held. A velocity across them, which a drive may have given, goes on.
/// The basis of what is left; none where nothing is held. False where all is.
bool hold_equalities(const ImpactWork& w, ContactProblem& problem, SparseMatrix& basis) {
  const SparseMatrix held = island_equalities(w);
  if (held.nonZeros() == 0) return true;
  auto reduced = eliminate_held(problem, held);
  if (!reduced) return false;
  HeldProblem left = *std::move(reduced);
  left.problem.excitation += problem.rows * (problem.velocity - left.basis * left.problem.velocity);
  problem = std::move(left.problem);
  basis.swap(left.basis);
  return true;
}

/// Works of the impact into the ledger, and its verdict.
void book_impact(Simulation& sim, const ContactProblem& problem, const ImpactOutcome& outcome,
                 ImpactEvent& event) {
  const VecX change = outcome.velocity - problem.velocity;
  const VecX sum = outcome.velocity + problem.velocity;
  sim.ledger.book(Account::impact,
                  0.5 * (outcome.gamma_minus + outcome.gamma_plus).dot(outcome.impulses));
  const double wall = -problem.excitation.dot(outcome.impulses);
  if (wall != 0) sim.ledger.book(Account::wall, wall);
  const double kinetic = 0.5 * sum.dot(problem.mass * change);
  sim.ledger.kinetic_change.add(kinetic);
  if (sim.tree_kinetic) *sim.tree_kinetic += kinetic;
  const StepLedger judged = step_ledger(
      problem, StepClaim{problem.velocity, outcome.velocity, outcome.impulses, std::nullopt});
  event.work = judged.W_contact;
  event.verdict = judged.verdict_actual();
}

void keep_impact(Simulation& sim, const ContactProblem& problem, const ImpactOutcome& outcome,
                 std::size_t event) {
  ImpactWork& w = sim.work->impact;
  KeptImpact& kept = sim.kept_impacts.emplace_back(KeptImpact{problem, outcome, event});
  for (std::size_t i = 0; i < w.contacts.contacts.size(); ++i)
    kept.problem.contacts[i].name = contact_name(sim.scene.model, w.contacts.contacts[i]);
}

/// The law of the contacts that gather() found. False where it has no answer: the state is as it
/// was.
bool apply_impact(Simulation& sim, const Trigger& trigger, StepReport& report) {
  ImpactWork& w = sim.work->impact;
  ContactProblem problem = island_problem(sim, w);
  SparseMatrix basis;
  if (!hold_equalities(w, problem, basis)) return false;
  auto outcome = apply(problem, sim.options.law, ImpactOptions{});
  if (outcome && outcome->status == ImpactStatus::not_converged) {
    ImpactOptions as_a_step;
    as_a_step.tolerance = sim.options.tolerance;
    outcome = apply(problem, sim.options.law, as_a_step);
  }
  if (!outcome || outcome->status != ImpactStatus::solved || !outcome->velocity.allFinite())
    return false;
  ImpactEvent event;
  event.time = sim.state.time;
  event.contacts = static_cast<Index>(w.contacts.contacts.size());
  event.geom1 = trigger.geom1;
  event.geom2 = trigger.geom2;
  event.approach = trigger.approach;
  event.at_its_time = true;
  book_impact(sim, problem, *outcome, event);
  if (sim.keep_impacts) keep_impact(sim, problem, *outcome, report.impacts.size());
  report.impacts.push_back(event);
  const VecX gained = outcome->velocity - problem.velocity;
  const VecX change = basis.cols() > 0 ? VecX(basis * gained) : gained;
  for (std::size_t k = 0; k < w.dofs.size(); ++k)
    sim.state.qvel[w.dofs[k]] += change[static_cast<Index>(k)];
  return true;
}

}  // namespace

double least_impact_speed(const Simulation& sim) {
  const double g = sim.scene.model.gravity.norm();
  const double floating = std::sqrt(2 * g * tolerance::support);
  // Without weight only rounding is too slow to be an impact.
  return std::max({g * sim.options.dt, floating, tolerance::label * sim.state.qvel.norm()});
}

void impact_points(const SurfaceContact& c, const ContactBuffer& buffer, std::vector<Vec2>& out) {
  out.clear();
  const Vec2* points = buffer.points.data() + c.first_point;
  if (!is_round(c)) {
    out.assign(points, points + c.point_count);
    return;
  }
  constexpr int count = 8;
  append_lowest(c, buffer, c.gap.tail<2>(), out);
  for (Index k = 0; k < round_parts(c); ++k) append_rim(c, points[k], count, out);
}

void append_lowest(const SurfaceContact& c, const ContactBuffer& buffer, const Vec2& slope,
                   std::vector<Vec2>& out) {
  const Vec2 axes = axes_of(c);
  const Vec2 stretched = axes.cwiseProduct(slope);
  if (!is_round(c) || !(stretched.norm() > 0)) return;
  for (Index k = 0; k < round_parts(c); ++k)
    out.emplace_back(buffer.points[c.first_point + k] -
                     axes.cwiseProduct(stretched / stretched.norm()));
}

bool append_closed_part(const SceneContacts& from, Index contact, double limit,
                        std::vector<Vec2>& points, SceneContacts& out, const Vec3& earlier) {
  SceneContact c = from.contacts[contact];
  impact_points(c.surface, from.buffer, points);
  const std::size_t all = points.size();
  if (c.surface.kind == PatchKind::point) {
    if (c.surface.gap[0] + earlier[2] > limit) return false;
  } else {
    std::erase_if(
        points, [&](const Vec2& x) { return gap_at(c.surface, x) + value_at(earlier, x) > limit; });
    if (points.empty()) return false;
  }
  const bool round = is_round(c.surface);
  const bool whole = points.size() == all;
  const auto first = static_cast<std::size_t>(c.surface.first_point);
  if (whole) {  // its own points, also where the shape is round
    const auto count = static_cast<std::size_t>(c.surface.point_count);
    points.assign(from.buffer.points.begin() + static_cast<std::ptrdiff_t>(first),
                  from.buffer.points.begin() + static_cast<std::ptrdiff_t>(first + count));
  } else if (round) {
    c.surface.kind = points.size() > 2 ? PatchKind::polygon : PatchKind::point;
    if (points.size() <= 2) points.resize(1);
  } else {
    c.surface.kind = points.size() > 2    ? PatchKind::polygon
                     : points.size() == 2 ? PatchKind::segment
                                          : PatchKind::point;
  }
  if (c.surface.kind == PatchKind::point && !whole)
    c.surface.gap = Vec3(gap_at(c.surface, points.front()), 0, 0);
  c.surface.first_point = static_cast<Index>(out.buffer.points.size());
  c.surface.point_count = static_cast<Index>(points.size());
  for (const Vec2& x : points) {
    out.buffer.points.push_back(x);
    out.buffer.point_features.push_back(0);
  }
  out.contacts.push_back(c);
  return true;
}

bool bouncing_step(Simulation& sim, StepReport& report) {
  sim.kept_impacts.clear();
  double left = sim.options.dt;
  const double instant = tolerance::support * sim.options.dt;
  LeftOut waiting;
  for (int events = 0; events < sim.options.most_impacts; ++events) {
    const Trigger trigger = next_impact(sim, left, waiting);
    if (!(trigger.time <= left)) return plain_step(sim, left, waiting, report);
    if (trigger.time > instant) {
      if (!plain_step(sim, trigger.time, waiting, report)) return false;
      left -= trigger.time;
    }
    if (!gather(sim, trigger)) {
      // What turns fast closes later than its rates said: on to where they say it now.
      if (trigger.time > instant) continue;
      break;
    }
    if (!apply_impact(sim, trigger, report)) {
      ++report.unsolved_impacts;
      break;
    }
    // What was hit flies on with another velocity: pairs may be near now that were not.
    if (!sim.soft.empty()) {
      forward_kinematics(sim.scene.model, sim.state, sim.work->soft.kin);
      find_soft_touches(sim);
    }
    if (left <= instant) return true;
  }
  return plain_step(sim, left, {}, report);
}

}  // namespace tact
