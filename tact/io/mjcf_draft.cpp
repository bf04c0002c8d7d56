#include "tact/io/mjcf_draft.hpp"

#include <algorithm>

#include "tact/io/json_tree.hpp"
#include "tact/io/number_text.hpp"

namespace tact::mjcf {

namespace {

/// Of an element and all inside it, the replicas of the name that has most.
const std::vector<std::string>* most_replicas(const Draft& draft, const Instance& in,
                                              const XmlElement& element) {
  const std::vector<std::string>* most = nullptr;
  const auto consider = [&](const std::vector<std::string>* found) {
    if (found && (!most || found->size() > most->size())) most = found;
  };
  for (const XmlAttribute& a : element.attributes) {
    if (a.name == "name" || a.name == "class") continue;
    const auto found = draft.replicas.find(concat({in.prefix, a.value}));
    if (found != draft.replicas.end()) consider(&found->second);
  }
  for (const XmlElement& child : element.children) consider(most_replicas(draft, in, child));
  return most;
}

}  // namespace

void keep_replica(Draft& draft, const std::string& name, const std::string& suffix) {
  if (name.empty() || suffix.empty()) return;
  std::vector<std::string>& all = draft.replicas[name];
  if (std::find(all.begin(), all.end(), suffix) == all.end()) all.push_back(suffix);
}

std::vector<Instance> repeated(Draft& draft, const Instance& in, const XmlElement& element) {
  // Inside of an attached file the replica is known: it is the one that the file stands in.
  const std::vector<std::string>* found =
      draft.replicas.empty() || !in.suffix.empty() ? nullptr : most_replicas(draft, in, element);
  if (!found) return {in};
  const std::vector<std::string> suffixes = *found;
  const std::string* name = find_attribute(element, "name");
  std::vector<Instance> out;
  out.reserve(suffixes.size());
  for (const std::string& suffix : suffixes) {
    if (name) keep_replica(draft, concat({in.prefix, *name}), suffix);
    out.push_back(in);
    out.back().suffix = suffix;
  }
  return out;
}

std::string full_name(const Instance& in, const XmlElement& element) {
  const std::string* name = find_attribute(element, "name");
  return name && !name->empty() ? concat({in.prefix, *name, in.suffix}) : std::string();
}

Index find_name(const NameMap& map, const Instance& in, std::string_view name) {
  for (std::size_t cut = 0; cut <= in.suffix.size(); ++cut) {
    const auto it = map.find(concat({in.prefix, name, std::string_view(in.suffix).substr(cut)}));
    if (it != map.end()) return it->second;
  }
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

Index named(Reading& r, const Draft& draft, const NameMap& map, const Instance& in,
            const Settings& settings, std::string_view attribute) {
  const std::string* name = find_text(settings, attribute);
  const XmlElement& at = settings.element();
  if (!name) {
    r.refuse(at, Errc::schema, concat({"<", at.name, "> needs the attribute ", attribute}));
    return -1;
  }
  const Index index = find_name(map, in, *name);
  if (index < 0 && draft.lost_coordinates)
    r.notes.add(at, concat({"<", at.name, "> of a part that is left out is not modelled"}),
                concat({"<", at.name, "> of parts that are left out are not modelled"}));
  else if (index < 0 && in.depth == 0)
    r.refuse(at, Errc::schema,
             concat({"there is no ", attribute, " \"", detail::printable(*name), "\" for this <",
                     at.name, ">; correct the name"}));
  return index;
}

}  // namespace tact::mjcf
