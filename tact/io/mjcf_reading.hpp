// io/mjcf_reading.hpp - one reading of an MJCF file under way: its first complaint, what it leaves
// out, and the values of attributes.
//
// As with JSON, the first thing that cannot be used is kept and everything read after it is a
// harmless default; whoever loops looks at `error` to stop early.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tact/base/result.hpp"
#include "tact/io/scene_file.hpp"
#include "tact/io/xml_document.hpp"

namespace tact::mjcf {

/// What was left out, counted by kind.
class Notes {
 public:
  /// `one` and `many` are whole sentences without place and number: "spatial tendon is not
  /// modelled", "spatial tendons are not modelled". Lines are told apart by `one`.
  void add(const XmlElement& at, std::string_view one, std::string_view many);
  /// "geom attribute solref is not used".
  void attribute(const XmlElement& at, std::string_view kind, std::string_view name);
  [[nodiscard]] std::vector<std::string> lines() const;

 private:
  struct Line {
    std::string place, one, many;
    Index count;
  };
  std::vector<Line> lines_;
};

/// An element over the defaults that hold for it: the last that says something wins, number by
/// number.
struct Settings {
  std::vector<const XmlElement*> layers;  ///< never empty; the element itself comes last

  [[nodiscard]] const XmlElement& element() const { return *layers.back(); }
};

struct Reading {
  std::optional<Error> error;
  Notes notes;
  const FileReader* files = nullptr;
  Scene scene;  ///< its model is a draft
  /// Geoms of a <pair>, which meet whatever their masks say; under the prefix of their file.
  std::set<std::string, std::less<>> paired;

  /// Keeps "FILE:LINE: SENTENCE" unless there is an earlier complaint.
  void refuse(const XmlElement& at, Errc code, std::string_view sentence);
};

[[nodiscard]] bool has(const Settings& settings, std::string_view name);
/// The text that holds, or null.
[[nodiscard]] const std::string* find_text(const Settings& settings, std::string_view name);
[[nodiscard]] std::string text(const Settings& settings, std::string_view name,
                               std::string_view otherwise = {});

/// Finite numbers between blanks; a complaint names the attribute.
[[nodiscard]] std::vector<double> numbers(Reading& r, const XmlElement& at, const XmlAttribute& a);
/// All numbers of the last layer that has the attribute.
[[nodiscard]] std::vector<double> list(Reading& r, const Settings& settings, std::string_view name);
/// Overwrites the leading numbers of `values` that are given, at least `least` of them; says how
/// many the fullest layer gives.
Index overlay(Reading& r, const Settings& settings, std::string_view name, std::span<double> values,
              Index least = 1);
/// The first of the numbers of an attribute or zero; newer files may give more, of higher powers,
/// which are left out and said.
[[nodiscard]] double leading(Reading& r, const Settings& settings, std::string_view name);
[[nodiscard]] double number(Reading& r, const Settings& settings, std::string_view name,
                            double otherwise);
[[nodiscard]] int integer(Reading& r, const Settings& settings, std::string_view name,
                          int otherwise);
[[nodiscard]] Vec3 vec3(Reading& r, const Settings& settings, std::string_view name,
                        const Vec3& otherwise);
/// true and false only.
[[nodiscard]] bool boolean(Reading& r, const Settings& settings, std::string_view name,
                           bool otherwise);
/// One of the words, as its place in the list; `otherwise` when absent.
[[nodiscard]] Index word(Reading& r, const Settings& settings, std::string_view name,
                         std::span<const std::string_view> words, Index otherwise);

/// true, false or auto: auto means limited where a range is given and the compiler allows it.
[[nodiscard]] bool limited(Reading& r, const Settings& settings, std::string_view flag,
                           std::string_view range, bool autolimits);

/// The element without defaults.
[[nodiscard]] inline Settings alone(const XmlElement& element) {
  return {{&element}};
}

}  // namespace tact::mjcf
