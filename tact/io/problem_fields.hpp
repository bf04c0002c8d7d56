// io/problem_fields.hpp - the fields of a contact problem, wherever an object of them stands: in a
// problem file of its own, or as one step of a log.
#pragma once

#include "tact/io/json_reader.hpp"
#include "tact/io/problem_file.hpp"

namespace tact {

/// Everything but `format`; which fields there may be has been checked. Complaints stay with the
/// document; what is read after one is a harmless default.
void read_problem_fields(const JsonField& root, ProblemFile& file);

}  // namespace tact
