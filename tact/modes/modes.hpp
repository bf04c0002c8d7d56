// modes/modes.hpp - every contact mode of a system: counted, listed, streamed.
//
// A mode says for every contact whether it separates (+) or stays (0), and for every tangent row of
// a contact that stays the sign of its sliding velocity: a cs string of one character per contact
// and an ss string of one character per tangent of the contacts that stay, [Huang20] (7), (8). A
// mode exists if some velocity has these signs. Counts include the mode that separates everywhere
// and the one that separates nowhere.
//
// Exact (the default) takes every number as it is written and decides every sign without rounding.
// Tolerance rounds first: rows are scaled to largest entry 1, generators of cones likewise, and a
// sign counts as zero where |row . generator| <= tolerance.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tact/base/result.hpp"
#include "tact/base/tolerance.hpp"
#include "tact/modes/mode_system.hpp"

namespace tact {

/// Modes are many: 196^4 for four boxes. For forty they are more than this type holds: counts end
/// at its largest number, which stands for itself and all beyond.
__extension__ using ModeCount = unsigned __int128;
inline constexpr ModeCount most_modes = ~ModeCount{0};
[[nodiscard]] std::string to_string(ModeCount count);

enum class ModePolicy { exact, tolerance };

/// What tells modes apart besides contacting and separating.
enum class ModeKind {
  contacting,  ///< nothing: cs modes alone
  sliding,     ///< the signs of the tangent rows
  slipping,    ///< per contact whether it sticks (all its tangent rows vanish) or slips
};

/// How modes are come by; their set, order and dimensions are the same.
enum class ModeMethod {
  automatic,  ///< rays, unless contacts leave more of them than the limits below
  rays,       ///< cones by their extreme rays (split_cone.hpp): quick, and out of hand for many
              ///< contacts in many dimensions
  witnesses,  ///< one velocity of each mode at a time (witness_walk.hpp): slow and steady
};
/// A part of a system whose contacts leave more extreme velocities than this is visited, or
/// counted, by witnesses; docs/modes.md has the measurements behind it.
inline constexpr int ray_limit_of_visits = 5000;
inline constexpr int ray_limit_of_counts = 20000;

struct ModeOptions {
  ModePolicy policy = ModePolicy::exact;
  ModeMethod method = ModeMethod::automatic;
  double tolerance = tolerance::mode_sign;  ///< of policy tolerance; a pure number
  ModeKind kind = ModeKind::sliding;
  int threads = 1;         ///< of rays; witnesses are walked by one
  bool witnesses = false;  ///< visits: a velocity of each mode
  /// Set by someone else (a signal, another thread) to end the work early.
  const std::atomic<bool>* stop = nullptr;
};

/// Refuses what validate(system) refuses, and a tolerance that is none.
[[nodiscard]] Result<bool> validate(const ModeSystem& system, const ModeOptions& options);

/// How many; by_dim[k] are those whose velocity cone has dimension k.
struct ModeCounts {
  ModeCount cs = 0;
  ModeCount full = 0;  ///< of the kind asked for; equal to cs for ModeKind::contacting
  std::vector<ModeCount> cs_by_dim;
  std::vector<ModeCount> full_by_dim;
  /// Policy tolerance only: a plane that had one sign on a cone was found to cut a part of it, so
  /// that the tolerance has joined what does not belong together. That it is not noticed is no
  /// proof; counting and visiting may still differ then. Always false for exact.
  bool inconsistent = false;
  bool stopped = false;                  ///< by options.stop: the counts are of a part
  ModeMethod method = ModeMethod::rays;  ///< that was used
  bool operator==(const ModeCounts&) const = default;
};

/// Counts without visiting: components multiply, and inside a cone one visit per flat stands for
/// all its faces (tact/modes/flat_count.hpp). By witnesses components multiply, and modes of a
/// component are visited.
[[nodiscard]] Result<ModeCounts> count_modes(const ModeSystem& system,
                                             const ModeOptions& options = {});

/// One mode, seen by a sink; the views live until the sink returns.
struct ModeView {
  std::string_view cs;
  std::string_view
      ss;         ///< for ModeKind::slipping '0' sticks, 's' slips, one per contact that stays
  Index dim = 0;  ///< of the velocity cone
  /// A velocity of this mode, if asked for, as doubles: exact whole numbers while all numbers stay
  /// below 2^53, rounded otherwise. mode_cone() gives it without rounding.
  std::span<const double> witness;
  /// By witnesses only: the same without rounding.
  std::span<const Rational> exact_witness = {};
};

/// Returns false to stop.
using ModeSink = std::function<bool(const ModeView&)>;

struct ModeVisit {
  ModeCounts counts;       ///< of the blocks that were finished: of all, unless it was stopped
  std::uint64_t hash = 0;  ///< of the sequence of modes; see ModeHash
};

/// Every mode once, ordered by cs string, then ss string, as bytes: '+' before '-' before '0'.
/// `sink` is called from this thread, in order, whatever the number of threads; it may be empty.
[[nodiscard]] Result<ModeVisit> visit_modes(const ModeSystem& system, const ModeOptions& options,
                                            const ModeSink& sink);

}  // namespace tact
