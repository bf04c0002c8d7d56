// io/run_page.cpp - plots of a run.
#include "tact/io/run_page.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "tact/base/version.hpp"
#include "tact/io/number_text.hpp"
#include "tact/io/plot_frame.hpp"
#include "tact/io/svg.hpp"

namespace tact {
namespace {

constexpr double width = 860, left = 70, right = 150, plot_height = 260, top = 56;
constexpr std::size_t most_pictures = 12;

struct Series {
  std::string label;
  std::string_view color;
  std::string_view dash;
  std::vector<double> values;  ///< one per moment
};

std::vector<double> times_of(const RunHistory& history) {
  std::vector<double> out;
  for (const HistoryMoment& m : history.moments) out.push_back(m.time);
  return out;
}

PlotFrame frame_of(const std::vector<double>& times, double low, double high) {
  const double room = high > low ? 0.05 * (high - low) : 1;
  const double start = times.empty() ? 0 : times.front(), end = times.empty() ? 1 : times.back();
  return {{left, top},
          {width - left - right, plot_height},
          {start, low - room},
          {end > start ? end : start + 1, high + room}};
}

void draw_series(SvgCanvas& canvas, const PlotFrame& frame, const std::vector<double>& times,
                 const std::vector<Series>& all) {
  double y = top + 12;
  for (const Series& s : all) {
    std::vector<Vec2> line;
    for (std::size_t i = 0; i < times.size(); ++i) line.push_back(frame({times[i], s.values[i]}));
    canvas.polyline(line, {.stroke = s.color, .width = 1.6, .dash = s.dash});
    const double x = width - right + 12;
    canvas.line({x, y - 4}, {x + 16, y - 4}, {.stroke = s.color, .width = 2.5, .dash = s.dash});
    canvas.text({x + 22, y}, s.label, {.size = 12});
    y += 18;
  }
}

std::string plot(const std::string& title, const std::string& unit,
                 const std::vector<double>& times, const std::vector<Series>& all) {
  double low = 0, high = 0;
  bool first = true;
  for (const Series& s : all)
    for (const double v : s.values) {
      low = first ? v : std::min(low, v);
      high = first ? v : std::max(high, v);
      first = false;
    }
  SvgCanvas canvas(width, top + plot_height + 50);
  canvas.text({left, 26}, title, {.size = 16, .bold = true});
  const PlotFrame frame = frame_of(times, low, high);
  draw_axes(canvas, frame, "time [s]", "");
  canvas.text({left - 8, top - 8}, unit, {.color = "soft", .size = 12, .anchor = "end"});
  draw_series(canvas, frame, times, all);
  return canvas.finish(title, title + " over time.");
}

std::string_view account_color(Account account) {
  switch (account) {
    case Account::friction:
    case Account::dry_friction:
      return "slide";
    case Account::impact:
      return "bad";
    case Account::wall:
    case Account::actuators:
      return "force";
    case Account::stabilisation:
    case Account::integration:
      return "tip";
    case Account::normal:
      return "stick";
    default:
      return "line";
  }
}

std::string_view regime_color(Regime regime) {
  switch (regime) {
    case Regime::stick:
      return "stick";
    case Regime::slide:
      return "slide";
    case Regime::idle:
      return "idle";
    case Regime::separate:
    case Regime::separate_grazing:
      return "separate";
    default:
      return "tip";
  }
}

/// log10, not below the smallest that is worth a line.
double decades(double x) {
  constexpr double least = -18;
  return x > 0 ? std::max(least, std::log10(x)) : least;
}

bool same_contact(const ContactSample& a, const ContactSample& b) {
  return a.geom1 == b.geom1 && a.geom2 == b.geom2 && a.which == b.which;
}

/// Of that contact at that moment; null where it is not there.
const ContactSample* find_contact(const HistoryMoment& moment, const ContactSample& who) {
  for (const ContactSample& c : moment.contacts)
    if (same_contact(c, who)) return &c;
  return nullptr;
}

std::vector<Vec2> outline_of(const ContactSample& c) {
  constexpr int points = 96;
  if (c.kind != PatchKind::disc && c.kind != PatchKind::ellipse) return c.points;
  const Vec2 axes = c.kind == PatchKind::disc ? Vec2(c.radius, c.radius) : c.semi_axes;
  std::vector<Vec2> out;
  for (int i = 0; i < points; ++i) {
    const double a = 2 * std::numbers::pi * i / points;
    out.emplace_back(c.points[0] + axes.cwiseProduct(Vec2(std::cos(a), std::sin(a))));
  }
  return out;
}

/// The middle of where it presses or would touch first.
Vec2 pressed_at(const ContactSample& c) {
  if (c.label.cop) return *c.label.cop;
  Vec2 sum = Vec2::Zero();
  for (const Vec2& x : c.extended.points) sum += x;
  return c.extended.points.empty() ? sum
                                   : Vec2(sum / static_cast<double>(c.extended.points.size()));
}

/// The patch from above with the path of its centre of pressure.
void draw_patch(SvgCanvas& canvas, const RunHistory& history, const ContactSample& who) {
  const ContactSample* shown = nullptr;
  constexpr double far = std::numeric_limits<double>::max();
  Vec2 low = Vec2::Constant(far), high = Vec2::Constant(-far);
  for (const HistoryMoment& m : history.moments)
    if (const ContactSample* c = find_contact(m, who)) {
      shown = c;
      for (const Vec2& x : outline_of(*c)) {
        low = low.cwiseMin(x);
        high = high.cwiseMax(x);
      }
    }
  if (shown == nullptr) return;
  const Vec2 room = Vec2::Constant(0.08 * std::max((high - low).maxCoeff(), 1e-3));
  const PlotFrame frame = equal_frame({20, top}, {360, plot_height}, low - room, high + room);
  const std::vector<Vec2> outline = frame(outline_of(*shown));
  canvas.polyline(outline, {.stroke = "patch", .fill = "patch", .width = 1.5, .opacity = 0.25},
                  true);
  Vec2 last = Vec2::Zero();
  bool joined = false;
  for (const HistoryMoment& m : history.moments) {
    const ContactSample* c = find_contact(m, who);
    if (c == nullptr) {
      joined = false;
      continue;
    }
    const Vec2 at = frame(pressed_at(*c));
    if (joined) canvas.line(last, at, {.stroke = regime_color(c->label.regime), .width = 2});
    canvas.circle(at, 1.6, {.fill = regime_color(c->label.regime)});
    last = at;
    joined = true;
  }
  draw_scale_bar(canvas, frame, "m");
}

void draw_force(SvgCanvas& canvas, const RunHistory& history, const ContactSample& who) {
  std::vector<double> times = times_of(history), force;
  double most = 0;
  for (const HistoryMoment& m : history.moments) {
    const ContactSample* c = find_contact(m, who);
    force.push_back(c != nullptr ? c->wrench_C.f[2] : 0);
    most = std::max(most, force.back());
  }
  PlotFrame frame = frame_of(times, 0, most > 0 ? most : 1);
  frame.corner = {460, top};
  frame.size = {width - 480, plot_height};
  draw_axes(canvas, frame, "time [s]", "");
  canvas.text({452, top - 8}, "N", {.color = "soft", .size = 12, .anchor = "end"});
  std::vector<Vec2> line;
  for (std::size_t i = 0; i < times.size(); ++i) line.push_back(frame({times[i], force[i]}));
  canvas.polyline(line, {.stroke = "force", .width = 1.6});
}

constexpr const char* style = R"(
:root{color-scheme:light dark}
body{margin:0 auto;max-width:1000px;padding:24px;background:#fff;color:#1c2128;
font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
h1{margin:0}h2{margin:40px 0 4px}.sub{color:#57606a;margin:0 0 12px}
svg{width:100%;height:auto;border:1px solid #dde2e7;border-radius:8px;margin:8px 0}
pre{overflow-x:auto;background:#f4f6f8;padding:12px;border-radius:8px;font-size:13px}
@media (prefers-color-scheme:dark){body{background:#14181d;color:#e9edf1}.sub{color:#a3adb8}
svg{border-color:#2c343c}pre{background:#1d232a}}
)";

constexpr const char* page_head =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n<title>";

/// Every contact that was seen, those that carried most first.
std::vector<ContactSample> seen_contacts(const RunHistory& history) {
  std::vector<std::pair<double, ContactSample>> seen;
  for (const HistoryMoment& m : history.moments)
    for (const ContactSample& c : m.contacts) {
      auto at = std::find_if(seen.begin(), seen.end(),
                             [&](const auto& s) { return same_contact(s.second, c); });
      if (at == seen.end()) at = seen.insert(seen.end(), {0.0, c});
      at->first += c.wrench_C.f[2];
    }
  std::stable_sort(seen.begin(), seen.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<ContactSample> out;
  out.reserve(seen.size());
  for (const auto& s : seen) out.push_back(s.second);
  return out;
}

}  // namespace

std::string ledger_picture(const RunHistory& history) {
  std::vector<Series> all;
  Series kinetic{"kinetic", "ink", "", {}}, potential{"potential", "ink", "5 3", {}};
  for (const HistoryMoment& m : history.moments) {
    kinetic.values.push_back(m.kinetic);
    potential.values.push_back(m.potential);
  }
  all.push_back(std::move(kinetic));
  all.push_back(std::move(potential));
  for (std::size_t i = 0; i < account_count; ++i) {
    const auto account = static_cast<Account>(i);
    Series s{std::string(name(account)),
             account_color(account),
             account == Account::dry_friction || account == Account::actuators ? "5 3" : "",
             {}};
    bool any = false;
    for (const HistoryMoment& m : history.moments) {
      s.values.push_back(m.works[i]);
      any = any || m.works[i] != 0;
    }
    if (any) all.push_back(std::move(s));
  }
  return plot("Energy: changes since the start, and the accounts they are booked in", "J",
              times_of(history), all);
}

std::string figures_picture(const RunHistory& history) {
  Series penetration{"penetration [m]", "slide", "", {}}, residual{"residual", "stick", "", {}};
  for (const HistoryMoment& m : history.moments) {
    penetration.values.push_back(decades(m.penetration));
    residual.values.push_back(decades(m.residual));
  }
  return plot("How well: penetration and the judge's residual, powers of ten", "10^",
              times_of(history), {penetration, residual});
}

std::string contact_picture(const Model& model, const RunHistory& history,
                            const ContactSample& who) {
  SvgCanvas canvas(width, top + plot_height + 50);
  const std::string title =
      concat({geom_name(model, who.geom1), " on ", geom_name(model, who.geom2)});
  canvas.text({20, 26}, title, {.size = 16, .bold = true});
  canvas.text({20, 44}, "centre of pressure on the patch; normal force",
              {.color = "soft", .size = 12});
  draw_patch(canvas, history, who);
  draw_force(canvas, history, who);
  return canvas.finish(title, "The patch from above with the path of its centre of pressure.");
}

std::string run_page(const Model& model, const RunReport& report, const RunHistory& history,
                     const std::vector<PageLink>& links) {
  std::string pictures;
  std::string head = concat({"</h1>\n<p class=\"sub\">tact ", version(), "</p>\n"});
  for (const PageLink& link : links)
    head += concat(
        {"<p><a href=\"", xml_escaped(link.address), "\">", xml_escaped(link.words), "</a></p>\n"});
  const std::vector<ContactSample> contacts = seen_contacts(history);
  for (std::size_t i = 0; i < std::min(contacts.size(), most_pictures); ++i)
    pictures += contact_picture(model, history, contacts[i]);
  const std::string more =
      contacts.size() > most_pictures
          ? concat({"<p class=\"sub\">", std::to_string(contacts.size() - most_pictures),
                    " more contacts carried less.</p>\n"})
          : "";
  return concat({page_head, xml_escaped(report.scene), "</title>\n<style>", style,
                 "</style>\n</head>\n<body>\n<h1>", xml_escaped(report.scene), head, "<pre>",
                 xml_escaped_lines(run_text(report)), "</pre>\n<h2>Energy</h2>\n",
                 ledger_picture(history), "<h2>Figures</h2>\n", figures_picture(history),
                 "<h2>Contacts</h2>\n", pictures, more, "</body>\n</html>\n"});
}

}  // namespace tact
