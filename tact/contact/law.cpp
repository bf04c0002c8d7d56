// contact/law.cpp - names, rows and sanity of the laws.
#include "tact/contact/law.hpp"

#include <cmath>
#include <string>

namespace tact {
namespace {

template <class... Fs>
struct Overload : Fs... {
  using Fs::operator()...;
};
template <class... Fs>
Overload(Fs...) -> Overload<Fs...>;

std::optional<Error> bad_coefficient(const char* field, double value) {
  if (std::isfinite(value) && value >= 0) return std::nullopt;
  return Error{Errc::value, std::string(field) + " must be a finite number, zero or more"};
}

Result<bool> first_error(std::initializer_list<std::optional<Error>> errors) {
  for (const auto& error : errors)
    if (error) return *error;
  return true;
}

Result<bool> check_shape(const PatchShape& shape) {
  const auto hull = convex_hull_of(shape);
  if (!hull) return Error{hull.error().code, "patch: " + hull.error().message};
  return true;
}

Result<bool> check_bounds(const BoundedLaw& law) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (law.lower <= law.upper && law.lower < infinity && law.upper > -infinity) return true;
  return Error{Errc::value, "bounds must be two numbers, the lower one first"};
}

RowSplit point_rows(bool planar) {
  if (planar) return {1, 1, {1}, {0}};
  return {1, 2, {2}, {0, 1}};
}

}  // namespace

std::string_view name(const Law& law) {
  constexpr std::string_view names[] = {
      "frictionless", "coulomb", "box", "pyramid", "rolling", "patch", "patch_friction", "bounded"};
  return names[law.index()];
}

Index row_count(const Law& law) {
  const RowSplit rows = row_split(law);
  return rows.normal_count + rows.tangent_count;
}

RowSplit row_split(const Law& law) {
  return std::visit(Overload{
                        [](const Frictionless&) {
                          return RowSplit{1, 0, {0}, {}};
                        },
                        [](const CoulombLaw& l) { return point_rows(l.planar); },
                        [](const BoxLaw& l) { return point_rows(l.planar); },
                        [](const PyramidLaw& l) { return point_rows(l.planar); },
                        [](const RollingLaw&) {
                          return RowSplit{1, 5, {5}, {3, 4, 0, 1, 2}};
                        },
                        [](const FrictionlessPatch&) {
                          return RowSplit{3, 0, {0, 1, 2}, {}};
                        },
                        [](const FrictionalPatch&) {
                          return RowSplit{3, 3, {0, 1, 5}, {3, 4, 2}};
                        },
                        [](const BoundedLaw&) {
                          return RowSplit{0, 1, {}, {0}};
                        },
                    },
                    law);
}

double friction_of(const Law& law) {
  return std::visit(
      [](const auto& l) {
        if constexpr (requires { l.mu; }) return l.mu;
        return 0.0;
      },
      law);
}

Result<bool> validate(const Law& law) {
  if (const auto bad = bad_coefficient("mu", friction_of(law))) return *bad;
  return std::visit(
      Overload{
          [](const Frictionless&) { return Result<bool>(true); },
          [](const CoulombLaw&) { return Result<bool>(true); },
          [](const BoxLaw& l) { return first_error({bad_coefficient("scale", l.scale)}); },
          [](const PyramidLaw& l) {
            if (l.edges < 3) return Result<bool>(Error{Errc::value, "edges must be three or more"});
            return Result<bool>(true);
          },
          [](const RollingLaw& l) {
            return first_error(
                {bad_coefficient("rolling", l.rolling), bad_coefficient("spinning", l.spinning)});
          },
          [](const FrictionlessPatch& l) { return check_shape(l.shape); },
          [](const FrictionalPatch& l) { return check_shape(l.shape); },
          [](const BoundedLaw& l) { return check_bounds(l); },
      },
      law);
}

}  // namespace tact
