// modes/witness_walk.hpp - modes one after the other from one velocity of each: no rays.
//
// Signs are given to the rows in the order of the strings, contacts first, and a velocity that has
// those given so far is kept: the witness. Where it lies it answers for one sign of the next row;
// only the others have to be looked for, each by one decision (open_cone.hpp).
//
//   Contacts. The witness separates whatever can separate beside what was decided: '+' needs no
//   decision. '0' restricts the space; rows whose sum with positive weights vanishes there vanish
//   themselves, and the search goes on in a smaller space until nothing is left or all separates.
//   Tangents. Cells are open in their space. A row that does not vanish on the space has both signs
//   or one: if some velocity has the other sign, a point between the two has none.
//
// No branch is empty, so that the work per mode is bounded by one decision per row, and memory by
// the depth. A sum that once refuted signs is kept (Circuit) and refutes them again.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "tact/modes/contact_cone.hpp"
#include "tact/modes/modes.hpp"
#include "tact/modes/walk_space.hpp"

namespace tact::detail {

/// Where a walk stands when it tells of a mode.
template <class A>
struct WalkMode {
  std::string_view cs, ss;
  int dim = 0;       ///< of its velocities in the part
  int face_dim = 0;  ///< of those of its cs string
  WalkSpace<A>* space = nullptr;
  const Witness* witness = nullptr;
  std::span<const int> strict;  ///< rows that do not vanish, as row + 1, negative below zero
};

/// Thrown when somebody wants an end.
struct WalkStopped {};

template <class A>
class WitnessWalk {
 public:
  /// `part` is bare (PartsBuilder::build): its lines are all that is read.
  WitnessWalk(const ContactCone<A>& part, A arithmetic, ModeKind kind,
              const std::atomic<bool>* stop)
      : part_(part), cutter_(std::move(arithmetic)), kind_(kind), stop_(stop) {
    spaces_.resize(part.cone.lines + 2);
    spaces_[0].cone = part.cone;
    spaces_[0].find_anchors();
    spaces_[0].settle();
    plus_.assign(spaces_[0].zero.size(), 0);
    minus_ = plus_;
    cs_.assign(part.contacts.size(), '0');
  }

  /// Calls wanted() for every cs string in order until it is nothing, and see(mode) for every mode
  /// of those for which it is true, until that is false. Throws WalkStopped.
  template <class Wanted, class See>
  void walk(Wanted wanted, See see) {
    top_ = 0;
    const std::optional<Place> start = inside(0, 0);
    if (start) contacts(0, *start, wanted, see);
  }
  /// Policy tolerance: joined signs contradicted each other.
  [[nodiscard]] bool inconsistent() const { return inconsistent_; }
  [[nodiscard]] const OpenTally& tally() const { return tally_; }

 private:
  /// A space and a witness in it, by their places on the stacks.
  struct Place {
    int space = 0;
    int witness = 0;
  };

  const ContactCone<A>& part_;
  Cutter<A> cutter_;
  ModeKind kind_;
  const std::atomic<bool>* stop_;
  std::vector<WalkSpace<A>> spaces_;
  std::vector<Witness> witnesses_;
  int top_ = 0;  ///< of the witnesses
  std::string cs_, ss_;
  std::vector<int> strict_;         ///< rows decided not to vanish: row + 1, negative below zero
  std::vector<Word> plus_, minus_;  ///< the same
  std::vector<int> tangents_;       ///< of the contacts that stay
  int face_dim_ = 0;
  bool inconsistent_ = false;
  OpenTally tally_;
  OpenCone cone_;

  int fresh() {
    if (static_cast<int>(witnesses_.size()) == top_) witnesses_.emplace_back();
    return top_++;
  }
  WalkSpace<A>& space_at(int k) { return spaces_[k]; }
  void mark(int row, int sign) {
    strict_.push_back(sign * (row + 1));
    put(sign > 0 ? plus_.data() : minus_.data(), row);
  }
  void unmark() {
    const int last = strict_.back();
    strict_.pop_back();
    remove(last > 0 ? plus_.data() : minus_.data(), std::abs(last) - 1);
  }
  void heed_stop() const {
    if (stop_ != nullptr && stop_->load(std::memory_order_relaxed)) throw WalkStopped{};
  }

  // ---- decisions

