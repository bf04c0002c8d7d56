#include "tact/geom/contact_patch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <Eigen/Geometry>

#include "tact/base/tolerance.hpp"

namespace tact {

namespace {

using Kind = Outline::Kind;

/// The contact plane while the patch is made: axes and a point midway between the nearest points.
struct Plane {
  Vec3 x, y, n, middle;

  [[nodiscard]] Vec2 flat(const Vec3& p) const {
    const Vec3 r = p - middle;
    return {x.dot(r), y.dot(r)};
  }
  [[nodiscard]] Vec2 flat_vector(const Vec3& r) const { return {x.dot(r), y.dot(r)}; }
  [[nodiscard]] double height(const Vec3& p) const { return n.dot(p - middle); }
};

/// x along the world's x, or y where the normal is near x: a normal that trembles turns the axes no
/// more than it turns itself, save at that one angle.
Plane plane_of(const ShapeDistance& d) {
  constexpr double near_x = 0.9;
  const Vec3& n = d.normal_W;
  const Vec3 start = std::abs(n[0]) < near_x ? Vec3::UnitX() : Vec3::UnitY();
  Plane p;
  p.n = n;
  p.x = (start - n.dot(start) * n).normalized();
  p.y = n.cross(p.x);
  p.middle = (d.on_first_W + d.on_second_W) / 2;
  return p;
}

/// Height of a face's plane over the contact plane, c[0] + c[1] x + c[2] y.
Vec3 height_of(const Outline& o, const Plane& p) {
  const double slope = p.n.dot(o.normal);
  return Vec3(o.normal.dot(o.anchor - p.middle), -p.x.dot(o.normal), -p.y.dot(o.normal)) / slope;
}

/// Which of the two shapes: its place in the work, and the number that the caller knows it by.
struct Side {
  bool first = true;
  std::uint32_t number = 1;  ///< 1 or 2
};

/// The outline's points in the contact plane, counter-clockwise there. What is not cut needs no
/// names of edges.
void flatten(const OutlinePoints& points, const Plane& p, Side side, bool is_cut,
             NamedPolygon& out) {
  const std::size_t n = points.points.size();
  out.resize(n);
  for (std::size_t k = 0; k < n; ++k) {
    // The first shape's face is seen from behind: the other way round.
    const std::size_t i = side.first ? n - 1 - k : k;
    const std::size_t next = side.first ? (i == 0 ? n - 1 : i - 1) : (i + 1 == n ? 0 : i + 1);
    out[k] = {p.flat(points.points[i]), feature_name(side.number, points.names[i], 0),
              is_cut ? edge_name(side.number, points.names[i], points.names[next]) : 0, -1};
  }
}

/// A cap seen along the normal.
struct FlatEllipse {
  Vec2 centre;
  Mat2 U;  ///< det > 0
  double turn;
};
FlatEllipse flat_ellipse(const Outline& o, const Plane& p) {
  FlatEllipse e{p.flat(o.centre), Mat2(), 1};
  e.U.col(0) = p.flat_vector(o.u);
  e.U.col(1) = p.flat_vector(o.v);
  if (e.U.determinant() < 0) {
    e.U.col(1) = -e.U.col(1);
    e.turn = -1;
  }
  return e;
}

/// The angle of the ellipse at which the gap is least; not a number where the gap is even.
double deepest_angle(const FlatEllipse& e, const Vec3& gap) {
  const Vec2 slope = gap.tail<2>();
  if (slope.norm() <= tolerance::parallel) return std::numeric_limits<double>::quiet_NaN();
  const Vec2 down = -(e.U.transpose() * slope);
  return std::atan2(down[1], down[0]);
}

/// The rim as a polygon: points at fixed angles of the cap, and the deepest.
void rim_polygon(const FlatEllipse& e, double deepest, Side side, NamedPolygon& out) {
  out.clear();
  constexpr double pitch = 2 * std::numbers::pi / rim_points;
  const auto put = [&](double angle, std::uint32_t number) {
    out.push_back({e.centre + e.U * Vec2(std::cos(angle), std::sin(angle)),
                   feature_name(8 + side.number, number, 0),
                   feature_name(10 + side.number, number, 0), -1});
  };
  const double deep = deepest < 0 ? deepest + 2 * std::numbers::pi : deepest;
  for (int k = 0; k < rim_points; ++k) {
    put(k * pitch, static_cast<std::uint32_t>(e.turn > 0 ? k : (rim_points - k) % rim_points));
    if (deep > k * pitch && deep < (k + 1) * pitch) put(deep, rim_points);
  }
}

bool rim_inside(const FlatEllipse& inner, const FlatEllipse& outer) {
  const Mat2 inverse = outer.U.inverse();
  constexpr int looks = 4 * rim_points;
  for (int k = 0; k < looks; ++k) {
    const double angle = 2 * std::numbers::pi * k / looks;
    const Vec2 x = inner.centre + inner.U * Vec2(std::cos(angle), std::sin(angle));
    if ((inverse * (x - outer.centre)).squaredNorm() > 1 + tolerance::quadratic) return false;
  }
  return true;
}

/// All that is known while a contact is made.
struct Making {
  const ShapeDistance& d;
  Plane plane;
  Outline first, second;
  PatchScratch& scratch;
  ContactBuffer& out;
  Side one, two;
  SurfaceContact contact;
};

void put_points(Making& m, const NamedPolygon& points, const Vec2& origin) {
  const std::size_t before = m.out.points.size(), count = points.size();
  m.out.points.resize(before + count);
  m.out.point_features.resize(before + count);
  for (std::size_t i = 0; i < count; ++i) {
    m.out.points[before + i] = points[i].at - origin;
    m.out.point_features[before + i] = points[i].name;
  }
  m.contact.point_count = static_cast<Index>(points.size());
}

/// Moves the origin of C within its plane and the gap with it.
void set_origin(Making& m, const Vec2& origin) {
  m.contact.X_WC.p = m.plane.middle + origin[0] * m.plane.x + origin[1] * m.plane.y;
  m.contact.gap[0] += m.contact.gap[1] * origin[0] + m.contact.gap[2] * origin[1];
}

void make_point(Making& m) {
  m.contact.kind = PatchKind::point;
  m.contact.gap = Vec3(m.d.distance, 0, 0);
  set_origin(m, Vec2::Zero());
  m.out.points.emplace_back(Vec2::Zero());
  m.out.point_features.push_back(feature_name(0, 0, 0));
  m.contact.point_count = 1;
}

/// A segment whose ends and the gaps there are given.
void make_segment(Making& m, const NamedPolygon& ends, double gap_a, double gap_b) {
  const Vec2 along = ends[1].at - ends[0].at;
  const double length2 = along.squaredNorm();
  const Vec2 slope = (gap_b - gap_a) / length2 * along;
  m.contact.kind = PatchKind::segment;
  m.contact.gap = Vec3(gap_a - slope.dot(ends[0].at), slope[0], slope[1]);
  const Vec2 origin = (ends[0].at + ends[1].at) / 2;
  set_origin(m, origin);
  put_points(m, ends, origin);
}

/// A disc or an ellipse; the axes of C turn into those of the ellipse.
void make_ellipse(Making& m, const Outline& cap, const Vec3& gap) {
  const double r = cap.u.norm();
  if (cap.alignment >= 1 - tolerance::parallel) {
    m.contact.kind = PatchKind::disc;
    m.contact.radius = r;
    m.contact.gap = gap;
    set_origin(m, m.plane.flat(cap.centre));
  } else {
    const Vec3 slope_W = gap[1] * m.plane.x + gap[2] * m.plane.y;
    m.contact.kind = PatchKind::ellipse;
    m.contact.semi_axes = Vec2(r, r * cap.alignment);
    const Vec2 centre = m.plane.flat(cap.centre);
    const double at_centre = gap[0] + gap[1] * centre[0] + gap[2] * centre[1];
    m.plane.middle = m.plane.middle + centre[0] * m.plane.x + centre[1] * m.plane.y;
    const Vec3 tilt = m.plane.n.cross(cap.normal).normalized();
    m.plane.x = (tilt - m.plane.n.dot(tilt) * m.plane.n).normalized();
    m.plane.y = m.plane.n.cross(m.plane.x);
    m.contact.gap = Vec3(at_centre, slope_W.dot(m.plane.x), slope_W.dot(m.plane.y));
    set_origin(m, Vec2::Zero());
  }
  m.out.points.emplace_back(Vec2::Zero());
  m.out.point_features.push_back(feature_name(7, 0, 0));
  m.contact.point_count = 1;
}

/// The polygon in scratch.first, or what is left of one: a segment, a point.
void make_polygon(Making& m, const Vec3& gap) {
  NamedPolygon& polygon = m.scratch.first;
  double across2 = 0;
  std::size_t a = 0, b = 0;
  for (std::size_t i = 1; i < polygon.size(); ++i)
    if (const double l = (polygon[i].at - polygon[a].at).squaredNorm(); l > across2)
      across2 = l, b = i;
  const double across = std::sqrt(across2);
  const double same = same_point * across;
  if (polygon.size() < 2 || !(across > 0)) return make_point(m);
  const AreaCentre c = area_centre(polygon);
  if (polygon.size() == 2 || c.area <= same * across) {
    for (std::size_t i = 0; i < polygon.size(); ++i)  // the end farthest from the far one
      if ((polygon[i].at - polygon[b].at).norm() > (polygon[a].at - polygon[b].at).norm()) a = i;
    NamedPolygon& ends = m.scratch.spare;
    ends.assign({polygon[a], polygon[b]});
    const auto at = [&](const PatchCorner& p) {
      return gap[0] + gap[1] * p.at[0] + gap[2] * p.at[1];
    };
    return make_segment(m, ends, at(ends[0]), at(ends[1]));
  }
  m.contact.kind = PatchKind::polygon;
  m.contact.gap = gap;
  set_origin(m, c.centre);
  put_points(m, polygon, c.centre);
}

double size_of(const NamedPolygon& polygon) {
  double size = 0;
  for (const PatchCorner& p : polygon) size = std::max(size, p.at.cwiseAbs().maxCoeff());
  return size;
}

/// Both outlines have an area.
void areas_meet(Making& m) {
  const Vec3 gap = height_of(m.first, m.plane) - height_of(m.second, m.plane);
  NamedPolygon &one = m.scratch.first, &two = m.scratch.second;
  const bool is_cut = m.first.kind != Kind::plane && m.second.kind != Kind::plane;
  if (m.first.kind == Kind::polygon) flatten(m.scratch.points_first, m.plane, m.one, is_cut, one);
  if (m.second.kind == Kind::polygon) flatten(m.scratch.points_second, m.plane, m.two, is_cut, two);
  const auto ellipse_in = [&](const Outline& cap, const NamedPolygon& clip) {
    const FlatEllipse e = flat_ellipse(cap, m.plane);
    const EllipseClip how =
        clip_ellipse(e.centre, e.U, e.turn, deepest_angle(e, gap), clip, m.scratch.spare);
    if (how == EllipseClip::whole) return make_ellipse(m, cap, gap);
    if (how == EllipseClip::empty) return make_point(m);
    one.swap(m.scratch.spare);
    unite_neighbours(one, same_point * size_of(one));
    make_polygon(m, gap);
  };
  if (m.first.kind == Kind::ellipse && m.second.kind == Kind::ellipse) {
    const FlatEllipse e1 = flat_ellipse(m.first, m.plane), e2 = flat_ellipse(m.second, m.plane);
    if (rim_inside(e1, e2)) return make_ellipse(m, m.first, gap);
    if (rim_inside(e2, e1)) return make_ellipse(m, m.second, gap);
    rim_polygon(e1, deepest_angle(e1, gap), m.one, one);
    rim_polygon(e2, deepest_angle(e2, gap), m.two, two);
    clip_polygon(one, two, same_point * std::min(size_of(one), size_of(two)), m.scratch.spare);
    return make_polygon(m, gap);
  }
  if (m.first.kind == Kind::ellipse)
    return m.second.kind == Kind::plane ? make_ellipse(m, m.first, gap) : ellipse_in(m.first, two);
  if (m.second.kind == Kind::ellipse)
    return m.first.kind == Kind::plane ? make_ellipse(m, m.second, gap) : ellipse_in(m.second, one);
  if (m.first.kind == Kind::plane) one.swap(two);
  if (m.first.kind == Kind::polygon && m.second.kind == Kind::polygon)
    clip_polygon(one, two, same_point * std::min(size_of(one), size_of(two)), m.scratch.spare);
  make_polygon(m, gap);
}

/// A line of one shape, whose side is given, over an area of the other.
void line_meets_area(Making& m, const OutlinePoints& line, Side side, const Outline& area,
                     const OutlinePoints& corners) {
  NamedPolygon &ends = m.scratch.first, &clip = m.scratch.second;
  ends.clear();
  for (std::size_t i = 0; i < 2; ++i)
    ends.push_back({m.plane.flat(line.points[i]), feature_name(side.number, line.names[i], 0),
                    edge_name(side.number, line.names[0], line.names[1]), -1});
  const Vec2 whole_a = ends[0].at, along = ends[1].at - whole_a;
  const double length2 = along.squaredNorm();
  bool any = length2 > 0;
  if (any && area.kind == Kind::polygon) {
    flatten(corners, m.plane, side.first ? m.two : m.one, true, clip);
    const double size = std::max(size_of(ends), size_of(clip));
    any = clip_segment(ends, clip, same_point * tolerance::unhidden * size);
  } else if (any && area.kind == Kind::ellipse) {
    const FlatEllipse e = flat_ellipse(area, m.plane);
    any = clip_segment(ends, e.centre, e.U);
  }
  if (!any || (ends[1].at - ends[0].at).squaredNorm() <= same_point * same_point * length2)
    return make_point(m);
  const Vec3 flat = height_of(area, m.plane);
  const double z_a = m.plane.height(line.points[0]), z_b = m.plane.height(line.points[1]);
  const auto gap_at = [&](const Vec2& x) {
    const double t = along.dot(x - whole_a) / length2;
    const double over = z_a + t * (z_b - z_a) - (flat[0] + flat[1] * x[0] + flat[2] * x[1]);
    return side.first ? over : -over;
  };
  make_segment(m, ends, gap_at(ends[0].at), gap_at(ends[1].at));
}

/// A line in the contact plane as height and place over a coordinate along the common axis.
struct FlatLine {
  Vec2 a, b;
  double z_a, z_b, s_a, s_b;

