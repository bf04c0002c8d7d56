// io/audit_report.hpp - an audit for people, for machines, and as a picture.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "tact/impact/audit.hpp"

namespace tact {

/// The accounts over time, thinned as the run grows: never more than a few thousand points.
struct AuditTrace {
  struct Point {
    double time = 0;
    double force = 0, contact = 0, stabilisation = 0, wall = 0;  ///< sums so far [J]
    double kinetic = 0;                                          ///< T after the step
    unsigned flags = 0;  ///< bit k: a step since the last point violates all_violations[k]
  };
  std::vector<Point> points;
  Index stride = 1;    ///< steps that a point stands for
  Index waiting = 0;   ///< steps since the last point
  unsigned flags = 0;  ///< of those
};

/// After add_step of the same step.
void add_point(AuditTrace& trace, const Audit& audit, const AuditedStep& step);

struct AuditReport {
  std::string name, source;
  double tolerance = tolerance::audit;
  Audit audit;
  /// How many steps have which verdict, where consistency was asked for.
  std::map<std::string, Index> consistency;
};

[[nodiscard]] std::string audit_json(const AuditReport& report);
/// A few lines of energy, a table of violations, and the verdict as a sentence.
[[nodiscard]] std::string audit_table(const AuditReport& report);
/// Accounts over time above, flags of every kind of violation below; SVG.
[[nodiscard]] std::string audit_picture(const AuditReport& report, const AuditTrace& trace);

}  // namespace tact