  /// Whether the rows of a known sum, as far as they do not vanish here, all have the signs given,
  /// or all the opposite ones.
  [[nodiscard]] static bool covers(const Circuit& circuit, const std::vector<Word>& plus,
                                   const std::vector<Word>& minus, const std::vector<Word>& zero) {
    bool as_is = true;
    bool turned = true;
    bool some = false;
    for (std::size_t w = 0; w < zero.size(); ++w) {
      const Word p = circuit.plus[w] & ~zero[w];
      const Word m = circuit.minus[w] & ~zero[w];
      some = some || (p | m) != 0;
      as_is = as_is && (p & ~plus[w]) == 0 && (m & ~minus[w]) == 0;
      turned = turned && (p & ~minus[w]) == 0 && (m & ~plus[w]) == 0;
    }
    return some && (as_is || turned);
  }
  /// A known sum that the given signs contradict.
  const Circuit* refuted(int space, const std::vector<Word>& plus, const std::vector<Word>& minus) {
    for (int s = space; s >= 0; --s)
      for (const Circuit& circuit : spaces_[s].circuits)
        if (covers(circuit, plus, minus, spaces_[space].zero)) return &circuit;
    return nullptr;
  }

  /// The decision on the signed rows; a sum is kept.
  OpenAnswer ask(int space, const std::vector<int>& signed_rows) {
    heed_stop();
    WalkSpace<A>& here = space_at(space);
    const auto count = static_cast<Index>(signed_rows.size());
    cone_.rows.resize(count, here.dim());
    for (Index i = 0; i < count; ++i) {
      const int row = std::abs(signed_rows[i]) - 1;
      cone_.rows.row(i) = (signed_rows[i] > 0 ? 1.0 : -1.0) * here.values.row(row);
    }
    cone_.error = here.error;
    cone_.exact = [&](Index i) {
      return here.exact_row(std::abs(signed_rows[i]) - 1, signed_rows[i] > 0 ? 1 : -1);
    };
    OpenAnswer answer = decide(cone_, tally_);
    if (!answer.open) {
      Circuit circuit{std::vector<Word>(here.zero.size(), 0), {}};
      circuit.minus = circuit.plus;
      for (const Index i : answer.circuit)
        put(signed_rows[i] > 0 ? circuit.plus.data() : circuit.minus.data(),
            std::abs(signed_rows[i]) - 1);
      here.keep(std::move(circuit));
    }
    return answer;
  }

  void take(OpenAnswer answer, int space, int witness) {
    witnesses_[witness].z = std::move(answer.point);
    witnesses_[witness].exact = std::move(answer.exact);
    witnesses_[witness].evaluate(space_at(space));
  }

  /// A velocity of the cell on this side of the row, if there is one.
  bool find_side(int space, int row, int side, int& witness) {
    mark(row, side);
    bool found = refuted(space, plus_, minus_) == nullptr;
    if (found) {
      OpenAnswer answer = ask(space, strict_);
      found = answer.open;
      if (found) take(std::move(answer), space, witness = fresh());
    }
    unmark();
    return found;
  }

  /// Whether the witness has, beyond doubt, all signs decided.
  [[nodiscard]] bool has_signs(const Witness& witness) const {
    for (const int signed_row : strict_) {
      const int row = std::abs(signed_row) - 1;
      const double value = signed_row > 0 ? witness.value[row] : -witness.value[row];
      if (!(value > witness.bound[row])) return false;
    }
    return true;
  }

  // ---- contacts

  /// The velocities of a space that keep the contacts decided on and separate all others they can:
  /// where these are, and one of them. Nothing if a contact that was said to separate does not.
  std::optional<Place> inside(int space, int decided) {
    std::vector<int> rows;
    std::vector<int> vanish;
    while (normals_left(space, decided, rows)) {
      int witness = 0;
      if (!separate_all(space, rows, vanish, witness)) return Place{space, witness};
      if (separates_one_of(vanish)) return std::nullopt;
      for (const int row : vanish)
        if (!space_at(space).vanishes(row)) space = narrowed(space, row);
    }
    return std::nullopt;
  }
  /// The normals that do not vanish on a space, as row + 1; false if one that was said to separate
  /// does.
  bool normals_left(int space, int decided, std::vector<int>& rows) {
    rows.clear();
    for (int k = 0; k < static_cast<int>(cs_.size()); ++k) {
      const int row = part_.contacts[k].normal;
      if (!space_at(space).vanishes(row))
        rows.push_back(row + 1);
      else if (k < decided && cs_[k] == '+')
        return false;
    }
    return true;
  }
  /// A velocity on which all of the rows are positive; or true, and rows that must vanish where
  /// none is negative.
  bool separate_all(int space, const std::vector<int>& rows, std::vector<int>& vanish,
                    int& witness) {
    vanish.clear();
    const std::vector<Word> none(plus_.size(), 0);
    std::vector<Word> plus = none;
    for (const int row : rows) put(plus.data(), row - 1);
    if (const Circuit* known = refuted(space, plus, none)) {
      for (const int row : rows)
        if (has(known->plus.data(), row - 1) || has(known->minus.data(), row - 1))
          vanish.push_back(row - 1);
      return true;
    }
    OpenAnswer answer = ask(space, rows);
    for (const Index i : answer.circuit) vanish.push_back(rows[i] - 1);
    if (answer.open) take(std::move(answer), space, witness = fresh());
    return !vanish.empty();
  }
  [[nodiscard]] bool separates_one_of(const std::vector<int>& rows) const {
    return std::any_of(rows.begin(), rows.end(), [&](int row) { return has(plus_.data(), row); });
  }
  int narrowed(int space, int row) {
    restrict_space(cutter_, spaces_[space], row, spaces_[space + 1]);
    return space + 1;
  }

