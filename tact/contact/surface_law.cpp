// contact/surface_law.cpp - shapes, coefficients and gaps handed on.
#include "tact/contact/surface_law.hpp"

#include <utility>

#include "tact/base/expects.hpp"

namespace tact {

PatchShape patch_shape(const SurfaceContact& c, const ContactBuffer& buffer) {
  TACT_EXPECTS(c.point_count > 0 &&
               c.first_point + c.point_count <= static_cast<Index>(buffer.points.size()));
  const Vec2* points = buffer.points.data() + c.first_point;
  switch (c.kind) {
    case PatchKind::point:
      return {PointShape{points[0]}};
    case PatchKind::segment:
      return {SegmentShape{points[0], points[1]}};
    case PatchKind::polygon:
      return {PolygonShape{{points, points + c.point_count}}};
    case PatchKind::disc:
      return {DiscShape{points[0], c.radius}};
    case PatchKind::ellipse:
      return {EllipseShape{points[0], c.semi_axes, 0}};
    case PatchKind::stadium:
      return {StadiumShape{points[0], points[1], c.radius}};
  }
  return {PointShape{points[0]}};
}

Law surface_law(const SurfaceContact& contact, const ContactBuffer& buffer,
                const PairParameters& pair, const PatchFriction& model) {
  const double mu = pair.friction[0];
  const bool slides = pair.condim > 1 && mu > 0;
  if (contact.kind != PatchKind::point) {
    PatchShape shape = patch_shape(contact, buffer);
    if (!slides) return FrictionlessPatch{std::move(shape)};
    return FrictionalPatch{std::move(shape), mu, model};
  }
  if (!slides) return Frictionless{};
  if (pair.condim >= 6) return RollingLaw{mu, pair.friction[2], pair.friction[1]};
  if (pair.condim >= 4) return RollingLaw{mu, 0, pair.friction[1]};
  return CoulombLaw{mu};
}

namespace {

bool assign(const SurfaceContact& c, const ContactBuffer& buffer, PatchCone& cone) {
  const Vec2* points = buffer.points.data() + c.first_point;
  switch (c.kind) {
    case PatchKind::segment:
      return cone.assign_polygon({points, 2});
    case PatchKind::polygon:
      return cone.assign_polygon({points, static_cast<std::size_t>(c.point_count)});
    case PatchKind::disc:
      return cone.assign_ellipse(disc_form(points[0], c.radius));
    default:
      return false;
  }
}

}  // namespace

LocalLaw surface_local_law(const SurfaceContact& contact, const ContactBuffer& buffer,
                           const PairParameters& pair, const PatchFriction& model,
                           PatchPool& pool) {
  if (contact.kind == PatchKind::point) return local_law(surface_law(contact, buffer, pair, model));
  const std::shared_ptr<LocalPatch>& patch = pool.next();
  if (!assign(contact, buffer, patch->cone))
    return local_law(surface_law(contact, buffer, pair, model));
  const bool slides = pair.condim > 1 && pair.friction[0] > 0;
  LocalLaw out;
  out.kind = slides ? LawKind::patch_friction : LawKind::patch;
  out.rows = slides ? 6 : 3;
  if (slides) {
    out.mu = pair.friction[0];
    patch->model = model;
  } else {
    patch->model = EffectivePatch{};
  }
  out.patch = patch;
  return out;
}

Contact surface_contact(const SurfaceContact& contact, const ContactBuffer& buffer,
                        const PairParameters& pair, const PatchFriction& model) {
  Contact out;
  out.law = surface_law(contact, buffer, pair, model);
  out.gap = contact.gap[0];
  if (contact.kind != PatchKind::point) out.gap_slope = contact.gap.tail<2>();
  return out;
}

}  // namespace tact
