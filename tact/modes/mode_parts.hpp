// modes/mode_parts.hpp - a system as cones: rows as numbers, parts that share no velocity.
//
// Elimination finds velocities that move a basis of the rows one by one. A row that does not vanish
// on such a velocity is tied to it, and so are contacts that share one: what is not tied is
// independent, and modes of independent parts combine freely.
#pragma once

#include <numeric>
#include <optional>
#include <vector>

#include "tact/modes/contact_cone.hpp"
#include "tact/modes/filtered.hpp"
#include "tact/modes/mode_system.hpp"

namespace tact::detail {

/// The rows as numbers of one kind, row after row.
template <class A>
struct NumberRows {
  std::vector<typename A::Value> values;
  Index rows = 0;
  Index dof = 0;
};

/// The values of unit velocity j on all rows, then, up to `width`, its own coordinates.
template <class A>
void first_line(const NumberRows<A>& rows, int j, int width, typename A::Value* out,
                typename A::Tag& tag) {
  const int count = static_cast<int>(rows.rows);
  for (int i = 0; i < count; ++i) out[i] = rows.values[i * rows.dof + j];
  for (int i = count; i < width; ++i) out[i] = i - count == j ? 1 : 0;
  tag = A::tag_of(out, count, width);
}
template <>
struct NumberRows<Filtered> : NumberRows<WholeBig> {};
inline void first_line(const NumberRows<Filtered>& rows, int j, int width, double* out,
                       Filtered::Tag& tag) {
  std::vector<mpz_class> values(width);
  WholeBig::Tag none;
  first_line<WholeBig>(rows, j, width, values.data(), none);
  tag = Filtered::given(std::move(values), out);
}

/// Rows as coprime whole numbers; throws NumberTooLarge where 64 bits do not do.
[[nodiscard]] NumberRows<Whole64> small_rows(const ModeSystem& system);
[[nodiscard]] NumberRows<WholeBig> big_rows(const ModeSystem& system);
/// Rows of largest entry 1.
[[nodiscard]] NumberRows<Snapped> scaled_rows(const ModeSystem& system);

template <class A>
struct ModeParts {
  std::vector<ContactCone<A>> parts;  ///< described: generators and incidences are there
  int kernel = 0;                     ///< dimension of the velocities that no row feels
};

/// `together`: one part, whatever its structure. `velocities`: carry the coordinates of generators,
/// in the last dof columns of every part.
template <class A>
class PartsBuilder {
 public:
  PartsBuilder(const ModeSystem& system, const NumberRows<A>& rows, A arithmetic, bool together,
               bool velocities)
      : system_(system),
        rows_(rows),
        cutter_(arithmetic),
        together_(together),
        velocities_(velocities) {
    load();
    eliminate();
    tie();
  }

  /// Throws TooManyRays; with `most_rays` none, parts stay bare: their lines are all there is.
  [[nodiscard]] ModeParts<A> build(std::optional<int> most_rays = unlimited_rays) {
    most_rays_ = most_rays;
    ModeParts<A> out;
    for (int l = 0; l < work_.lines; ++l) out.kernel += used_[l] ? 0 : 1;
    const int count = static_cast<int>(system_.contacts.size());
    out.parts.reserve(trees_);
    std::vector<int> part_of(count, -1);
    for (int k = 0; k < count; ++k) {
      const int root = find(k);
      if (part_of[root] < 0) {
        part_of[root] = static_cast<int>(out.parts.size());
        out.parts.emplace_back().origin.reserve(trees_ == 1 ? count : 0);
      }
      out.parts[part_of[root]].origin.push_back(k);
    }
    if (together_ && out.parts.empty()) out.parts.emplace_back();  // no contact has one mode
    for (ContactCone<A>& part : out.parts) fill(part);
    return out;
  }

 private:
  const ModeSystem& system_;
  const NumberRows<A>& rows_;
  Cutter<A> cutter_;
  bool together_;
  bool velocities_;
  std::optional<int> most_rays_;
  SplitCone<A> work_;
  std::vector<char> used_;
  std::vector<int> contact_of_;  ///< of each row
  std::vector<int> parent_;      ///< of each contact, in the tree of those it is tied to
  int trees_ = 0;

