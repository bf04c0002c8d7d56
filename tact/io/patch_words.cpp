#include "tact/io/patch_words.hpp"

#include <cmath>

#include "tact/io/number_text.hpp"

namespace tact {

namespace {

bool is_tipping(Regime regime) {
  return regime == Regime::tip_vertex || regime == Regime::tip_edge ||
         regime == Regime::slide_tip_vertex || regime == Regime::slide_tip_edge;
}

std::string face_words(const SupportFace& face) {
  if (!face.is_edge()) return concat({"the point ", short_point(face.first)});
  return concat({"the edge ", short_point(face.first), "\u2013", short_point(face.last)});
}

std::string percent(double share) {
  return concat({short_number(100 * share, share < 1 ? 2 : 3), " %"});
}

std::string regime_words(const PatchReport& r) {
  if (!r.file.wrench && !r.file.twist) return "not asked: the file has no wrench and no twist";
  if (!r.file.wrench) return "not known: the file has no wrench";
  if (!r.file.twist) return "not known: the file has no twist";
  if (!r.regime) return "none: the planar Signorini condition is violated";
  std::string out(name(*r.regime));
  if (r.pivot) out += concat({" about ", face_words(*r.pivot), " m"});
  return out;
}

/// Whether the centre of pressure is on the rim as far as the tolerance can tell.
bool on_rim(const PatchReport& r) {
  const double size = r.scales.force * (r.hull.radius() > 0 ? r.hull.radius() : 1);
  return std::abs(r.margin) <= r.scales.tolerance * size;
}

std::string wrench_words(const PatchReport& r) {
  const Wrench& w = *r.file.wrench;
  if (!*r.in_cone) return concat({"not in K_P: ", r.violations.front().sentence});
  if (!r.cop) return "zero: nothing presses";
  std::string where = "in K_P";
  if (r.hull.has_interior())
    where +=
        on_rim(r)
            ? ", on its boundary"
            : concat({", ", short_number(r.hull.signed_distance(*r.cop)), " m inside the rim"});
  return concat({where, ": CoP ", short_point(*r.cop), " m, f_N ", short_number(w.f_n()), " N"});
}

std::string zero_line_words(const PatchReport& r) {
  if (!r.zero_line) return "no zero-line";
  if (r.pivot) {
    return r.pivot->is_edge() ? "zero-line along that edge" : "zero-line through that point";
  }
  return concat({"zero-line through ", short_point(r.zero_line->point), " m along ",
                 short_point(r.zero_line->direction)});
}

std::string twist_words(const PatchReport& r) {
  if (!*r.in_dual_cone) {
    for (const PatchViolation& v : r.violations)
      if (v.kind == "twist_outside_dual_cone") return concat({"not in K_P*: ", v.sentence});
  }
  const double zero = r.scales.tolerance * r.scales.velocity;
  std::string out = "in K_P*: ";
  if (r.largest_opening <= zero) {
    out += "the patch stays closed";
  } else if (r.zero_line) {
    out += concat({zero_line_words(r), ", the rest opens at up to ",
                   short_number(r.largest_opening), " m/s"});
  } else {
    out += concat({"opens everywhere at ", short_number(r.largest_opening), " m/s"});
  }
  if (r.largest_sliding > zero)
    out += concat({", slides at up to ", short_number(r.largest_sliding), " m/s"});
  return out;
}

std::string friction_words(const PatchReport& r) {
  const PatchFrictionReport& f = *r.friction;
  if (!r.file.friction->coulomb || r.file.friction->mu == 0)
    return f.within_limit ? "none" : "none, but the wrench has a tangential part";
  if (!(f.capacity > 0)) return "no capacity: nothing presses";
  std::string out =
      concat({"capacity ", short_number(f.capacity), " N; ",
              f.within_limit ? "used " : "asked for ", percent(f.used), "; turning capacity ",
              short_number(f.turning_capacity), " N\u00b7m about the CoP"});
  if (f.dissipation && *f.dissipation > 0)
    out += concat({"; dissipates ", short_number(*f.dissipated), " W of at most ",
                   short_number(*f.dissipation), " W"});
  return out;
}

std::string pair_headline(const PatchReport& r) {
  const Regime regime = *r.regime;
  if (regime == Regime::idle) return "no force and no motion";
  if (regime == Regime::separate)
    return concat({"every point opens, by at least ", short_number(r.dual_margin), " m/s"});
  if (regime == Regime::separate_grazing)
    return concat({"no force; one side stays, the other opens at up to ",
                   short_number(r.largest_opening), " m/s"});
  if (regime == Regime::slide)
    return concat({"stays closed and slides at up to ", short_number(r.largest_sliding), " m/s"});
  if (is_tipping(regime)) {
    std::string out = concat({"tips about ", face_words(*r.pivot), " m and opens at up to ",
                              short_number(r.largest_opening), " m/s"});
    if (r.largest_sliding > r.scales.tolerance * r.scales.velocity)
      out += concat({", sliding at ", short_number(r.largest_sliding), " m/s"});
    return out;
  }
  std::string out = concat({"the centre of pressure is ",
                            short_number(r.hull.signed_distance(*r.cop)), " m inside the rim"});
  if (r.friction && r.file.friction->mu > 0)
    out += concat({", friction used ", percent(r.friction->used)});
  return out;
}

}  // namespace

std::vector<ReportLine> report_lines(const PatchReport& r) {
  std::vector<ReportLine> out;
  out.push_back({"regime", regime_words(r)});
  if (r.file.wrench) out.push_back({"wrench", wrench_words(r)});
  if (r.file.twist) out.push_back({"twist", twist_words(r)});
  if (r.friction) out.push_back({"friction", friction_words(r)});
  for (const PatchViolation& v : r.violations)
    if (v.kind == "power" || v.kind == "friction_limit") out.push_back({"violated", v.sentence});
  return out;
}

std::string headline(const PatchReport& r) {
  if (!r.violations.empty()) return r.violations.front().sentence;
  if (r.regime) return pair_headline(r);
  if (r.cop)
    return concat({"the centre of pressure is ", short_number(r.hull.signed_distance(*r.cop)),
                   " m inside the rim"});
  if (r.file.twist)
    return concat({"opens by ", short_number(r.dual_margin), " to ",
                   short_number(r.largest_opening), " m/s"});
  return concat({describe(r.file.patch), ", radius ", short_number(r.hull.radius()), " m"});
}

std::string_view regime_color(const PatchReport& r) {
  if (!r.violations.empty()) return "bad";
  if (!r.regime || *r.regime == Regime::idle) return "idle";
  if (*r.regime == Regime::stick) return "stick";
  if (*r.regime == Regime::slide) return "slide";
  return is_tipping(*r.regime) ? "tip" : "separate";
}

}  // namespace tact