  [[nodiscard]] double part(double s) const { return (s - s_a) / (s_b - s_a); }
  [[nodiscard]] Vec2 at(double s) const { return a + part(s) * (b - a); }
  [[nodiscard]] double height(double s) const { return z_a + part(s) * (z_b - z_a); }
};

/// Two lines: the overlap of parallel ones, else the point where they cross. The patch lies midway
/// between the two; either misses it by less than line_sine times half the length.
void lines_meet(Making& m, const OutlinePoints& one, const OutlinePoints& two, double sine) {
  const auto flat = [&](const OutlinePoints& line, bool turned) {
    const std::size_t a = turned ? 1 : 0, b = turned ? 0 : 1;
    return FlatLine{m.plane.flat(line.points[a]),
                    m.plane.flat(line.points[b]),
                    m.plane.height(line.points[a]),
                    m.plane.height(line.points[b]),
                    0,
                    0};
  };
  FlatLine p = flat(one, false), q = flat(two, false);
  const bool turned = (p.b - p.a).dot(q.b - q.a) < 0;
  if (turned) q = flat(two, true);
  const double p_length = (p.b - p.a).norm(), q_length = (q.b - q.a).norm();
  const double product = std::abs(cross(Vec2(p.b - p.a), Vec2(q.b - q.a)));
  if (!(p_length > 0) || !(q_length > 0) || product > sine * p_length * q_length)
    return make_point(m);
  const Vec2 axis = ((p.b - p.a) / p_length + (q.b - q.a) / q_length).normalized();
  for (FlatLine* line : {&p, &q}) {
    line->s_a = axis.dot(line->a);
    line->s_b = axis.dot(line->b);
  }
  const double low = std::max(p.s_a, q.s_a), high = std::min(p.s_b, q.s_b);
  if (!(high - low > same_point * std::min(p_length, q_length))) return make_point(m);
  NamedPolygon& ends = m.scratch.first;
  ends.clear();
  const auto put = [&](double s, bool of_first, bool end) {
    const std::uint32_t name =
        of_first ? feature_name(m.one.number, one.names[end ? 1 : 0], 0)
                 : feature_name(m.two.number, two.names[end != turned ? 1 : 0], 0);
    ends.push_back({(p.at(s) + q.at(s)) / 2, name, 0, -1});
  };
  put(low, p.s_a >= q.s_a, false);
  put(high, p.s_b <= q.s_b, true);
  make_segment(m, ends, p.height(low) - q.height(low), p.height(high) - q.height(high));
}

/// Of a polygon that meets with an edge: the edge at the nearest corner most nearly across n.
bool reduce_to_edge(const Outline& o, const Vec3& n, OutlinePoints& points) {
  if (o.kind == Kind::segment) return true;
  if (o.kind != Kind::polygon) return false;
  const std::size_t count = points.points.size();
  std::size_t corner = 0, best = count;
  for (std::size_t i = 1; i < count; ++i)
    if ((points.points[i] - o.anchor).squaredNorm() <
        (points.points[corner] - o.anchor).squaredNorm())
      corner = i;
  double least = 2 * line_sine;
  for (const std::size_t start : {corner, (corner + count - 1) % count}) {
    const Vec3 edge = points.points[(start + 1) % count] - points.points[start];
    const double tilt = std::abs(edge.dot(n)) / edge.norm();
    if (tilt < least) least = tilt, best = start;
  }
  if (best == count) return false;
  const Vec3 a = points.points[best], b = points.points[(best + 1) % count];
  const std::uint32_t name_a = points.names[best], name_b = points.names[(best + 1) % count];
  points.points.assign({a, b});
  points.names.assign({name_a, name_b});
  return true;
}

bool has_area(const Outline& o) {
  return o.kind == Kind::polygon || o.kind == Kind::ellipse || o.kind == Kind::plane;
}

void meet(Making& m, bool was_area) {
  const double reference = reference_alignment - (was_area ? reference_slack : 0);
  const auto lies = [&](const Outline& o) { return has_area(o) && o.alignment >= reference; };
  const auto usable = [&](const Outline& o) {
    return has_area(o) && o.alignment >= least_alignment;
  };
  PatchScratch& s = m.scratch;
  if (m.first.kind == Kind::point || m.second.kind == Kind::point) return make_point(m);
  if (usable(m.first) && usable(m.second) && (lies(m.first) || lies(m.second)))
    return areas_meet(m);
  if (lies(m.second) && reduce_to_edge(m.first, m.plane.n, s.points_first))
    return line_meets_area(m, s.points_first, m.one, m.second, s.points_second);
  if (lies(m.first) && reduce_to_edge(m.second, m.plane.n, s.points_second))
    return line_meets_area(m, s.points_second, m.two, m.first, s.points_first);
  if (reduce_to_edge(m.first, m.plane.n, s.points_first) &&
      reduce_to_edge(m.second, m.plane.n, s.points_second))
    return lines_meet(m, s.points_first, s.points_second, line_sine * (was_area ? 2 : 1));
  make_point(m);
}

/// A face that is steep and seen from far may, cut where the other one ends, promise a gap below
/// the distance. Then nothing is known but the nearest points.
void refuse_contradiction(Making& m) {
  double reach2 = 0;
  for (Index i = m.contact.first_point; i < m.contact.first_point + m.contact.point_count; ++i)
    reach2 = std::max(reach2, m.out.points[i].squaredNorm());
  const double span = std::max(
      std::abs(m.d.distance) + m.contact.radius + m.contact.semi_axes.norm(), std::sqrt(reach2));
  if (m.contact.kind == PatchKind::point ||
      least_gap(m.contact, m.out) >= m.d.distance - tolerance::quadratic * span)
    return;
  m.out.points.resize(m.contact.first_point);
  m.out.point_features.resize(m.contact.first_point);
  m.plane = plane_of(m.d);
  make_point(m);
}

/// The contact with the two shapes exchanged: half a turn about the x axis of C.
void turn_over(SurfaceContact& c, ContactBuffer& out) {
  c.X_WC.R.col(1) = -c.X_WC.R.col(1);
  c.X_WC.R.col(2) = -c.X_WC.R.col(2);
  c.gap[2] = -c.gap[2];
  c.feature = (c.feature << 32U) | (c.feature >> 32U);
  const auto begin = out.points.begin() + c.first_point;
  for (auto x = begin; x != out.points.end(); ++x) (*x)[1] = -(*x)[1];
  if (c.kind != PatchKind::polygon) return;  // else counter-clockwise again
  std::reverse(begin, out.points.end());
  std::reverse(out.point_features.begin() + c.first_point, out.point_features.end());
}

}  // namespace

void append_contact(const Convex& first, const Convex& second, const ShapeDistance& d,
                    const Vec3& origin_W, bool exchanged, PairMemory& memory, ContactBuffer& out) {
  PatchScratch& scratch = out.scratch;
  const Side one{true, exchanged ? 2U : 1U}, two{false, exchanged ? 1U : 2U};
  Making m{d, plane_of(d), {}, {}, scratch, out, one, two, {}};
  m.first = face_toward(first, -d.normal_W, d.on_first_W, memory.face_first, scratch.points_first);
  m.second =
      face_toward(second, d.normal_W, d.on_second_W, memory.face_second, scratch.points_second);
  m.contact.first_point = static_cast<Index>(out.points.size());
  m.contact.distance = d.distance;
  meet(m, memory.area);
  refuse_contradiction(m);
  m.contact.X_WC.p += origin_W;
  m.contact.X_WC.R.col(0) = m.plane.x;
  m.contact.X_WC.R.col(1) = m.plane.y;
  m.contact.X_WC.R.col(2) = m.plane.n;
  m.contact.feature =
      (static_cast<std::uint64_t>(m.first.face) << 32U) | static_cast<std::uint32_t>(m.second.face);
  memory.face_first = m.first.face;
  memory.face_second = m.second.face;
  memory.area = m.contact.kind != PatchKind::point;
  if (exchanged) turn_over(m.contact, out);
  out.contacts.push_back(m.contact);
}

double least_gap(const SurfaceContact& c, const ContactBuffer& buffer) {
  const Vec2 slope = c.gap.tail<2>();
  double least = std::numeric_limits<double>::infinity();
  for (Index i = c.first_point; i < c.first_point + c.point_count; ++i)
    least = std::min(least, c.gap[0] + slope.dot(buffer.points[i]));
  if (c.kind == PatchKind::disc || c.kind == PatchKind::stadium) least -= c.radius * slope.norm();
  if (c.kind == PatchKind::ellipse) least -= c.semi_axes.cwiseProduct(slope).norm();
  return least;
}

double patch_area(const SurfaceContact& c, const ContactBuffer& buffer) {
  if (c.kind == PatchKind::disc) return std::numbers::pi * c.radius * c.radius;
  if (c.kind == PatchKind::ellipse) return std::numbers::pi * c.semi_axes.prod();
  double area = 0;
  for (Index i = 1; i + 1 < c.point_count; ++i) {
    const Vec2 o = buffer.points[c.first_point];
    area += cross(Vec2(buffer.points[c.first_point + i] - o),
                  Vec2(buffer.points[c.first_point + i + 1] - o)) /
            2;
  }
  return area;
}

}  // namespace tact
