#include "tact/io/scene_file.hpp"

#include <filesystem>
#include <system_error>
#include <utility>

#include "tact/io/file.hpp"
#include "tact/io/mjcf_actuators.hpp"
#include "tact/io/mjcf_bodies.hpp"
#include "tact/io/mjcf_constraints.hpp"
#include "tact/io/mjcf_extras.hpp"
#include "tact/io/mjcf_keyframes.hpp"
#include "tact/io/number_text.hpp"

namespace tact {

namespace {

using namespace mjcf;

/// Attached models come first, as in MuJoCo: they are complete before the file that attaches them.
std::vector<Instance> in_order(const Draft& draft) {
  std::vector<Instance> out(draft.instances.begin() + 1, draft.instances.end());
  out.push_back(draft.instances.front());
  return out;
}

void read_all(Reading& r, std::string_view text, const std::string& name) {
  Draft draft;
  const LoadedFile* main = load_file(r, draft, text, name);
  if (!main) return;
  if (const std::string* title = find_attribute(main->source->root, "model"))
    r.scene.model.name = *title;
  note_sections(r, *main->source);
  read_options(r, *main->source);
  read_custom(r, *main->source);
  if (!r.error) read_bodies(r, draft, name);
  if (r.error) return;
  if (r.scene.model.bodies.size() == 1) {
    r.refuse(main->source->root, Errc::schema,
             "the scene has no bodies; put some into <worldbody>");
    return;
  }
  const std::vector<Instance> instances = in_order(draft);
  for (const Instance& in : instances) read_tendons(r, draft, in);
  for (const Instance& in : instances) read_equalities(r, draft, in);
  for (const Instance& in : instances) read_contacts(r, draft, in);
  for (const Instance& in : instances) read_actuators(r, draft, in);
  for (const Instance& in : instances) read_sensors(r, draft, in);
  for (const Instance& in : draft.instances)  // here the main file goes first
    if (!r.error) read_keyframes(r, draft, in);
}

/// "a/NAME.xml" -> "a/NAME.tact.json".
std::string side_car_path(const std::string& path) {
  return concat({folder_of(path), stem_of(path), ".tact.json"});
}

}  // namespace

FileReader disk_files() {
  return {[](const std::string& path) {
            std::error_code ignored;
            const std::filesystem::file_status found = std::filesystem::status(path, ignored);
            return std::filesystem::exists(found) && !std::filesystem::is_directory(found);
          },
          [](const std::string& path) { return read_file(path); }};
}

FileReader no_files() {
  return {[](const std::string&) { return false; },
          [](const std::string& path) -> Result<std::string> {
            return Error{Errc::io, concat({path, ": there are no files beside this text"})};
          }};
}

FileReader noted(FileReader files, std::vector<std::string>& read) {
  return {files.exists, [inner = std::move(files.read), &read](const std::string& path) {
            read.push_back(path);
            return inner(path);
          }};
}

Result<Scene> read_mjcf_text(std::string_view text, const std::string& name,
                             const FileReader& files) {
  Reading r;
  r.files = &files;
  read_all(r, text, name);
  if (r.error) return *r.error;
  Result<Model> model = make_model(std::move(r.scene.model));
  if (!model) return Error{model.error().code, concat({name, ": ", model.error().message})};
  r.scene.model = *std::move(model);
  r.scene.not_modelled = r.notes.lines();

  const std::string beside = side_car_path(name);
  if (files.exists(beside)) {
    const Result<std::string> content = files.read(beside);
    if (!content) return content.error();
    Result<SideCar> car = read_side_car(*content, beside, r.scene.model);
    if (!car) return car.error();
    r.scene.side_car = *std::move(car);
  }
  return std::move(r.scene);
}

Result<Scene> read_mjcf(const std::string& path) {
  const Result<std::string> text = read_file(path);
  if (!text) return text.error();
  // A folder or a link to nothing would be passed over as if there were none.
  const std::string beside = side_car_path(path);
  const FileReader disk = disk_files();
  std::error_code ignored;
  if (!disk.exists(beside) &&
      std::filesystem::exists(std::filesystem::symlink_status(beside, ignored)))
    return Error{Errc::io, concat({beside, ": is no file, and a scene's side-car is one; give it ",
                                   "another name or put a file there"})};
  std::vector<std::string> read{path};
  Result<Scene> scene = read_mjcf_text(*text, path, noted(disk, read));
  if (!scene) return scene;
  Scene out = *std::move(scene);
  out.files = std::move(read);
  return out;
}

}  // namespace tact
