#include "tact/io/mjcf_source.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "tact/io/json_tree.hpp"
#include "tact/io/mjcf_vocabulary.hpp"
#include "tact/io/number_text.hpp"

namespace tact::mjcf {

namespace {

std::string joined(std::string_view folder, std::string_view path) {
  if (path.starts_with('/')) return std::string(path);
  if (folder.empty() || folder.ends_with('/')) return concat({folder, path});
  return concat({folder, "/", path});
}

std::string with_slashes(std::string path) {
  std::replace(path.begin(), path.end(), '\\', '/');
  return path;
}

/// Where a file may be: beside the main file, or beside the file that names it.
std::array<std::string, 2> places(const Source& source, const XmlElement& at,
                                  std::string_view subfolder, const std::string& file) {
  const std::string inside = joined(subfolder, with_slashes(file));
  return {joined(source.folder, inside),
          joined(at.file ? folder_of(*at.file) : std::string(), inside)};
}

/// Puts the files that are included in place of the elements that include them.
struct Includer {
  Reading& r;
  const Source& source;
  std::vector<std::string> open;  ///< files under way
  Index elements = 0;

  void expand(XmlElement& parent) {
    std::vector<XmlElement> out;
    out.reserve(parent.children.size());
    for (XmlElement& child : parent.children) {
      if (r.error) return;
      if (++elements > most_elements) {
        r.refuse(child, Errc::value, "the file and its includes have too many elements");
        return;
      }
      if (child.name != "include") {
        expand(child);
        out.push_back(std::move(child));
        continue;
      }
      for (XmlElement& e : included(child)) out.push_back(std::move(e));
    }
    parent.children = std::move(out);
  }