  template <class Wanted, class See>
  bool contacts(int k, Place at, Wanted& wanted, See& see) {
    if (k == static_cast<int>(cs_.size())) return face(at, wanted, see);
    const int row = part_.contacts[k].normal;
    if (space_at(at.space).vanishes(row)) {
      cs_[k] = '0';
      return contacts(k + 1, at, wanted, see);
    }
    const int before = top_;
    cs_[k] = '+';
    mark(row, 1);
    const bool go_on = contacts(k + 1, at, wanted, see);
    unmark();
    if (!go_on) return false;
    cs_[k] = '0';
    top_ = before;
    const std::optional<Place> next = inside(narrowed(at.space, row), k);
    if (next && !contacts(k + 1, *next, wanted, see)) return false;
    top_ = before;
    return true;
  }

  // ---- tangents

  template <class Wanted, class See>
  bool face(Place at, Wanted& wanted, See& see) {
    const std::optional<bool> asked = wanted();
    if (!asked) return false;
    if (!*asked) return true;
    face_dim_ = space_at(at.space).dim() + space_at(at.space).cone.silent;
    tangents_.clear();
    std::vector<int> staying;
    for (std::size_t k = 0; k < cs_.size(); ++k) {
      if (cs_[k] != '0') continue;
      staying.push_back(static_cast<int>(k));
      for (int t = 1; t <= part_.contacts[k].tangents; ++t)
        tangents_.push_back(part_.contacts[k].normal + t);
    }
    const int before = top_;
    bool go_on = true;
    if (kind_ == ModeKind::sliding) {
      ss_.assign(tangents_.size(), '0');
      go_on = slide(0, at, see);
    } else {
      ss_.assign(kind_ == ModeKind::slipping ? staying.size() : 0, '0');
      go_on = stick(0, at, staying, see);
    }
    top_ = before;
    return go_on;
  }

  template <class See>
  bool give(Place at, See& see) {
    heed_stop();
    WalkSpace<A>& space = space_at(at.space);
    return see(WalkMode<A>{cs_, ss_, space.dim() + space.cone.silent, face_dim_, &space,
                           &witnesses_[at.witness], strict_});
  }

  template <class See>
  bool slide(std::size_t t, Place at, See& see) {
    if (t == tangents_.size()) return give(at, see);
    const int row = tangents_[t];
    if (space_at(at.space).vanishes(row)) {
      ss_[t] = '0';
      return slide(t + 1, at, see);
    }
    const int before = top_;
    Place beside = at;
    const int side = off_plane(beside, row);
    Place across = beside;
    const bool cuts = find_side(at.space, row, -side, across.witness);
    bool go_on = true;
    for (const int sign : {1, -1}) {
      if (!go_on || (sign != side && !cuts)) continue;
      ss_[t] = sign > 0 ? '+' : '-';
      mark(row, sign);
      go_on = slide(t + 1, sign == side ? beside : across, see);
      unmark();
    }
    if (go_on && cuts) {
      ss_[t] = '0';
      const std::optional<Place> on = between(at.space, row, beside.witness, across.witness);
      go_on = !on || slide(t + 1, *on, see);
    }
    top_ = before;
    return go_on;
  }

