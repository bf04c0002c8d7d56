#include "tact/io/patch_file.hpp"

#include <cmath>
#include <utility>

#include <nlohmann/json.hpp>

#include "tact/io/json_reader.hpp"
#include "tact/io/json_text.hpp"
#include "tact/io/patch_friction_json.hpp"
#include "tact/io/patch_shape_json.hpp"
#include "tact/linalg/metric.hpp"

namespace tact {

namespace {

using Json = nlohmann::ordered_json;

Vec6 read_six(const JsonField& field, std::string_view what) {
  Vec6 rows = field.numbers(6, what);
  check_size(field, rows.cwiseAbs().maxCoeff());
  return rows;
}

std::optional<double> read_scale(const JsonField& field) {
  if (!field.exists()) return std::nullopt;
  const double value = field.number_above(0, "a scale must be positive");
  check_size(field, value);
  return value;
}

std::optional<Mat3> read_metric(const JsonField& field) {
  if (!field.exists()) return std::nullopt;
  const Mat3 m =
      field.matrix(3, 3, "a metric is 3 rows of 3 numbers, in the order [m_x, m_y, f_N]");
  check_size(field, m.cwiseAbs().maxCoeff());
  const auto metric = Metric<3>::from_matrix(m);
  if (!metric)
    field.refuse(Errc::value,
                 metric.error().message + "; write a symmetric positive definite matrix");
  return m;
}

void read_fields(const JsonField& root, PatchFile& file) {
  root.allow_only({"format", "name", "patch", "wrench", "twist", "friction", "force_scale",
                   "velocity_scale", "tolerance", "metric"});
  const JsonField format =
      root.required("format", "a patch file begins with {\"format\": \"tact-patch/1\", ...}");
  if (format.text() != patch_format) format.refuse(Errc::schema, "write \"tact-patch/1\"");
  file.name = root.optional("name").text();
  file.patch =
      read_shape(root.required("patch", "write a shape such as {\"disc\": {\"radius\": 0.1}}"));
  if (const JsonField f = root.optional("wrench"); f.exists())
    file.wrench = Wrench::from(read_six(f, "a wrench is 6 numbers [m_x, m_y, m_N, f_x, f_y, f_N]"));
  if (const JsonField f = root.optional("twist"); f.exists())
    file.twist = Twist::from(read_six(f, "a twist is 6 numbers [w_x, w_y, w_N, v_x, v_y, v_N]"));
  if (const JsonField f = root.optional("friction"); f.exists())
    file.friction = read_patch_friction(f);
  file.force_scale = read_scale(root.optional("force_scale"));
  file.velocity_scale = read_scale(root.optional("velocity_scale"));
  if (const JsonField f = root.optional("tolerance"); f.exists()) {
    const double value = f.number_above(0, "a tolerance lies between 0 and 1");
    if (value >= 1) f.refuse(Errc::value, "a tolerance lies between 0 and 1");
    file.tolerance = value;
  }
  file.metric = read_metric(root.optional("metric"));
}

Json rows_json(const Vec6& rows) {
  return Json(std::vector<double>(rows.begin(), rows.end()));
}

}  // namespace

Result<PatchFile> read_patch_file(std::string_view text, const std::string& source) {
  const JsonDocument document(text, source);
  PatchFile file;
  read_fields(document.root(), file);
  if (document.error()) return *document.error();
  return file;
}

std::string write_patch_file(const PatchFile& file) {
  Json out = {{"format", std::string(patch_format)}};
  if (!file.name.empty()) out["name"] = file.name;
  out["patch"] = Json::parse(shape_json(file.patch));
  if (file.wrench) out["wrench"] = rows_json(file.wrench->vec());
  if (file.twist) out["twist"] = rows_json(file.twist->vec());
  if (file.friction) out["friction"] = Json::parse(patch_friction_json(*file.friction));
  if (file.force_scale) out["force_scale"] = *file.force_scale;
  if (file.velocity_scale) out["velocity_scale"] = *file.velocity_scale;
  if (file.tolerance) out["tolerance"] = *file.tolerance;
  if (file.metric)
    for (const auto row : file.metric->rowwise()) out["metric"].push_back({row[0], row[1], row[2]});
  return json_text(out.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace tact
