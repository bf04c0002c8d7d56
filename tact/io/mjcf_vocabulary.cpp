#include "tact/io/mjcf_vocabulary.hpp"

#include <algorithm>
#include <span>

namespace tact::mjcf {

namespace {

using Words = std::span<const std::string_view>;

/// Looks, names and the author's own data.
constexpr std::string_view silent[] = {
    "name",         "class",      "childclass",      "rgba",     "material",
    "group",        "user",       "width",           "texcoord", "normal",
    "smoothnormal", "sdf_octree", "octree_maxdepth", "needsdf",  "content_type",
    "nsample",      "interp",     "cutoff",          "noise",    "sleep",
    "plugin"};
constexpr std::string_view pose_words[] = {"pos", "quat", "axisangle", "euler", "xyaxes", "zaxis"};
constexpr std::string_view geom[] = {
    "type",    "fromto",      "size",   "density",  "mass",     "shellinertia", "mesh",    "hfield",
    "contype", "conaffinity", "condim", "friction", "priority", "margin",       "fitscale"};
constexpr std::string_view joint[] = {"type",
                                      "axis",
                                      "ref",
                                      "springref",
                                      "range",
                                      "limited",
                                      "stiffness",
                                      "damping",
                                      "armature",
                                      "frictionloss",
                                      "actuatorfrcrange",
                                      "actuatorfrclimited"};
constexpr std::string_view freejoint[] = {"align"};
constexpr std::string_view body[] = {"mocap", "gravcomp"};
constexpr std::string_view inertial[] = {"mass", "diaginertia", "fullinertia"};
constexpr std::string_view site[] = {"fromto", "type", "size"};
constexpr std::string_view replicate[] = {"count", "offset", "sep", "prefix"};
constexpr std::string_view attach[] = {"model", "body", "prefix"};
constexpr std::string_view mesh[] = {"file",   "scale", "refpos",  "refquat",
                                     "vertex", "face",  "inertia", "maxhullvert"};
constexpr std::string_view hfield[] = {"file", "nrow", "ncol", "size", "elevation"};
constexpr std::string_view model[] = {"file"};
constexpr std::string_view actuator[] = {
    "joint",        "jointinparent", "tendon",       "site",      "gear",       "ctrlrange",
    "ctrllimited",  "forcerange",    "forcelimited", "gaintype",  "biastype",   "gainprm",
    "biasprm",      "dyntype",       "dynprm",       "kp",        "kv",         "dampratio",
    "inheritrange", "timeconst",     "refsite",      "cranksite", "slidersite", "body",
    "actlimited",   "actrange",      "actdim",       "actearly"};
constexpr std::string_view tendon[] = {"range",   "limited",      "stiffness",
                                       "damping", "frictionloss", "springlength"};
constexpr std::string_view equality[] = {"body1",  "body2",  "site1",   "site2",    "joint1",
                                         "joint2", "anchor", "relpose", "polycoef", "active"};
constexpr std::string_view pair[] = {"geom1", "geom2", "condim", "friction", "margin"};
constexpr std::string_view exclude[] = {"body1", "body2"};
constexpr std::string_view compiler[] = {
    "angle",        "eulerseq",        "meshdir",          "assetdir",   "texturedir",
    "autolimits",   "inertiafromgeom", "balanceinertia",   "boundmass",  "boundinertia",
    "settotalmass", "coordinate",      "discardvisual",    "fusestatic", "inertiagrouprange",
    "strippath",    "fitaabb",         "exactmeshinertia", "convexhull", "usethread",
    "saveinertial", "conflict"};
constexpr std::string_view option[] = {"timestep",          "gravity",
                                       "integrator",        "cone",
                                       "jacobian",          "solver",
                                       "iterations",        "tolerance",
                                       "ls_iterations",     "ls_tolerance",
                                       "noslip_iterations", "noslip_tolerance",
                                       "mpr_iterations",    "mpr_tolerance",
                                       "ccd_iterations",    "ccd_tolerance",
                                       "sdf_iterations",    "sdf_initpoints",
                                       "apirate",           "impratio",
                                       "collision",         "actuatorgroupdisable",
                                       "sleep_tolerance"};
constexpr std::string_view keyframe[] = {"time", "qpos", "qvel", "ctrl", "mpos", "mquat"};

struct Kind {
  std::string_view name;
  Words read;
  bool has_pose;
};
const Kind kinds[] = {
    {"geom", geom, true},          {"joint", joint, true},         {"freejoint", freejoint, false},
    {"body", body, true},          {"inertial", inertial, true},   {"site", site, true},
    {"frame", {}, true},           {"replicate", replicate, true}, {"attach", attach, false},
    {"mesh", mesh, false},         {"hfield", hfield, false},      {"model", model, false},
    {"actuator", actuator, false}, {"tendon", tendon, false},      {"equality", equality, false},
    {"pair", pair, false},         {"exclude", exclude, false},    {"compiler", compiler, false},
    {"option", option, false},     {"keyframe", keyframe, false}};

constexpr std::string_view actuators[] = {"general",     "motor",  "position", "velocity",
                                          "intvelocity", "damper", "cylinder", "muscle",
                                          "adhesion",    "plugin", "dcmotor"};

bool in(Words words, std::string_view name) {
  return std::find(words.begin(), words.end(), name) != words.end();
}

}  // namespace

std::string_view default_kind(std::string_view element) {
  if (in(actuators, element)) return "actuator";
  if (element == "spatial" || element == "fixed") return "tendon";
  if (element == "connect" || element == "weld") return "equality";
  return element;
}

void note_unread(Reading& r, std::string_view kind, const XmlElement& element) {
  const auto* const it = std::find_if(std::begin(kinds), std::end(kinds),
                                      [&](const Kind& k) { return k.name == kind; });
  if (it == std::end(kinds)) return;
  for (const XmlAttribute& a : element.attributes)
    if (!in(silent, a.name) && !in(it->read, a.name) && !(it->has_pose && in(pose_words, a.name)))
      r.notes.attribute(element, kind, a.name);
}

bool is_appearance(std::string_view element) {
  constexpr std::string_view words[] = {"camera", "light", "texture", "material", "skin",
                                        "bone",   "layer", "size",    "visual",   "statistic"};
  return in(words, element);
}

}  // namespace tact::mjcf
