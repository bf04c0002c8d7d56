#include "tact/io/recording_frame.hpp"

#include <algorithm>
#include <cmath>

#include "tact/io/bytes.hpp"
#include "tact/spatial/so3.hpp"

namespace tact {

namespace {

constexpr std::size_t four = 4, eight = 8;
constexpr std::size_t pose_bytes = 7 * four, point_bytes = 2 * four;
/// Of a contact without points, and of an impact.
constexpr std::size_t contact_bytes =
    3 * four + four + pose_bytes + 4 * four + 18 * four + 8 * four + 2 * four;
constexpr std::size_t impact_bytes = eight + 3 * four + 2 * eight + 2;
constexpr std::uint8_t kinds = 6, regimes = 9, extended_kinds = 3;

Pose single_pose(ByteReader& in) {
  PoseNumbers row;
  in.singles(row);
  return pose_of(row);
}

void write_points(const std::vector<Vec2>& points, ByteWriter& out) {
  out.count(points.size());
  for (const Vec2& x : points) out.singles(x);
}

void read_points(ByteReader& in, std::vector<Vec2>& out) {
  out.resize(in.count(point_bytes));
  for (Vec2& x : out) in.singles(x);
}

void write_contact(const ContactSample& c, ByteWriter& out) {
  out.u32(static_cast<std::uint32_t>(c.geom1));
  out.u32(static_cast<std::uint32_t>(c.geom2));
  out.u32(c.which);
  out.u8(static_cast<std::uint8_t>(c.kind));
  out.u8(static_cast<std::uint8_t>(c.label.regime));
  out.u8(static_cast<std::uint8_t>(c.extended.kind));
  out.u8(c.label.cop ? 1 : 0);
  out.singles(pose_numbers(c.X_WC));
  out.f32(c.mu);
  out.f32(c.radius);
  out.singles(c.semi_axes);
  out.singles(c.wrench_C.vec());
  out.singles(c.twist_C.vec());
  out.singles(c.closing_C.vec());
  out.f32(c.distance);
  out.singles(c.label.direction);
  out.f32(c.label.multiplier);
  out.f32(c.label.slip_margin);
  out.f32(c.label.tip_margin);
  out.singles(c.label.cop.value_or(Vec2::Zero()));
  write_points(c.points, out);
  write_points(c.extended.points, out);
}

bool all_finite(const ContactSample& c) {
  const auto good = [](const std::vector<Vec2>& points) {
    return std::all_of(points.begin(), points.end(), [](const Vec2& x) { return x.allFinite(); });
  };
  return c.X_WC.R.allFinite() && c.X_WC.p.allFinite() && std::isfinite(c.mu) &&
         std::isfinite(c.radius) && c.semi_axes.allFinite() && c.wrench_C.vec().allFinite() &&
         c.twist_C.vec().allFinite() && c.closing_C.vec().allFinite() &&
         std::isfinite(c.distance) && good(c.points) && good(c.extended.points);
}

bool read_contact(ByteReader& in, std::size_t geoms, ContactSample& c) {
  c.geom1 = in.u32();
  c.geom2 = in.u32();
  c.which = in.u32();
  const std::uint8_t kind = in.u8(), regime = in.u8(), extended = in.u8(), bits = in.u8();
  if (!in.good() || kind >= kinds || regime >= regimes || extended >= extended_kinds || bits > 1 ||
      static_cast<std::size_t>(c.geom1) >= geoms || static_cast<std::size_t>(c.geom2) >= geoms)
    return false;
  c.kind = static_cast<PatchKind>(kind);
  c.label = {};
  c.label.regime = static_cast<Regime>(regime);
  c.extended.kind = static_cast<ExtendedCop::Kind>(extended);
  c.X_WC = single_pose(in);
  c.mu = in.f32();
  c.radius = in.f32();
  in.singles(c.semi_axes);
  Vec6 rows;
  in.singles(rows);
  c.wrench_C = Wrench::from(rows);
  in.singles(rows);
  c.twist_C = Twist::from(rows);
  in.singles(rows);
  c.closing_C = Twist::from(rows);
  c.distance = in.f32();
  in.singles(c.label.direction);
  c.label.multiplier = in.f32();
  c.label.slip_margin = in.f32();
  c.label.tip_margin = in.f32();
  Vec2 cop;
  in.singles(cop);
  if (bits == 1) c.label.cop = cop;
  read_points(in, c.points);
  read_points(in, c.extended.points);
  return in.good() && all_finite(c);
}

void write_figures(const RecordedFigures& f, ByteWriter& out) {
  out.f64(f.residual);
  out.f64(f.penetration);
  for (const Index n : {f.steps, f.iterations, f.position_solves, f.not_converged,
                        f.unsolved_impacts, f.contacts, f.patches})
    out.u32(static_cast<std::uint32_t>(n));
}

void read_figures(ByteReader& in, RecordedFigures& f) {
  f.residual = in.f64();
  f.penetration = in.f64();
  for (Index* n : {&f.steps, &f.iterations, &f.position_solves, &f.not_converged,
                   &f.unsolved_impacts, &f.contacts, &f.patches})
    *n = in.u32();
}

}  // namespace

PoseNumbers pose_numbers(const Pose& X) {
  const Quaternion q = to_quaternion(X.R);
  return (PoseNumbers() << X.p, q.w, q.x, q.y, q.z).finished();
}

Pose pose_of(const PoseNumbers& numbers) {
  Pose X;
  X.p = numbers.head<3>();
  const Quaternion q{numbers[3], numbers[4], numbers[5], numbers[6]};
  const double size = norm(q);
  if (size > 0 && std::isfinite(size)) X.R = to_matrix(q);
  return X;
}

std::string frame_payload(const RecordedFrame& frame) {
  ByteWriter out;
  out.u64(static_cast<std::uint64_t>(frame.step));
  out.f64(frame.time);
  for (const VecX* values : {&frame.qpos, &frame.qvel, &frame.ctrl})
    out.count(static_cast<std::size_t>(values->size()));
  out.count(frame.bodies.size());
  out.count(frame.driven.size());
  out.count(frame.works.size());
  out.count(frame.contacts.size());
  for (const VecX* values : {&frame.qpos, &frame.qvel, &frame.ctrl}) out.numbers(*values);
  for (const Pose& X : frame.bodies) out.singles(pose_numbers(X));
  for (const Pose& X : frame.driven) out.numbers(pose_numbers(X));
  for (const double work : frame.works) out.f64(work);
  for (const double x : {frame.kinetic_change, frame.potential_change, frame.moved, frame.closure})
    out.f64(x);
  write_figures(frame.figures, out);
  for (const ContactSample& c : frame.contacts) write_contact(c, out);
  return std::move(out.bytes);
}

bool read_frame(std::string_view payload, const RecordingHeader& header, RecordedFrame& out) {
  ByteReader in(payload);
  out.step = static_cast<Index>(in.u64());
  out.time = in.f64();
  const Index nq = in.u32(), nv = in.u32(), controls = in.u32();
  const std::size_t bodies = in.u32(), driven = in.u32(), accounts = in.u32(), contacts = in.u32();
  if (!in.good() || nq != header.nq || nv != header.nv || controls != header.controls ||
      bodies != header.bodies.size() || static_cast<Index>(driven) != header.driven ||
      accounts != header.accounts.size())
    return false;
  in.numbers(nq, out.qpos);
  in.numbers(nv, out.qvel);
  in.numbers(controls, out.ctrl);
  out.bodies.resize(bodies);
  for (Pose& X : out.bodies) X = single_pose(in);
  out.driven.resize(driven);
  VecX row;
  for (Pose& X : out.driven) {
    in.numbers(7, row);
    if (!in.good()) return false;
    X = pose_of(row);
  }
  out.works.resize(accounts);
  for (double& work : out.works) work = in.f64();
  for (double* x : {&out.kinetic_change, &out.potential_change, &out.moved, &out.closure})
    *x = in.f64();
  read_figures(in, out.figures);
  if (!in.good() || contacts > in.left() / contact_bytes) return false;
  out.contacts.resize(contacts);
  for (ContactSample& c : out.contacts)
    if (!read_contact(in, header.geoms.size(), c)) return false;
  return in.finished();
}

std::string impacts_payload(const RecordedImpacts& impacts) {
  ByteWriter out;
  out.u64(static_cast<std::uint64_t>(impacts.step));
  out.count(impacts.events.size());
  for (const ImpactEvent& e : impacts.events) {
    out.f64(e.time);
    for (const Index n : {e.contacts, e.geom1, e.geom2}) out.u32(static_cast<std::uint32_t>(n));
    out.f64(e.approach);
    out.f64(e.work);
    out.u8(static_cast<std::uint8_t>(e.verdict));
    out.u8(e.at_its_time ? 1 : 0);
  }
  return std::move(out.bytes);
}

bool read_impacts(std::string_view payload, const RecordingHeader& header, RecordedImpacts& out) {
  ByteReader in(payload);
  out.step = static_cast<Index>(in.u64());
  out.events.resize(in.count(impact_bytes));
  for (ImpactEvent& e : out.events) {
    e.time = in.f64();
    for (Index* n : {&e.contacts, &e.geom1, &e.geom2}) *n = in.u32();
    e.approach = in.f64();
    e.work = in.f64();
    const std::uint8_t verdict = in.u8(), timed = in.u8();
    if (verdict > 1 || timed > 1 || e.geom1 >= static_cast<Index>(header.geoms.size()) ||
        e.geom2 >= static_cast<Index>(header.geoms.size()))
      return false;
    e.verdict = static_cast<WorkVerdict>(verdict);
    e.at_its_time = timed == 1;
  }
  return in.finished();
}

std::string solve_payload(const RecordedSolve& solve) {
  ByteWriter out;
  out.u64(static_cast<std::uint64_t>(solve.step));
  out.f64(solve.length);
  out.f64(solve.scale);
  return std::move(out.bytes);
}

bool read_solve(std::string_view payload, RecordedSolve& out) {
  ByteReader in(payload);
  out.step = static_cast<Index>(in.u64());
  out.length = in.f64();
  out.scale = in.f64();
  return in.finished() && std::isfinite(out.length) && out.length > 0 && std::isfinite(out.scale) &&
         out.scale >= 0;
}

}  // namespace tact
