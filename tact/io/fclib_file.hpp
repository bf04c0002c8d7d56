// io/fclib_file.hpp - Coulomb contact problems of the FCLIB collection, in HDF5.
//
//     /fclib_local   spacedim, matrix W,       vectors q, mu        the Delassus form
//     /fclib_global  spacedim, matrices M, H,  vectors f, w, mu     the mass form
//     either with info/title; beside it /solution with r, and v where global
// A matrix is a group of m, n, nzmax, nz, p, i, x: nz >= 0 entries (rows i, columns p), -1
// compressed columns, -2 compressed rows. The normal comes first (io/fc3d.hpp).
#pragma once

#include <string>
#include <string_view>

#include "tact/base/result.hpp"
#include "tact/contact/problem.hpp"

namespace tact {

[[nodiscard]] bool is_hdf5(std::string_view bytes);

/// `bytes` is the whole file. One sentence, beginning with the source, names the dataset at fault.
/// Problems with equality constraints (G, or V and R) are refused.
[[nodiscard]] Result<ContactProblem> read_fclib(std::string_view bytes, const std::string& source);

/// The bytes of a file that reads back to the same bits; the same for the same problem. Refuses
/// what the format cannot say: io/fc3d.hpp.
[[nodiscard]] Result<std::string> write_fclib(const ContactProblem& problem);

}  // namespace tact
