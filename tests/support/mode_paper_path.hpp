// tests/support/mode_paper_path.hpp - modes on the way of [Huang20]: Algorithm 1 by the polar of
// the cone and its face lattice, Algorithm 2 by the zonotope of the planes; exact, for small
// scenes.
//
// Corrected as docs/errata.md says. Each correction can be taken back, to show what it is for.
#pragma once

#include <map>

#include "tests/support/face_lattice.hpp"
#include "tests/support/mode_referee.hpp"

namespace tact::testing {

/// What the paper prints, one by one.
struct AsPrinted {
  bool vertices_only = false;       ///< a contact that is no vertex of the polar separates
  bool proper_faces_only = false;   ///< Algorithm 1, step 10: ranks 0 to d - 1
  bool vanishing_planes = false;    ///< (18) also for planes that vanish on the subspace
  bool separation_ignored = false;  ///< (27) left out: what Table 1 counted
};

/// Contacts that can not separate, each by its own program: one slack for all contacts, (20) to
/// (22), tells only whether there are any.
inline std::vector<bool> forced_contacts(const ModeRows& rows) {
  std::vector<bool> forced;
  for (std::size_t i = 0; i < rows.normals.size(); ++i) {
    StrictSystem system(rows.dof);
    for (std::size_t k = 0; k < rows.normals.size(); ++k) system.add(rows.normals[k], k == i);
    forced.push_back(!system.witness().has_value());
  }
  return forced;
}

/// The polar (14) of the cone seen from a point inside, in the null space of the forced contacts:
/// one point n / (n r) a free contact. They span the facet of the polar opposite to 0.
struct PolarForm {
  std::vector<std::size_t> contacts;  ///< the free ones, in order
  Hull hull;
};

inline PolarForm polar_form(const ModeRows& rows, const std::vector<bool>& forced) {
  PolarForm polar;
  WholeRows fixed;
  WholeRows free;
  for (std::size_t k = 0; k < forced.size(); ++k) {
    (forced[k] ? fixed : free).push_back(rows.normals[k]);
    if (!forced[k]) polar.contacts.push_back(k);
  }
  const WholeRows basis = null_space(fixed, rows.dof);
  free = on_subspace(free, basis);
  StrictSystem inside(basis.size());
  for (const WholeRow& n : free) inside.add(n, true);
  const WholeRow r = inside.witness().value();
  WholeRows points;
  for (const WholeRow& n : free) {
    WholeRow point{dot(n, r)};  // homogeneous: (1, n / (n r)) times n r > 0
    point.insert(point.end(), n.begin(), n.end());
    points.push_back(point);
  }
  polar.hull = hull_of(points, basis.size() + 1);
  return polar;
}

/// Algorithm 1.
inline std::set<std::string> paper_cs_modes(const ModeRows& rows, const AsPrinted& printed = {}) {
  const std::vector<bool> forced = forced_contacts(rows);
  const PolarForm polar = polar_form(rows, forced);
  const PointSet all = all_points(polar.hull);
  PointSet readable = all;
  for (std::size_t k = 0; printed.vertices_only && k < polar.contacts.size(); ++k)
    readable.set(k, is_vertex(polar.hull, k));
  std::set<std::string> modes;
  for (const PointSet& face : faces_of(polar.hull)) {
    if (printed.proper_faces_only && (face.none() || face == all)) continue;
    std::string mode(rows.normals.size(), '0');
    for (std::size_t k = 0; k < polar.contacts.size(); ++k)
      if (!(face & readable)[k]) mode[polar.contacts[k]] = '+';
    modes.insert(mode);
  }
  return modes;
}

/// Corners of a zonotope, each with the signs (18) of its summands.
using Zonotope = std::map<WholeRow, std::string>;

/// Algorithm 2, GET-ZONOTOPE-VERTICES: a sum and a hull for every plane.
inline Zonotope zonotope(const WholeRows& planes, std::size_t dof, bool vanishing_planes) {
  WholeRow origin(dof + 1);
  origin[0] = 1;
  Zonotope corners{{origin, ""}};
  for (const WholeRow& h : planes) {
    const bool vanishes = std::ranges::all_of(h, [](const Whole& x) { return x.sign() == 0; });
    if (vanishes && !vanishing_planes) {
      for (auto& [point, signs] : corners) signs += '0';
      continue;
    }
    Zonotope sums;
    for (const auto& [point, signs] : corners) {
      WholeRow plus = point;
      WholeRow minus = point;
      for (std::size_t k = 0; k < dof; ++k) {
        plus[k + 1] = plus[k + 1] + h[k];
        minus[k + 1] = minus[k + 1] - h[k];
      }
      sums.emplace(plus, signs + '+');
      sums.emplace(minus, signs + '-');
    }
    WholeRows points;
    for (const auto& [point, signs] : sums) points.push_back(point);
    const Hull hull = hull_of(points, dof + 1);
    corners.clear();
    for (std::size_t k = 0; k < points.size(); ++k)
      if (is_vertex(hull, k)) corners.emplace(points[k], sums.at(points[k]));
  }
  return corners;
}

/// The signs of a face: those its corners agree on, 0 where they do not.
inline std::string face_signs(const std::vector<std::string>& corners, const PointSet& face) {
  std::optional<std::string> signs;
  for (std::size_t k = 0; k < corners.size(); ++k) {
    if (!face[k]) continue;
    if (!signs) signs = corners[k];
    for (std::size_t i = 0; i < signs->size(); ++i)
      if ((*signs)[i] != corners[k][i]) (*signs)[i] = '0';
  }
  return signs.value();
}

/// All sign strings of the arrangement of some planes, (19): the faces of its zonotope but the
/// empty one.
inline std::set<std::string> arrangement_signs(const WholeRows& planes, std::size_t dof,
                                               bool vanishing_planes = false) {
  WholeRows points;
  std::vector<std::string> corners;
  for (const auto& [point, signs] : zonotope(planes, dof, vanishing_planes)) {
    points.push_back(point);
    corners.push_back(signs);
  }
  std::set<std::string> all;
  for (const PointSet& face : faces_of(hull_of(points, dof + 1)))
    if (face.any()) all.insert(face_signs(corners, face));
  return all;
}

/// Algorithm 2 for one cs mode.
inline std::set<std::string> paper_ss_modes(const ModeRows& rows, const std::string& cs,
                                            const AsPrinted& printed = {}) {
  WholeRows separating;
  WholeRows contacting;
  for (std::size_t k = 0; k < cs.size(); ++k)
    (cs[k] == '0' ? contacting : separating).push_back(rows.normals[k]);
  if (printed.separation_ignored) separating.clear();
  const std::size_t first = separating.size();
  WholeRows planes = separating;
  for (const WholeRow& t : kept_tangents(rows, cs)) planes.push_back(t);
  const WholeRows basis = null_space(contacting, rows.dof);
  planes = on_subspace(planes, basis);
  std::set<std::string> modes;
  for (const std::string& signs : arrangement_signs(planes, basis.size(), printed.vanishing_planes))
    if (signs.substr(0, first) == std::string(first, '+')) modes.insert(signs.substr(first));
  return modes;
}

/// Both algorithms: every mode as "cs|ss".
inline std::set<std::string> paper_modes(const ModeRows& rows, const AsPrinted& printed = {}) {
  std::set<std::string> modes;
  for (const std::string& cs : paper_cs_modes(rows, printed))
    for (const std::string& ss : paper_ss_modes(rows, cs, printed))
      modes.insert(std::string(cs).append("|").append(ss));
  return modes;
}

}  // namespace tact::testing
