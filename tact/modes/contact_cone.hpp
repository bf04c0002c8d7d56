// modes/contact_cone.hpp - the cone of admissible velocities N x >= 0, its faces, and on each face
// the planes that still cut.
//
// Every face of {N x >= 0} is one contacting/separating mode: the contacts whose rows vanish on it
// stay ([Huang20] Theorem 1, without its assumption that every contact is extremal). Generators
// come from double description once; faces are then sets of rays, and nothing is computed twice.
#pragma once

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "tact/modes/split_cone.hpp"

namespace tact::detail {

/// One contact of a ContactCone: columns of generator values.
struct ConeContact {
  int normal = 0;    ///< column; those of the tangents follow it
  int tangents = 0;  ///< how many
};

/// A part of the system that shares no velocity with the rest.
template <class A>
struct ContactCone {
  SplitCone<A> cone;  ///< generators of {N x >= 0}; columns are the rows of the part
  std::vector<ConeContact> contacts;
  std::vector<int> origin;  ///< which contact of the whole system each one is

  int ray_words = 0;
  std::vector<Word> zero_rays;              ///< per contact: the rays on which it stays
  std::vector<Word> plus_rays, minus_rays;  ///< per column: the rays with that sign
  std::vector<Word> on_lines;               ///< the columns that some line feels

  [[nodiscard]] const Word* zero_at(int contact) const {
    return zero_rays.data() + offset_of(contact, ray_words);
  }
  [[nodiscard]] const Word* plus_at(int column) const {
    return plus_rays.data() + offset_of(column, ray_words);
  }
  [[nodiscard]] const Word* minus_at(int column) const {
    return minus_rays.data() + offset_of(column, ray_words);
  }
};

/// Which rays lie on which contact, and on which side of which column.
template <class A>
void index_rays(ContactCone<A>& part) {
  const int count = static_cast<int>(part.contacts.size());
  part.ray_words = std::max(1, words_for(part.cone.rays));
  part.zero_rays.assign(count * part.ray_words, 0);
  part.plus_rays.assign(part.cone.planes * part.ray_words, 0);
  part.minus_rays.assign(part.cone.planes * part.ray_words, 0);
  for (int r = 0; r < part.cone.rays; ++r) {
    const int words = part.ray_words;
    for (int k = 0; k < count; ++k)
      if (has(part.cone.facets_of(r), k)) put(part.zero_rays.data() + offset_of(k, words), r);
    const typename A::Value* values = part.cone.ray(r);
    for (int column = 0; column < part.cone.planes; ++column) {
      if (values[column] > 0) put(part.plus_rays.data() + offset_of(column, words), r);
      if (values[column] < 0) put(part.minus_rays.data() + offset_of(column, words), r);
    }
  }
  part.on_lines.assign(words_for(part.cone.planes), 0);
  for (int l = 0; l < part.cone.lines; ++l)
    for (int column = 0; column < part.cone.planes; ++column)
      if (sign_of(part.cone.line(l)[column]) != 0) put(part.on_lines.data(), column);
}

/// Thrown by describe(); the work is then done without rays.
struct TooManyRays {};
inline constexpr int unlimited_rays = std::numeric_limits<int>::max();

/// Double description: cuts the space, given by its lines, with one contact after the other.
template <class A>
void describe(Cutter<A>& cutter, ContactCone<A>& part, int most_rays = unlimited_rays) {
  SplitCone<A> spare;
  spare.shape(part.cone.planes, part.cone.width, part.cone.facet_words);
  spare.reserve(part.cone.lines, part.cone.lines);
  SplitCone<A>* now = &part.cone;
  SplitCone<A>* next = &spare;
  const int count = static_cast<int>(part.contacts.size());
  for (int k = 0; k < count; ++k) {
    SplitCone<A>& cone = *now;
    const int plane = part.contacts[k].normal;
    bool below = false;
    for (int r = 0; r < cone.rays; ++r) below = below || sign_of(cone.ray(r)[plane]) < 0;
    if (below || Cutter<A>::pivot_line(cone, plane) >= 0) {
      cutter.cut(cone, plane, 1, k, *next);
      std::swap(now, next);
      if (now->rays > most_rays) throw TooManyRays{};
      continue;
    }
    put(cone.facets.data(), k);
    for (int r = 0; r < cone.rays; ++r)
      if (sign_of(cone.ray(r)[plane]) == 0) put(cone.facets_of(r), k);
  }
  if (now != &part.cone) std::swap(part.cone, spare);
  index_rays(part);
}

/// One face: which contacts stay, and the rays that generate it beside the lines.
struct ContactFace {
  std::string cs;          ///< one character per contact of the part, '0' stays, '+' separates
  std::vector<Word> rays;  ///< ray_words
};

/// Calls see(face) for every face in byte order of its string until it returns false. Each contact
/// in turn separates, if some ray of the face does, or stays, if the rays that stay still separate
/// all contacts that were said to: there are no dead ends.
template <class A, class See>
class FaceWalk {
 public:
  FaceWalk(const ContactCone<A>& part, See see) : part_(part), see_(std::move(see)) {
    const int count = static_cast<int>(part_.contacts.size());
    face_.cs.assign(count, '0');
    separating_.reserve(count);
    rays_.resize((count + 1) * part_.ray_words);
    all_ = rays_.data() + offset_of(count, part_.ray_words);
    for (int r = 0; r < part_.cone.rays; ++r) put(all_, r);
  }
  bool walk() { return from(0, all_); }

