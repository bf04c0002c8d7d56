// modes/face_tally.hpp - the modes of one contacting/separating face: counted or visited.
#pragma once

#include <string>
#include <vector>

#include "tact/modes/face_visit.hpp"
#include "tact/modes/flat_count.hpp"
#include "tact/modes/mode_hash.hpp"
#include "tact/modes/modes.hpp"
#include "tact/modes/stick_count.hpp"

namespace tact::detail {

/// Counts by dimension, and the hash of what was visited.
struct Tally {
  std::vector<ModeCount> cs, full;
  ModeHash hash;
  bool inconsistent = false;

  static void add(std::vector<ModeCount>& to, const std::vector<ModeCount>& from) {
    if (to.size() < from.size()) to.resize(from.size(), 0);
    for (std::size_t k = 0; k < from.size(); ++k) to[k] += from[k];
  }
  static void count(std::vector<ModeCount>& to, int dim, ModeCount times) {
    if (static_cast<int>(to.size()) <= dim) to.resize(dim + 1, 0);
    to[dim] += times;
  }
};

/// Modes kept to be given to a sink later.
class ModeBuffer {
 public:
  void push(const ModeView& mode) {
    text_.append(mode.cs).append(mode.ss);
    entries_.push_back({mode.cs.size(), mode.ss.size(), mode.dim, mode.witness.size()});
    witnesses_.insert(witnesses_.end(), mode.witness.begin(), mode.witness.end());
  }
  [[nodiscard]] bool replay(const ModeSink& sink) const {
    std::string_view text = text_;
    std::span<const double> witness = witnesses_;
    for (const Entry& e : entries_) {
      const ModeView mode{text.substr(0, e.cs), text.substr(e.cs, e.ss), e.dim,
                          witness.first(e.witness)};
      if (!sink(mode)) return false;
      text.remove_prefix(e.cs + e.ss);
      witness = witness.subspan(e.witness);
    }
    return true;
  }

 private:
  struct Entry {
    std::size_t cs, ss;
    Index dim;
    std::size_t witness;
  };
  std::string text_;
  std::vector<Entry> entries_;
  std::vector<double> witnesses_;
};

[[nodiscard]] inline std::vector<int> staying_contacts(const ContactFace& face) {
  std::vector<int> out;
  for (std::size_t k = 0; k < face.cs.size(); ++k)
    if (face.cs[k] == '0') out.push_back(static_cast<int>(k));
  return out;
}

/// All that one thread needs for the modes of faces.
template <class A>
class FaceTally {
 public:
  explicit FaceTally(const A& arithmetic)
      : restriction_(arithmetic), flats_(arithmetic), sticks_(arithmetic), visit_(arithmetic) {}

  /// From now on count() throws WorkStopped if this is wished, and so does visit(), or it ends.
  void obey(StopWish wish) {
    wish_ = wish;
    flats_.obey(wish);
    sticks_.obey(wish);
  }

  /// Adds to `out` at the very end, so that NumberTooLarge leaves it as it was.
  void count(const ContactCone<A>& part, const ContactFace& face, ModeKind kind, Tally& out) {
    const int dim = restriction_.dimension(part, face);
    if (kind == ModeKind::sliding) {
      count_sliding(part, face, dim, out);
    } else if (kind == ModeKind::slipping) {
      restriction_.place_tangents(part, face, sliding_);
      restriction_.fill_cone(part, face, dim, false, {}, sliding_);
      std::vector<ModeCount> sets;
      sticks_.visit(sliding_, staying_contacts(face),
                    [&](const std::vector<char>&, int d) { Tally::count(sets, d, 1); });
      Tally::add(out.full, sets);
    } else {
      Tally::count(out.full, dim, 1);
    }
    Tally::count(out.cs, dim, 1);
  }

  /// First cuts that share the face out, few where few planes cut it: the same for everyone.
  void cut_into_pieces(const ContactCone<A>& part, const ContactFace& face,
                       const ModeOptions& options, std::vector<std::string>& paths) {
    paths.assign(1, {});
    if (options.kind != ModeKind::sliding) return;
    restriction_.restrict_to(part, face, true, {}, sliding_);
    const int planes = size_of(sliding_.cone.cut.data(), sliding_.cone.plane_words);
    constexpr int few = 8;
    if (planes < few) return;
    paths.clear();
    visit_.paths(sliding_.cone, facets(part), std::min(4, (planes - 5) / 3), paths);
  }

