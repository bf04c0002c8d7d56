#include "tact/io/mode_input.hpp"

#include <optional>

#include "tact/io/number_text.hpp"
#include "tact/modes/patch_modes.hpp"

namespace tact {

namespace {

/// The rows of one contact, and where the file has them.
struct FileRows {
  VecX normal;
  MatX tangents;
  std::string place;
};

Error refuse(const std::string& source, std::initializer_list<std::string_view> rest) {
  return {Errc::value, concat({source, ": ", concat(rest)})};
}

/// Which tangent of the file is row `i` of `planes` dividing planes, if one is; 0 planes are the
/// file's own.
std::optional<Index> axis(Index i, Index planes) {
  if (planes == 0) return i;
  if (i == 0) return 0;
  return 2 * i == planes ? std::optional<Index>(1) : std::nullopt;
}

/// Entries that are exact only as text.
void keep_exact(const ProblemFile& file, const FileRows& rows, Index first, Index planes,
                ModeSystem& system) {
  const auto keep = [&](Index row, Index column, const std::string& place, double value) {
    if (!file.exact.text(place)) return;
    const Rational exact = file.exact.at(place, value);
    if (exact != exact_value(value)) system.exact.push_back({row, column, exact});
  };
  const auto keep_row = [&](Index row, const std::string& place, const VecX& values) {
    for (Index j = 0; j < values.size(); ++j)
      keep(row, j, concat({place, "[", std::to_string(j), "]"}), values[j]);
  };
  keep_row(first, concat({rows.place, ".normal"}), rows.normal);
  for (Index i = 0; i < rows.tangents.rows(); ++i)
    if (const auto given = axis(i, planes))
      keep_row(first + 1 + i, concat({rows.place, ".tangents[", std::to_string(*given), "]"}),
               rows.tangents.row(i));
}

/// The shape of a patch; null for a point.
const PatchShape* shape_of(const Law& law) {
  if (const auto* patch = std::get_if<FrictionlessPatch>(&law)) return &patch->shape;
  if (const auto* patch = std::get_if<FrictionalPatch>(&law)) return &patch->shape;
  return nullptr;
}

PatchRows patch_rows(const ModeInput& input) {
  return {input.planes > 0 ? input.planes : 2, input.rim};
}

}  // namespace

Result<ModeSystem> mode_system(const ProblemFile& file, const std::string& source,
                               const ModeInput& input) {
  const std::vector<Contact>& contacts = file.problem.contacts;
  if (file.given.size() != contacts.size())
    return refuse(source, {"modes need the rows of the contacts, and a Delassus matrix has none; "
                           "give normals and tangents"});
  ModeSystem system;
  system.rows.resize(0, file.dof);
  const MatX rows(file.problem.rows);
  Index next = 0;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const Index count = row_count(contacts[k].law);
    const std::string place = concat({"contacts[", std::to_string(k), "]"});
    next += count;
    if (const PatchShape* shape = shape_of(contacts[k].law)) {
      const auto corners = add_patch(system, MatX(file.given[k].twist), *shape, patch_rows(input));
      if (!corners) return refuse(source, {place, ": ", corners.error().message});
      continue;
    }
    FileRows own{rows.row(next - 1).transpose(), MatX(file.given[k].tangents), place};
    if (own.tangents.rows() == 0) own.tangents.resize(0, file.dof);
    if (input.planes > 0 && own.tangents.rows() > 0) {
      if (own.tangents.rows() != 2)
        return refuse(source, {own.place, " has ", std::to_string(own.tangents.rows()),
                               " tangents; --planes needs two axes, or leave it out"});
      own.tangents = dividing_planes(own.tangents.row(0).transpose(),
                                     own.tangents.row(1).transpose(), input.planes);
    }
    const Index first = system.rows.rows();
    add_contact(system, own.normal, own.tangents);
    keep_exact(file, own, first, input.planes, system);
  }
  return system;
}

Result<std::optional<ModeLoad>> mode_load(const ProblemFile& file, const std::string& source,
                                          const ModeInput& input) {
  const ContactProblem& problem = file.problem;
  if (!problem.in_mass_form()) return std::optional<ModeLoad>{};
  ModeLoad load{MatX(problem.mass), problem.impulse, {}};
  if (load.load.size() == 0) load.load = VecX::Zero(file.dof);
  for (std::size_t k = 0; k < problem.contacts.size(); ++k) {
    const Law& law = problem.contacts[k].law;
    Index corners = 1;
    if (const PatchShape* shape = shape_of(law)) {
      ModeSystem alone;
      const auto count = add_patch(alone, MatX(file.given[k].twist), *shape, patch_rows(input));
      if (!count) return refuse(source, {count.error().message});
      corners = *count;
    }
    load.mu.insert(load.mu.end(), static_cast<std::size_t>(corners), friction_of(law));
  }
  return std::optional(load);
}

}  // namespace tact
