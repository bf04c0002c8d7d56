// tests/support/cdd_faces.hpp - cddlib as a peer: the faces of a cone from its exact double
// description.
#pragma once

#ifdef TACT_HAVE_CDD

#include <set>
#include <string>
#include <vector>

#define GMPRATIONAL
// The order matters: cdd.h uses what setoper.h declares.
// clang-format off
#include <cdd/setoper.h>
#include <cdd/cdd.h>
// clang-format on

#include "tests/support/sanitizers.hpp"

#if TACT_ADDRESS_SANITIZER
#include <sanitizer/lsan_interface.h>
#endif

#include "tact/modes/mode_system.hpp"

namespace tact::testing {

/// cddlib loses memory of its own; what we lose is looked for everywhere else.
struct PeerLeaks {
#if TACT_ADDRESS_SANITIZER
  __lsan::ScopedDisabler disabled;
#endif
};

/// The contacting/separating modes of a system whose normals have whole entries: extreme rays by
/// cddlib in rationals, faces as all intersections of the sets of contacts rays lie on.
inline std::set<std::string> cdd_faces(const ModeSystem& system) {
  [[maybe_unused]] const PeerLeaks theirs;
  static const bool ready = [] {
    dd_set_global_constants();
    return true;
  }();
  (void)ready;
  const auto contacts = static_cast<int>(system.contacts.size());
  const auto dof = static_cast<int>(system.dof());
  dd_MatrixPtr rows = dd_CreateMatrix(contacts, dof + 1);
  rows->representation = dd_Inequality;
  rows->numbtype = dd_Rational;
  for (int i = 0; i < contacts; ++i)
    for (int j = 0; j < dof; ++j)
      mpq_set_d(rows->matrix[i][j + 1], system.rows(system.contacts[i].normal, j));
  dd_ErrorType error = dd_NoError;
  dd_PolyhedraPtr cone = dd_DDMatrix2Poly(rows, &error);
  dd_SetFamilyPtr incidence = dd_CopyIncidence(cone);
  dd_MatrixPtr generators = dd_CopyGenerators(cone);

  // A cone has the origin as its one vertex; lines lie on every contact.
  std::vector<std::string> rays;
  for (int g = 0; g < static_cast<int>(generators->rowsize); ++g) {
    const bool vertex = mpq_sgn(generators->matrix[g][0]) != 0;
    if (vertex || set_member(g + 1, generators->linset)) continue;
    std::string cs(contacts, '+');
    for (int i = 0; i < contacts; ++i)
      if (set_member(i + 1, incidence->set[g])) cs[i] = '0';
    rays.push_back(cs);
  }
  dd_FreeMatrix(generators);
  dd_FreeSetFamily(incidence);
  dd_FreePolyhedra(cone);
  dd_FreeMatrix(rows);

  std::set<std::string> faces = {std::string(contacts, '0')};
  std::vector<std::string> fresh(faces.begin(), faces.end());
  while (!fresh.empty()) {  // the smallest face that holds a face and a ray
    std::vector<std::string> next;
    for (const std::string& face : fresh)
      for (const std::string& ray : rays) {
        std::string join = face;
        for (int i = 0; i < contacts; ++i)
          if (ray[i] == '+') join[i] = '+';
        if (faces.insert(join).second) next.push_back(join);
      }
    fresh = std::move(next);
  }
  return faces;
}

}  // namespace tact::testing

#endif
