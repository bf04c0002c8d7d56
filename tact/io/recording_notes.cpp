#include "tact/io/recording_notes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "tact/io/json_line.hpp"
#include "tact/io/json_reader.hpp"

namespace tact {

namespace {

using Json = nlohmann::ordered_json;

constexpr Index largest_count = Index{1} << 53;
constexpr Index most_dof = 1'000'000;

template <class Vector>
Json lists(const std::vector<Vector>& values) {
  Json out = Json::array();
  for (const Vector& v : values) out.push_back(list(v));
  return out;
}

Json work_json(const std::optional<double>& work) {
  if (!work || std::isnan(*work)) return nullptr;
  if (std::isinf(*work)) return *work > 0 ? "inf" : "-inf";
  return *work;
}

std::optional<double> read_work(const JsonField& field) {
  if (!field.exists() || field.is_null()) return std::nullopt;
  constexpr double inf = std::numeric_limits<double>::infinity();
  if (!field.is_string()) return field.number();
  return field.word({"inf", "-inf"}, "a work without bound") == "inf" ? inf : -inf;
}

std::vector<std::string> read_texts(const JsonField& field) {
  std::vector<std::string> out;
  for (const JsonField& element : field.elements("a list of texts")) out.push_back(element.text());
  return out;
}

std::vector<Vec3> read_points(const JsonField& field) {
  std::vector<Vec3> out;
  for (const JsonField& element : field.elements("a list of vectors"))
    out.emplace_back(element.numbers(3, "[x, y, z]"));
  return out;
}

std::optional<Vec3> read_point(const JsonField& field) {
  if (!field.exists() || field.is_null()) return std::nullopt;
  return Vec3(field.numbers(3, "[x, y, z]"));
}

std::optional<Index> read_index(const JsonField& field, std::size_t count) {
  if (!field.exists() || field.is_null()) return std::nullopt;
  return field.integer(0, static_cast<Index>(count) - 1, "one of the header");
}

Json contact_json(const RecordedModes::Contact& c) {
  return {{"name", c.name},
          {"geom1", c.geom1 ? Json(*c.geom1) : Json(nullptr)},
          {"geom2", c.geom2 ? Json(*c.geom2) : Json(nullptr)},
          {"p_W", c.p_W ? list(*c.p_W) : Json(nullptr)},
          {"n_W", c.n_W ? list(*c.n_W) : Json(nullptr)},
          {"t_W", lists(c.t_W)}};
}

Json mode_json(const RecordedModes::Mode& m) {
  Json out = {{"cs", m.cs}, {"ss", m.ss}, {"dim", m.dim}, {"velocity", list(m.velocity)}};
  if (!m.bodies.empty()) out["bodies"] = lists(m.bodies);
  if (!m.contact_velocities.empty()) out["contact_velocities"] = lists(m.contact_velocities);
  out["faces"] = m.faces;
  return out;
}

bool is_made_of(std::string_view text, std::string_view letters) {
  return text.find_first_not_of(letters) == std::string_view::npos;
}

void read_mode(const JsonField& field, const RecordedModes& all, std::size_t modes,
               RecordedModes::Mode& out) {
  out.cs = field.required("cs", "signs").text();
  out.ss = field.required("ss", "signs").text();
  out.dim = field.required("dim", "a dimension").integer(0, all.nv, "a dimension");
  out.velocity = field.required("velocity", "[nv]").numbers(all.nv, "a velocity");
  if (const JsonField bodies = field.optional("bodies"); bodies.exists())
    for (const JsonField& element : bodies.elements("a list of twists"))
      out.bodies.emplace_back(element.numbers(6, "(ω, v)"));
  if (const JsonField speeds = field.optional("contact_velocities"); speeds.exists())
    out.contact_velocities = read_points(speeds);
  for (const JsonField& face : field.required("faces", "a list").elements("a list of modes"))
    out.faces.push_back(face.integer(0, static_cast<Index>(modes) - 1, "one of the modes"));
}

bool fits(const RecordedModes::Mode& m, const RecordedModes& all, std::size_t bodies) {
  return m.cs.size() == all.contacts.size() && is_made_of(m.cs, "0+") && is_made_of(m.ss, "-0+") &&
         (m.bodies.empty() || m.bodies.size() == bodies) &&
         (m.contact_velocities.empty() || m.contact_velocities.size() == all.contacts.size());
}

}  // namespace

std::string certificate_payload(const RecordedCertificate& c) {
  Json out = {{"step", c.step},
              {"time", c.time},
              {"contacts", c.contacts},
              {"verdict", c.verdict},
              {"W_min", work_json(c.W_min)},
              {"W_max", work_json(c.W_max)},
              {"W_actual", work_json(c.W_actual)},
              {"why", c.why}};
  if (!c.svg.empty()) out["svg"] = c.svg;
  return text_of(out);
}

bool read_certificate_payload(std::string_view payload, RecordedCertificate& out) {
  const JsonDocument document(payload, "CERT");
  const JsonField root = document.root();
  out = {};
  out.step = root.required("step", "a count").integer(0, largest_count, "a count");
  out.time = root.required("time", "[s]").number();
  out.contacts = read_texts(root.required("contacts", "names"));
  out.verdict = root.required("verdict", "a word").text();
  out.W_min = read_work(root.optional("W_min"));
  out.W_max = read_work(root.optional("W_max"));
  out.W_actual = read_work(root.optional("W_actual"));
  out.why = read_texts(root.required("why", "sentences"));
  if (const JsonField svg = root.optional("svg"); svg.exists()) out.svg = svg.text();
  return !document.error();
}

std::string modes_payload(const RecordedModes& m) {
  Json out = {{"title", m.title}, {"policy", m.policy}, {"complete", m.complete}, {"nv", m.nv}};
  out["contacts"] = Json::array();
  for (const RecordedModes::Contact& c : m.contacts) out["contacts"].push_back(contact_json(c));
  out["modes"] = Json::array();
  for (const RecordedModes::Mode& mode : m.modes) out["modes"].push_back(mode_json(mode));
  return text_of(out);
}

bool read_modes_payload(std::string_view payload, std::size_t geoms, std::size_t bodies,
                        RecordedModes& out) {
  const JsonDocument document(payload, "MODE");
  const JsonField root = document.root();
  out = {};
  out.title = root.required("title", "a text").text();
  out.policy = root.required("policy", "a word").text();
  out.complete = root.required("complete", "true or false").boolean();
  out.nv = root.required("nv", "a count").integer(0, most_dof, "a count");
  for (const JsonField& c : root.required("contacts", "a list").elements("a list of contacts")) {
    RecordedModes::Contact& contact = out.contacts.emplace_back();
    contact.name = c.required("name", "a name").text();
    contact.geom1 = read_index(c.optional("geom1"), geoms);
    contact.geom2 = read_index(c.optional("geom2"), geoms);
    contact.p_W = read_point(c.optional("p_W"));
    contact.n_W = read_point(c.optional("n_W"));
    contact.t_W = read_points(c.required("t_W", "a list"));
  }
  const auto modes = root.required("modes", "a list").elements("a list of modes");
  for (const JsonField& mode : modes) read_mode(mode, out, modes.size(), out.modes.emplace_back());
  if (document.error()) return false;
  return std::all_of(out.modes.begin(), out.modes.end(),
                     [&](const RecordedModes::Mode& m) { return fits(m, out, bodies); });
}

}  // namespace tact
