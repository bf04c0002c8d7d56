// python/bind_surface.cpp - smooth surfaces, where two face each other, and laws of their contact.
#include <algorithm>
#include <limits>

#include "convert.hpp"
#include "tact/geom/curvature.hpp"
#include "tact/geom/surface_support.hpp"
#include "tact/soft/hertz.hpp"
#include "tact/soft/slip.hpp"
#include "tact/soft/track.hpp"

namespace tact::python {
namespace {

Surface made(SurfaceForm form, bool inside_out) {
  return unwrap(checked(Surface{std::move(form), inside_out}));
}

/// Charts are searched from their point nearest to `p` of some: Newton's method wants a start.
SurfacePoint start_near(const Surface& surface, const Vec3& p) {
  if (!std::holds_alternative<ParametricSurface>(surface.form) &&
      !std::holds_alternative<NurbsSurface>(surface.form))
    return {};
  constexpr Index some = 100;
  const auto spread = spread_points(surface, some, p, std::numeric_limits<double>::infinity());
  if (spread.empty()) return {};
  return *std::ranges::min_element(
      spread, {}, [&](const SurfacePoint& at) { return (at.p - p).squaredNorm(); });
}

py::dict point_of(const Surface& surface, const ArrayLike& near) {
  const Vec3 p = read_fixed<3>(near, "near");
  SurfacePoint at = start_near(surface, p);
  if (!project(surface, p, at))
    throw DataError("there is no point of the surface near to this one");
  const PrincipalCurvatures kappa = principal_curvatures(at);
  return py::dict("p"_a = to_array<3>(at.p), "n"_a = to_array<3>(at.n),
                  "dn"_a = to_array(MatX(at.dn)),
                  "curvatures"_a = py::make_tuple(kappa.kappa[0], kappa.kappa[1]));
}

using SurfaceClass = py::class_<Surface>;

void bind_plain_forms(SurfaceClass& c) {
  c.def_static(
       "plane",
       [](const ArrayLike& normal, double offset, bool out) {
         return made(PlaneSurface{read_fixed<3>(normal, "normal"), offset}, out);
       },
       "normal"_a = std::vector<double>{0, 0, 1}, "offset"_a = 0.0, "inside_out"_a = false,
       "normal · x <= offset.")
      .def_static(
          "sphere", [](double radius, bool out) { return made(SphereSurface{radius}, out); },
          "radius"_a, "inside_out"_a = false, "A ball; inside out a bowl.")
      .def_static(
          "ellipsoid",
          [](const ArrayLike& axes, bool out) {
            return made(EllipsoidSurface{read_fixed<3>(axes, "semi_axes")}, out);
          },
          "semi_axes"_a, "inside_out"_a = false, "Semi-axes [3].")
      .def_static(
          "superellipsoid",
          [](const ArrayLike& axes, double e1, double e2, bool out) {
            return made(SuperellipsoidSurface{read_fixed<3>(axes, "semi_axes"), e1, e2}, out);
          },
          "semi_axes"_a, "e1"_a = 1.0, "e2"_a = 1.0, "inside_out"_a = false,
          "Exponents between 0 and 1.");
}

void bind_round_forms(SurfaceClass& c) {
  c.def_static(
       "torus",
       [](double ring, double tube, const ArrayLike& axis, bool out) {
         return made(TorusSurface{ring, tube, read_fixed<3>(axis, "axis")}, out);
       },
       "ring"_a, "tube"_a, "axis"_a = std::vector<double>{0, 0, 1}, "inside_out"_a = false,
       "A tube about a circle.")
      .def_static(
          "cylinder",
          [](double radius, const ArrayLike& axis, bool out) {
            return made(CylinderSurface{radius, read_fixed<3>(axis, "axis")}, out);
          },
          "radius"_a, "axis"_a = std::vector<double>{0, 0, 1}, "inside_out"_a = false,
          "Without ends.")
      .def_static(
          "capsule",
          [](double radius, double half_length, const ArrayLike& axis, bool out) {
            return made(CapsuleSurface{radius, half_length, read_fixed<3>(axis, "axis")}, out);
          },
          "radius"_a, "half_length"_a, "axis"_a = std::vector<double>{0, 0, 1},
          "inside_out"_a = false, "All points within the radius of a segment.");
}

Surface spline_heights(const ArrayLike& heights, const ArrayLike& half_size) {
  const MatX grid = read_matrix(heights, "heights");
  HeightGrid field{grid.rows(), grid.cols(), read_fixed<2>(half_size, "half_size"), 0, {}};
  for (Index i = 0; i < grid.rows(); ++i)
    for (Index j = 0; j < grid.cols(); ++j) field.heights.push_back(grid(i, j));
  SplineHeightSurface form;
  form.heights = std::make_shared<const SplineHeights>(unwrap(spline_through(field)));
  return made(form, false);
}

Surface nurbs(const ArrayLike& points, const ArrayLike& knots_u, const ArrayLike& knots_v,
              const Maybe& weights, bool out) {
  const auto grid = read_array(points, "points", {-1, -1, 3});
  const VecX ku = read_vector(knots_u, "knots_u"), kv = read_vector(knots_v, "knots_v");
  NurbsPatch patch;
  patch.count_u = grid.shape(0);
  patch.count_v = grid.shape(1);
  patch.degree_u = static_cast<int>(ku.size() - patch.count_u - 1);
  patch.degree_v = static_cast<int>(kv.size() - patch.count_v - 1);
  patch.knots_u.assign(ku.begin(), ku.end());
  patch.knots_v.assign(kv.begin(), kv.end());
  for (Index k = 0; k < patch.count_u * patch.count_v; ++k)
    patch.points.emplace_back(Eigen::Map<const Vec3>(grid.data() + 3 * k));
  if (weights) {
    const auto w = read_array(*weights, "weights", {patch.count_u, patch.count_v});
    patch.weights.assign(w.data(), w.data() + w.size());
  }
  return made(NurbsSurface{std::make_shared<const NurbsPatch>(std::move(patch))}, out);
}

/// A function in Python, asked for numbers: f, fu, fv, fuu, fuv, fvv.
Surface parametric(const py::function& patch, const ArrayLike& lower, const ArrayLike& upper,
                   bool closed_u, bool closed_v, bool out) {
  ParametricSurface form;
  form.patch = [patch](double u, double v) {
    const MatX x = read_matrix({patch(u, v)}, "what patch(u, v) returns", 6, 3);
    return PatchJet{x.row(0), x.row(1), x.row(2), x.row(3), x.row(4), x.row(5)};
  };
  form.lower = read_fixed<2>(lower, "lower");
  form.upper = read_fixed<2>(upper, "upper");
  form.closed_u = closed_u;
  form.closed_v = closed_v;
  return made(std::move(form), out);
}

Surface implicit(const py::function& function, double reach, bool out) {
  ImplicitSurface form;
  form.function = [function](const Vec3& p) {
    const py::object given = function(to_array<3>(p));
    if (!py::isinstance<py::tuple>(given) || py::len(given) != 3)
      throw DataError("function(p) must return a tuple of F, its gradient and its Hessian");
    const auto jet = given.cast<py::tuple>();
    return ImplicitJet{jet[0].cast<double>(), read_fixed<3>({jet[1]}, "the gradient of function"),
                       read_matrix({jet[2]}, "the Hessian of function", 3, 3)};
  };
  form.reach = reach;
  return made(std::move(form), out);
}

void bind_free_forms(SurfaceClass& c) {
  c.def_static("heights", &spline_heights, "heights"_a, "half_size"_a,
               "z <= the bicubic spline through heights [rows along y, columns along x] over |x|, "
               "|y| up to half_size [2].")
      .def_static(
          "nurbs", &nurbs, "points"_a, "knots_u"_a, "knots_v"_a, "weights"_a = py::none(),
          "inside_out"_a = false,
          "A rational spline through control points [nu, nv, 3] and weights [nu, nv], all 1 "
          "if left out; its degrees are how many knots there are more than points, less "
          "one. f_u × f_v points outward.")
      .def_static("parametric", &parametric, "patch"_a, "lower"_a = std::vector<double>{0, 0},
                  "upper"_a = std::vector<double>{1, 1}, "closed_u"_a = false, "closed_v"_a = false,
                  "inside_out"_a = false,
                  "patch(u, v) returns f, f_u, f_v, f_uu, f_uv, f_vv [6, 3] for u and v between "
                  "lower [2] and upper [2]; f_u × f_v points outward. closed: both ends are the "
                  "same line.")
      .def_static(
          "implicit", &implicit, "function"_a, "reach"_a = std::numeric_limits<double>::infinity(),
          "inside_out"_a = false,
          "F(p) <= 0: function(p) returns F, its gradient [3] and its Hessian [3, 3]; there "
          "is a surface within `reach` of the origin.");
}

py::dict facing_of(const FacingPoints& facing, const Pose& X_12, const Twist& T) {
  const PairGeometry g = pair_geometry(facing, X_12);
  const PointRates rates = point_rates(g, X_12.R);
  const auto window = gap_window(g.A1, g.A2);
  return py::dict("p1"_a = to_array<3>(facing.one.p), "p2"_a = to_array<3>(facing.two.p),
                  "normal"_a = to_array<3>(g.n), "gap"_a = facing.gap,
                  "p1_rate"_a = to_array<3>(rates.J1 * T.vec()),
                  "p2_rate"_a = to_array<3>(rates.J2 * T.vec()), "gap_rate"_a = gap_rate(g, T),
                  "least_gap"_a = window ? window->least : 0.0,
                  "most_gap"_a = window ? window->most : 0.0);
}

void bind_facing(py::module_& m) {
  m.def(
      "facing",
      [](const Surface& one, const Surface& two, const ArrayLike& pose, const ArrayLike& twist) {
        const Pose X_12 = read_pose(pose, "pose");
        const FacingSearch search = find_facing(one, two, X_12);
        if (search.found.empty() && search.status != TrackStatus::tracked)
          throw DataError(std::string(describe(search.status)));
        py::list out;
        for (const FacingPoints& facing : search.found)
          out.append(facing_of(facing, X_12, Twist::from(read_fixed<6>(twist, "twist"))));
        return out;
      },
      "one"_a, "two"_a, "pose"_a, "twist"_a = std::vector<double>(6, 0.0),
      "The points where two surfaces face each other, the deepest first, and how they move. pose: "
      "of `two` seen from `one`; twist [ω(3), v(3)] of `two` relative to `one` in the frame of "
      "`one`. Each a dict: p1 and p1_rate in the frame of one, p2 and p2_rate in that of two, "
      "normal from one to two, gap, gap_rate, and the window of gaps. [Stramigioli] (20)-(25)");
}

void bind_laws(py::module_& m) {
  m.def(
      "hertz",
      [](const ArrayLike& curvatures, double modulus, double depth) {
        const Vec2 kappa = read_fixed<2>(curvatures, "curvatures");
        if (!(kappa.minCoeff() > 0 && modulus > 0 && depth > 0))
          throw DataError("curvatures, modulus_Pa and depth must be positive");
        const HertzContact h = hertz_contact(modulus, depth, kappa.asDiagonal());
        return py::dict("stiffness"_a = h.K_h, "force"_a = h.force, "energy"_a = h.energy,
                        "peak_pressure"_a = h.peak_pressure, "a"_a = h.patch.a, "b"_a = h.patch.b,
                        "torsion_arm"_a = 0.375 * h.patch.a * h.patch.perimeter_integral);
      },
      "curvatures"_a, "modulus_Pa"_a, "depth"_a,
      "Elliptic contact of relative curvatures [2] in 1/m: K_h in N/m^(3/2), force, energy, "
      "pressure, half axes, and the torque arm of friction. [Johnson] sec. 4.2");
  m.def(
      "slip_return",
      [](const ArrayLike& Q, double limit, const ArrayLike& trial) {
        if (!(limit >= 0)) throw DataError("limit must not be negative");
        const Mat3 form = read_matrix(Q, "Q", 3, 3);
        const ReturnMap map = return_map(form, limit, read_fixed<3>(trial, "trial"));
        return py::make_tuple(to_array<3>(map.s), map.lambda);
      },
      "Q"_a, "limit"_a, "trial"_a,
      "The nearest s with s'Qs <= limit² to a trial state (x, y, drilling), and λ of "
      "(1 + λQ)s = trial. [Stramigioli] (41)-(43)");
}

}  // namespace

void bind_surface(py::module_& m) {
  SurfaceClass c(
      m, "Surface",
      "A smooth surface that bounds a solid, in the frame of its body [m]. [Stramigioli] sec. 2.3");
  bind_plain_forms(c);
  bind_round_forms(c);
  bind_free_forms(c);
  c.def("at", &point_of, "near"_a,
        "The point of the surface near to `near` [3]: p, the outward normal n, dn = g_* [3, 3] "
        "and the principal curvatures, least first. [Stramigioli] (13)-(15)");
  bind_facing(m);
  bind_laws(m);
}

}  // namespace tact::python
