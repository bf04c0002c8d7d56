#include "tact/io/checkpoint.hpp"

#include "tact/io/blocks.hpp"
#include "tact/io/bytes.hpp"
#include "tact/io/file.hpp"
#include "tact/io/number_text.hpp"
#include "tact/io/run_digest.hpp"
#include "tact/io/soft_memory_bytes.hpp"
#include "tact/sim/soft_touches.hpp"
#include "tact/sim/step_work.hpp"

namespace tact {

namespace {

constexpr std::string_view block_type = "CKPT";
constexpr std::uint8_t last_source = static_cast<std::uint8_t>(RowSource::equality);

using Faces = std::vector<std::pair<std::uint64_t, PairMemory>>;
constexpr std::size_t face_bytes = 8 + 24 + 8 + 1, load_bytes = 1 + 8 + 4 + 9 * 8;

/// The same list of parts for writing and for reading: `part(x)` does either.
template <class Part>
void ledger_parts(EnergyLedger& ledger, Part&& part) {
  for (CompensatedSum& sum : ledger.accounts) {
    part(sum.sum);
    part(sum.rest);
  }
  for (CompensatedSum* sum : {&ledger.kinetic_change, &ledger.potential_change}) {
    part(sum->sum);
    part(sum->rest);
  }
  part(ledger.moved);
}

template <class Load, class Part>
void load_numbers(Load& load, Part&& part) {
  for (auto* v : {&load.force, &load.moment, &load.at})
    for (Index i = 0; i < 3; ++i) part((*v)[i]);
}

void write_vector(const VecX& values, ByteWriter& out) {
  out.count(static_cast<std::size_t>(values.size()));
  out.numbers(values);
}

bool read_vector(ByteReader& in, Index expected, VecX& out) {
  const Index size = in.u32();
  if (size != expected) return false;
  in.numbers(size, out);
  return in.good();
}

void write_faces(const Faces& faces, ByteWriter& out) {
  out.count(faces.size());
  for (const auto& [key, m] : faces) {
    out.u64(key);
    for (Index i = 0; i < 3; ++i) out.f64(m.axis_W[i]);
    out.u32(static_cast<std::uint32_t>(m.face_first));
    out.u32(static_cast<std::uint32_t>(m.face_second));
    out.u8(m.area ? 1 : 0);
  }
}

void read_faces(ByteReader& in, Faces& out) {
  out.resize(in.count(face_bytes));
  for (auto& [key, m] : out) {
    key = in.u64();
    for (Index i = 0; i < 3; ++i) m.axis_W[i] = in.f64();
    m.face_first = static_cast<int>(in.u32());
    m.face_second = static_cast<int>(in.u32());
    m.area = in.u8() != 0;
  }
}

void write_optional(const std::optional<double>& x, ByteWriter& out) {
  out.u8(x ? 1 : 0);
  out.f64(x.value_or(0));
}

std::optional<double> read_optional(ByteReader& in) {
  const bool there = in.u8() != 0;
  const double value = in.f64();
  return there ? std::optional(value) : std::nullopt;
}

/// What goes on from step to step.
struct Carried {
  State state;
  std::vector<RememberedLoad> loads;
  Faces faces, impact_faces;
  EnergyLedger ledger;
  Index steps = 0;
  std::optional<double> tree_kinetic, tree_potential;
  SoftScene soft;
  SoftMemory soft_memory;
};

bool read_state(ByteReader& in, const State& like, State& out) {
  out.time = in.f64();
  if (!read_vector(in, like.qpos.size(), out.qpos) ||
      !read_vector(in, like.qvel.size(), out.qvel) ||
      !read_vector(in, like.ctrl.size(), out.ctrl) || in.u32() != like.driven.size())
    return false;
  out.driven.resize(like.driven.size());
  for (Pose& X : out.driven) {
    for (Index i = 0; i < 9; ++i) X.R.data()[i] = in.f64();
    for (Index i = 0; i < 3; ++i) X.p[i] = in.f64();
  }
  return in.good();
}

void read_loads(ByteReader& in, std::vector<RememberedLoad>& out) {
  out.resize(in.count(load_bytes));
  for (RememberedLoad& load : out) {
    load.key.source = static_cast<RowSource>(std::min(in.u8(), last_source));
    load.key.what = in.u64();
    load.key.which = in.u32();
    load_numbers(load, [&](double& x) { x = in.f64(); });
  }
}

/// False where the payload is none of this simulation.
bool read_carried(ByteReader& in, const State& like, Carried& out) {
  if (!read_state(in, like, out.state)) return false;
  read_loads(in, out.loads);
  read_faces(in, out.faces);
  read_faces(in, out.impact_faces);
  ledger_parts(out.ledger, [&](double& x) { x = in.f64(); });
  out.steps = static_cast<Index>(in.u64());
  out.tree_kinetic = read_optional(in);
  out.tree_potential = read_optional(in);
  return read_soft_memory(in, out.soft, out.soft_memory) && in.finished();
}

/// The bytes after magic and block header.
Result<std::string> payload_of(std::string_view bytes, const std::string& source) {
  if (!bytes.starts_with(checkpoint_magic))
    return Error{Errc::parse,
                 concat({source, ": is no checkpoint of this version of tact; it begins with ",
                         checkpoint_magic})};
  bytes.remove_prefix(checkpoint_magic.size());
  Block block;
  std::size_t size = 0;
  std::string why;
  if (take_block(bytes, block, size, why) != BlockFound::whole || size != bytes.size() ||
      block.type != block_type)
    return Error{Errc::parse,
                 concat({source, ": the checkpoint is cut off or damaged; write it again"})};
  return std::move(block.payload);
}

}  // namespace

std::string checkpoint_bytes(const Simulation& sim) {
  ByteWriter out;
  out.u64(run_digest(sim));
  out.f64(sim.state.time);
  write_vector(sim.state.qpos, out);
  write_vector(sim.state.qvel, out);
  write_vector(sim.state.ctrl, out);
  out.count(sim.state.driven.size());
  for (const Pose& X : sim.state.driven) {
    for (Index i = 0; i < 9; ++i) out.f64(X.R.data()[i]);
    for (Index i = 0; i < 3; ++i) out.f64(X.p[i]);
  }
  out.count(sim.memory.loads.size());
  for (const RememberedLoad& load : sim.memory.loads) {
    out.u8(static_cast<std::uint8_t>(load.key.source));
    out.u64(load.key.what);
    out.u32(load.key.which);
    load_numbers(load, [&](double x) { out.f64(x); });
  }
  write_faces(sim.detect.memory, out);
  write_faces(sim.work->impact.detect.memory, out);
  EnergyLedger ledger = sim.ledger;
  ledger_parts(ledger, [&](double x) { out.f64(x); });
  out.u64(static_cast<std::uint64_t>(sim.steps));
  write_optional(sim.tree_kinetic, out);
  write_optional(sim.tree_potential, out);
  write_soft_memory(sim.soft, sim.soft_memory, out);
  return std::string(checkpoint_magic) + block_bytes(block_type, out.bytes);
}

std::optional<Error> restore_checkpoint(std::string_view bytes, const std::string& source,
                                        Simulation& sim) {
  const auto refused = [&](Errc code, std::string_view what) {
    return Error{code, concat({source, ": ", what})};
  };
  const auto payload = payload_of(bytes, source);
  if (!payload) return payload.error();
  ByteReader in(*payload);
  if (in.u64() != run_digest(sim))
    return refused(Errc::value,
                   "is a checkpoint of another scene or of other options; go on with the ones it "
                   "was made with");
  Carried read;
  read.soft = sim.soft;
  if (!read_carried(in, sim.state, read))
    return refused(Errc::parse, "the checkpoint does not fit its scene; write it again");
  sim.state = std::move(read.state);
  sim.memory.loads = std::move(read.loads);
  sim.detect.memory = std::move(read.faces);
  sim.work->impact.detect.memory = std::move(read.impact_faces);
  sim.ledger = read.ledger;
  sim.steps = read.steps;
  sim.tree_kinetic = read.tree_kinetic;
  sim.tree_potential = read.tree_potential;
  sim.soft = std::move(read.soft);
  sim.soft_memory = std::move(read.soft_memory);
  exclude_soft_pairs(sim);
  return std::nullopt;
}

Result<std::string> checkpoint_summary(std::string_view bytes, const std::string& source) {
  const auto payload = payload_of(bytes, source);
  if (!payload) return payload.error();
  ByteReader in(*payload);
  (void)in.u64();  // a digest, which only the scene itself can be held against
  const double time = in.f64();
  VecX skipped;
  const Index positions = in.u32();
  in.numbers(positions, skipped);
  const Index velocities = in.u32();
  if (!in.good())
    return Error{Errc::parse, concat({source, ": the checkpoint is damaged; write it again"})};
  return concat({"a run at ", short_number(time, 6), " s, ", std::to_string(positions),
                 " positions, ", std::to_string(velocities),
                 " velocities; tact sim SCENE --resume goes on from it"});
}

std::optional<Error> write_checkpoint(const std::string& path, const Simulation& sim) {
  return write_file({path, checkpoint_bytes(sim)});
}

std::optional<Error> read_checkpoint(const std::string& path, Simulation& sim) {
  const auto bytes = read_file(path);
  if (!bytes) return bytes.error();
  return restore_checkpoint(*bytes, path, sim);
}

}  // namespace tact
