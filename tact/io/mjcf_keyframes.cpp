#include "tact/io/mjcf_keyframes.hpp"

#include <utility>

#include "tact/io/mjcf_vocabulary.hpp"
#include "tact/io/number_text.hpp"
#include "tact/spatial/so3.hpp"

namespace tact::mjcf {

namespace {

/// Where the numbers of a file's keyframes go.
struct Places {
  std::vector<Index> qpos, qvel;
  std::vector<Index> ctrl;    ///< -1: of an actuator that is left out
  std::vector<Index> driven;  ///< among all driven bodies
  Index nq = 0, nv = 0;       ///< of the whole scene
};

/// Whether an instance is `whole` or stands inside of it.
bool within(const Draft& d, std::size_t instance, std::size_t whole) {
  while (instance != whole && instance != 0) instance = d.instances[instance].parent;
  return instance == whole;
}

void append(std::vector<Index>& places, Index count, Index& next, bool own) {
  if (own)
    for (Index i = 0; i < count; ++i) places.push_back(next + i);
  next += count;
}

/// All of the main file; of an attached one what belongs to it, in the same order.
Places places_of(const Model& m, const Draft& d, const Instance& in) {
  Places out;
  const auto own = [&](Index body) {
    return within(d, d.bodies[static_cast<std::size_t>(body)].instance, in.index);
  };
  for (const Joint& j : m.joints) {
    append(out.qpos, qpos_size(j.type), out.nq, own(j.body));
    append(out.qvel, dof_size(j.type), out.nv, own(j.body));
  }
  for (const ActuatorSlot& slot : d.actuator_slots)
    if (within(d, slot.instance, in.index)) out.ctrl.push_back(slot.actuator);
  Index driven = 0;
  for (std::size_t i = 0; i < m.bodies.size(); ++i)
    if (m.bodies[i].driven) append(out.driven, 1, driven, own(static_cast<Index>(i)));
  return out;
}

/// The pose of the file; free joints begin where their bodies are.
VecX initial_qpos(const Model& m, Index nq) {
  VecX out = VecX::Zero(nq);
  Index at = 0;
  for (const Joint& j : m.joints) {
    if (j.type == JointType::free) {
      const Pose& X = m.bodies[static_cast<std::size_t>(j.body)].X_PB;
      const Quaternion q = to_quaternion(X.R);
      out.segment<7>(at) << X.p, q.w, q.x, q.y, q.z;
    } else if (j.type == JointType::ball) {
      out[at] = 1;
    } else {
      out[at] = j.reference;
    }
    at += qpos_size(j.type);
  }
  return out;
}

struct KeyframeReader {
  Reading& r;
  const Draft& d;
  const Instance& in;
  const XmlElement& e;
  const Places& places;
  Keyframe key{};
  std::vector<Pose> driven{};

  bool wrong_size(std::string_view name, std::size_t given, std::size_t needed) {
    if (given == needed) return false;
    if (!d.lost_coordinates && in.depth == 0)
      r.refuse(
          e, Errc::schema,
          concat({name, " of this keyframe has ", std::to_string(given),
                  " numbers and the model needs ", std::to_string(needed), "; write as many"}));
    return true;
  }

  /// False: not usable. An attribute that is absent leaves `values` empty.
  bool numbers_of(std::string_view name, std::size_t needed, std::vector<double>& values) {
    values = list(r, alone(e), name);
    return !r.error && (values.empty() || !wrong_size(name, values.size(), needed));
  }

  /// Those given take the places of those that `start` has.
  bool fill(std::string_view name, const std::vector<Index>& where, VecX start, VecX& out) {
    std::vector<double> values;
    if (!numbers_of(name, where.size(), values)) return false;
    if (values.empty()) return true;
    out = std::move(start);
    for (std::size_t i = 0; i < where.size(); ++i)
      if (where[i] >= 0) out[where[i]] = values[i];
    return true;
  }

  bool read() {
    const Model& m = r.scene.model;
    const auto actuators = static_cast<Index>(m.actuators.size());
    return fill("qpos", places.qpos, initial_qpos(m, places.nq), key.qpos) &&
           fill("qvel", places.qvel, VecX::Zero(places.nv), key.qvel) &&
           fill("ctrl", places.ctrl, VecX::Zero(actuators), key.ctrl) && read_driven();
  }

  void normalise_quaternions() {
    if (key.qpos.size() == 0) return;
    Index at = 0;
    for (const Joint& j : r.scene.model.joints) {
      const Index size = qpos_size(j.type);
      if (size >= 4) {
        auto q = key.qpos.segment<4>(at + size - 4);
        if (!(q.norm() > 0)) {
          r.refuse(e, Errc::value, "a quaternion in qpos of this keyframe is zero");
          return;
        }
        q /= q.norm();
      }
      at += size;
    }
  }

  bool read_driven() {
    std::vector<Pose> start;
    for (const Body& b : r.scene.model.bodies)
      if (b.driven) start.push_back(b.X_PB);
    const std::size_t count = places.driven.size();
    std::vector<double> p, q;
    if (!numbers_of("mpos", 3 * count, p) || !numbers_of("mquat", 4 * count, q)) return false;
    if (p.empty() && q.empty()) return true;
    for (std::size_t i = 0; i < count; ++i) {
      Pose& X = start[static_cast<std::size_t>(places.driven[i])];
      if (!p.empty()) X.p = Vec3::Map(&p[3 * i]);
      if (!q.empty()) X.R = rotation_of(r, e, Vec4::Map(&q[4 * i]));
    }
    driven = std::move(start);
    return true;
  }
};

}  // namespace

void read_keyframes(Reading& r, const Draft& draft, const Instance& in) {
  const std::vector<const XmlElement*> keys = section(*in.source, "keyframe");
  if (keys.empty()) return;
  const Places places = places_of(r.scene.model, draft, in);
  for (const XmlElement* e : keys) {
    if (r.error) return;
    KeyframeReader reader{r, draft, in, *e, places};
    Keyframe& key = reader.key;
    key.name = full_name(in, *e);
    key.time = number(r, alone(*e), "time", 0);
    note_unread(r, "keyframe", *e);
    if (!reader.read()) {
      r.notes.add(*e, "keyframe of other coordinates is left out",
                  "keyframes of other coordinates are left out");
      continue;
    }
    reader.normalise_quaternions();
    r.scene.model.keyframes.push_back(std::move(key));
    r.scene.key_driven.push_back(std::move(reader.driven));
  }
}

}  // namespace tact::mjcf
