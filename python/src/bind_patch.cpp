// python/bind_patch.cpp - patches, their cones, and the cones of friction at a point.
#include "patch.hpp"
#include "tact/cone/box.hpp"
#include "tact/cone/coulomb.hpp"
#include "tact/cone/patch_field.hpp"
#include "tact/cone/patch_regime.hpp"
#include "tact/cone/pyramid.hpp"
#include "tact/cone/wrench_cone.hpp"
#include "tact/io/file.hpp"
#include "tact/io/patch_picture.hpp"
#include "tact/io/patch_report.hpp"

namespace tact::python {

Patch make_patch(PatchFile file) {
  PlanarSet hull = unwrap(convex_hull_of(file.patch));
  return {std::move(file), PatchCone(hull)};
}

Patch make_patch(PatchShape shape) {
  PatchFile file;
  file.patch = std::move(shape);
  return make_patch(std::move(file));
}

PatchShape shape_of(const ContactSample& c) {
  const Vec2 first = c.points.empty() ? Vec2(Vec2::Zero()) : c.points[0];
  switch (c.kind) {
    case PatchKind::point:
      return {PointShape{first}};
    case PatchKind::segment:
      return {SegmentShape{first, c.points[1]}};
    case PatchKind::polygon:
      return {PolygonShape{c.points}};
    case PatchKind::disc:
      return {DiscShape{first, c.radius}};
    case PatchKind::ellipse:
      return {EllipseShape{first, c.semi_axes, 0}};
    case PatchKind::stadium:
      break;
  }
  return {StadiumShape{first, c.points[1], c.radius}};
}

PatchFrictionSpec friction_spec(double mu, const PressureWords& words) {
  constexpr std::string_view models[] = {"effective", "ellipsoid", "vertex", "winkler"};
  PatchFrictionSpec spec;
  spec.mu = mu;
  spec.pressure = static_cast<PressureModel>(read_word(words.model, "pressure", models));
  spec.pattern = words.pattern;
  spec.radius = words.radius;
  constexpr std::string_view patterns[] = {"1+6", "4+8", "4+8+12"};
  if (spec.pattern) (void)read_word(*spec.pattern, "pattern", patterns);
  if (!(mu >= 0)) throw DataError("mu is " + std::to_string(mu) + "; expected a number >= 0");
  if (words.nodes) spec.nodes = read_points(*words.nodes, "nodes");
  const auto list = [&](const Maybe& from, std::string_view name, std::vector<double>& to) {
    if (!from) return;
    const VecX x = read_vector(*from, name, static_cast<Index>(spec.nodes.size()));
    to.assign(x.begin(), x.end());
  };
  list(words.areas, "areas", spec.areas);
  list(words.radii, "radii", spec.radii);
  return spec;
}

std::string picture_of(const PatchFile& file) {
  return patch_picture(unwrap(report_on(file, ReportDetail::picture)));
}

namespace {

/// [m_T, f_N] or the six numbers of a wrench; likewise for twists.
template <class Screw>
Vec3 normal_of(const ArrayLike& value, std::string_view name) {
  const auto n = py::len(value.object);
  if (n == 3) return read_fixed<3>(value, name);
  return normal_part(Screw::from(read_fixed<6>(value, name)));
}

PatchFile with_loads(const Patch& patch, const Maybe& wrench, const Maybe& twist,
                     std::optional<double> mu, const PressureWords& pressure) {
  PatchFile file = patch.file;
  if (wrench) file.wrench = read_wrench(*wrench, "wrench");
  if (twist) file.twist = read_twist(*twist, "twist");
  if (mu) file.friction = friction_spec(*mu, pressure);
  return file;
}

RegimeScales scales_of(const Patch& patch, const Wrench& wrench, const Twist& twist,
                       std::optional<double> tolerance) {
  RegimeScales scales = natural_scales(patch.hull(), wrench, twist);
  if (tolerance) scales.tolerance = *tolerance;
  return scales;
}

Metric<3> metric_of(const ArrayLike& value) {
  return unwrap(Metric<3>::from_matrix(Mat3(read_matrix(value, "metric", 3, 3))));
}

std::optional<Doubles> face_of(const std::optional<SupportFace>& face) {
  if (!face) return std::nullopt;
  std::vector<Vec2> ends{face->first};
  if (face->is_edge()) ends.push_back(face->last);
  return to_array(ends);
}

py::dict line_of(const ZeroLine& line) {
  return py::dict("point"_a = to_array<2>(line.point), "direction"_a = to_array<2>(line.direction),
                  "normal"_a = to_array<2>(line.normal));
}

/// F(N) of one load.
struct Friction {
  FrictionSet set;
  double mu = 0;
};

template <class Cone>
void bind_cone(py::class_<Cone>& c) {
  c.def(
       "project",
       [](const Cone& k, const ArrayLike& x, const Maybe& metric) {
         const Vec3 at = read_fixed<3>(x, "x");
         return to_array<3>(metric ? k.project(at, metric_of(*metric)) : k.project(at));
       },
       "x"_a, "metric"_a = py::none(),
       "The nearest point of the cone, in the Euclidean metric or |y|² = y'My. Rows [t1, t2, n].")
      .def(
          "contains",
          [](const Cone& k, const ArrayLike& x) { return contains(k, read_fixed<3>(x, "x")); },
          "x"_a, "Whether x lies in the cone, decided by its distance to it.")
      .def(
          "margin",
          [](const Cone& k, const ArrayLike& x) { return k.margin(read_fixed<3>(x, "x")); }, "x"_a,
          "How deep x lies in the cone, in the unit of its tangents; negative outside.")
      .def(
          "support",
          [](const Cone& k, const ArrayLike& d) {
            return to_array<3>(k.support(read_fixed<3>(d, "direction")));
          },
          "direction"_a, "The generator with the largest product with the direction.");
}

void bind_point_cones(py::module_& m) {
  py::class_<CoulombDual> dual(m, "CoulombDual", "The dual of a friction cone: mu |v_t| <= v_n.");
  py::class_<CoulombCone> coulomb(
      m, "CoulombCone", "The friction cone |f_t| <= mu f_n of a point. [FrictionM4] stick, slip");
  coulomb
      .def(py::init([](double mu) {
             if (!(mu >= 0) || !std::isfinite(mu))
               throw DataError("mu is " + std::to_string(mu) + "; expected a number >= 0");
             return CoulombCone(mu);
           }),
           "mu"_a)
      .def_property_readonly("mu", &CoulombCone::mu, "Coefficient of friction.")
      .def_property_readonly("dual", &CoulombCone::dual, "The velocities mu |v_t| <= v_n.");
  bind_cone(coulomb);

  dual.def_property_readonly(
      "dual", [](const CoulombDual& k) { return k.dual(); }, "The friction cone.");
  bind_cone(dual);
  py::class_<PlanarCone> planar(
      m, "PlanarCone",
      "A cone over a convex polygon of the tangent plane: box and pyramid friction.");
  planar.def_property_readonly(
      "corners",
      [](const PlanarCone& k) {
        const auto v = k.base().vertices();
        return to_array(std::vector<Vec2>(v.begin(), v.end()));
      },
      "Corners of the polygon at f_n = 1.");
  bind_cone(planar);
  m.def(
      "box_cone",
      [](double mu, double scale) {
        if (!(mu >= 0) || !(scale > 0)) throw DataError("mu must be >= 0 and scale > 0");
        return box_cone(mu, BoxScale{scale});
      },
      "mu"_a, "scale"_a = BoxScale::inscribed().value,
      "Box friction |f_i| <= scale mu f_n; the default scale 1/√2 is inscribed in Coulomb's disc. "
      "[FrictionM4] box");
  m.def(
      "pyramid_cone",
      [](double mu, int edges) {
        if (!(mu >= 0) || edges < 3) throw DataError("mu must be >= 0 and edges >= 3");
        return pyramid_cone(mu, edges);
      },
      "mu"_a, "edges"_a = 4, "The cone over the regular polygon inscribed in Coulomb's disc.");
}

void bind_shapes(py::class_<Patch>& c) {
  c.def(py::init([](const ArrayLike& points, std::string name) {
          Patch patch = make_patch({PolygonShape{read_points(points, "points")}});
          patch.file.name = std::move(name);
          return patch;
        }),
        "points"_a, "name"_a = "",
        "The patch whose hull is that of these points [n, 2], in metres, in the patch frame.")
      .def_static(
          "disc",
          [](double radius, const ArrayLike& center) {
            return make_patch({DiscShape{read_fixed<2>(center, "center"), radius}});
          },
          "radius"_a, "center"_a = std::vector<double>{0, 0}, "A disc [m].")
      .def_static(
          "ellipse",
          [](const ArrayLike& semi_axes, const ArrayLike& center, double angle) {
            return make_patch({EllipseShape{read_fixed<2>(center, "center"),
                                            read_fixed<2>(semi_axes, "semi_axes"), angle}});
          },
          "semi_axes"_a, "center"_a = std::vector<double>{0, 0}, "angle"_a = 0.0,
          "An ellipse [m]; the angle of its first semi-axis from x [rad].")
      .def_static(
          "segment",
          [](const ArrayLike& a, const ArrayLike& b) {
            return make_patch({SegmentShape{read_fixed<2>(a, "a"), read_fixed<2>(b, "b")}});
          },
          "a"_a, "b"_a, "The edge from a to b.")
      .def_static(
          "point",
          [](const ArrayLike& at) { return make_patch({PointShape{read_fixed<2>(at, "at")}}); },
          "at"_a = std::vector<double>{0, 0}, "A single point.")
      .def_static(
          "stadium",
          [](const ArrayLike& a, const ArrayLike& b, double radius) {
            return make_patch({StadiumShape{read_fixed<2>(a, "a"), read_fixed<2>(b, "b"), radius}});
          },
          "a"_a, "b"_a, "radius"_a, "All points within the radius of the segment a b.")
      .def_static(
          "union",
          [](const std::vector<Patch>& parts) {
            UnionShape all;
            for (const Patch& p : parts) all.parts.push_back(p.file.patch);
            return make_patch({all});
          },
          "parts"_a,
          "Several patches that together are one; what it can do depends on their hull. "
          "[MontMarin25] (10)");
}

void bind_outline(py::class_<Patch>& c) {
  c.def_static(
       "from_file",
       [](const PathLike& path) {
         return make_patch(unwrap(read_patch_file(unwrap(read_file(path.text)), path.text)));
       },
       "path"_a, "Reads a tact-patch/1 file, with the wrench, twist and friction it may have.")
      .def_static(
          "from_json",
          [](const std::string& text) { return make_patch(unwrap(read_patch_file(text, "text"))); },
          "text"_a, "The same from its text.")
      .def(
          "to_json", [](const Patch& p) { return write_patch_file(p.file); },
          "As tact-patch/1 text.")
      .def_property_readonly(
          "name", [](const Patch& p) { return p.file.name; }, "Its title.")
      .def_property_readonly(
          "corners",
          [](const Patch& p) {
            const auto v = p.hull().vertices();
            return to_array(std::vector<Vec2>(v.begin(), v.end()));
          },
          "Corners of the hull, counter-clockwise [n, 2] m; of round parts the ends of their arcs.")
      .def(
          "outline", [](const Patch& p, int count) { return to_array(p.hull().outline(count)); },
          "count"_a = 96, "The rim of the hull as a polygon, round parts by `count` points a turn.")
      .def_property_readonly(
          "radius", [](const Patch& p) { return p.hull().radius(); }, "Of its bounding circle [m].")
      .def("__repr__",
           [](const Patch& p) { return "<tact.Patch: " + describe(p.file.patch) + ">"; });
}

void bind_patch_cone(py::class_<Patch>& c) {
  c.def(
       "contains",
       [](const Patch& p, const ArrayLike& w) {
         return contains(p.cone, normal_of<Wrench>(w, "wrench"));
       },
       "wrench"_a,
       "Whether a pressure on the patch has this wrench: [m_T(2), m_N, f_T(2), f_N] or [m_T(2), "
       "f_N], "
       "N m and N. [MontMarin25] (9), (11)")
      .def(
          "contains_twist",
          [](const Patch& p, const ArrayLike& t) {
            return contains(p.cone.dual(), normal_of<Twist>(t, "twist"));
          },
          "twist"_a,
          "Whether no point of the patch penetrates: [ω_T(2), ω_N, v_T(2), v_N] or [ω_T(2), v_N], "
          "rad/s and m/s. [MontMarin25] (12), (13)")
      .def(
          "margin",
          [](const Patch& p, const ArrayLike& w) {
            return p.cone.margin(normal_of<Wrench>(w, "wrench"));
          },
          "wrench"_a,
          "f_N times the distance of the centre of pressure to the rim [N m]; negative outside.")
      .def(
          "twist_margin",
          [](const Patch& p, const ArrayLike& t) {
            return p.cone.dual_margin(normal_of<Twist>(t, "twist"));
          },
          "twist"_a, "The least normal velocity on the patch [m/s]. [MontMarin25] (14)");
}

void bind_projections(py::class_<Patch>& c) {
  c.def(
       "project",
       [](const Patch& p, const ArrayLike& w, const Maybe& metric) {
         const Vec3 at = normal_of<Wrench>(w, "wrench");
         return to_array<3>(metric ? p.cone.project(at, metric_of(*metric)) : p.cone.project(at));
       },
       "wrench"_a, "metric"_a = py::none(),
       "The nearest [m_T(2), f_N] of K_P, in the Euclidean metric or a 3 x 3 one.")
      .def(
          "project_twist",
          [](const Patch& p, const ArrayLike& t, const Maybe& metric) {
            const Vec3 at = normal_of<Twist>(t, "twist");
            return to_array<3>(metric ? p.cone.project_dual(at, metric_of(*metric))
                                      : p.cone.project_dual(at));
          },
          "twist"_a, "metric"_a = py::none(), "The nearest [ω_T(2), v_N] of K_P*.")
      .def(
          "cop",
          [](const Patch&, const ArrayLike& w) {
            return maybe_array(center_of_pressure(read_wrench(w, "wrench")));
          },
          "wrench"_a,
          "Centre of pressure in the patch frame [m], or None without force. [MontMarin25] (8)")
      .def(
          "velocity_at",
          [](const Patch&, const ArrayLike& t, const ArrayLike& x) {
            return to_array<3>(velocity_at(read_twist(t, "twist"), read_fixed<2>(x, "x")));
          },
          "twist"_a, "x"_a, "Velocity of the point x of the plane [m/s]. [MontMarin25] (3)")
      .def(
          "extended_cop",
          [](const Patch& p, const ArrayLike& w, const ArrayLike& t) {
            const Wrench wrench = read_wrench(w, "wrench");
            const Twist twist = read_twist(t, "twist");
            return to_array(extended_center_of_pressure(p.hull(), wrench, twist,
                                                        scales_of(p, wrench, twist, std::nullopt))
                                .points);
          },
          "wrench"_a, "twist"_a,
          "Where the patch presses, or would touch first: one point, the two ends of an edge, or "
          "the "
          "corners [n, 2] m. [MontMarin25] (18), (19)");
}

void bind_regime(py::module_& m, py::class_<Patch>& c) {
  py::class_<RegimeReport>(
      m, "RegimeReport",
      "What a patch does under a wrench and a twist. [MontMarin25] (15), (16), fig. 5")
      .def_property_readonly(
          "regime",
          [](const RegimeReport& r) {
            return r.regime ? std::optional(word(*r.regime)) : std::nullopt;
          },
          "idle, separate, separate_grazing, stick, slide, tip_vertex, tip_edge, slide_tip_vertex, "
          "slide_tip_edge; None where [MontMarin25] (17) is violated.")
      .def_readonly("wrench_margin", &RegimeReport::wrench_margin, "Of K_P, relative.")
      .def_readonly("twist_margin", &RegimeReport::twist_margin, "Of K_P*, relative.")
      .def_readonly("power", &RegimeReport::power, "Of the normal parts, relative.")
      .def_property_readonly(
          "cop", [](const RegimeReport& r) { return maybe_array(r.cop); },
          "Centre of pressure [m], or None.")
      .def_property_readonly(
          "pivot", [](const RegimeReport& r) { return face_of(r.pivot); },
          "What it tips about: one point or two [n, 2] m, or None.")
      .def_property_readonly(
          "zero_line",
          [](const RegimeReport& r) {
            return r.zero_line ? std::optional(line_of(*r.zero_line)) : std::nullopt;
          },
          "The line v_N(x) = 0 as point, direction and normal, or None. [MontMarin25] (15)")
      .def_readonly("largest_opening", &RegimeReport::largest_opening, "[m/s]")
      .def_readonly("largest_sliding", &RegimeReport::largest_sliding, "[m/s]")
      .def("__repr__", [](const RegimeReport& r) {
        return "<tact.RegimeReport: " +
               (r.regime ? word(*r.regime) : std::string("violates Signorini")) + ">";
      });
  c.def(
      "regime",
      [](const Patch& p, const ArrayLike& w, const ArrayLike& t, std::optional<double> tolerance) {
        const Wrench wrench = read_wrench(w, "wrench");
        const Twist twist = read_twist(t, "twist");
        return classify(p.hull(), wrench, twist, scales_of(p, wrench, twist, tolerance));
      },
      "wrench"_a, "twist"_a, "tolerance"_a = py::none(),
      "What the patch does under this wrench and twist, with the geometry that proves it.");
}

void bind_friction(py::module_& m, py::class_<Patch>& c) {
  py::class_<Friction>(m, "FrictionSet",
                       "The friction loads T = [f_T(2), m_N] that a pressure allows: F(N).")
      .def(
          "support",
          [](const Friction& f, const ArrayLike& v) {
            return f.set.support(read_fixed<3>(v, "sliding"));
          },
          "sliding"_a, "The most that friction dissipates at [v_T(2), ω_N] [W].")
      .def(
          "force",
          [](const Friction& f, const ArrayLike& v) {
            return to_array<3>(f.set.force(read_fixed<3>(v, "sliding")));
          },
          "sliding"_a, "The load of maximum dissipation against [v_T(2), ω_N].")
      .def(
          "gauge",
          [](const Friction& f, const ArrayLike& t) {
            return f.set.gauge(read_fixed<3>(t, "load"));
          },
          "load"_a, "The least s with T in s F(N); above one the limit is exceeded.")
      .def(
          "contains",
          [](const Friction& f, const ArrayLike& t) {
            return f.set.gauge(read_fixed<3>(t, "load")) <= 1;
          },
          "load"_a, "Whether T is in F(N).")
      .def_readonly("mu", &Friction::mu, "Coefficient of friction.")
      .def_property_readonly(
          "reliable", [](const Friction& f) { return f.set.reliable(); },
          "False where an elastic bed found no pressure for the load.");
  c.def(
      "friction",
      [](const Patch& p, const ArrayLike& w, double mu, const std::string& pressure,
         std::optional<std::string> pattern, std::optional<double> radius, Maybe nodes, Maybe areas,
         Maybe radii) {
        const auto spec = friction_spec(mu, {pressure, std::move(pattern), radius, std::move(nodes),
                                             std::move(areas), std::move(radii)});
        const auto load = NormalLoad::from_wrench(normal_of<Wrench>(w, "wrench"));
        if (load.f < 0) throw DataError("wrench: f_N is negative; a contact only pushes");
        return Friction{make_friction_set(unwrap(friction_model(spec)), p.hull(), load, mu), mu};
      },
      "wrench"_a, "mu"_a, "pressure"_a = "effective", "pattern"_a = py::none(),
      "radius"_a = py::none(), "nodes"_a = py::none(), "areas"_a = py::none(),
      "radii"_a = py::none(),
      "What friction can hold under this normal load; the pressure model is effective, ellipsoid, "
      "vertex or winkler (docs/patches.md).");
  c.def(
      "wrench_half_spaces",
      [](const Patch& p, double mu, const std::string& kind, int edges) {
        constexpr std::string_view kinds[] = {"box", "pyramid"};
        const LinearFrictionOptions options{
            static_cast<LinearFriction>(read_word(kind, "kind", kinds)), edges};
        return to_array(MatX(unwrap(frictional_half_spaces(p.hull(), mu, options))));
      },
      "mu"_a, "kind"_a = "box", "edges"_a = 8,
      "A [n, 6] with A w <= 0 for all admissible wrenches [m_T(2), m_N, f_T(2), f_N]: for "
      "controllers.");
}

}  // namespace

void bind_patch(py::module_& m) {
  bind_point_cones(m);
  py::class_<Patch> c(
      m, "Patch",
      "A face in contact as one cone: K_P ∋ [m_T, f_N] ⟂ [ω_T, v_N] ∈ K_P*. "
      "[MontMarin25] (2), (17)\n\nPatch frame: x, y in the contact plane, z the normal. "
      "Wrenches are [m_T(2), m_N, f_T(2), f_N], twists [ω_T(2), ω_N, v_T(2), v_N], SI units.");
  bind_shapes(c);
  bind_outline(c);
  bind_patch_cone(c);
  bind_projections(c);
  bind_regime(m, c);
  bind_friction(m, c);
  c.def(
      "report",
      [](const Patch& p, const Maybe& wrench, const Maybe& twist, std::optional<double> mu,
         const std::string& pressure) {
        return from_json(report_json(
            unwrap(report_on(with_loads(p, wrench, twist, mu, {pressure, {}, {}, {}, {}, {}})))));
      },
      "wrench"_a = py::none(), "twist"_a = py::none(), "mu"_a = py::none(),
      "pressure"_a = "effective",
      "Everything that `tact patch --json` says, as a dict; what is left out is that of the file.");
  c.def(
      "svg",
      [](const Patch& p, const Maybe& wrench, const Maybe& twist, std::optional<double> mu,
         const std::string& pressure) {
        return picture_of(with_loads(p, wrench, twist, mu, {pressure, {}, {}, {}, {}, {}}));
      },
      "wrench"_a = py::none(), "twist"_a = py::none(), "mu"_a = py::none(),
      "pressure"_a = "effective", "The picture of `tact patch --svg` as SVG text.");
  c.def(
      "_repr_html_", [](const Patch& p) { return picture_of(p.file); },
      "Its picture, for notebooks.");
}

}  // namespace tact::python
