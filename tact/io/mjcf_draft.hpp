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
};

struct BodyDraft {
  const XmlElement* element = nullptr;
  const XmlElement* inertial = nullptr;
  const Compiler* compiler = nullptr;
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
  std::vector<Index> actuator_slots;  ///< of each actuator of the files: in the model, or -1
  bool lost_coordinates = false;      ///< elements with dofs of their own were left out
};

/// Index of the name under an instance's prefix, or -1. "world" is body 0.
[[nodiscard]] Index find_name(const NameMap& map, const Instance& in, std::string_view name);

/// Remembers a name; one that is there already is refused. Empty ones are not kept.
void keep_name(Reading& r, NameMap& map, const XmlElement& at, const std::string& name,
               Index index);

/// The object that an attribute names. The main file must have it; in an attached file it may
/// belong to a part that was not attached, which is -1 without a complaint.
[[nodiscard]] Index named(Reading& r, const NameMap& map, const Instance& in,
                          const Settings& settings, std::string_view attribute);

}  // namespace tact::mjcf
