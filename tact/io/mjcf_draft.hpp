// io/mjcf_draft.hpp - a scene half read: bodies and geoms with what is needed to finish them, and
// the names under which later sections find them.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tact/io/mjcf_assets.hpp"
#include "tact/io/mjcf_inertia.hpp"
#include "tact/io/mjcf_source.hpp"

namespace tact::mjcf {

struct LoadedFile {
  std::unique_ptr<const Source> source;
  std::unique_ptr<Assets> assets;
};

/// A file as it takes part in the scene: the main one, or one that is attached.
struct Instance {
  const Source* source = nullptr;
  Assets* assets = nullptr;
  std::string prefix;  ///< of all its names
  int depth = 0;       ///< 0: the main file
  std::string suffix;  ///< of the replica that it stands in, or that its references mean
  std::size_t index = 0, parent = 0;  ///< among the instances
};

struct BodyDraft {
  const XmlElement* element = nullptr;
  const XmlElement* inertial = nullptr;
  const Compiler* compiler = nullptr;
  std::size_t instance = 0;
};

/// Where an actuator of a file went: in the model, or -1.
struct ActuatorSlot {
  std::size_t instance = 0;
  Index actuator = -1;
};

struct GeomDraft {
  Geom geom;
  MassPart mass_B;
  Index drawn = -1;  ///< in Scene::meshes
};

using NameMap = std::map<std::string, Index, std::less<>>;

struct Names {
  NameMap bodies, joints, geoms, sites, tendons, actuators;
  NameMap spatial_tendons;  ///< known, but not modelled
};

struct Draft {
  std::map<std::string, LoadedFile> files;  ///< by path
  std::vector<Instance> instances;
  std::vector<BodyDraft> bodies;  ///< as in the model
  std::vector<GeomDraft> geoms;
  Names names;
  std::vector<ActuatorSlot> actuator_slots;  ///< of each actuator of the files
  /// Names inside of <replicate>, without their suffixes, and the suffixes that they have.
  std::map<std::string, std::vector<std::string>, std::less<>> replicas;
  bool lost_coordinates = false;  ///< elements with dofs of their own were left out
};

/// The instances that an element of a section speaks for: as many as there are replicas of what it
/// names, mostly just `in`. Its own name is then that of as many elements.
[[nodiscard]] std::vector<Instance> repeated(Draft& draft, const Instance& in,
                                             const XmlElement& element);
void keep_replica(Draft& draft, const std::string& name, const std::string& suffix);

/// The name of an element of a section, or nothing.
[[nodiscard]] std::string full_name(const Instance& in, const XmlElement& element);

/// Index of the name under an instance's prefix, or -1: with its suffix, with the rest of it that
/// an outer replica has, or without. "world" is body 0.
[[nodiscard]] Index find_name(const NameMap& map, const Instance& in, std::string_view name);

/// Remembers a name; one that is there already is refused. Empty ones are not kept.
void keep_name(Reading& r, NameMap& map, const XmlElement& at, const std::string& name,
               Index index);

/// The object that an attribute names. The main file must have it; in an attached file it may
/// belong to a part that was not attached, which is -1 without a complaint, and it may be one that
/// an element left out would have made, which is said.
[[nodiscard]] Index named(Reading& r, const Draft& draft, const NameMap& map, const Instance& in,
                          const Settings& settings, std::string_view attribute);

}  // namespace tact::mjcf
