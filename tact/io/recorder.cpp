#include "tact/io/recorder.hpp"

#include <cerrno>
#include <cmath>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include "tact/base/expects.hpp"
#include "tact/io/bytes.hpp"
#include "tact/io/file.hpp"
#include "tact/io/impact_note.hpp"
#include "tact/io/number_text.hpp"
#include "tact/io/recording_frame.hpp"
#include "tact/io/recording_soft.hpp"
#include "tact/sim/step_work.hpp"

namespace tact {

namespace {

namespace fs = std::filesystem;

Error failure(const std::string& path, std::string_view what) {
  return {Errc::io, concat({path, ": ", what})};
}

std::string reason(int code) {
  return code == 0 ? "for no reason given" : std::generic_category().message(code);
}

/// A lock of the open file, not of the process: it ends with the last copy of the descriptor, and
/// can be asked for without being taken.
struct flock whole_file(short type) {
  struct flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  return lock;
}

/// The file, emptied once nobody else is seen to write it.
Result<std::FILE*> open_alone(const std::string& path) {
  const auto refused = [&](int code) {
    return failure(
        path, concat({"cannot be written (", reason(code), "); check the folder's permissions"}));
  };
  constexpr mode_t permissions = 0666;
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, permissions);
  if (file < 0) return refused(errno);
  struct flock lock = whole_file(F_WRLCK);
  if (::fcntl(file, F_OFD_SETLK, &lock) != 0 && (errno == EAGAIN || errno == EACCES)) {
    (void)::close(file);
    return failure(path, "is being recorded by another run; name another file or end that run");
  }
  std::error_code status;
  std::FILE* out = nullptr;
  if (!fs::is_regular_file(path, status) || ::ftruncate(file, 0) == 0) out = ::fdopen(file, "wb");
  if (out != nullptr) return out;
  const int code = errno;
  (void)::close(file);
  return refused(code);
}

/// Margins of labels are impulses of a step; a recording has forces.
void as_forces(double dt, std::vector<ContactSample>& contacts) {
  for (ContactSample& c : contacts) {
    c.label.slip_margin /= dt;
    c.label.tip_margin /= dt;
    c.label.lift_margin /= dt;
  }
}

void copy_ledger(const EnergyLedger& ledger, RecordedFrame& out) {
  out.works.resize(account_count);
  for (std::size_t i = 0; i < account_count; ++i) out.works[i] = ledger.accounts[i].value();
  out.kinetic_change = ledger.kinetic_change.value();
  out.potential_change = ledger.potential_change.value();
  out.moved = ledger.moved;
  out.closure = ledger.closure();
}

}  // namespace

Result<Recorder> Recorder::open(const std::string& path, const Simulation& sim,
                                const RecordOptions& options) {
  TACT_EXPECTS(options.every >= 1);
  if (const auto error = check_place(path)) return *error;
  Recorder out;
  out.path_ = path;
  out.every_ = options.every;
  out.shifts_ = body_shifts(sim.scene);
  out.certificates_ = options.certificates;
  const auto opened = open_alone(path);
  if (!opened) return opened.error();
  out.file_.reset(*opened);
  // Every block is one write: nothing waits in memory when the process is killed.
  (void)std::setvbuf(out.file_.get(), nullptr, _IONBF, 0);
  out.write(recording_magic);
  out.write(block_bytes(recording_block::header,
                        recording_header(sim, {options.name, options.source, options.every})));
  // Before any step: the scene's doing, not the run's.
  const std::vector<Overlap> start = overlaps(sim);
  out.frame_.figures.penetration = start.empty() ? 0 : start.front().depth;
  out.write_frame(sim, false);
  if (out.error_) return *out.error_;
  return out;
}

void Recorder::write(std::string_view bytes) {
  if (error_) return;
  errno = 0;
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) == bytes.size()) {
    size_ += bytes.size();
    return;
  }
  const int code = errno;
  file_.reset();
  std::error_code ignored;  // what is no file has no size, and nothing to take back
  if (fs::is_regular_file(path_, ignored)) fs::resize_file(path_, size_, ignored);
  const std::string why =
      concat({"cannot be written any more (", reason(code), ") after ", std::to_string(size_),
              " bytes, which stay readable; make room or name another file"});
  error_ = failure(path_, why);
}

