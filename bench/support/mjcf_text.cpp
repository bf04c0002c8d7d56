#include "mjcf_text.hpp"

#include <charconv>

namespace tact::bench {
namespace {

/// MuJoCo 2.2.2 drops contacts beyond the room that it has allocated, and guesses that room too
/// small for stacks. It stores a dense matrix of njmax² numbers: structures with many bodies get
/// less room for each, and piles none.
std::string room_for_contacts(int bodies) {
  constexpr int few = 7, some = 80, many = 900;
  if (bodies <= few || bodies > many) return "";
  const double contacts = (bodies < some ? 30 : 12) * bodies + 200;
  constexpr int rows_a_contact = 4, dofs_a_body = 6;
  constexpr double largest_stack = 4e8, spare = 1e6;
  const double rows = rows_a_contact * contacts;
  const double stack = std::min(largest_stack, 2 * rows * dofs_a_body * bodies + spare);
  const auto whole = [](double x) { return std::to_string(static_cast<int>(x)); };
  return "<size" + attribute("nconmax", whole(contacts)) + attribute("njmax", whole(rows)) +
         attribute("nstack", whole(stack)) + "/>\n";
}

}  // namespace

std::string number(double x) {
  char out[32];
  const auto end = std::to_chars(out, out + sizeof out, x);
  return {out, end.ptr};
}

std::string numbers(const VecX& x) {
  std::string out;
  for (Index i = 0; i < x.size(); ++i) {
    if (i > 0) out += ' ';
    out += number(x[i]);
  }
  return out;
}

std::string numbered(const char* name, int number) {
  std::string out = name;
  return out += std::to_string(number);
}

std::string attribute(const char* name, const std::string& value) {
  return std::string(" ") + name + "=\"" + value + "\"";
}
std::string attribute(const char* name, double value) {
  return attribute(name, number(value));
}
std::string attribute(const char* name, const VecX& value) {
  return attribute(name, numbers(value));
}

std::string geom(const std::string& shape, const GeomTraits& traits) {
  std::string out = "<geom type=" + shape;
  if (!traits.at.isZero(0)) out += attribute("pos", traits.at);
  if (traits.mass > 0) out += attribute("mass", traits.mass);
  out += traits.visual ? R"( contype="0" conaffinity="0")" : attribute("friction", traits.friction);
  return out + "/>";
}
std::string box_geom(const Vec3& half_extents, const GeomTraits& traits) {
  return geom(R"("box")" + attribute("size", half_extents), traits);
}
std::string sphere_geom(double radius, const GeomTraits& traits) {
  return geom(R"("sphere")" + attribute("size", radius), traits);
}
std::string capsule_geom(const Vec3& from, const Vec3& to, double radius,
                         const GeomTraits& traits) {
  return geom(R"("capsule")" + attribute("fromto", numbers(from) + " " + numbers(to)) +
                  attribute("size", radius),
              traits);
}

std::string open_body(const std::string& name, const Vec3& at, const Eigen::Quaterniond& turn) {
  const Vec4 q(turn.w(), turn.x(), turn.y(), turn.z());
  return "<body" + attribute("name", name) + attribute("pos", at) + attribute("quat", q) + ">";
}
std::string open_body(const std::string& name, const Vec3& at) {
  return "<body" + attribute("name", name) + attribute("pos", at) + ">";
}

MjcfText::MjcfText(const std::string& name, double dt, const Vec3& gravity)
    : name_(name), option_(attribute("timestep", dt) + attribute("gravity", gravity)) {}

void MjcfText::add_ground(double friction) {
  world_ += geom(R"("plane" size="50 50 1")", {.friction = friction}) + "\n";
}

void MjcfText::add_fixed_box(const Vec3& half_extents, const Vec3& at, double friction) {
  world_ += box_geom(half_extents, {.friction = friction, .at = at}) + "\n";
}

void MjcfText::add_free_body(const Vec3& at, const std::string& geoms,
                             const Eigen::Quaterniond& turn) {
  const std::string name = numbered("b", free_bodies_++);
  const bool level = turn.w() == 1;
  world_ += (level ? open_body(name, at) : open_body(name, at, turn)) + "<freejoint/>" + geoms +
            "</body>\n";
}

void MjcfText::add_section(const std::string& tag, const std::string& elements) {
  sections_ += "<" + tag + ">\n" + elements + "</" + tag + ">\n";
}

std::string MjcfText::text() const {
  const std::string flag = mesh_faces_ ? R"(><flag multiccd="enable"/></option>)" : "/>";
  std::string out = "<mujoco" + attribute("model", name_) + ">\n<compiler angle=\"radian\"/>\n";
  out += "<option" + option_ + flag + "\n" + room_for_contacts(free_bodies_);
  if (!assets_.empty()) out += "<asset>\n" + assets_ + "</asset>\n";
  return out + "<worldbody>\n" + world_ + "</worldbody>\n" + sections_ + "</mujoco>\n";
}

}  // namespace tact::bench