  /// On which side of a row that does not vanish the witness is. If it is on the row, or so close
  /// to it that rounding alone may have put it there, it is moved off to where all signs decided
  /// stay as they are: what begins on the brink stays there.
  int off_plane(Place& at, int row) {
    WalkSpace<A>& space = space_at(at.space);
    constexpr double brink = 1 << 20;
    const Witness& old = witnesses_[at.witness];
    if (std::abs(old.value[row]) > brink * old.bound[row]) return old.value[row] > 0 ? 1 : -1;
    const int sign = old.sign(space, row);
    const int moved = fresh();
    if (moved_off(space, row, sign < 0 ? -1 : 1, witnesses_[at.witness], witnesses_[moved])) {
      at.witness = moved;
      return sign < 0 ? -1 : 1;
    }
    --top_;
    if (sign != 0) return sign;
    // A cell is open: both signs are there, and either will do.
    if (find_side(at.space, row, 1, at.witness)) return 1;
    inconsistent_ = true;
    return find_side(at.space, row, -1, at.witness) ? -1 : 1;
  }
  /// Half the way to the nearest row decided, along the line that moves `row` most.
  bool moved_off(WalkSpace<A>& space, int row, int side, const Witness& from, Witness& to) {
    Index line = 0;
    (void)space.values.row(row).cwiseAbs().maxCoeff(&line);
    double step = 1;
    for (const int signed_row : strict_) {
      const int other = std::abs(signed_row) - 1;
      const double change = std::abs(space.values(other, line));
      if (change > 0) step = std::min(step, std::abs(from.value[other]) / (2 * change));
    }
    to.z = from.z;
    to.z[line] += space.values(row, line) * side > 0 ? step : -step;
    to.exact.clear();
    to.evaluate(space);
    return has_signs(to) && side * to.value[row] > to.bound[row];
  }

  /// The point of the row between two witnesses on its two sides, in the space where it vanishes.
  std::optional<Place> between(int space, int row, int one, int other) {
    const int next = narrowed(space, row);
    WalkSpace<A>& on = space_at(next);
    const int witness = fresh();
    const Witness& x = witnesses_[one];
    const Witness& y = witnesses_[other];
    const double a = std::abs(y.value[row]);
    const double b = std::abs(x.value[row]);
    Witness& w = witnesses_[witness];
    w.exact.clear();
    w.z.resize(on.dim());
    for (int l = 0; l < on.dim(); ++l) {
      const int anchor = on.anchor[l];
      w.z[l] = (a * x.value[anchor] + b * y.value[anchor]) / on.values(anchor, l);
    }
    const double size = on.dim() > 0 ? w.z.cwiseAbs().maxCoeff() : 0;
    if (size > 0 && std::isfinite(size)) w.z /= size;
    if (w.z.allFinite()) {
      w.evaluate(on);
      if (has_signs(w)) return Place{next, witness};
    }
    OpenAnswer answer = ask(next, strict_);
    if (!answer.open) {
      inconsistent_ = true;  // a tolerance alone can do that
      return std::nullopt;
    }
    take(std::move(answer), next, witness);
    return Place{next, witness};
  }

  /// Which of the staying contacts stick, all their tangents vanishing, while the others slip.
  template <class See>
  bool stick(std::size_t k, Place at, const std::vector<int>& staying, See& see) {
    if (k == ss_.size()) return give(at, see);
    const int before = top_;
    if (const std::optional<Place> stuck = stuck_at(at, staying[k])) {
      ss_[k] = '0';
      if (!slip_still(k, stuck->space, staying) || stick(k + 1, *stuck, staying, see)) {
        top_ = before;
      } else {
        return false;
      }
    }
    bool vanishes = true;
    const ConeContact& contact = part_.contacts[staying[k]];
    for (int t = 1; t <= contact.tangents; ++t)
      vanishes = vanishes && space_at(at.space).vanishes(contact.normal + t);
    if (vanishes) return true;
    ss_[k] = 's';
    return stick(k + 1, at, staying, see);
  }
  /// Where the tangents of a contact vanish, if that is somewhere in the cell.
  std::optional<Place> stuck_at(Place at, int contact) {
    for (int t = 1; t <= part_.contacts[contact].tangents; ++t) {
      const int row = part_.contacts[contact].normal + t;
      if (space_at(at.space).vanishes(row)) continue;
      const int side = off_plane(at, row);
      int across = 0;
      if (!find_side(at.space, row, -side, across)) return std::nullopt;
      const std::optional<Place> on = between(at.space, row, at.witness, across);
      if (!on) return std::nullopt;
      at = *on;
    }
    return at;
  }
  /// Whether the contacts before k that slip have a tangent left that does not vanish.
  [[nodiscard]] bool slip_still(std::size_t k, int space, const std::vector<int>& staying) const {
    for (std::size_t j = 0; j < k; ++j) {
      if (ss_[j] != 's') continue;
      const ConeContact& contact = part_.contacts[staying[j]];
      bool vanishes = true;
      for (int t = 1; t <= contact.tangents; ++t)
        vanishes = vanishes && spaces_[space].vanishes(contact.normal + t);
      if (vanishes) return false;
    }
    return true;
  }
};

}  // namespace tact::detail
