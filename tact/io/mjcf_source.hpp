// io/mjcf_source.hpp - one MJCF file with everything it includes: its settings, its defaults, and
// where its files are.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tact/io/mjcf_reading.hpp"
#include "tact/io/orientation.hpp"

namespace tact::mjcf {

enum class InertiaFrom { file, geoms, either };

/// <compiler>.
struct Compiler {
  AngleStyle angles;
  std::string mesh_folder, asset_folder;
  bool autolimits = true;
  bool strip_path = false;
  bool fit_box = false;             ///< fitaabb
  bool exact_mesh_inertia = false;  ///< of meshes that do not say
  bool balance_inertia = false;
  InertiaFrom inertia = InertiaFrom::either;
  double least_mass = 0, least_inertia = 0;
  double total_mass = -1;  ///< negative: as it is
  int first_inertia_group = 0, last_inertia_group = 5;
};

/// Elements that give the defaults of a class, by kind, those of the outer classes first.
using DefaultClass = std::map<std::string, std::vector<const XmlElement*>, std::less<>>;

struct Source {
  XmlElement root;  ///< includes in place
  std::string folder;
  Compiler compiler;
  std::map<std::string, DefaultClass> classes;  ///< at least "main"
};

/// Elements of a file with its includes: enough for any robot, too few to fill a machine.
inline constexpr Index most_elements = 2'000'000;

/// Refuses through r. The classes point into the root: a source is never copied.
[[nodiscard]] std::unique_ptr<const Source> read_source(Reading& r, std::string_view text,
                                                        const std::string& name);

/// An element over the defaults of its class, or of `childclass` (empty: main) where it has none;
/// `kind` is what they stand under where the element's name does not say it.
[[nodiscard]] Settings settings_of(Reading& r, const Source& source, const XmlElement& element,
                                   std::string_view childclass = {}, std::string_view kind = {});

/// "a/b.xml" -> "a/"; nothing where there is no folder.
[[nodiscard]] std::string folder_of(std::string_view path);
/// "a/b.xml" -> "b".
[[nodiscard]] std::string stem_of(std::string_view path);

/// The file that `at` names, in `subfolder` of the main file's folder or of the file of `at`; empty
/// where it is in neither.
[[nodiscard]] std::string find_file(const Reading& r, const Source& source, const XmlElement& at,
                                    std::string_view subfolder, const std::string& file);
/// The same with a complaint.
[[nodiscard]] std::string locate(Reading& r, const Source& source, const XmlElement& at,
                                 std::string_view subfolder, const std::string& file);

/// The children of the sections of that name, in the order of the file.
[[nodiscard]] std::vector<const XmlElement*> section(const Source& source, std::string_view name);

}  // namespace tact::mjcf
