// io/recording.hpp - recordings of simulations (.tact): what is in them, and how they are read.
//
// A recording is a file of blocks (io/blocks.hpp) that only ever grows: a header with everything
// that stays the same, frames, impacts, and where the run came to its end an index and a summary.
// It can be read while it is written and after its writer was killed. docs/recording.md describes
// it byte by byte.
#pragma once

#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tact/base/result.hpp"
#include "tact/io/blocks.hpp"
#include "tact/io/recording_notes.hpp"
#include "tact/sim/observe.hpp"
#include "tact/sim/observe_soft.hpp"

namespace tact {

inline constexpr std::string_view recording_magic = "TACTREC1";
inline constexpr std::string_view recording_format = "tact-recording/1";

/// Types of blocks. A reader passes over others.
namespace recording_block {
inline constexpr std::string_view header = "HEAD", frame = "FRAM", soft = "SOFT", impacts = "IMPA",
                                  certificate = "CERT", modes = "MODE", solve = "SOLV",
                                  index = "INDX", summary = "DONE";
}  // namespace recording_block

/// What a reader needs to know of the header; all of it is in `json`.
struct RecordingHeader {
  std::string json;
  std::string name, version;  ///< of the scene, of tact
  double dt = 0;
  Vec3 gravity = Vec3::Zero();
  double tolerance = 0;  ///< of the solver
  double energy = 0;     ///< [J] |T| + |V| at the start: what rounding is measured by
  Index nq = 0, nv = 0, controls = 0, driven = 0;
  std::vector<std::string> bodies;
  /// [bodies, kg] of a body, and of the tree that it is part of; infinite where no joint moves it.
  std::vector<double> masses, tree_masses;
  struct GeomLine {
    std::string name;
    Index body = 0;
    double size = 0;  ///< [m] half the diagonal of its bounds; zero where they are infinite
  };
  std::vector<GeomLine> geoms;
  std::vector<std::string> accounts;  ///< of the ledger
};

/// What the steps since the last frame were like, this one included.
struct RecordedFigures {
  Index steps = 0;
  double residual = 0;                        ///< the judge's, the largest
  double penetration = 0;                     ///< [m], the deepest
  Index iterations = 0, position_solves = 0;  ///< sums
  Index not_converged = 0, unsolved_impacts = 0;
  Index contacts = 0, patches = 0;  ///< of the last step

  void add(const StepReport& report);
};

/// What the contacts of a frame were solved with.
struct RecordedSolve {
  Index step = 0;
  double length = 0;  ///< [s] of the step, or of its last part: loads are means over it
  double scale = 0;   ///< [J^½] what the residual is a share of (contact/residual.hpp)
};

struct RecordedFrame {
  Index step = 0;
  double time = 0;
  VecX qpos, qvel, ctrl;      ///< in the coordinates of the user's model
  std::vector<Pose> bodies;   ///< X_WB, single precision
  std::vector<Pose> driven;   ///< of the driven bodies
  std::vector<double> works;  ///< [accounts] since the start of the run [J]
  double kinetic_change = 0, potential_change = 0, moved = 0, closure = 0;
  RecordedFigures figures;
  RecordedSolve solve;                  ///< of the block before the frame; of none without contacts
  std::vector<ContactSample> contacts;  ///< single precision; margins as forces [N, N m]
  std::vector<SoftSample> soft;         ///< single precision; of the block that follows the frame
};

struct RecordedImpacts {
  Index step = 0;
  std::vector<ImpactEvent> events;
};

/// How a run that came to its end did so.
struct RecordingEnd {
  std::string status;  ///< of RunStatus
  Index steps = 0, frames = 0, impacts = 0;
  double time = 0;
};

/// Reads block after block, also of a file that still grows.
class RecordingReader {
 public:
  /// Refuses a file that cannot be read, is no recording or is one of another version, and one
  /// whose header is not there yet or is damaged.
  [[nodiscard]] static Result<RecordingReader> open(const std::string& path);
  /// The same of bytes in memory; `source` names them in complaints.
  [[nodiscard]] static Result<RecordingReader> of(std::string bytes, const std::string& source);

  [[nodiscard]] const RecordingHeader& header() const { return header_; }

  enum class Found {
    nothing,  ///< no whole block more, by now
    frame,
    soft,  ///< frame() has its soft contacts now
    impacts,
    certificate,
    modes,
    end,
  };
  /// The next block. A damaged one is an error that says how much was readable, now and ever after.
  [[nodiscard]] Result<Found> poll();

  [[nodiscard]] const RecordedFrame& frame() const { return frame_; }
  [[nodiscard]] const RecordedImpacts& impacts() const { return impacts_; }
  [[nodiscard]] const RecordedCertificate& certificate() const { return certificate_; }
  [[nodiscard]] const RecordedModes& modes() const { return modes_; }
  [[nodiscard]] const std::optional<RecordingEnd>& end() const { return end_; }

  [[nodiscard]] Index frames() const { return frames_; }          ///< so far
  [[nodiscard]] std::uint64_t offset() const { return offset_; }  ///< of what comes next [bytes]
  /// Bytes behind the last whole block: of a block that is being written, or was cut off.
  [[nodiscard]] std::size_t partial() const { return pending_.size() - used_; }

 private:
  RecordingReader() = default;
  [[nodiscard]] std::optional<Error> start();
  [[nodiscard]] Result<bool> next_block(Block& block);
  [[nodiscard]] bool read_more();
  [[nodiscard]] Error damaged(const std::string& why);
  [[nodiscard]] Result<Found> understand(const Block& block);
  [[nodiscard]] Result<Found> take_soft(const Block& block);

  std::string source_;
  std::unique_ptr<std::ifstream> file_;  ///< none for bytes in memory
  std::string pending_;
  std::size_t used_ = 0;  ///< of pending_
  std::uint64_t offset_ = 0;
  std::optional<Error> broken_;
  RecordingHeader header_;
  RecordedFrame frame_;
  RecordedSolve solve_;
  RecordedImpacts impacts_;
  RecordedCertificate certificate_;
  RecordedModes modes_;
  std::optional<RecordingEnd> end_;
  Index frames_ = 0;
};

/// A whole recording in memory.
struct Recording {
  RecordingHeader header;
  std::vector<RecordedFrame> frames;
  std::vector<RecordedImpacts> impacts;
  std::vector<RecordedCertificate> certificates;
  std::vector<RecordedModes> modes;
  std::optional<RecordingEnd> end;
  /// One sentence where the file ends within a block or is damaged; all before that is here.
  std::optional<std::string> cut;
};
/// Refuses what RecordingReader::open refuses.
[[nodiscard]] Result<Recording> read_recording(const std::string& path);

/// Why the part behind the last whole block is not read; nothing where there is none.
[[nodiscard]] std::optional<std::string> cut_sentence(const RecordingReader& reader,
                                                      const std::string& source);

[[nodiscard]] bool is_recording(std::string_view bytes);

}  // namespace tact