 private:
  const ContactCone<A>& part_;
  See see_;
  ContactFace face_;
  std::vector<int> separating_;  ///< the contacts said to
  std::vector<Word> rays_;       ///< per contact: the rays that are left when it stays
  Word* all_ = nullptr;          ///< behind these: all rays

  /// Decides the contacts from this one on; `rays` are those of the face so far.
  bool from(int contact, const Word* rays) {
    const int words = part_.ray_words;
    for (const int count = static_cast<int>(face_.cs.size()); contact < count; ++contact) {
      const Word* zero = part_.zero_at(contact);
      if (leaves(rays, zero)) {
        face_.cs[contact] = '+';
        separating_.push_back(contact);
        if (!from(contact + 1, rays)) return false;
        separating_.pop_back();
        Word* staying = rays_.data() + offset_of(contact, words);
        for (int w = 0; w < words; ++w) staying[w] = rays[w] & zero[w];
        if (!separated(staying)) return true;
        rays = staying;
      }
      face_.cs[contact] = '0';
    }
    face_.rays.assign(rays, rays + words);
    return see_(face_);
  }

  /// Whether some of the rays is not in the other set.
  [[nodiscard]] bool leaves(const Word* rays, const Word* set) const {
    for (int w = 0; w < part_.ray_words; ++w)
      if ((rays[w] & ~set[w]) != 0) return true;
    return false;
  }
  /// Whether every contact said to separate does so on one of the rays.
  [[nodiscard]] bool separated(const Word* rays) const {
    return std::all_of(separating_.begin(), separating_.end(),
                       [&](int k) { return leaves(rays, part_.zero_at(k)); });
  }
};

/// What a tangent row does on a face: nothing (sign 0), one sign everywhere, or it is a plane that
/// cuts: `plane` then counts the distinct ones and `sign` is the orientation.
struct TangentOnFace {
  int plane = -1;
  int sign = 0;
  int contact = 0;
};

/// A face with its distinct cutting planes, ready to be cut further.
template <class A>
struct SlidingFace {
  SplitCone<A> cone;
  std::vector<TangentOnFace> tangents;  ///< of the contacts that stay, in order
  std::vector<int> columns;             ///< of the part's cone: the planes
};

/// Builds SlidingFace objects from faces.
template <class A>
class FaceRestriction {
 public:
  explicit FaceRestriction(A arithmetic) : arithmetic_(std::move(arithmetic)) {}

