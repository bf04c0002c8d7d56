#include "tact/io/mjcf_draft.hpp"

#include "tact/io/json_tree.hpp"
#include "tact/io/number_text.hpp"

namespace tact::mjcf {

Index find_name(const NameMap& map, const Instance& in, std::string_view name) {
  const auto it = map.find(concat({in.prefix, name}));
  if (it != map.end()) return it->second;
  const auto world = map.find(name);
  return name == "world" && world != map.end() && world->second == 0 ? 0 : -1;
}

void keep_name(Reading& r, NameMap& map, const XmlElement& at, const std::string& name,
               Index index) {
  if (name.empty()) return;
  if (!map.emplace(name, index).second)
    r.refuse(at, Errc::schema,
             concat({"the name \"", detail::printable(name), "\" of this <", at.name,
                     "> is taken by another; give each its own"}));
}

Index named(Reading& r, const NameMap& map, const Instance& in, const Settings& settings,
            std::string_view attribute) {
  const std::string* name = find_text(settings, attribute);
  const XmlElement& at = settings.element();
  if (!name) {
    r.refuse(at, Errc::schema, concat({"<", at.name, "> needs the attribute ", attribute}));
    return -1;
  }
  const Index index = find_name(map, in, *name);
  if (index < 0 && in.depth == 0)
    r.refuse(at, Errc::schema,
             concat({"there is no ", attribute, " \"", detail::printable(*name), "\" for this <",
                     at.name, ">; correct the name"}));
  return index;
}

}  // namespace tact::mjcf