void Recorder::write_frame(const Simulation& sim, bool stepped) {
  const State state = state_of(sim);
  RecordedFrame& f = frame_;
  f.step = sim.steps;
  f.time = state.time;
  f.qpos = state.qpos;
  f.qvel = state.qvel;
  f.ctrl = state.ctrl;
  f.driven = state.driven;
  forward_kinematics(sim.scene.model, sim.state, kin_);
  f.bodies = kin_.X_WB;
  for (std::size_t i = 0; i < f.bodies.size(); ++i) f.bodies[i].p -= f.bodies[i].R * shifts_[i];
  copy_ledger(sim.ledger, f);
  f.contacts.clear();
  f.soft.clear();
  if (stepped) {
    observe(sim, f.contacts);
    as_forces(sim.work->dt, f.contacts);
    observe_soft(sim, f.soft);
  }
  if (!f.contacts.empty()) {
    const double scale = energy_scale(sim.work->problem, sim.work->lambda);
    const RecordedSolve solve{f.step, sim.work->dt, std::isfinite(scale) ? scale : 0};
    write(block_bytes(recording_block::solve, solve_payload(solve)));
  }
  const std::uint64_t place = size_;
  write(block_bytes(recording_block::frame, frame_payload(f)));
  if (!error_) index_.emplace_back(f.time, place);
  if (!f.soft.empty()) write(block_bytes(recording_block::soft, soft_payload(f.step, f.soft)));
  f.figures = {};
  since_ = 0;
}

const std::optional<Error>& Recorder::record(const Simulation& sim, const StepReport& report,
                                             bool last) {
  if (error_ || !file_) return error_;
  if (!report.impacts.empty()) {
    impacts_ += static_cast<Index>(report.impacts.size());
    write(block_bytes(recording_block::impacts, impacts_payload({sim.steps, report.impacts})));
    write_certificates(sim, report);
  }
  frame_.figures.add(report);
  ++since_;
  if (since_ >= every_ || last) write_frame(sim, true);
  return error_;
}

void Recorder::write_certificates(const Simulation& sim, const StepReport& report) {
  for (std::size_t i = 0; i < report.impacts.size() && certificates_ > 0; ++i) {
    const KeptImpact* kept = nullptr;
    for (const KeptImpact& k : sim.kept_impacts)
      if (sim.keep_impacts && k.event == i) kept = &k;
    RecordedCertificate note = impact_note(sim.scene.model, sim.steps, report.impacts[i], kept);
    if (--certificates_ == 0)
      note.why.emplace_back(
          "the last one of this run that is judged: later impacts have only "
          "their work, in the list of impacts");
    write(block_bytes(recording_block::certificate, certificate_payload(note)));
  }
}

const std::optional<Error>& Recorder::record_modes(const RecordedModes& modes) {
  if (!error_ && file_) write(block_bytes(recording_block::modes, modes_payload(modes)));
  return error_;
}

const std::optional<Error>& Recorder::finish(const RunSummary& summary) {
  if (error_ || !file_) return error_;
  ByteWriter index;
  index.count(index_.size());
  for (const auto& [time, place] : index_) {
    index.f64(time);
    index.u64(place);
  }
  write(block_bytes(recording_block::index, index.bytes));
  const RecordingEnd end{std::string(name(summary.status)), summary.steps, frames(), impacts_,
                         index_.back().first};
  write(block_bytes(recording_block::summary, recording_end(end, summary.warnings)));
  file_.reset();
  return error_;
}

bool is_being_recorded(int descriptor) {
  struct flock lock = whole_file(F_RDLCK);
  return ::fcntl(descriptor, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

bool is_being_recorded(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return false;
  const bool held = is_being_recorded(file);
  (void)::close(file);
  return held;
}

Watcher recording_watcher(Recorder& recorder, bool stop) {
  return [&recorder, stop](const Simulation& sim, const StepReport& report, bool last) {
    return !recorder.record(sim, report, last) || !stop;
  };
}

}  // namespace tact
