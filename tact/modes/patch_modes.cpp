#include "tact/modes/patch_modes.hpp"

#include <cmath>
#include <numbers>

#include "tact/base/expects.hpp"
#include "tact/modes/exact_rows.hpp"
#include "tact/poly/polygon.hpp"

namespace tact {

Result<Index> add_patch(ModeSystem& system, const MatX& twist, const PatchShape& shape,
                        const PatchRows& options, std::span<const ExactEntry> exact) {
  TACT_EXPECTS(twist.rows() == 6 && options.planes >= 0);
  TACT_EXPECTS(system.rows.rows() == 0 || twist.cols() == system.dof());
  const auto hull = convex_hull_of(shape);
  if (!hull) return hull.error();
  constexpr Index least = 3;
  if (hull->kind() != PlanarSet::Kind::polygon && options.rim < least)
    return Error{Errc::geometry,
                 "a patch with a round rim has infinitely many modes: give `rim` corners, at least "
                 "3 per turn, that stand for it"};
  const std::vector<Vec2> corners = hull->outline(static_cast<int>(options.rim));
  std::vector<ExactVector> rows;
  for (Index i = 0; i < 6; ++i) rows.push_back(exact_row(twist.row(i).transpose(), exact, i));
  for (const Vec2& p : corners) {
    const ExactVector normal = combined(combined(rows[5], p[1], rows[0]), -p[0], rows[1]);
    const ExactVector t1 = combined(rows[3], -p[1], rows[2]);
    const ExactVector t2 = combined(rows[4], p[0], rows[2]);
    add_contact(
        system, normal,
        options.planes > 0 ? exact_planes(t1, t2, options.planes) : std::vector<ExactVector>{});
  }
  return static_cast<Index>(corners.size());
}

std::string_view name(PatchMotion motion) {
  switch (motion) {
    case PatchMotion::separate:
      return "separate";
    case PatchMotion::tip_vertex:
      return "tip_vertex";
    case PatchMotion::tip_rim:
      return "tip_rim";
    case PatchMotion::tip_edge:
      return "tip_edge";
    case PatchMotion::flat:
      return "flat";
  }
  return "";
}

std::string_view name(PatchSlip slip) {
  switch (slip) {
    case PatchSlip::free:
      return "free";
    case PatchSlip::stick:
      return "stick";
    case PatchSlip::slide:
      return "slide";
    case PatchSlip::translate:
      return "translate";
    case PatchSlip::turn_inside:
      return "turn_inside";
    case PatchSlip::turn_on_rim:
      return "turn_on_rim";
    case PatchSlip::turn_outside:
      return "turn_outside";
  }
  return "";
}

namespace {

/// Writes the classes of one hull.
class Lister {
 public:
  explicit Lister(PatchModes& out)
      : out_(out),
        extent_(out.hull.has_interior() ? 2 : (out.hull.vertices().size() == 2 ? 1 : 0)),
        size_(out.hull.radius() > 0 ? out.hull.radius() : 1) {}

  void list() {
    PatchMode apart;
    apart.dim = 6;
    apart.witness.v[2] = size_;
    out_.modes.push_back(apart);
    if (extent_ > 0) {
      each_arc([&](const BoundaryArc& arc, Index first, Index last) {
        if (arc.ellipse.is_point())
          tip(PatchMotion::tip_vertex, first, last, middle(arc), arc.first);
      });
      each_arc([&](const BoundaryArc& arc, Index first, Index last) {
        const Vec2 normal = middle(arc);
        if (!arc.ellipse.is_point())
          tip(PatchMotion::tip_rim, first, last, normal, support(arc.ellipse, normal));
      });
    }
    if (extent_ == 2) edges();
    flat();
  }

 private:
  PatchModes& out_;
  Index extent_;  ///< dimension of the hull
  double size_;

  /// see(arc, places of its ends in vertices()); a full turn has no ends.
  template <class See>
  void each_arc(See&& see) const {
    Index next = 0;
    for (const BoundaryArc& arc : out_.hull.arcs()) {
      if (arc.full_turn) {
        see(arc, Index{-1}, Index{-1});
        continue;
      }
      const Index first = next;
      next += arc.ellipse.is_point() ? 1 : 2;
      see(arc, first, next - 1);
    }
  }

  /// An outward normal well inside the arc's range.
  static Vec2 middle(const BoundaryArc& arc) {
    if (arc.full_turn) return Vec2::UnitX();
    const Vec2 &a = arc.normal_from, &b = arc.normal_to;
    double turn = std::atan2(cross(a, b), a.dot(b));
    if (turn <= 0) turn += 2 * std::numbers::pi;
    return Vec2(std::cos(turn / 2) * a - std::sin(turn / 2) * perp(a));
  }