  std::vector<XmlElement> included(const XmlElement& at) {
    const std::string* file = find_attribute(at, "file");
    if (!file) {
      r.refuse(at, Errc::schema, "<include> names no file; write <include file=\"robot.xml\"/>");
      return {};
    }
    const std::string path = locate(r, source, at, "", *file);
    if (r.error) return {};
    if (std::find(open.begin(), open.end(), path) != open.end()) {
      r.refuse(at, Errc::schema,
               concat({"this includes ", detail::printable(path),
                       ", which includes it; break the cycle"}));
      return {};
    }
    const Result<std::string> text = r.files->read(path);
    Result<XmlElement> root = text ? parse_xml(*text, path) : Result<XmlElement>(text.error());
    if (!root) {
      if (!r.error) r.error = root.error();
      return {};
    }
    open.push_back(path);
    XmlElement tree = *std::move(root);
    expand(tree);
    open.pop_back();
    return std::move(tree.children);
  }
};

/// The includes may nest what each file alone does not.
void check_depth(Reading& r, const XmlElement& element, int depth) {
  if (depth > deepest_xml)
    r.refuse(element, Errc::parse,
             concat({"with the files included, elements are nested deeper than ",
                     std::to_string(deepest_xml), "; flatten the scene"}));
  for (const XmlElement& child : element.children)
    if (!r.error) check_depth(r, child, depth + 1);
}

void read_angles(Reading& r, const Settings& s, AngleStyle& style) {
  constexpr std::string_view words[] = {"radian", "degree"};
  style.degrees = word(r, s, "angle", words, style.degrees ? 1 : 0) == 1;
  style.euler_sequence = text(s, "eulerseq", style.euler_sequence);
  if (style.euler_sequence.size() != 3)
    r.refuse(s.element(), Errc::schema, "eulerseq must be three letters of xyz or XYZ");
  if (text(s, "coordinate", "local") != "local")
    r.refuse(s.element(), Errc::schema,
             "coordinate=\"global\" is not supported; convert the model to local coordinates");
}

void read_compiler(Reading& r, const XmlElement& element, Compiler& c) {
  const Settings s = alone(element);
  note_unread(r, "compiler", element);
  read_angles(r, s, c.angles);
  const std::string assets = with_slashes(text(s, "assetdir", c.asset_folder));
  c.asset_folder = assets;
  c.mesh_folder = with_slashes(text(s, "meshdir", has(s, "assetdir") ? assets : c.mesh_folder));
  c.autolimits = boolean(r, s, "autolimits", c.autolimits);
  c.strip_path = boolean(r, s, "strippath", c.strip_path);
  c.fit_box = boolean(r, s, "fitaabb", c.fit_box);
  c.exact_mesh_inertia = boolean(r, s, "exactmeshinertia", c.exact_mesh_inertia);
  c.balance_inertia = boolean(r, s, "balanceinertia", c.balance_inertia);
  constexpr std::string_view from[] = {"false", "true", "auto"};
  c.inertia =
      static_cast<InertiaFrom>(word(r, s, "inertiafromgeom", from, static_cast<Index>(c.inertia)));
  c.least_mass = number(r, s, "boundmass", c.least_mass);
  c.least_inertia = number(r, s, "boundinertia", c.least_inertia);
  c.total_mass = number(r, s, "settotalmass", c.total_mass);
  Vec2 groups(c.first_inertia_group, c.last_inertia_group);
  overlay(r, s, "inertiagrouprange", {groups.data(), 2}, 2);
  c.first_inertia_group = static_cast<int>(std::clamp(groups[0], -1.0, 1e6));
  c.last_inertia_group = static_cast<int>(std::clamp(groups[1], -1.0, 1e6));
}

/// Adds what `element` says to the class, then makes the classes inside it.
void read_defaults(Reading& r, Source& source, const XmlElement& element, const std::string& name) {
  for (const XmlElement& child : element.children) {
    if (child.name == "default") continue;
    const std::string kind(default_kind(child.name));
    note_unread(r, kind, child);
    source.classes[name][kind].push_back(&child);
  }
  for (const XmlElement& child : element.children) {
    if (child.name != "default") continue;
    const std::string* inner = find_attribute(child, "class");
    if (!inner || inner->empty()) {
      r.refuse(child, Errc::schema, "a nested <default> needs a class; write class=\"name\"");
      return;
    }
    if (!source.classes.contains(*inner)) {
      const DefaultClass copy = source.classes[name];
      source.classes[*inner] = copy;
    }
    read_defaults(r, source, child, *inner);
  }
}

void read_settings(Reading& r, Source& source) {
  source.classes["main"];
  for (const XmlElement& child : source.root.children) {
    if (child.name == "compiler") read_compiler(r, child, source.compiler);
    if (child.name != "default") continue;
    const std::string* name = find_attribute(child, "class");
    read_defaults(r, source, child, "main");
    if (name && *name != "main") source.classes[*name] = source.classes["main"];
  }
}

}  // namespace

std::unique_ptr<const Source> read_source(Reading& r, std::string_view text,
                                          const std::string& name) {
  auto source = std::make_unique<Source>();
  source->folder = folder_of(name);
  Result<XmlElement> root = parse_xml(text, name);
  if (!root) {
    if (!r.error) r.error = root.error();
    return source;
  }
  source->root = *std::move(root);
  if (source->root.name != "mujoco") {
    r.refuse(source->root, Errc::schema,
             concat({"the root is <", detail::printable(source->root.name),
                     ">; an MJCF file begins with <mujoco>"}));
    return source;
  }
  Includer includer{r, *source, {name}};
  includer.expand(source->root);
  if (!r.error) check_depth(r, source->root, 1);
  if (!r.error) read_settings(r, *source);
  return source;
}

Settings settings_of(Reading& r, const Source& source, const XmlElement& element,
                     std::string_view childclass, std::string_view kind) {
  const std::string* own = find_attribute(element, "class");
  const std::string name = own                  ? *own
                           : childclass.empty() ? std::string("main")
                                                : std::string(childclass);
  Settings s;
  const auto found = source.classes.find(name);
  if (found == source.classes.end()) {
    r.refuse(element, Errc::schema,
             concat({"there is no default class \"", detail::printable(name),
                     "\"; define it in <default> or correct the name"}));
  } else {
    const auto layers = found->second.find(kind.empty() ? default_kind(element.name) : kind);
    if (layers != found->second.end()) s.layers = layers->second;
  }
  s.layers.push_back(&element);
  return s;
}

std::string folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string() : std::string(path.substr(0, slash + 1));
}

std::string stem_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash != std::string_view::npos) path.remove_prefix(slash + 1);
  return std::string(path.substr(0, path.rfind('.')));
}

std::string find_file(const Reading& r, const Source& source, const XmlElement& at,
                      std::string_view subfolder, const std::string& file) {
  for (const std::string& path : places(source, at, subfolder, file))
    if (r.files->exists(path)) return path;
  return {};
}

std::string locate(Reading& r, const Source& source, const XmlElement& at,
                   std::string_view subfolder, const std::string& file) {
  std::string found = find_file(r, source, at, subfolder, file);
  if (!found.empty()) return found;
  const auto [first, second] = places(source, at, subfolder, file);
  const auto shown = [](const std::string& path) {
    const std::string folder = folder_of(path);
    return detail::printable(folder.empty() ? "./" : folder);
  };
  const std::string folders =
      first == second ? shown(first) : concat({shown(first), " and ", shown(second)});
  r.refuse(at, Errc::io,
           concat({at.name, " \"", detail::printable(file), "\" not found (looked in ", folders,
                   "); put the file there or correct the name"}));
  return {};
}

std::vector<const XmlElement*> section(const Source& source, std::string_view name) {
  std::vector<const XmlElement*> out;
  for (const XmlElement& s : source.root.children)
    if (s.name == name)
      for (const XmlElement& child : s.children) out.push_back(&child);
  return out;
}

}  // namespace tact::mjcf