  /// Of the face, from incidences alone: of the proper faces that one more contact leaves, the one
  /// with most rays is a facet, and a facet is one dimension less.
  int dimension(const ContactCone<A>& part, const ContactFace& face) {
    const int words = part.ray_words;
    chain_ = face.rays;
    int left = size_of(chain_.data(), words);
    int dim = part.cone.lines;
    while (left > 2) {
      int best = -1;
      int most = 0;
      for (int k = 0; k < static_cast<int>(face.cs.size()) && most != left - 1; ++k) {
        if (face.cs[k] == '0') continue;
        const int count = size_of_common(chain_.data(), part.zero_at(k), words);
        if (count == left || count < most || (best >= 0 && count == most)) continue;
        best = k;
        most = count;
      }
      if (best < 0) break;  // rays that a tolerance has made one
      ++dim;
      left = most;
      for (int w = 0; w < words; ++w) chain_[w] &= part.zero_at(best)[w];
    }
    return dim + left;
  }

  /// What the tangents do on the face, and the planes that cut it: all of `out` but the cone.
  void place_tangents(const ContactCone<A>& part, const ContactFace& face, SlidingFace<A>& out) {
    out.tangents.clear();
    out.columns.clear();
    for_tangents(part, face, [&](int contact, int column) {
      const Sides sides = sides_of(part, face, column);
      TangentOnFace tangent{-1, sides.above ? 1 : (sides.below ? -1 : 0), contact};
      if (sides.above && sides.below) place(part, face, column, tangent, out.columns);
      out.tangents.push_back(tangent);
    });
  }
  /// The planes alone.
  void find_planes(const ContactCone<A>& part, const ContactFace& face, SlidingFace<A>& out) {
    out.columns.clear();
    for_tangents(part, face, [&](int /*contact*/, int column) {
      const Sides sides = sides_of(part, face, column);
      TangentOnFace tangent;
      if (sides.above && sides.below) place(part, face, column, tangent, out.columns);
    });
  }

  /// The cone of a face whose planes are known, of dimension `dim`. `split`: leave room for the
  /// planes as facets behind the contacts; `carried`: columns of the part's cone to carry along
  /// behind the planes.
  void fill_cone(const ContactCone<A>& part, const ContactFace& face, int dim, bool split,
                 const std::vector<int>& carried, SlidingFace<A>& out) {
    const int planes = static_cast<int>(out.columns.size());
    const int facets = static_cast<int>(part.contacts.size()) + (split ? planes : 0);
    out.cone.shape(planes, planes + static_cast<int>(carried.size()),
                   std::max(1, words_for(facets)));
    out.cone.reserve(size_of(face.rays.data(), part.ray_words), part.cone.lines);
    if (!carried.empty()) {
      chosen_ = out.columns;
      chosen_.insert(chosen_.end(), carried.begin(), carried.end());
    }
    const std::vector<int>& columns = carried.empty() ? out.columns : chosen_;
    for (int k = 0; k < static_cast<int>(part.contacts.size()); ++k)
      if (face.cs[k] == '+') put(out.cone.facets.data(), k);
    for (int r = next_ray(part, face, 0); r >= 0; r = next_ray(part, face, r + 1))
      add_ray(part, r, columns, out.cone);
    for (int l = 0; l < part.cone.lines; ++l)
      A::select(part.cone.line_view(l), columns, planes, out.cone.line(l), out.cone.line_tag(l));
    out.cone.lines = part.cone.lines;
    out.cone.dim = dim;
    out.cone.classify();
  }

  void restrict_to(const ContactCone<A>& part, const ContactFace& face, bool split,
                   const std::vector<int>& carried, SlidingFace<A>& out) {
    place_tangents(part, face, out);
    fill_cone(part, face, dimension(part, face), split, carried, out);
  }

 private:
  A arithmetic_;
  std::vector<Word> chain_;  ///< rays of ever smaller faces
  std::vector<int> chosen_;  ///< columns