  /// v_N(x) = -normal.(x - held) >= 0 on the hull: its gradient is -ω_T^perp = -normal.
  static Twist tipping(const Vec2& normal, const Vec2& held) {
    Twist twist;
    twist.w.head<2>() = -perp(normal);
    twist.v[2] = normal.dot(held);
    return twist;
  }

  void tip(PatchMotion motion, Index first, Index last, const Vec2& normal, const Vec2& held) {
    const bool edge = motion == PatchMotion::tip_edge;
    const Index opening = edge ? 1 : 2;
    PatchMode mode{motion, PatchSlip::stick, first, last, 0, tipping(normal, held), held};
    mode.dim =
        opening + (edge ? 0 : 1);  // a point that sticks leaves the spin free, an edge does not
    out_.modes.push_back(mode);
    mode.slip = PatchSlip::slide;
    mode.dim = opening + 3;
    mode.witness.v[0] = size_;
    out_.modes.push_back(mode);
  }

  void edges() {
    struct End {
      Vec2 at;
      Index place;
    };
    std::vector<End> firsts, lasts;
    each_arc([&](const BoundaryArc& arc, Index first, Index last) {
      firsts.push_back({arc.first, first});
      lasts.push_back({arc.last, last});
    });
    for (std::size_t i = 0; i < firsts.size(); ++i) {
      const End &from = lasts[i], &to = firsts[(i + 1) % firsts.size()];
      if (from.at == to.at) continue;
      tip(PatchMotion::tip_edge, from.place, to.place, perp(to.at - from.at).normalized(),
          (from.at + to.at) / 2);
    }
  }

  /// A point of the hull away from its rim.
  [[nodiscard]] Vec2 inside() const {
    constexpr int round = 64;
    return centroid(out_.hull.outline(round));
  }

  void flat() {
    const Index opening = 2 - extent_;
    const Vec2 c = inside();
    const auto add = [&](PatchSlip slip, Index dim, double spin, const Vec2& velocity) {
      PatchMode mode{PatchMotion::flat, slip, -1, -1, opening + dim, {}, c};
      mode.witness.w[2] = spin;
      mode.witness.v.head<2>() = velocity;
      out_.modes.push_back(mode);
    };
    const auto turn = [&](PatchSlip slip, Index dim, const Vec2& center) {
      add(slip, dim, 1, perp(center));  // v_T(center) = v_T - ω_N center^perp = 0
    };
    add(PatchSlip::stick, extent_ == 0 ? 1 : 0, 0, Vec2::Zero());
    if (extent_ == 0) {
      add(PatchSlip::slide, 3, 0, Vec2(size_, 0));
      return;
    }
    add(PatchSlip::translate, 2, 0, Vec2(size_, 0));
    turn(PatchSlip::turn_inside, 1 + extent_, c);
    turn(PatchSlip::turn_on_rim, extent_, out_.hull.arcs().front().first);
    turn(PatchSlip::turn_outside, 3, out_.hull.center() + Vec2(3 * size_, 0));
  }
};

}  // namespace

Result<PatchModes> patch_modes(const PatchShape& shape) {
  auto hull = convex_hull_of(shape);
  if (!hull) return hull.error();
  PatchModes out{*std::move(hull), {}};
  Lister(out).list();
  return out;
}

Regime regime_of(const PatchMode& mode) {
  const bool sticks = mode.slip == PatchSlip::stick;
  switch (mode.motion) {
    case PatchMotion::separate:
      return Regime::separate;
    case PatchMotion::tip_vertex:
    case PatchMotion::tip_rim:
      return sticks ? Regime::tip_vertex : Regime::slide_tip_vertex;
    case PatchMotion::tip_edge:
      return sticks ? Regime::tip_edge : Regime::slide_tip_edge;
    case PatchMotion::flat:
      break;
  }
  return sticks ? Regime::stick : Regime::slide;
}

std::string cs_of(const PatchModes& modes, const PatchMode& mode) {
  TACT_EXPECTS(modes.hull.kind() == PlanarSet::Kind::polygon);
  const bool flat = mode.motion == PatchMotion::flat;
  std::string out(modes.hull.vertices().size(), flat ? '0' : '+');
  if (mode.first >= 0) out[mode.first] = out[mode.last] = '0';
  return out;
}

}  // namespace tact
