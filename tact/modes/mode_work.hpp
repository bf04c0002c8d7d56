// modes/mode_work.hpp - the enumeration of modes as work: cut into blocks, done anywhere, added up.
//
// The modes of a system in their order are cut into blocks, always at the same places. Whoever
// works (threads, ranks of an MPI run, a run that goes on after an interruption) asks for the
// number of the next block, and gives back its counts and its hash. Sums do not depend on who did
// what, and the hash is put together in the order of the blocks.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "tact/modes/mode_hash.hpp"
#include "tact/modes/modes.hpp"

namespace tact {

/// What one block gave.
struct ModeBlock {
  std::uint64_t index = 0;
  int part = 0;  ///< of the system; counts of different parts multiply
  std::vector<ModeCount> cs_by_dim, full_by_dim;
  ModeHash hash;  ///< of a visit
  bool inconsistent = false;
};

/// The sum of blocks 0 ... next - 1.
struct ModeTotals {
  struct Part {
    std::vector<ModeCount> cs_by_dim, full_by_dim;
  };
  std::uint64_t next = 0;
  std::vector<Part> parts;
  ModeHash hash;
  bool inconsistent = false;

  /// The block must be number `next`.
  void add(const ModeBlock& block);
};

/// The number of the next block to do, each larger than the one before; none to end.
using BlockSource = std::function<std::optional<std::uint64_t>()>;
/// Takes a finished block.
using BlockSink = std::function<void(ModeBlock)>;

/// The most extreme velocities that `contacts` normals may leave in up to `dof` dimensions: facets
/// of cyclic polytopes (McMullen's upper bound theorem), with the normals as their points.
[[nodiscard]] double most_rays(Index contacts, Index dof);

class ModeWork {
 public:
  /// `visit`: go through all modes, in one part, and hash them; otherwise count.
  static Result<ModeWork> prepare(const ModeSystem& system, const ModeOptions& options, bool visit);
  ModeWork(ModeWork&&) noexcept;
  ModeWork& operator=(ModeWork&&) noexcept;
  ~ModeWork();

  /// Does the blocks that `source` names, up to the last there is; modes of a visit go to `sink` if
  /// there is one. False if the sink or options.stop ended it; the block at hand is then not given.
  bool run(const BlockSource& source, const BlockSink& done, const ModeSink& sink);

  /// Contacting/separating modes there are, all parts added up: what progress is measured by. They
  /// are walked through, up to `most` of them; by witnesses that would take too long, and `most`
  /// stands for "not known".
  [[nodiscard]] ModeCount faces(ModeCount most) const;
  /// The one at work: rays or witnesses.
  [[nodiscard]] ModeMethod method() const;
  /// How many of them lie in the blocks named so far.
  [[nodiscard]] ModeCount faces_passed() const;
  /// Counts of the whole system from its parts.
  [[nodiscard]] ModeCounts counts(const ModeTotals& totals) const;

  class Machine;

 private:
  explicit ModeWork(std::unique_ptr<Machine> machine);
  std::unique_ptr<Machine> machine_;
};

}  // namespace tact
