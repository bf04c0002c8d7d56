// io/side_car_soft.cpp - materials or stiffnesses into pairs, names into bodies.
#include "tact/io/side_car_soft.hpp"

#include <utility>

#include "tact/soft/material.hpp"

namespace tact {
namespace {

constexpr std::string_view not_negative = "write a number that is not negative";

double positive_or(const JsonField& field, std::string_view name, double otherwise) {
  const JsonField f = field.optional(name);
  return f.exists() ? f.number_above(0, "write a positive number") : otherwise;
}

double at_least_zero_or(const JsonField& field, std::string_view name, double otherwise) {
  const JsonField f = field.optional(name);
  return f.exists() ? f.number_at_least(0, not_negative) : otherwise;
}

Material read_material(const JsonField& field) {
  if (field.is_string()) {
    if (field.text() != "hard")
      field.refuse(Errc::schema, "write {\"young_Pa\": ..., \"poisson\": ...} or \"hard\"");
    return hard_material;
  }
  field.allow_only({"young_Pa", "poisson", "damping_s_per_m"});
  Material out;
  out.young_Pa = field.required("young_Pa", "write Young's modulus in Pa")
                     .number_above(0, "Young's modulus is positive");
  if (const JsonField f = field.optional("poisson"); f.exists()) out.poisson = f.number();
  out.damping_s_per_m = at_least_zero_or(field, "damping_s_per_m", 0);
  return out;
}

/// Two elements, or a complaint.
std::vector<JsonField> two(const JsonField& field, std::string_view remedy) {
  std::vector<JsonField> out = field.elements(remedy);
  if (out.size() != 2) {
    field.refuse(Errc::schema, remedy);
    out.clear();
  }
  return out;
}

/// Hertz and Mindlin from the materials of both geoms.
void read_hertz(const JsonField& field, SoftPair& pair) {
  const auto both = two(field, "write the materials of the two geoms, in their order");
  if (both.empty()) return;
  // The first body of a soft pair is the second geom (sim/soft_scene.hpp).
  const auto moduli = pair_moduli(read_material(both[1]), read_material(both[0]));
  if (!moduli) {
    field.refuse(Errc::value, moduli.error().message);
    return;
  }
  pair.normal = HertzNormal{moduli->normal_Pa, moduli->damping_s_per_m};
  pair.tangent = MindlinTangent{moduli->shear_Pa, moduli->torsion_Pa};
  pair.centre_share = moduli->centre_share;
}

/// Kelvin and Voigt with constant stiffnesses of the pair.
void read_linear(const JsonField& field, double stiffness, SoftPair& pair) {
  LinearNormal normal;
  normal.stiffness_N_per_m = stiffness;
  normal.damping_Ns_per_m = at_least_zero_or(field, "damping_Ns_per_m", 0);
  pair.normal = normal;
  SoftPad pad;
  pad.stiffness_N_per_m =
      positive_or(field, "tangential_stiffness_N_per_m", stiffness) * Mat2::Identity();
  pad.torsion_Nm_per_rad = positive_or(field, "torsion_Nm_per_rad", pad.torsion_Nm_per_rad);
  pair.tangent = PadTangent{pad, std::nullopt};
}

/// What both models share.
void read_common(const JsonField& field, SoftPair& pair) {
  if (const JsonField f = field.optional("damping_s_per_m"); f.exists())
    std::visit([&](auto& law) { law.damping_s_per_m = f.number_at_least(0, not_negative); },
               pair.normal);
  pair.friction.coefficient = at_least_zero_or(field, "friction", pair.friction.coefficient);
  if (const JsonField f = field.optional("torsion_arm_m"); f.exists())
    pair.friction.torsion_arm_m = f.number_above(0, "write a positive length in metres");
  pair.friction.static_ratio = at_least_zero_or(field, "static_ratio", 1);
  pair.damping.tangential_s = at_least_zero_or(field, "tangential_damping_s", 0);
  pair.damping.tangential_sqrt_kg = at_least_zero_or(field, "tangential_damping_sqrt_kg", 0);
  pair.damping.torsion_s = at_least_zero_or(field, "torsion_damping_s", 0);
  if (const JsonField f = field.optional("centre_share"); f.exists())
    pair.centre_share = f.number_at_least(0, "write a share between 0 and 1");
  if (const JsonField f = field.optional("curvature"); f.exists())
    pair.curvature = f.word({"updated", "frozen"}, "what becomes of the curvature") == "frozen"
                         ? CurvatureUse::frozen
                         : CurvatureUse::updated;
  if (const JsonField f = field.optional("cells"); f.exists())
    pair.cells =
        static_cast<int>(f.integer(1, max_slip_cells, "write how many friction cells, 1 to 64"));
}

double length(const JsonField& field, std::string_view name) {
  return field.required(name, "write a length in metres")
      .number_above(0, "write a positive length in metres");
}

Surface read_torus(const JsonField& field) {
  field.allow_only({"ring_m", "tube_m"});
  return {TorusSurface{length(field, "ring_m"), length(field, "tube_m")}};
}

Surface read_superellipsoid(const JsonField& field) {
  field.allow_only({"semi_axes_m", "e1", "e2"});
  SuperellipsoidSurface form;
  constexpr std::string_view remedy = "write [a, b, c] in metres";
  form.semi_axes = field.required("semi_axes_m", remedy).numbers(3, remedy);
  form.e1 = positive_or(field, "e1", 1);
  form.e2 = positive_or(field, "e2", 1);
  return {form};
}

/// null: that of the geom's shape. A form, the inside of one, or the inside of the shape.
std::optional<Surface> read_surface(const JsonField& field, const Model& model, Index geom) {
  if (field.is_null()) return std::nullopt;
  field.allow_only({"torus", "superellipsoid", "inside_out"});
  const JsonField torus = field.optional("torus"), super = field.optional("superellipsoid");
  std::optional<Surface> out;
  if (torus.exists() && super.exists())
    field.refuse(Errc::schema, "write torus or superellipsoid, one of them");
  else if (torus.exists())
    out = read_torus(torus);
  else if (super.exists())
    out = read_superellipsoid(super);
  else if (geom >= 0)
    out = smooth_surface(model.geoms[geom].shape);
  if (const JsonField f = field.optional("inside_out"); f.exists() && out)
    out->inside_out = f.boolean();
  return out;
}

GeomSurfaces read_surfaces(const JsonField& field, const Model& model, Index geom1, Index geom2) {
  const auto both = two(field, "write the surfaces of the two geoms, null for that of its shape");
  if (both.empty()) return {};
  return {read_surface(both[0], model, geom1), read_surface(both[1], model, geom2)};
}

Index read_geom(const JsonField& field, const Model& model) {
  const Index geom = find_geom(model, field.text());
  if (geom < 0) field.refuse(Errc::schema, "the scene has no geom of that name");
  return geom;
}

void read_pair(const JsonField& field, const Model& model, SoftScene& out) {
  field.allow_only({"geoms", "materials", "stiffness_N_per_m", "damping_Ns_per_m",
                    "tangential_stiffness_N_per_m", "torsion_Nm_per_rad", "damping_s_per_m",
                    "friction", "torsion_arm_m", "static_ratio", "tangential_damping_s",
                    "tangential_damping_sqrt_kg", "torsion_damping_s", "centre_share", "curvature",
                    "cells", "when_lost", "surfaces"});
  const auto names =
      two(field.required("geoms", "write the names of two geoms"), "write the names of two geoms");
  if (names.empty()) return;
  const Index geom1 = read_geom(names[0], model), geom2 = read_geom(names[1], model);
  SoftPair pair;
  const JsonField materials = field.optional("materials");
  const JsonField stiffness = field.optional("stiffness_N_per_m");
  if (materials.exists() == stiffness.exists())
    field.refuse(Errc::schema,
                 "write materials (Hertz) or stiffness_N_per_m (linear), one of them");
  if (materials.exists()) read_hertz(materials, pair);
  if (stiffness.exists())
    read_linear(field, stiffness.number_above(0, "a stiffness is positive"), pair);
  read_common(field, pair);
  if (geom1 < 0 || geom2 < 0) return;
  GeomSurfaces surfaces;
  if (const JsonField f = field.optional("surfaces"); f.exists())
    surfaces = read_surfaces(f, model, geom1, geom2);
  auto made = soft_geoms(model, geom1, geom2, pair, surfaces);
  if (!made) {
    field.refuse(Errc::value, made.error().message);
    return;
  }
  SoftGeoms geoms = *std::move(made);
  if (const JsonField f = field.optional("when_lost"); f.exists())
    geoms.rigid_when_lost =
        f.word({"stop", "rigid"}, "what happens where the smooth model ends") == "rigid";
  out.pairs.push_back(std::move(geoms));
}

/// "name", or {"body": "name", "pos": [x, y, z]} in the frame of the body.
Index read_end(const JsonField& field, const Model& model, Pose& X_BA) {
  JsonField name = field;
  if (field.is_object()) {
    field.allow_only({"body", "pos"});
    name = field.required("body", "write the name of a body");
    if (const JsonField f = field.optional("pos"); f.exists())
      X_BA.p = f.numbers(3, "a position is [x, y, z] in metres");
  }
  const Index body = name.exists() ? find_body(model, name.text()) : -1;
  if (body < 0) name.refuse(Errc::schema, "the scene has no body of that name");
  return body;
}

void read_spring(const JsonField& field, const Model& model, SoftScene& out) {
  field.allow_only({"name", "between", "stiffness_N_per_m", "damping_Ns_per_m",
                    "turning_Nm_per_rad", "turning_damping_Nms_per_rad"});
  const auto ends = two(field.required("between", "write two bodies"),
                        "write two bodies: \"name\" or {\"body\": \"name\", \"pos\": [x, y, z]}");
  if (ends.empty()) return;
  SceneSpring s;
  if (const JsonField f = field.optional("name"); f.exists()) s.name = f.text();
  s.body1 = read_end(ends[0], model, s.X_B1A);
  s.body2 = read_end(ends[1], model, s.X_B2B);
  s.spring.stiffness_N_per_m = at_least_zero_or(field, "stiffness_N_per_m", 0);
  s.spring.damping_Ns_per_m = at_least_zero_or(field, "damping_Ns_per_m", 0);
  s.spring.turning_Nm_per_rad = at_least_zero_or(field, "turning_Nm_per_rad", 0);
  s.spring.turning_damping_Nms_per_rad = at_least_zero_or(field, "turning_damping_Nms_per_rad", 0);
  if (s.body1 >= 0 && s.body1 == s.body2)
    field.refuse(Errc::value, "a spring is between two different bodies");
  if (s.body1 >= 0 && s.body2 >= 0) out.springs.push_back(std::move(s));
}

}  // namespace

SoftScene read_soft_scene(const JsonField& root, const Model& model) {
  SoftScene out;
  if (const JsonField f = root.optional("compliance"); f.exists())
    for (const JsonField& pair : f.elements("write [{\"geoms\": [\"a\", \"b\"], ...}, ...]"))
      read_pair(pair, model, out);
  if (const JsonField f = root.optional("springs"); f.exists())
    for (const JsonField& spring : f.elements("write [{\"between\": [\"a\", \"b\"], ...}, ...]"))
      read_spring(spring, model, out);
  return out;
}

}  // namespace tact
