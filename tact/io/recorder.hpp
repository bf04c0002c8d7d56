// io/recorder.hpp - writes a simulation into a recording while it runs.
//
// Blocks are appended whole, each with one write, to the file itself: whoever opens it sees all
// that was recorded. Where a block cannot be written (a full disk) what got through of it is taken
// back, the recorder stops, and the file stays readable. While it records it holds a lock on the
// file, which ends with its process however that ends: whoever watches knows whether more comes.
#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tact/io/recording_header.hpp"

namespace tact {

struct RecordOptions {
  Index every = 1;     ///< steps from frame to frame; the last step always has one, impacts too
  std::string name;    ///< of the scene; empty: the model's
  std::string source;  ///< the scene's file
  /// Impacts that get a certificate (impact_note.hpp), the first of the run.
  Index certificates = 1000;
};

class Recorder {
 public:
  /// A new file, or an old one anew; with the header and the state at the start. Refuses a path
  /// that cannot be written, and one that another recorder writes. Expects every >= 1.
  [[nodiscard]] static Result<Recorder> open(const std::string& path, const Simulation& sim,
                                             const RecordOptions& options = {});

  /// To be called after every step. The error is the first one and stays; after it nothing is
  /// written any more, and the run may go on without being recorded.
  const std::optional<Error>& record(const Simulation& sim, const StepReport& report, bool last);
  /// The modes of a moment, between two steps.
  const std::optional<Error>& record_modes(const RecordedModes& modes);
  /// Index and summary; the file is closed. Without it the recording can be read as well.
  const std::optional<Error>& finish(const RunSummary& summary);

  [[nodiscard]] const std::optional<Error>& error() const { return error_; }
  [[nodiscard]] std::uint64_t bytes() const { return size_; }
  [[nodiscard]] Index frames() const { return static_cast<Index>(index_.size()); }

 private:
  struct Close {
    void operator()(std::FILE* file) const { (void)std::fclose(file); }
  };
  Recorder() = default;
  void write(std::string_view bytes);
  void write_frame(const Simulation& sim, bool stepped);
  void write_certificates(const Simulation& sim, const StepReport& report);

  std::string path_;
  Index every_ = 1, certificates_ = 0;  ///< certificates that may still be written
  std::unique_ptr<std::FILE, Close> file_;
  std::uint64_t size_ = 0;  ///< of whole blocks
  std::optional<Error> error_;
  std::vector<std::pair<double, std::uint64_t>> index_;  ///< [frames] time and place
  Index impacts_ = 0, since_ = 0;                        ///< steps since the last frame
  RecordedFrame frame_;
  Kinematics kin_;
  std::vector<Vec3> shifts_;
};

/// Whether somebody records into the file now; by its path, or by a descriptor that can read it.
/// False where the file or the locks of its file system are not to be had.
[[nodiscard]] bool is_being_recorded(const std::string& path);
[[nodiscard]] bool is_being_recorded(int descriptor);

/// A watcher for simulate(): records every step and, where `stop` is set, ends the run when that is
/// no longer possible. The recorder must outlive it.
[[nodiscard]] Watcher recording_watcher(Recorder& recorder, bool stop);

}  // namespace tact
