// io/scene_simulation.cpp - collects what a scene says of its run.
#include "tact/io/scene_simulation.hpp"

#include <algorithm>
#include <optional>

#include "tact/io/number_text.hpp"
#include "tact/io/scene_traits.hpp"

namespace tact {
namespace {

/// The one law that the scene names anywhere, or none.
Result<std::optional<std::string>> named_law(const Scene& scene, const std::string& source) {
  std::optional<std::string> out = scene.side_car.all.law;
  if (!out)
    if (const auto it = scene.texts.find("tact_law"); it != scene.texts.end()) out = it->second;
  std::optional<std::string> other;
  const auto look = [&](const ContactTraits& traits) {
    if (!traits.law) return;
    if (!out) out = traits.law;
    if (*out != *traits.law) other = traits.law;
  };
  for (const auto& entry : scene.side_car.geoms) look(entry.second);
  for (const auto& entry : scene.side_car.pairs) look(entry.second);
  if (other)
    return Error{Errc::value,
                 concat({source, ": the scene names the impact laws ", *out, " and ", *other,
                         "; a run has one law, write it once for all contacts"})};
  return out;
}

SurfaceChoices scene_choices(const Scene& scene) {
  SurfaceChoices out;
  out.common = common_choice(scene);
  const auto count = static_cast<Index>(scene.model.geoms.size());
  std::vector<std::pair<Index, Index>> named;
  for (const auto& entry : scene.side_car.pairs) named.push_back(entry.first);
  for (const auto& entry : scene.side_car.geoms)
    for (Index g = 0; g < count; ++g)
      if (g != entry.first) named.emplace_back(std::min(g, entry.first), std::max(g, entry.first));
  std::sort(named.begin(), named.end());
  named.erase(std::unique(named.begin(), named.end()), named.end());
  for (const auto& [a, b] : named) out.pairs.emplace_back(pair_key(a, b), choice_of(scene, a, b));
  return out;
}

/// The law of that name, with the one restitution of all contacts where it knows no more: of
/// generalized_reflections it is the blend, as for a single impact, 1 where nobody gives one.
Result<ImpactLaw> law_named(const std::string& word, const SurfaceChoices& choices, bool wished,
                            const std::string& source) {
  const auto law = impact_law(word);
  if (!law)
    return Error{law.error().code, concat({source, ": the impact law: ", law.error().message})};
  const bool reflects = std::holds_alternative<GeneralizedReflections>(*law);
  if (!reflects && !std::holds_alternative<Moreau>(*law)) return *law;
  const double e = choices.common.restitution;
  for (const auto& pair : choices.pairs)
    if (pair.second.restitution != e)
      return Error{Errc::value, concat({source, ": the law ", word, " has one restitution for all ",
                                        "contacts; write it once, or take the law newton"})};
  if (!reflects) return ImpactLaw{Moreau{e}};
  return ImpactLaw{GeneralizedReflections{wished || e > 0 ? e : 1}};
}

}  // namespace

Result<SceneSetup> scene_setup(const Scene& scene, const std::string& source,
                               const std::string& keyframe, const SimOptions& options,
                               const SetupWishes& wishes) {
  auto start = scene_state(scene, source, keyframe);
  if (!start) return start.error();
  const auto law_name = wishes.law.empty()
                            ? named_law(scene, source)
                            : Result<std::optional<std::string>>(std::optional(wishes.law));
  if (!law_name) return law_name.error();
  SceneSetup out{*std::move(start), options, scene.side_car.prescribed, scene_choices(scene),
                 scene.side_car.soft};
  if (wishes.restitution) {
    out.choices.common.restitution = *wishes.restitution;
    for (auto& pair : out.choices.pairs) pair.second.restitution = *wishes.restitution;
  }
  out.options.time_of_impact = options.time_of_impact || scene.side_car.time_of_impact;
  if (!*law_name) return out;
  const auto law = law_named(**law_name, out.choices, wishes.restitution.has_value(), source);
  if (!law) return law.error();
  out.options.law = *law;
  return out;
}

Result<Simulation> scene_simulation(const Scene& scene, const std::string& source,
                                    const std::string& keyframe, const SimOptions& options) {
  const auto setup = scene_setup(scene, source, keyframe, options);
  if (!setup) return setup.error();
  auto made = make_simulation(scene.model, setup->start, setup->options, setup->prescribed,
                              setup->choices, setup->soft);
  if (!made) return Error{made.error().code, concat({source, ": ", made.error().message})};
  return made;
}

}  // namespace tact
