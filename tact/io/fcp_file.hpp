// io/fcp_file.hpp - the plain text form of Coulomb contact problems, `.fcp` and `.fcp.gz`.
//
// Words and numbers between white space, indices from zero, the normal first (io/fc3d.hpp):
//     fcp 1
//     name <word>   form local|global   dim 2|3   nc <contacts>
//     matrix M <rows> <cols> <entries>      then entries times  i j value   (H too when global)
//     vector q <size>                       then the values     (f, b when global; mu always)
#pragma once

#include <string>
#include <string_view>

#include "tact/base/result.hpp"
#include "tact/contact/problem.hpp"

namespace tact {

[[nodiscard]] bool is_fcp(std::string_view text);

/// `bytes` may be compressed. Complaints name the source and the line. Files with rolling rows
/// (dim 5) are refused.
[[nodiscard]] Result<ContactProblem> read_fcp(std::string_view bytes, const std::string& source);

/// Reads back to the same bits: the Delassus form is written as local, the mass form as global.
/// Refuses what the format cannot say: io/fc3d.hpp.
[[nodiscard]] Result<std::string> write_fcp(const ContactProblem& problem);

}  // namespace tact
