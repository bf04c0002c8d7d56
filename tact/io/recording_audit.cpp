#include "tact/io/recording_audit.hpp"

#include <algorithm>
#include <cmath>

#include "tact/io/number_text.hpp"
#include "tact/poly/ellipse.hpp"
#include "tact/sim/simulate.hpp"

namespace tact {

namespace {

using Kind = RecordingViolation;

/// How large the forces and motions of a frame are, and what its solve is known to.
struct FrameScales {
  double force = 0, speed = 0;
  double dt = 0;        ///< [s] that loads are means over
  double unsolved = 0;  ///< [J^½] what the solve left
};

PlanarSet hull_of(const ContactSample& c) {
  if (c.points.empty()) return {};
  switch (c.kind) {
    case PatchKind::disc:
      return PlanarSet::ellipse(disc_form(c.points[0], std::abs(c.radius)));
    case PatchKind::ellipse:
      return PlanarSet::ellipse(ellipse_form(c.points[0], c.semi_axes.cwiseAbs(), 0));
    case PatchKind::stadium: {
      std::vector<EllipseForm> ends;
      for (const Vec2& x : c.points) ends.push_back(disc_form(x, std::abs(c.radius)));
      return PlanarSet::hull_of(ends);
    }
    default:
      return PlanarSet::hull_of_points(c.points);
  }
}

std::string geom_name(const RecordingHeader& header, Index geom) {
  const std::string& own = header.geoms[geom].name;
  return own.empty() ? concat({"geom ", std::to_string(geom)}) : own;
}

std::string contact_name(const RecordingHeader& header, Index geom1, Index geom2) {
  return concat({geom_name(header, geom1), " on ", geom_name(header, geom2)});
}

/// How far from the origin the points of a patch are: turning moves them.
double reach_of(const ContactSample& c) {
  double reach = 0;
  for (const Vec2& x : c.points) reach = std::max(reach, x.norm());
  return reach + std::abs(c.radius) + c.semi_axes.norm();
}

struct ContactSize {
  double mass = 0;               ///< [kg] of the lighter tree: what a force moves at least
  double light = 0;              ///< [kg] of the lighter body: what gives way most
  double arm = 0;                ///< [m] turning is measured at
  double load = 0;               ///< [N]
  double slip = 0, closing = 0;  ///< [m/s] of its motion, and of its motion with the gap
};

/// Masses are zero where they are not known.
ContactSize size_of(const ContactSample& c, const RecordingHeader& header) {
  ContactSize out;
  out.arm = reach_of(c);
  bool any = false;
  for (const Index geom : {c.geom1, c.geom2}) {
    const RecordingHeader::GeomLine& line = header.geoms[geom];
    const double tree = header.tree_masses[line.body];
    if (!std::isfinite(tree)) continue;
    const double own = header.masses[line.body] > 0 ? header.masses[line.body] : tree;
    out.mass = any ? std::min(out.mass, tree) : tree;
    out.light = any ? std::min(out.light, own) : own;
    out.arm = std::max(out.arm, line.size);
    any = true;
  }
  out.load = c.wrench_C.f.norm();
  if (out.arm > 0) out.load += c.wrench_C.m.norm() / out.arm;
  out.slip = c.twist_C.v.norm() + out.arm * c.twist_C.w.norm();
  out.closing = c.closing_C.v.norm() + out.arm * c.closing_C.w.norm();
  return out;
}

FrameScales scales_of(const RecordedFrame& frame, const RecordingAudit& audit) {
  FrameScales out;
  const RecordingHeader& header = audit.header;
  out.dt = frame.solve.length > 0 ? frame.solve.length : header.dt;
  // What is worse than the audit's own tolerance is a finding, and excuses nothing.
  out.unsolved = frame.solve.scale *
                 std::min(audit.tolerance, std::max(frame.figures.residual, tolerance::rounding));
  out.speed = header.gravity.norm() * header.dt;
  for (const ContactSample& c : frame.contacts) {
    out.force = std::max(out.force, c.wrench_C.f.norm());
    const double reach = reach_of(c);
    for (const Twist* T : {&c.twist_C, &c.closing_C})
      out.speed = std::max(out.speed, T->v.norm() + reach * T->w.norm());
  }
  return out;
}

/// What a contact of the frame may be off by.
struct ContactSlack {
  double force = 0, speed = 0;
  double slip = 0, opening = 0;  ///< [W] of the power of its friction, of its normal load
};

/// Digits of the file, a share of the frame's largest, and what the solve left: |δλ|_D with D the
/// contact's mobility, which is at least 1/m of the tree, so that |δλ| <= √m |δλ|_D; and where it
/// gives way most, about 1/m of the body, δu is √D |δλ|_D.
ContactSlack slack_of(const ContactSize& size, const FrameScales& scale, double digits) {
  double force = 0, speed = 0;
  if (size.mass > 0 && size.light > 0) {
    constexpr double room = 10;  // of mobilities, which are not in the file, over those of masses
    force = room * scale.unsolved * std::sqrt(size.mass) / scale.dt;
    speed = room * scale.unsolved / std::sqrt(size.light);
  }
  const auto power = [&](double moves) {
    return digits * scale.force * moves + force * (moves + speed) + size.load * speed;
  };
  return {digits * scale.force + force, digits * scale.speed + speed, power(size.slip),
          power(size.closing)};
}

bool same_instant(const RecordedFrame& a, const RecordedFrame& b) {
  return a.step == b.step;
}

void find(RecordingAudit& audit, Kind kind, RecordingFinding finding) {
  if (finding.amount <= finding.limit) return;  // NaN is found
  RecordingCount& count = audit.counts[static_cast<std::size_t>(kind)];
  if (count.count++ == 0) count.first = finding.step;
  if (count.count == 1 || !(finding.amount <= count.worst.amount)) count.worst = std::move(finding);
}

/// Of each kind what exceeds its limit most in one frame; so that a frame counts once.
struct FrameFindings {
  struct Worst {
    double amount = 0, limit = 0;
    Index contact = 0;
  };
  std::array<Worst, recording_violations> worst{};

