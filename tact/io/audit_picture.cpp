// The picture of io/audit_report.hpp, and the thinning of what it shows.
#include <algorithm>
#include <string>

#include "tact/io/audit_report.hpp"
#include "tact/io/number_text.hpp"
#include "tact/io/plot_frame.hpp"
#include "tact/io/svg.hpp"

namespace tact {

namespace {

constexpr std::size_t most_points = 4096;

/// Two neighbours become one: the later sums, the flags of both.
void thin(AuditTrace& trace) {
  auto& p = trace.points;
  for (std::size_t k = 0; 2 * k + 1 < p.size(); ++k) {
    AuditTrace::Point merged = p[2 * k + 1];
    merged.flags |= p[2 * k].flags;
    p[k] = merged;
  }
  p.resize(p.size() / 2);
  trace.stride *= 2;
}

struct Curve {
  const char* label;
  const char* color;
  double AuditTrace::Point::*value;
};
constexpr std::array<Curve, 5> curves = {
    {{"forces", "stick", &AuditTrace::Point::force},
     {"contacts", "bad", &AuditTrace::Point::contact},
     {"walls", "slide", &AuditTrace::Point::wall},
     {"correction of gaps", "tip", &AuditTrace::Point::stabilisation},
     {"kinetic energy", "ink", &AuditTrace::Point::kinetic}}};

constexpr double width = 860, left = 70, right = 150, plot_height = 300, top = 56;
constexpr double lane = 16;

PlotFrame frame_of(const AuditTrace& trace) {
  double low = 0, high = 0;
  for (const AuditTrace::Point& p : trace.points)
    for (const Curve& c : curves) {
      low = std::min(low, p.*(c.value));
      high = std::max(high, p.*(c.value));
    }
  const double room = high > low ? 0.05 * (high - low) : 1;
  const double start = trace.points.front().time, end = trace.points.back().time;
  return {{left, top},
          {width - left - right, plot_height},
          {start, low - room},
          {end > start ? end : start + 1, high + room}};
}

void draw_curves(SvgCanvas& canvas, const PlotFrame& frame, const AuditTrace& trace) {
  double y = top + 12;
  for (const Curve& c : curves) {
    std::vector<Vec2> line;
    bool any = false;
    for (const AuditTrace::Point& p : trace.points) {
      line.push_back(frame({p.time, p.*(c.value)}));
      any = any || p.*(c.value) != 0;
    }
    if (!any) continue;
    canvas.polyline(line, {.stroke = c.color, .width = 1.6});
    const double x = width - right + 12;
    canvas.line({x, y - 4}, {x + 16, y - 4}, {.stroke = c.color, .width = 2.5});
    canvas.text({x + 22, y}, c.label, {.size = 12});
    y += 18;
  }
}

/// One lane per kind that occurs, with a tick where it does.
void draw_flags(SvgCanvas& canvas, const PlotFrame& frame, const AuditReport& report,
                const AuditTrace& trace, double y) {
  for (const Violation kind : all_violations) {
    const ViolationCount& count = report.audit.of(kind);
    if (count.steps == 0) continue;
    const unsigned bit = 1U << static_cast<unsigned>(kind);
    for (const AuditTrace::Point& p : trace.points)
      if ((p.flags & bit) != 0) {
        const double x = frame({p.time, frame.low[1]})[0];
        canvas.line({x, y}, {x, y + lane - 5}, {.stroke = "bad", .width = 1});
      }
    canvas.text({width - right + 12, y + 9}, concat({name(kind), " ", std::to_string(count.steps)}),
                {.size = 11});
    y += lane;
  }
}

}  // namespace

void add_point(AuditTrace& trace, const Audit& audit, const AuditedStep& step) {
  for (std::size_t k = 0; k < step.findings.size(); ++k)
    if (step.findings[k]) trace.flags |= 1U << k;
  if (++trace.waiting < trace.stride) return;
  const RunLedger& sum = audit.ledger;
  trace.points.push_back({step.time, sum.force, sum.contact, sum.stabilisation, sum.wall,
                          step.ledger.T_plus, trace.flags});
  trace.waiting = 0;
  trace.flags = 0;
  if (trace.points.size() == most_points) thin(trace);
}

std::string audit_picture(const AuditReport& report, const AuditTrace& given) {
  AuditTrace trace = given;
  if (trace.points.empty()) trace.points.push_back({});
  // Steps since the last point: their flags belong to the picture too.
  trace.points.back().flags |= trace.flags;
  const auto lanes = std::count_if(all_violations.begin(), all_violations.end(),
                                   [&](Violation v) { return report.audit.of(v).steps > 0; });
  const double below = top + plot_height + 46;
  const double height = below + lane * static_cast<double>(lanes) + 20;
  SvgCanvas canvas(width, height);
  const std::string title = report.name.empty() ? report.source : report.name;
  canvas.text({left, 24}, title, {.size = 16, .bold = true});
  canvas.text({left, 42},
              report.audit.clean() ? "every step obeys what it was judged by"
                                   : "ticks below: steps that violate",
              {.color = "soft", .size = 12});
  const PlotFrame frame = frame_of(trace);
  draw_axes(canvas, frame, "time [s]", "");
  canvas.text({left - 8, top - 6}, "J", {.color = "soft", .size = 12, .anchor = "end"});
  draw_curves(canvas, frame, trace);
  draw_flags(canvas, frame, report, trace, below);
  return canvas.finish(title, "Energy accounts over time, and the steps that violate something.");
}

}  // namespace tact
