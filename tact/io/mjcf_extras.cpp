#include "tact/io/mjcf_extras.hpp"

#include <algorithm>

#include "tact/io/json_tree.hpp"
#include "tact/io/mjcf_vocabulary.hpp"
#include "tact/io/number_text.hpp"
#include "tact/sim/sensors.hpp"

namespace tact::mjcf {

namespace {

void note(Reading& r, const XmlElement& at, const std::string& what, std::string_view one,
          std::string_view many) {
  r.notes.add(at, concat({what, one}), concat({what, many}));
}

void read_flags(Reading& r, const XmlElement& flags) {
  // These switch parts of MuJoCo's own machinery, or spare it work.
  constexpr std::string_view silent[] = {"warmstart", "filterparent", "midphase",  "nativeccd",
                                         "multiccd",  "eulerdamp",    "autoreset", "energy",
                                         "fwdinv",    "invdiscrete",  "sensor",    "island",
                                         "refsafe",   "sensornoise",  "sleep",     "diagexact"};
  for (const XmlAttribute& a : flags.attributes) {
    const bool off_by_default = a.name == "override";
    if (std::find(std::begin(silent), std::end(silent), a.name) != std::end(silent)) continue;
    if (a.name == "gravity" && a.value == "disable")
      r.scene.model.gravity.setZero();
    else if (a.value == (off_by_default ? "enable" : "disable"))
      note(r, flags, concat({"flag ", detail::printable(a.name), "=\"", a.value, "\""}),
           " is not modelled", " are not modelled");
  }
}

void read_option(Reading& r, const XmlElement& e) {
  const Settings s = alone(e);
  Model& m = r.scene.model;
  m.gravity = vec3(r, s, "gravity", m.gravity);
  m.timestep = number(r, s, "timestep", m.timestep);
  if (!(m.timestep > 0))
    r.refuse(e, Errc::value, "the timestep must be a positive number of seconds");
  note_unread(r, "option", e);
  for (const XmlElement& child : e.children)
    if (child.name == "flag") read_flags(r, child);
}

VecX numbers_of(Reading& r, const XmlElement& e, std::string_view name) {
  const std::vector<double> values = list(r, alone(e), name);
  return VecX::Map(values.data(), static_cast<Index>(values.size()));
}

/// Which attribute names the object of a sensor, and of what kind it is.
struct ObjectAttribute {
  std::string_view attribute, kind;
};
constexpr ObjectAttribute object_attributes[] = {
    {"site", "site"},         {"joint", "joint"}, {"tendon", "tendon"},
    {"actuator", "actuator"}, {"body", "body"},   {"geom", "geom"},
    {"body1", "body"},        {"geom1", "geom"},  {"joint1", "joint"}};

const NameMap* names_of(const Draft& d, std::string_view kind) {
  if (kind == "site") return &d.names.sites;
  if (kind == "joint") return &d.names.joints;
  if (kind == "tendon") return &d.names.tendons;
  if (kind == "actuator") return &d.names.actuators;
  if (kind == "body" || kind == "xbody") return &d.names.bodies;
  if (kind == "geom") return &d.names.geoms;
  return nullptr;
}

/// False where the object is not there.
bool read_object(const Draft& d, const Instance& in, const XmlElement& e, Sensor& out) {
  std::string kind, name;
  if (const std::string* type = find_attribute(e, "objtype")) {
    const std::string* object = find_attribute(e, "objname");
    kind = *type == "xbody" ? "body" : *type;
    name = object ? *object : std::string();
  }
  for (const ObjectAttribute& a : object_attributes) {
    const std::string* value = kind.empty() ? find_attribute(e, a.attribute) : nullptr;
    if (!value) continue;
    kind = a.kind;
    name = *value;
  }
  if (kind.empty()) return true;
  const NameMap* names = names_of(d, kind);
  out.object_kind = kind;
  if (!names) return kind == "camera";
  out.object = find_name(*names, in, name);
  return out.object >= 0;
}

void read_sensor(Reading& r, const Draft& draft, const Instance& in, const XmlElement& e) {
  Sensor s;
  s.type = e.name;
  s.name = full_name(in, e);
  const std::string shown = detail::printable(e.name);
  if (!sensor_is_modelled(e.name)) {
    note(r, e, concat({shown, " sensor"}), " is not modelled", "s are not modelled");
  } else if (find_attribute(e, "refname")) {
    note(r, e, concat({shown, " sensor"}), " relative to another frame is not modelled",
         "s relative to another frame are not modelled");
  } else if (!read_object(draft, in, e, s)) {
    if (in.depth == 0)
      note(r, e, concat({shown, " sensor"}), " has no object that is modelled",
           "s have no object that is modelled");
  } else {
    r.scene.model.sensors.push_back(std::move(s));
  }
}

}  // namespace

void read_options(Reading& r, const Source& source) {
  for (const XmlElement& e : source.root.children)
    if (e.name == "option") read_option(r, e);
}

void read_custom(Reading& r, const Source& source) {
  for (const XmlElement* e : section(source, "custom")) {
    const std::string* name = find_attribute(*e, "name");
    if (!name || name->empty()) {
      r.refuse(*e, Errc::schema, concat({"<", e->name, "> of <custom> needs a name"}));
      return;
    }
    if (e->name == "numeric") {
      VecX values = numbers_of(r, *e, "data");
      const int size = integer(r, alone(*e), "size", static_cast<int>(values.size()));
      if (size < 1 || size > most_elements)
        r.refuse(*e, Errc::value, "a numeric needs data, or a size of 1 or more");
      if (r.error) return;
      const Index before = values.size();
      values.conservativeResize(size);
      if (size > before) values.tail(size - before).setZero();
      r.scene.numerics[*name] = std::move(values);
    } else if (e->name == "text") {
      const std::string* data = find_attribute(*e, "data");
      r.scene.texts[*name] = data ? *data : std::string();
    }
  }
}

void read_sensors(Reading& r, Draft& draft, const Instance& in) {
  for (const XmlElement* e : section(*in.source, "sensor"))
    for (const Instance& each : repeated(draft, in, *e)) read_sensor(r, draft, each, *e);
}

void note_sections(Reading& r, const Source& source) {
  constexpr std::string_view read[] = {"compiler",  "option",  "default",  "asset",
                                       "worldbody", "contact", "equality", "tendon",
                                       "actuator",  "sensor",  "keyframe", "custom"};
  for (const XmlElement& e : source.root.children) {
    if (std::find(std::begin(read), std::end(read), e.name) != std::end(read)) continue;
    if (is_appearance(e.name)) continue;
    if (e.name == "extension" || e.name == "deformable") {
      for (const XmlElement& child : e.children)
        if (!is_appearance(child.name))
          note(r, child, concat({"<", detail::printable(child.name), "> of <", e.name, ">"}),
               " is not modelled", " are not modelled");
      continue;
    }
    note(r, e, concat({"section <", detail::printable(e.name), ">"}), " is not modelled",
         " are not modelled");
  }
}

}  // namespace tact::mjcf
