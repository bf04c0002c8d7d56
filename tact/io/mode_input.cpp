#include "tact/io/mode_input.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "tact/io/number_text.hpp"
#include "tact/modes/exact_rows.hpp"
#include "tact/modes/patch_modes.hpp"

namespace tact {

namespace {

Error refuse(const std::string& source, std::initializer_list<std::string_view> rest) {
  return {Errc::value, concat({source, ": ", concat(rest)})};
}

/// Entries of a list of rows that are exact only as text; `place` is the list.
std::vector<ExactEntry> exact_entries_of(const ProblemFile& file, const MatX& rows,
                                         const std::string& place, bool one) {
  std::vector<ExactEntry> out;
  for (Index i = 0; i < rows.rows(); ++i)
    for (Index j = 0; j < rows.cols(); ++j) {
      const std::string row = one ? "" : concat({"[", std::to_string(i), "]"});
      const std::string entry = concat({place, row, "[", std::to_string(j), "]"});
      if (!file.exact.text(entry)) continue;
      const Rational exact = file.exact.at(entry, rows(i, j));
      if (exact != exact_value(rows(i, j))) out.push_back({i, j, exact});
    }
  return out;
}

std::vector<ExactVector> exact_rows_of(const ProblemFile& file, const MatX& rows,
                                       const std::string& place, bool one) {
  const std::vector<ExactEntry> exact = exact_entries_of(file, rows, place, one);
  std::vector<ExactVector> out;
  for (Index i = 0; i < rows.rows(); ++i)
    out.push_back(exact_row(rows.row(i).transpose(), exact, i));
  return out;
}

/// The shape of a patch; null for a point.
const PatchShape* shape_of(const Law& law) {
  if (const auto* patch = std::get_if<FrictionlessPatch>(&law)) return &patch->shape;
  if (const auto* patch = std::get_if<FrictionalPatch>(&law)) return &patch->shape;
  return nullptr;
}

/// How far the zonotope of the rows reaches, each from minus to plus itself: its corners are sums
/// of them, with one sign up to some angle and the other behind. Rows of a file are taken for unit
/// vectors at equal angles; planes made of two axes have any length.
double farthest_corner(Index rows, bool made) {
  if (!made) return 1 / std::sin(std::numbers::pi / (2 * static_cast<double>(rows)));
  double out = 0;
  for (Index turned = 0; turned < rows; ++turned) {
    Vec2 corner = Vec2::Zero();
    for (Index k = 0; k < rows; ++k) corner += (k < turned ? -1 : 1) * plane_direction(k, rows);
    out = std::max(out, corner.norm());
  }
  return out;
}

/// The bound of each of `rows` tangent rows: with it their zonotope lies inside the law's disc.
double row_friction(const Law& law, Index rows, bool made) {
  if (rows < 1) return 0;
  double radius = friction_of(law);
  if (const auto* box = std::get_if<BoxLaw>(&law); box != nullptr && rows > 1) {
    radius *= box->scale;  // of the disc inside the box
    if (rows == 2) return radius;
  }
  if (const auto* pyramid = std::get_if<PyramidLaw>(&law); pyramid != nullptr && rows > 1)
    radius *= std::cos(std::numbers::pi / pyramid->edges);
  return radius / farthest_corner(rows, made);
}

PatchRows patch_rows(const ModeInput& input) {
  return {input.planes > 0 ? input.planes : 2, input.rim};
}

}  // namespace

Result<ModeProblem> mode_problem(const ProblemFile& file, const std::string& source,
                                 const ModeInput& input) {
  const std::vector<Contact>& contacts = file.problem.contacts;
  if (file.given.size() != contacts.size())
    return refuse(source, {"modes need the rows of the contacts, and a Delassus matrix has none; "
                           "give normals and tangents"});
  ModeProblem out;
  ModeSystem& system = out.system;
  system.rows.resize(0, file.dof);
  const MatX rows(file.problem.rows);
  Index next = 0;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const Index count = row_count(contacts[k].law);
    const std::string place = concat({"contacts[", std::to_string(k), "]"});
    next += count;
    if (std::holds_alternative<BoundedLaw>(contacts[k].law))
      return refuse(source, {place,
                             " is a bounded row, and modes are those of contacts that open, "
                             "stick and slide; leave it out"});
    if (const PatchShape* shape = shape_of(contacts[k].law)) {
      const MatX twist(file.given[k].twist);
      const auto corners =
          add_patch(system, twist, *shape, patch_rows(input),
                    exact_entries_of(file, twist, concat({place, ".twist"}), false));
      if (!corners) return refuse(source, {place, ": ", corners.error().message});
      out.friction.resize(system.contacts.size(),
                          row_friction(contacts[k].law, patch_rows(input).planes, true));
      continue;
    }
    const ExactVector normal =
        exact_rows_of(file, rows.row(next - 1), concat({place, ".normal"}), true).front();
    std::vector<ExactVector> tangents =
        exact_rows_of(file, MatX(file.given[k].tangents), concat({place, ".tangents"}), false);
    if (input.planes > 0 && !tangents.empty()) {
      if (tangents.size() != 2)
        return refuse(source, {place, " has ", std::to_string(tangents.size()),
                               " tangents; --planes needs two axes, or leave it out"});
      tangents = exact_planes(tangents[0], tangents[1], input.planes);
    }
    add_contact(system, normal, tangents);
    out.friction.push_back(
        row_friction(contacts[k].law, static_cast<Index>(tangents.size()), input.planes > 0));
  }
  if (file.problem.in_mass_form()) {
    const VecX& impulse = file.problem.impulse;
    out.load = ModeLoad{MatX(file.problem.mass),
                        impulse.size() > 0 ? impulse : VecX(VecX::Zero(file.dof)), out.friction};
  }
  return out;
}

}  // namespace tact
