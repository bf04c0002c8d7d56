#include "tact/io/patch_shape_json.hpp"

#include <cmath>
#include <initializer_list>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "tact/io/patch_file.hpp"

namespace tact {

namespace {

using Json = nlohmann::ordered_json;

constexpr double largest = 1e60;  ///< the fourth power of a length still is a double

const std::initializer_list<std::string_view> kinds = {"polygon", "disc",    "ellipse", "segment",
                                                       "point",   "stadium", "union"};
constexpr const char* spellings =
    R"(write {"polygon": [[x, y], ...]}, or one of disc, ellipse, segment, point, stadium, union)";

/// A field that has two names.
JsonField either(const JsonField& body, const char* first, const char* second) {
  JsonField found = body.optional(first);
  JsonField other = body.optional(second);
  if (!found.exists() && !other.exists())
    body.refuse_missing(first, "write it as a list, as docs/patch-file.md shows");
  if (found.exists() && other.exists())
    other.refuse(Errc::schema, std::string("it means the same as ") + first + ", keep one of them");
  return found.exists() ? found : other;
}

std::vector<Vec2> read_points(const JsonField& field) {
  std::vector<Vec2> points;
  const auto elements = field.elements("write a list of points [[x, y], ...]");
  if (field.is_array() && elements.empty())
    field.refuse(Errc::geometry, "a patch needs at least one point [x, y]");
  points.reserve(elements.size());
  for (const JsonField& element : elements) points.push_back(read_point(element));
  return points;
}

double read_radius(const JsonField& body, const char* field_name) {
  const JsonField field = body.required(field_name, "write a length in metres");
  const double value = field.number_at_least(0, "a radius cannot be negative");
  check_size(field, value);
  return value;
}

Vec2 read_center(const JsonField& body) {
  const JsonField center = body.optional("center");
  return center.exists() ? read_point(center) : Vec2(Vec2::Zero());
}

/// `body` is the object with the shape's fields; with a discriminator that is the shape itself.
PatchShape read_polygon(const JsonField& body) {
  if (!body.is_object()) return {PolygonShape{read_points(body)}};
  body.allow_only({"kind", "shape", "points", "vertices"});
  return {PolygonShape{read_points(either(body, "points", "vertices"))}};
}

PatchShape read_disc(const JsonField& body) {
  body.allow_only({"kind", "shape", "center", "radius"});
  return {DiscShape{read_center(body), read_radius(body, "radius")}};
}

PatchShape read_ellipse(const JsonField& body) {
  body.allow_only({"kind", "shape", "center", "semi_axes", "angle"});
  EllipseShape shape{read_center(body), Vec2::Zero(), 0};
  const JsonField axes = body.required("semi_axes", "write two lengths in metres [a, b]");
  shape.semi_axes = axes.numbers(2, "the semi-axes are two lengths [a, b]");
  check_size(axes, shape.semi_axes.cwiseAbs().maxCoeff());
  if (shape.semi_axes.minCoeff() < 0) axes.refuse(Errc::value, "a semi-axis cannot be negative");
  const JsonField angle = body.optional("angle");
  shape.angle = angle.number();
  check_size(angle, shape.angle);
  return {shape};
}

/// The two ends of a segment, as a and b or as a list.
std::pair<Vec2, Vec2> read_ends(const JsonField& body, const JsonField& list) {
  if (!list.exists())
    return {read_point(body.required("a", "write the first end [x, y]")),
            read_point(body.required("b", "write the second end [x, y]"))};
  const auto points = read_points(list);
  if (points.size() == 2) return {points[0], points[1]};
  list.refuse(Errc::schema, "a segment has two ends [[x, y], [x, y]]");
  return {Vec2::Zero(), Vec2::Zero()};
}

PatchShape read_segment(const JsonField& body) {
  const bool is_list = !body.is_object();
  if (!is_list) body.allow_only({"kind", "shape", "a", "b", "points", "vertices"});
  const JsonField points = body.optional("points"), vertices = body.optional("vertices");
  const bool by_ends = body.optional("a").exists() || body.optional("b").exists();
  if (points.exists() + vertices.exists() + by_ends > 1)
    body.refuse(Errc::schema, "give the ends of a segment once: points, vertices, or a and b");
  const auto [a, b] = read_ends(body, is_list ? body : points.exists() ? points : vertices);
  return {SegmentShape{a, b}};
}

PatchShape read_single_point(const JsonField& body) {
  if (!body.is_object()) return {PointShape{read_point(body)}};
  body.allow_only({"kind", "shape", "at", "point"});
  return {PointShape{read_point(either(body, "at", "point"))}};
}

PatchShape read_stadium(const JsonField& body) {
  body.allow_only({"kind", "shape", "a", "b", "radius"});
  const auto a = read_point(body.required("a", "write the first centre [x, y]"));
  const auto b = read_point(body.required("b", "write the second centre [x, y]"));
  return {StadiumShape{a, b, read_radius(body, "radius")}};
}

PatchShape read_union(const JsonField& body) {
  if (body.is_object()) body.allow_only({"kind", "shape", "parts", "shapes"});
  const JsonField list = body.is_object() ? either(body, "parts", "shapes") : body;
  UnionShape shape;
  const auto parts = list.elements("write a list of shapes");
  if (list.is_array() && parts.empty())
    list.refuse(Errc::geometry, "a union needs at least one shape");
  for (const JsonField& part : parts) shape.parts.push_back(read_shape(part));
  return {shape};
}

PatchShape read_body(std::string_view kind, const JsonField& body) {
  if (kind == "disc") return read_disc(body);
  if (kind == "ellipse") return read_ellipse(body);
  if (kind == "segment") return read_segment(body);
  if (kind == "point") return read_single_point(body);
  if (kind == "stadium") return read_stadium(body);
  if (kind == "union") return read_union(body);
  return read_polygon(body);
}

// ---- writing ------------------------------------------------------------------------------------

Json pair(const Vec2& x) {
  return Json::array({x[0], x[1]});
}

struct ShapeWriter {
  Json operator()(const PolygonShape& s) const {
    Json points = Json::array();
    for (const Vec2& x : s.points) points.push_back(pair(x));
    return {{"polygon", points}};
  }
  Json operator()(const DiscShape& s) const {
    return {{"disc", {{"center", pair(s.center)}, {"radius", s.radius}}}};
  }
  Json operator()(const EllipseShape& s) const {
    return {{"ellipse",
             {{"center", pair(s.center)}, {"semi_axes", pair(s.semi_axes)}, {"angle", s.angle}}}};
  }
  Json operator()(const SegmentShape& s) const {
    return {{"segment", Json::array({pair(s.a), pair(s.b)})}};
  }
  Json operator()(const PointShape& s) const { return {{"point", pair(s.at)}}; }
  Json operator()(const StadiumShape& s) const {
    return {{"stadium", {{"a", pair(s.a)}, {"b", pair(s.b)}, {"radius", s.radius}}}};
  }
  Json operator()(const UnionShape& s) const {
    Json parts = Json::array();
    for (const PatchShape& part : s.parts) parts.push_back(std::visit(*this, part.value));
    return {{"union", parts}};
  }
};

struct Describer {
  std::string operator()(const PolygonShape& s) const {
    return "polygon of " + std::to_string(s.points.size()) +
           (s.points.size() == 1 ? " point" : " points");
  }
  std::string operator()(const DiscShape& /*s*/) const { return "disc"; }
  std::string operator()(const EllipseShape& /*s*/) const { return "ellipse"; }
  std::string operator()(const SegmentShape& /*s*/) const { return "segment"; }
  std::string operator()(const PointShape& /*s*/) const { return "point"; }
  std::string operator()(const StadiumShape& /*s*/) const { return "stadium"; }
  std::string operator()(const UnionShape& s) const {
    return "union of " + std::to_string(s.parts.size()) +
           (s.parts.size() == 1 ? " shape" : " shapes");
  }
};

}  // namespace

void check_size(const JsonField& field, double value) {
  if (std::abs(value) > largest)
    field.refuse(Errc::value,
                 "numbers of a patch file are at most 1e60 in magnitude; check the unit");
}

Vec2 read_point(const JsonField& field) {
  Vec2 x = field.numbers(2, "a point is two numbers [x, y]");
  check_size(field, x.cwiseAbs().maxCoeff());
  return x;
}

PatchShape read_shape(const JsonField& field) {
  PatchShape nothing{PointShape{Vec2::Zero()}};
  if (!field.exists()) return nothing;
  if (!field.is_object()) {
    field.refuse(Errc::schema, spellings);
    return nothing;
  }
  const JsonField kind = field.optional("kind"), shape = field.optional("shape");
  if (kind.exists() && shape.exists())
    shape.refuse(Errc::schema, "leave it out: kind already names the shape");
  for (const JsonField& named : {kind, shape})
    if (named.exists()) return read_body(named.word(kinds, "a patch shape"), field);
  field.allow_only(kinds);
  const auto names = field.names();
  if (names.size() == 1) {
    const JsonField body = field.optional(names[0]);
    for (const char* discriminator : {"kind", "shape"})
      if (const JsonField twice = body.optional(discriminator); twice.exists())
        twice.refuse(Errc::schema,
                     "leave it out: the key " + names[0] + " already names the shape");
    return read_body(names[0], body);
  }
  field.refuse(Errc::schema, spellings);
  return nothing;
}

std::string shape_json(const PatchShape& shape) {
  return std::visit(ShapeWriter{}, shape.value).dump();
}

std::string describe(const PatchShape& shape) {
  return std::visit(Describer{}, shape.value);
}

}  // namespace tact