  void take(Kind kind, double amount, double limit, Index at) {
    Worst& w = worst[static_cast<std::size_t>(kind)];
    if (amount <= 0 || amount * w.limit < w.amount * limit) return;
    if (amount * w.limit == w.amount * limit && amount <= w.amount) return;
    w = {amount, limit, at};
  }
};

void judge_contact(const ContactSample& c, Index at, const ContactSize& size,
                   const ContactSlack& slack, FrameFindings& out) {
  const PlanarSet hull = hull_of(c);
  const bool is_point = c.kind == PatchKind::point;
  const double normal = c.wrench_C.f_n();
  out.take(Kind::cone, -normal, slack.force, at);
  if (!is_point && normal > 0 && hull.radius() > 0) {
    const Vec2 cop(-c.wrench_C.m[1] / normal, c.wrench_C.m[0] / normal);
    out.take(Kind::cone, -normal * hull.signed_distance(cop) / hull.radius(),
             slack.force * std::max(1.0, size.arm / hull.radius()), at);
  }
  out.take(Kind::friction, c.wrench_C.f_t().norm() - c.mu * std::max(0.0, normal), slack.force, at);
  // v_N(x) = v_N + ω_T . x^perp, least where the patch reaches farthest against its slope.
  const Vec2 slope(-c.closing_C.w[1], c.closing_C.w[0]);
  out.take(Kind::closing, hull.support_value(-slope) - c.closing_C.v_n(), slack.speed, at);
  // What turns a patch about its plane is pressure; what turns a point so is rolling friction.
  const double bending = is_point ? 0 : c.wrench_C.m_t().dot(c.closing_C.w_t());
  const double rolling = is_point ? c.wrench_C.m_t().dot(c.twist_C.w_t()) : 0;
  out.take(Kind::slip,
           c.wrench_C.f_t().dot(c.twist_C.v_t()) + c.wrench_C.m_n() * c.twist_C.w_n() + rolling,
           slack.slip, at);
  out.take(Kind::complementarity, std::abs(bending + normal * c.closing_C.v_n()), slack.opening,
           at);
}

void judge_contacts(RecordingAudit& audit, const RecordedFrame& frame) {
  const FrameScales scale = scales_of(frame, audit);
  audit.largest_force = std::max(audit.largest_force, scale.force);
  FrameFindings found;
  for (std::size_t i = 0; i < frame.contacts.size(); ++i) {
    const ContactSize size = size_of(frame.contacts[i], audit.header);
    const ContactSlack slack = slack_of(size, scale, audit.tolerance);
    judge_contact(frame.contacts[i], static_cast<Index>(i), size, slack, found);
  }
  for (const Kind kind :
       {Kind::closing, Kind::cone, Kind::friction, Kind::slip, Kind::complementarity}) {
    const FrameFindings::Worst& worst = found.worst[static_cast<std::size_t>(kind)];
    if (worst.amount == 0) continue;
    const ContactSample& c = frame.contacts[static_cast<std::size_t>(worst.contact)];
    find(audit, kind,
         {frame.step, frame.time, contact_name(audit.header, c.geom1, c.geom2), worst.amount,
          worst.limit});
  }
}

/// From the last frame to this one.
void judge_ledger(RecordingAudit& audit, const RecordedFrame& frame) {
  const RecordedFrame& before = audit.last;
  const double amount = std::abs(frame.closure - before.closure);
  const double moved = frame.moved - before.moved;
  const auto steps = static_cast<double>(std::max<Index>(1, frame.step - before.step));
  const double rounding = tolerance::rounding * steps * (audit.header.energy + frame.moved);
  const double limit = audit.tolerance * std::max(0.0, moved) + rounding;
  const RecordingFinding finding{frame.step, frame.time, "", amount, limit};
  find(audit, Kind::closure, finding);
  const auto share = [](const RecordingFinding& f) {
    return f.limit > 0 ? f.amount / f.limit : f.amount;
  };
  if (share(finding) > share(audit.worst_closure)) audit.worst_closure = finding;
}

double length_scale(const RecordingHeader& header) {
  double out = 0;
  for (const auto& geom : header.geoms) out = std::max(out, geom.size);
  return out;
}

}  // namespace

std::string_view name(RecordingViolation kind) {
  constexpr std::array<std::string_view, recording_violations> names = {
      "penetration",     "closing", "cone",    "friction", "slip",
      "complementarity", "impact",  "closure", "residual"};
  return names[static_cast<std::size_t>(kind)];
}

std::string_view unit(RecordingViolation kind) {
  constexpr std::array<std::string_view, recording_violations> units = {
      "m", "m/s", "N", "N", "W", "W", "J", "J", "of the solve"};
  return units[static_cast<std::size_t>(kind)];
}

bool RecordingAudit::diverged() const {
  return finished && finished->status == name(RunStatus::diverged);
}

bool RecordingAudit::clean() const {
  return !damaged && !diverged() &&
         std::all_of(counts.begin(), counts.end(),
                     [](const RecordingCount& c) { return c.count == 0; });
}

std::optional<RecordingViolation> RecordingAudit::worst() const {
  std::optional<RecordingViolation> out;
  double most = 0;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (counts[k].count == 0) continue;
    const RecordingFinding& f = counts[k].worst;
    const double share = f.amount / std::max(f.limit, tolerance::smallest);
    if (out && share <= most) continue;
    most = share;
    out = static_cast<RecordingViolation>(k);
  }
  return out;
}