  static int next_ray(const ContactCone<A>& part, const ContactFace& face, int from) {
    return next_in(face.rays.data(), part.ray_words, from);
  }

  /// Calls see(contact, column) for every tangent of the contacts that stay.
  template <class See>
  static void for_tangents(const ContactCone<A>& part, const ContactFace& face, See&& see) {
    for (int k = 0; k < static_cast<int>(part.contacts.size()); ++k) {
      if (face.cs[k] != '0') continue;
      const ConeContact& contact = part.contacts[k];
      for (int t = 1; t <= contact.tangents; ++t) see(k, contact.normal + t);
    }
  }

  struct Sides {
    bool above = false;
    bool below = false;
  };
  /// On which sides of a plane the face has points.
  static Sides sides_of(const ContactCone<A>& part, const ContactFace& face, int column) {
    if (has(part.on_lines.data(), column)) return {true, true};
    const Word* plus = part.plus_at(column);
    const Word* minus = part.minus_at(column);
    Word above = 0;
    Word below = 0;
    for (int w = 0; w < part.ray_words; ++w) {
      above |= plus[w] & face.rays[w];
      below |= minus[w] & face.rays[w];
    }
    return {above != 0, below != 0};
  }

  /// Which plane it is that cuts: one of those so far, or a new one.
  void place(const ContactCone<A>& part, const ContactFace& face, int column,
             TangentOnFace& tangent, std::vector<int>& columns) const {
    const int count = static_cast<int>(columns.size());
    for (tangent.plane = 0; tangent.plane < count; ++tangent.plane) {
      tangent.sign = parallel(part, face, columns[tangent.plane], column);
      if (tangent.sign != 0) return;
    }
    tangent.sign = 1;
    columns.push_back(column);
  }

  /// 1 or -1 if the two columns are multiples of each other on the face, else 0.
  int parallel(const ContactCone<A>& part, const ContactFace& face, int a, int b) const {
    bool same = true;
    bool opposite = true;
    for (int w = 0; w < part.ray_words; ++w) {
      const Word rays = face.rays[w];
      const Word pa = part.plus_at(a)[w] & rays;
      const Word ma = part.minus_at(a)[w] & rays;
      const Word pb = part.plus_at(b)[w] & rays;
      const Word mb = part.minus_at(b)[w] & rays;
      same = same && pa == pb && ma == mb;
      opposite = opposite && pa == mb && ma == pb;
    }
    if (!same && !opposite) return 0;
    std::optional<View<A>> pivot;
    const auto fits = [&](View<A> v) {
      if (sign_of(v.values[a]) == 0 || sign_of(v.values[b]) == 0)
        return sign_of(v.values[a]) == sign_of(v.values[b]);
      if (!pivot) {
        pivot = v;
        return true;
      }
      return arithmetic_.minor_vanishes(*pivot, v, a, b);
    };
    for (int r = next_ray(part, face, 0); r >= 0; r = next_ray(part, face, r + 1))
      if (!fits(part.cone.ray_view(r))) return 0;
    for (int l = 0; l < part.cone.lines; ++l)
      if (!fits(part.cone.line_view(l))) return 0;
    return sign_of(pivot->values[a]) == sign_of(pivot->values[b]) ? 1 : -1;
  }

  static void add_ray(const ContactCone<A>& part, int r, const std::vector<int>& columns,
                      SplitCone<A>& cone) {
    const int s = cone.rays++;
    A::select(part.cone.ray_view(r), columns, cone.planes, cone.ray(s), cone.ray_tag(s));
    // What is zero on the whole face is no facet of it.
    const int known = std::min(cone.facet_words, part.cone.facet_words);
    for (int w = 0; w < known; ++w)
      cone.facets_of(s)[w] = part.cone.facets_of(r)[w] & cone.facets[w];
    std::fill(cone.facets_of(s) + known, cone.facets_of(s) + cone.facet_words, 0);
  }
};

}  // namespace tact::detail
