#include "tact/io/recorder.hpp"

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "tact/base/expects.hpp"
#include "tact/io/bytes.hpp"
#include "tact/io/number_text.hpp"
#include "tact/io/recording_frame.hpp"

namespace tact {

namespace {

namespace fs = std::filesystem;

Error failure(const std::string& path, std::string_view what) {
  return {Errc::io, concat({path, ": ", what})};
}

std::string reason(int code) {
  return code == 0 ? "for no reason given" : std::generic_category().message(code);
}

std::optional<Error> check_place(const std::string& path) {
  std::error_code status;
  const fs::path folder = fs::path(path).parent_path();
  if (!folder.empty() && !fs::is_directory(folder, status))
    return failure(path, concat({"cannot be written, there is no folder ", folder.string(),
                                 "; make it first or name another"}));
  if (fs::is_directory(path, status)) return failure(path, "is a folder; name a file to write");
  return std::nullopt;
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
  errno = 0;
  out.file_.reset(std::fopen(path.c_str(), "wb"));
  if (!out.file_)
    return failure(
        path, concat({"cannot be written (", reason(errno), "); check the folder's permissions"}));
  // Every block is one write: nothing waits in memory when the process is killed.
  (void)std::setvbuf(out.file_.get(), nullptr, _IONBF, 0);
  out.write(recording_magic);
  out.write(block_bytes(recording_block::header,
                        recording_header(sim, {options.name, options.source, options.every})));
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
  if (stepped) {
    observe(sim, f.contacts);
    as_forces(sim.work.dt, f.contacts);
  }
  const std::uint64_t place = size_;
  write(block_bytes(recording_block::frame, frame_payload(f)));
  if (!error_) index_.emplace_back(f.time, place);
  f.figures = {};
  since_ = 0;
}

const std::optional<Error>& Recorder::record(const Simulation& sim, const StepReport& report,
                                             bool last) {
  if (error_ || !file_) return error_;
  if (!report.impacts.empty()) {
    impacts_ += static_cast<Index>(report.impacts.size());
    write(block_bytes(recording_block::impacts, impacts_payload({sim.steps, report.impacts})));
  }
  frame_.figures.add(report);
  ++since_;
  if (since_ >= every_ || last) write_frame(sim, true);
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

Watcher recording_watcher(Recorder& recorder, bool stop) {
  return [&recorder, stop](const Simulation& sim, const StepReport& report, bool last) {
    return !recorder.record(sim, report, last) || !stop;
  };
}

}  // namespace tact
