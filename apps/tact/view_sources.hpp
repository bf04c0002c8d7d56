// What tact view shows: a recording, a scene that is simulated meanwhile, or the modes and the
// certificate of a contact problem.
#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "tact/io/recorder.hpp"
#include "tact/io/scene_file.hpp"

namespace tact::app {

struct ViewWords {
  std::string input, scene;
  std::string html, record, keyframe, law, host;
  std::optional<double> dt;
  double duration = 0;
  Index every = 0, planes = 0;
  int port = 0;
  bool modes = false, until_closed = false, json = false;
};

/// The file of --html; empty where the page goes to standard output or nowhere.
[[nodiscard]] std::string page_file(const ViewWords& words);

/// A folder of its own, removed at the end.
class TemporaryFolder {
 public:
  [[nodiscard]] static Result<TemporaryFolder> make();
  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&& other) noexcept;
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();
  [[nodiscard]] std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  TemporaryFolder() = default;
  std::string path_;
};

/// A scene on its way into a recording.
class ViewedRun {
 public:
  /// Writes header and start, and the modes there where they are asked for. Refuses to write over
  /// files of the scene.
  [[nodiscard]] static Result<ViewedRun> begin(const ViewWords& words, const std::string& path,
                                               const std::atomic<bool>& stop);
  /// To the end, or until `stop`. To be called once.
  void run(const std::atomic<bool>& stop);
  /// One line; after run().
  [[nodiscard]] const std::string& summary() const { return summary_; }
  [[nodiscard]] bool good() const { return good_; }

 private:
  ViewedRun() = default;
  std::string path_;
  double duration_ = 0;
  std::optional<Simulation> sim_;
  std::optional<Recorder> recorder_;
  std::string summary_;
  bool good_ = false;
};

/// The bytes of a recording without motion. `stop` ends the search for modes.
[[nodiscard]] Result<std::string> viewed_problem(const ViewWords& words,
                                                 const std::atomic<bool>& stop);
[[nodiscard]] Result<std::string> viewed_mode_scene(const ViewWords& words,
                                                    const std::atomic<bool>& stop);

}  // namespace tact::app