void add_frame(RecordingAudit& audit, const RecordedFrame& frame) {
  const RecordedFigures& f = frame.figures;
  if (audit.frames++ == 0) {
    audit.first = frame;
    audit.first.contacts.clear();
    audit.first.soft.clear();
    audit.first_step = frame.step;
    audit.start = frame.time;
  } else if (!same_instant(frame, audit.last)) {
    judge_ledger(audit, frame);
  }
  audit.last_step = frame.step;
  audit.end = frame.time;
  audit.deepest = std::max(audit.deepest, f.penetration);
  audit.largest_residual = std::max(audit.largest_residual, f.residual);
  audit.not_converged += f.not_converged;
  // What the scene begins with is taken back, and may not get deeper.
  if (audit.frames == 1) audit.begun_overlap = f.penetration;
  find(audit, Kind::penetration,
       {frame.step, frame.time, "", f.penetration,
        tolerance::support + audit.tolerance * length_scale(audit.header) + audit.begun_overlap});
  audit.begun_overlap = std::min(audit.begun_overlap, f.penetration);
  find(audit, Kind::residual, {frame.step, frame.time, "", f.residual, audit.tolerance});
  judge_contacts(audit, frame);
  audit.last.step = frame.step;
  audit.last.works = frame.works;
  audit.last.kinetic_change = frame.kinetic_change;
  audit.last.potential_change = frame.potential_change;
  audit.last.moved = frame.moved;
  audit.last.closure = frame.closure;
}

void add_soft(RecordingAudit& audit, const RecordedFrame& frame) {
  double force = 0, most = 0;
  const SoftSample* worst = nullptr;
  for (const SoftSample& s : frame.soft) {
    force = std::max(force, s.wrench_C.f.norm());
    const double held = std::max(s.slip_limits[0], s.slip_limits[1]);
    const double above = std::isfinite(held) ? (s.friction_use - 1) * held : 0;
    if (above <= most) continue;
    most = above;
    worst = &s;
  }
  audit.largest_force = std::max(audit.largest_force, force);
  if (worst == nullptr) return;
  find(audit, Kind::friction,
       {frame.step, frame.time, contact_name(audit.header, worst->geom1, worst->geom2), most,
        audit.tolerance * force});
}

void add_impacts(RecordingAudit& audit, const RecordedImpacts& impacts) {
  for (const ImpactEvent& e : impacts.events) {
    ++audit.impacts;
    if (e.verdict != WorkVerdict::generating) continue;
    find(audit, Kind::impact,
         {impacts.step, e.time, contact_name(audit.header, e.geom1, e.geom2), e.work, 0});
  }
}

Result<RecordingAudit> audit_recording(const std::string& path, double tolerance) {
  auto opened = RecordingReader::open(path);
  if (!opened) return opened.error();
  RecordingReader reader = *std::move(opened);
  RecordingAudit audit;
  audit.source = path;
  audit.tolerance = tolerance;
  audit.header = reader.header();
  using Found = RecordingReader::Found;
  while (true) {
    const auto found = reader.poll();
    audit.damaged = !found;
    if (!found) audit.cut = found.error().message;
    if (found && *found == Found::nothing) audit.cut = cut_sentence(reader, path);
    if (!found || *found == Found::nothing) break;
    if (*found == Found::frame) add_frame(audit, reader.frame());
    if (*found == Found::soft) add_soft(audit, reader.frame());
    if (*found == Found::impacts) add_impacts(audit, reader.impacts());
  }
  if (audit.frames == 0)
    return Error{
        Errc::schema,
        audit.cut.value_or(concat({path, ": has no frames; record a run of at least one step"}))};
  audit.finished = reader.end();
  return audit;
}

}  // namespace tact