  void load() {
    const int rows = static_cast<int>(rows_.rows);
    const int dof = static_cast<int>(rows_.dof);
    work_.shape(rows, rows + (velocities_ ? dof : 0), 1);
    work_.reserve(0, dof + 1);
    work_.lines = work_.dim = dof;
    for (int j = 0; j < dof; ++j)
      first_line(rows_, j, work_.width, work_.line(j), work_.line_tag(j));
    used_.assign(dof, 0);
    contact_of_.assign(rows, 0);
    for (std::size_t k = 0; k < system_.contacts.size(); ++k)
      for (Index i = 0; i <= system_.contacts[k].tangents; ++i)
        contact_of_[system_.contacts[k].normal + i] = static_cast<int>(k);
  }

  void eliminate() {
    const int scratch = work_.lines;
    int unused = work_.lines;
    for (int row = 0; row < work_.planes && unused > 0; ++row) {
      int pivot = -1;
      for (int l = 0; l < work_.lines; ++l) {
        if (used_[l] || sign_of(work_.line(l)[row]) == 0) continue;
        if (pivot < 0 || A::better_pivot(work_.line(l)[row], work_.line(pivot)[row])) pivot = l;
      }
      if (pivot < 0) continue;
      used_[pivot] = 1;
      --unused;
      for (int l = 0; l < work_.lines; ++l) {
        if (l == pivot || sign_of(work_.line(l)[row]) == 0) continue;
        cutter_.slide(work_, pivot, row, work_.line_view(l), work_.line(scratch),
                      work_.line_tag(scratch));
        std::copy_n(work_.line(scratch), work_.width, work_.line(l));
        work_.line_tag(l) = work_.line_tag(scratch);
      }
    }
  }

  void tie() {
    parent_.resize(system_.contacts.size());
    std::iota(parent_.begin(), parent_.end(), 0);
    trees_ = static_cast<int>(parent_.size());
    for (int k = 1; together_ && trees_ > 1; ++k) join(k, 0);
    for (int l = 0; l < work_.lines; ++l) {
      int first = -1;
      for (int row = 0; row < work_.planes && trees_ > 1; ++row) {
        if (sign_of(work_.line(l)[row]) == 0) continue;
        if (first < 0) first = contact_of_[row];
        join(contact_of_[row], first);
      }
    }
  }
  void join(int a, int b) {
    const int from = find(a);
    const int to = find(b);
    if (from == to) return;
    parent_[from] = to;
    --trees_;
  }
  int find(int k) {
    while (parent_[k] != k) k = parent_[k] = parent_[parent_[k]];
    return k;
  }

  void fill(ContactCone<A>& part) {
    std::vector<int> rows;
    rows.reserve(work_.width);
    part.contacts.reserve(part.origin.size());
    for (const int origin : part.origin) {
      ConeContact& contact = part.contacts.emplace_back();
      const ModeContact& from = system_.contacts[origin];
      contact.normal = static_cast<int>(rows.size());
      contact.tangents = static_cast<int>(from.tangents);
      for (Index i = 0; i <= from.tangents; ++i) rows.push_back(static_cast<int>(from.normal + i));
    }
    const int planes = static_cast<int>(rows.size());
    for (int i = work_.planes; i < work_.width; ++i) rows.push_back(i);
    part.cone.shape(planes, static_cast<int>(rows.size()),
                    std::max(1, words_for(static_cast<int>(part.contacts.size()))));
    part.cone.reserve(work_.lines, work_.lines);  // a line that is cut becomes a ray
    for (int l = 0; l < work_.lines; ++l) {
      if (!used_[l] || !belongs(l, part)) continue;
      A::select(work_.line_view(l), rows, planes, part.cone.line(part.cone.lines),
                part.cone.line_tag(part.cone.lines));
      ++part.cone.lines;
    }
    part.cone.dim = part.cone.lines;
    if (most_rays_) describe(cutter_, part, *most_rays_);
  }
  bool belongs(int l, const ContactCone<A>& part) {
    for (int row = 0; row < work_.planes; ++row)
      if (sign_of(work_.line(l)[row]) != 0)
        return find(contact_of_[row]) == find(part.origin.front());
    return false;
  }
};

}  // namespace tact::detail
