// python/bind_contacts.cpp - contacts of a step: as objects, and as a structured array.
#include <cstring>
#include <limits>

#include "patch.hpp"
#include "runner.hpp"

namespace tact::python {
namespace {

// The layout of one row; contact_dtype() says the same to NumPy. Words are UCS-4, as NumPy has
// them.
#pragma pack(push, 1)
struct Row {
  std::int32_t geom1, geom2;
  std::uint32_t which;
  char32_t regime[16], kind[8];
  double position[3], normal[3], frame[9], force[3], wrench[6], twist[6], closing[6];
  double distance, mu, slip_margin, lift_margin, tip_margin, sliding_speed, cop[2];
};
#pragma pack(pop)

py::dtype contact_dtype() {
  py::list fields;
  const auto add = [&](const char* name, const char* type) {
    fields.append(py::make_tuple(name, type));
  };
  add("geom1", "i4");
  add("geom2", "i4");
  add("which", "u4");
  add("regime", "U16");
  add("kind", "U8");
  add("position", "3f8");
  add("normal", "3f8");
  add("frame", "(3,3)f8");
  add("force", "3f8");
  add("wrench", "6f8");
  add("twist", "6f8");
  add("closing", "6f8");
  for (const char* name :
       {"distance", "mu", "slip_margin", "lift_margin", "tip_margin", "sliding_speed"})
    add(name, "f8");
  add("cop", "2f8");
  return py::dtype::from_args(fields);
}

template <std::size_t N>
void write_word(std::string_view from, char32_t (&to)[N]) {
  for (std::size_t k = 0; k < N; ++k)
    to[k] = k < from.size() ? static_cast<char32_t>(static_cast<unsigned char>(from[k])) : U'\0';
}

std::string_view kind_word(PatchKind kind) {
  constexpr std::string_view words[] = {"point", "segment", "polygon",
                                        "disc",  "ellipse", "stadium"};
  return words[static_cast<std::size_t>(kind)];
}

Row row_of(const ContactSample& c) {
  Row out{};
  out.geom1 = static_cast<std::int32_t>(c.geom1);
  out.geom2 = static_cast<std::int32_t>(c.geom2);
  out.which = c.which;
  write_word(name(c.label.regime), out.regime);
  write_word(kind_word(c.kind), out.kind);
  const Vec3 normal = c.X_WC.R.col(2), force = c.X_WC.R * c.wrench_C.f;
  const auto put = [](double* to, const auto& from) {
    for (Index k = 0; k < from.size(); ++k) to[k] = from[k];
  };
  put(out.position, c.X_WC.p);
  put(out.normal, normal);
  for (int k = 0; k < 9; ++k) out.frame[k] = c.X_WC.R(k / 3, k % 3);
  put(out.force, force);
  put(out.wrench, c.wrench_C.vec());
  put(out.twist, c.twist_C.vec());
  put(out.closing, c.closing_C.vec());
  out.distance = c.distance;
  out.mu = c.mu;
  out.slip_margin = c.label.slip_margin;
  out.lift_margin = c.label.lift_margin;
  out.tip_margin = c.label.tip_margin;
  out.sliding_speed = c.label.multiplier;
  put(out.cop, c.label.cop.value_or(Vec2::Constant(std::numeric_limits<double>::quiet_NaN())));
  return out;
}

std::vector<Vec3> in_world(const Pose& X, const std::vector<Vec2>& points) {
  std::vector<Vec3> out;
  out.reserve(points.size());
  for (const Vec2& p : points) out.push_back(transform_point(X, Vec3(p[0], p[1], 0)));
  return out;
}

/// The contact as a patch file: what a picture is drawn from.
PatchFile file_of(const ContactReport& c) {
  PatchFile file;
  file.name = c.names[0] + " on " + c.names[1];
  file.patch = shape_of(c.sample);
  file.wrench = c.sample.wrench_C;
  file.twist = c.sample.closing_C;
  if (c.sample.mu > 0) {
    file.friction.emplace();
    file.friction->mu = c.sample.mu;
  }
  return file;
}

using Class = py::class_<ContactReport>;

void bind_load(Class& c) {
  c.def_property_readonly(
       "wrench", [](const ContactReport& r) { return to_array<6>(r.sample.wrench_C.vec()); },
       "On geom1 in C, about its origin: [m_T(2), m_N, f_T(2), f_N], the mean over the step [N m, "
       "N].")
      .def_property_readonly(
          "force",
          [](const ContactReport& r) {
            return to_array<3>(Vec3(r.sample.X_WC.R * r.sample.wrench_C.f));
          },
          "On geom1 in the axes of the world [N].")
      .def_property_readonly(
          "twist", [](const ContactReport& r) { return to_array<6>(r.sample.twist_C.vec()); },
          "Of geom1 relative to geom2 after the step, in C: [ω_T(2), ω_N, v_T(2), v_N].")
      .def_property_readonly(
          "closing", [](const ContactReport& r) { return to_array<6>(r.sample.closing_C.vec()); },
          "The twist with the gap, W + Γ/h: what the load is complementary to.")
      .def_property_readonly(
          "cop", [](const ContactReport& r) { return maybe_array(r.sample.label.cop); },
          "Centre of pressure in C [m], or None. [MontMarin25] (8)")
      .def_property_readonly(
          "cop_W",
          [](const ContactReport& r) -> std::optional<Doubles> {
            if (!r.sample.label.cop) return std::nullopt;
            const Vec2& x = *r.sample.label.cop;
            return to_array<3>(transform_point(r.sample.X_WC, Vec3(x[0], x[1], 0)));
          },
          "The same in the world [m], or None.")
      .def_property_readonly(
          "extended_cop_W",
          [](const ContactReport& r) {
            return to_array(in_world(r.sample.X_WC, r.sample.extended.points));
          },
          "Where it presses, or would touch first: one point, an edge or the corners [n, 3] m. "
          "[MontMarin25] (18), (19)");
}

void bind_label(Class& c) {
  c.def_property_readonly(
       "regime", [](const ContactReport& r) { return word(r.sample.label.regime); },
       "idle, separate, separate_grazing, stick, slide, tip_vertex, tip_edge, "
       "slide_tip_vertex, slide_tip_edge.")
      .def_property_readonly(
          "slip_margin", [](const ContactReport& r) { return r.sample.label.slip_margin; },
          "Friction left before it slips [N].")
      .def_property_readonly(
          "lift_margin", [](const ContactReport& r) { return r.sample.label.lift_margin; },
          "Normal force left before it lifts [N].")
      .def_property_readonly(
          "tip_margin", [](const ContactReport& r) { return r.sample.label.tip_margin; },
          "f_N times the distance of the centre of pressure to the rim [N m].")
      .def_property_readonly(
          "sliding_speed", [](const ContactReport& r) { return r.sample.label.multiplier; },
          "[m/s]");
}

void bind_place(Class& c) {
  c.def_property_readonly(
       "geoms", [](const ContactReport& r) { return std::pair(r.sample.geom1, r.sample.geom2); },
       "Indices of the two geoms; the normal points from the second into the first.")
      .def_property_readonly(
          "names", [](const ContactReport& r) { return std::pair(r.names[0], r.names[1]); },
          "Their names.")
      .def_property_readonly(
          "which", [](const ContactReport& r) { return r.sample.which; },
          "Of several contacts of the pair.")
      .def_property_readonly(
          "pose", [](const ContactReport& r) { return to_array(r.sample.X_WC); },
          "X_WC (4 x 4) in the middle of the step; z is the normal.")
      .def_property_readonly(
          "position", [](const ContactReport& r) { return to_array<3>(r.sample.X_WC.p); },
          "Origin of C in the world [m].")
      .def_property_readonly(
          "normal",
          [](const ContactReport& r) { return to_array<3>(Vec3(r.sample.X_WC.R.col(2))); },
          "In the world.")
      .def_property_readonly(
          "kind", [](const ContactReport& r) { return std::string(kind_word(r.sample.kind)); },
          "point, segment, polygon, disc, ellipse or stadium.")
      .def_property_readonly(
          "points", [](const ContactReport& r) { return to_array(r.sample.points); },
          "Of the patch in C [n, 2] m; of a disc its centre, of a stadium two centres.")
      .def_property_readonly(
          "points_W",
          [](const ContactReport& r) { return to_array(in_world(r.sample.X_WC, r.sample.points)); },
          "The same in the world [n, 3] m.")
      .def_property_readonly(
          "patch", [](const ContactReport& r) { return make_patch(file_of(r)); },
          "As a tact.Patch in C, with its load and motion.")
      .def_property_readonly(
          "mu", [](const ContactReport& r) { return r.sample.mu; }, "Coefficient of friction.")
      .def_property_readonly(
          "distance", [](const ContactReport& r) { return r.sample.distance; },
          "The least gap at the start of the step [m].")
      .def(
          "svg", [](const ContactReport& r) { return picture_of(file_of(r)); },
          "Its picture from above.")
      .def(
          "_repr_html_", [](const ContactReport& r) { return picture_of(file_of(r)); },
          "Its picture, for notebooks.")
      .def("__repr__", [](const ContactReport& r) {
        return "<tact.ContactReport " + r.names[0] + " on " + r.names[1] + ": " +
               word(r.sample.label.regime) + ">";
      });
}

}  // namespace

py::array contact_table(std::span<const ContactSample> contacts) {
  const py::dtype dtype = contact_dtype();
  if (dtype.itemsize() != static_cast<py::ssize_t>(sizeof(Row)))
    throw std::logic_error("the rows of contacts do not fit their dtype");
  py::array out(dtype, static_cast<py::ssize_t>(contacts.size()));
  auto* at = static_cast<std::byte*>(out.mutable_data());
  for (const ContactSample& c : contacts) {
    const Row row = row_of(c);
    std::memcpy(at, &row, sizeof(Row));
    at += sizeof(Row);
  }
  return out;
}

void bind_contacts(py::module_& m) {
  Class c(
      m, "ContactReport",
      "What one contact of the last step did. Frame C: z is the normal from geom 2 into geom 1.");
  bind_place(c);
  bind_load(c);
  bind_label(c);
  m.def("contact_dtype", &contact_dtype,
        "The dtype of Simulation.contact_array() and Recording.contacts.");
}

}  // namespace tact::python