  /// Every mode of the face behind `path`, to `sink` if there is one; the first `seen` are not told
  /// or counted again. False if the sink said so.
  bool visit(const ContactCone<A>& part, const ContactFace& face, const std::string& path,
             const ModeOptions& options, Tally& out, const ModeSink* sink, int kernel,
             std::uint64_t& seen) {
    carried_.clear();
    for (int k = part.cone.planes; k < part.cone.width; ++k) carried_.push_back(k);
    restriction_.restrict_to(part, face, true, carried_, sliding_);
    cs_ = face.cs;
    skip_ = seen;
    given_ = 0;
    out_ = &out;
    sink_ = sink;
    kernel_ = kernel;
    seen_ = &seen;
    first_piece_ = path.find_first_not_of('+') == std::string::npos;
    switch (options.kind) {
      case ModeKind::contacting:
        ss_.clear();
        return give(sliding_.cone.dim, &sliding_.cone);
      case ModeKind::slipping:
        return visit_sticking(face);
      case ModeKind::sliding:
        break;
    }
    const auto see = [&](const FaceSigns& signs, const SplitCone<A>* cone) {
      spell(signs);
      return give(signs.dim, cone);
    };
    const bool go_on = visit_.visit(sliding_.cone, facets(part), options.witnesses, path, see);
    out.inconsistent = out.inconsistent || visit_.inconsistent();
    return go_on;
  }

 private:
  StopWish wish_;
  FaceRestriction<A> restriction_;
  FlatCount<A> flats_;
  StickSets<A> sticks_;
  FaceVisit<A> visit_;
  SlidingFace<A> sliding_;
  std::vector<int> carried_;

  std::string cs_, ss_;
  std::vector<double> witness_;
  bool first_piece_ = false;
  std::uint64_t skip_ = 0;
  std::uint64_t given_ = 0;
  std::uint64_t* seen_ = nullptr;
  Tally* out_ = nullptr;
  const ModeSink* sink_ = nullptr;
  int kernel_ = 0;

  /// No plane leaves the face whole, one cuts it in three: most faces need no cone.
  void count_sliding(const ContactCone<A>& part, const ContactFace& face, int dim, Tally& out) {
    restriction_.find_planes(part, face, sliding_);
    if (sliding_.columns.empty()) return Tally::count(out.full, dim, 1);
    if (sliding_.columns.size() == 1) {
      Tally::count(out.full, dim, 2);
      return Tally::count(out.full, dim - 1, 1);
    }
    restriction_.fill_cone(part, face, dim, false, {}, sliding_);
    const std::vector<ModeCount>& faces = flats_.faces(sliding_.cone);
    for (int j = 0; j < static_cast<int>(faces.size()); ++j)
      if (faces[j] != 0) Tally::count(out.full, dim - j, faces[j]);
    out.inconsistent = out.inconsistent || flats_.inconsistent();
  }

  static int facets(const ContactCone<A>& part) { return static_cast<int>(part.contacts.size()); }

  void spell(const FaceSigns& signs) {
    ss_.resize(sliding_.tangents.size());
    for (std::size_t t = 0; t < ss_.size(); ++t) {
      const TangentOnFace& tangent = sliding_.tangents[t];
      int sign = tangent.sign;
      if (tangent.plane >= 0) {
        const int side =
            has(signs.positive, tangent.plane) ? 1 : (has(signs.negative, tangent.plane) ? -1 : 0);
        sign *= side;
      }
      ss_[t] = sign > 0 ? '+' : (sign < 0 ? '-' : '0');
    }
  }

  bool give(int dim, const SplitCone<A>* cone) {
    if (wish_.heard()) return false;
    if (given_++ < skip_) return true;
    // With its first mode the face is counted, once, whatever kinds of number it takes.
    if (given_ == 1 && first_piece_) Tally::count(out_->cs, sliding_.cone.dim, 1);
    ++*seen_;
    Tally::count(out_->full, dim, 1);
    out_->hash.add(cs_, ss_);
    if (sink_ == nullptr) return true;
    ModeView mode{cs_, ss_, dim + kernel_, {}};
    if (!carried_.empty() && cone != nullptr) {
      find_witness(*cone);
      mode.witness = witness_;
    }
    return (*sink_)(mode);
  }

  /// The sum of the rays lies in the relative interior.
  void find_witness(const SplitCone<A>& cone) {
    witness_.assign(carried_.size(), 0);
    for (int r = 0; r < cone.rays; ++r)
      for (std::size_t k = 0; k < carried_.size(); ++k)
        witness_[k] += A::approximate(cone.ray(r)[cone.planes + static_cast<int>(k)]);
  }

  bool visit_sticking(const ContactFace& face) {
    std::vector<std::pair<std::string, int>> sets;
    const std::vector<int> staying = staying_contacts(face);
    sticks_.visit(sliding_, staying, [&](const std::vector<char>& sticks, int dim) {
      std::string text(sticks.size(), '0');
      for (std::size_t k = 0; k < sticks.size(); ++k) text[k] = sticks[k] ? '0' : 's';
      sets.emplace_back(std::move(text), dim);
    });
    std::sort(sets.begin(), sets.end());
    for (auto& [text, dim] : sets) {
      ss_ = text;
      if (!give(dim, nullptr)) return false;
    }
    return true;
  }
};

}  // namespace tact::detail
