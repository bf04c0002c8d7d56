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
    for (int k = 0; k < count; ++k)
      if (has(part.cone.facets_of(r), k))
        put(part.zero_rays.data() + offset_of(k, part.ray_words), r);
    for (int column = 0; column < part.cone.planes; ++column) {
      const int sign = sign_of(part.cone.ray(r)[column]);
      if (sign > 0) put(part.plus_rays.data() + offset_of(column, part.ray_words), r);
      if (sign < 0) put(part.minus_rays.data() + offset_of(column, part.ray_words), r);
    }
  }
}

/// Thrown by describe(); the work is then done without rays.
struct TooManyRays {};
inline constexpr int unlimited_rays = std::numeric_limits<int>::max();

/// Double description: cuts the space, given by its lines, with one contact after the other.
template <class A>
void describe(Cutter<A>& cutter, ContactCone<A>& part, int most_rays = unlimited_rays) {
  SplitCone<A> spare;
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
    rays_.assign((count + 1) * part_.ray_words, 0);
    for (int r = 0; r < part_.cone.rays; ++r) put(rays_.data(), r);
  }
  bool walk() { return from(0); }

 private:
  const ContactCone<A>& part_;
  See see_;
  ContactFace face_;
  std::vector<Word> rays_;  ///< the rays of the face so far, one set per contact decided

  bool from(int contact) {
    const int words = part_.ray_words;
    const Word* rays = rays_.data() + offset_of(contact, words);
    Word* next = rays_.data() + offset_of(contact + 1, words);
    if (contact == static_cast<int>(part_.contacts.size())) {
      face_.rays.assign(rays, rays + words);
      return see_(face_);
    }
    const Word* zero = part_.zero_at(contact);
    bool separates = false;
    bool all = true;
    for (int w = 0; w < words; ++w) {
      separates = separates || (rays[w] & ~zero[w]) != 0;
      all = all && (rays[w] & ~zero[w]) == 0;
    }
    if (separates) {
      face_.cs[contact] = '+';
      std::copy(rays, rays + words, next);
      if (!from(contact + 1)) return false;
    }
    for (int w = 0; w < words; ++w) next[w] = rays[w] & zero[w];
    if (!all && !separated(contact, next)) return true;
    face_.cs[contact] = '0';
    return from(contact + 1);
  }

  /// Whether every contact before `count` that separates does so on one of the rays.
  bool separated(int count, const Word* rays) const {
    for (int k = 0; k < count; ++k) {
      if (face_.cs[k] != '+') continue;
      const Word* zero = part_.zero_at(k);
      bool some = false;
      for (int w = 0; w < part_.ray_words && !some; ++w) some = (rays[w] & ~zero[w]) != 0;
      if (!some) return false;
    }
    return true;
  }
};

/// What a tangent row does on a face: nothing (sign 0), one sign everywhere, or it is a plane that
/// cuts: `plane` then counts the distinct ones and `sign` is the orientation.
struct TangentOnFace {
  int plane = -1;
  int sign = 0;
};

/// A face with its distinct cutting planes, ready to be cut further.
template <class A>
struct SlidingFace {
  SplitCone<A> cone;
  std::vector<TangentOnFace> tangents;  ///< of the contacts that stay, in order
  std::vector<int> contact_of;          ///< the contact of each of them
  std::vector<int> columns;             ///< of the part's cone: the planes
};

/// Builds SlidingFace objects from faces.
template <class A>
class FaceRestriction {
 public:
  explicit FaceRestriction(A arithmetic) : arithmetic_(std::move(arithmetic)) {}

  /// `split`: leave room for the planes as facets behind the contacts; `carried`: columns of the
  /// part's cone to carry along behind the planes.
  void restrict_to(const ContactCone<A>& part, const ContactFace& face, bool split,
                   const std::vector<int>& carried, SlidingFace<A>& out) {
    list_rays(part, face);
    out.tangents.clear();
    out.contact_of.clear();
    out.columns.clear();
    for (int k = 0; k < static_cast<int>(part.contacts.size()); ++k) {
      if (face.cs[k] != '0') continue;
      for (int t = 1; t <= part.contacts[k].tangents; ++t) {
        const int column = part.contacts[k].normal + t;
        out.tangents.push_back(place(part, face, column, out.columns));
        out.contact_of.push_back(k);
      }
    }
    const int planes = static_cast<int>(out.columns.size());
    const int facets = static_cast<int>(part.contacts.size()) + (split ? planes : 0);
    out.cone.shape(planes, planes + static_cast<int>(carried.size()), words_for(facets));
    out.cone.reserve(static_cast<int>(rays_.size()), part.cone.lines);
    chosen_ = out.columns;
    chosen_.insert(chosen_.end(), carried.begin(), carried.end());
    for (const int r : rays_) add_ray(part, r, out);
    for (int l = 0; l < part.cone.lines; ++l)
      A::select(part.cone.line_view(l), chosen_, planes, out.cone.line(l), out.cone.line_tags[l]);
    out.cone.lines = part.cone.lines;
    for (int k = 0; k < static_cast<int>(part.contacts.size()); ++k)
      if (face.cs[k] == '+') put(out.cone.facets.data(), k);
    for (int r = 0; r < out.cone.rays; ++r)  // what is zero on the whole face is no facet of it
      for (int w = 0; w < out.cone.facet_words; ++w) out.cone.facets_of(r)[w] &= out.cone.facets[w];
    out.cone.dim = dimension(part, face) + part.cone.lines;
    out.cone.classify();
  }

 private:
  A arithmetic_;
  std::vector<int> rays_;
  std::vector<int> chain_;   ///< rays of ever smaller faces
  std::vector<int> chosen_;  ///< columns

  void list_rays(const ContactCone<A>& part, const ContactFace& face) {
    rays_.clear();
    for (int r = next_in(face.rays.data(), part.ray_words, 0); r >= 0;
         r = next_in(face.rays.data(), part.ray_words, r + 1))
      rays_.push_back(r);
  }

  TangentOnFace place(const ContactCone<A>& part, const ContactFace& face, int column,
                      std::vector<int>& columns) {
    bool above = false;
    bool below = false;
    for (int w = 0; w < part.ray_words; ++w) {
      above = above || (part.plus_at(column)[w] & face.rays[w]) != 0;
      below = below || (part.minus_at(column)[w] & face.rays[w]) != 0;
    }
    for (int l = 0; l < part.cone.lines; ++l)
      if (sign_of(part.cone.line(l)[column]) != 0) above = below = true;
    if (!above || !below) return {-1, above ? 1 : (below ? -1 : 0)};
    for (int p = 0; p < static_cast<int>(columns.size()); ++p)
      if (const int sign = parallel(part, face, columns[p], column); sign != 0) return {p, sign};
    columns.push_back(column);
    return {static_cast<int>(columns.size()) - 1, 1};
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
    for (const int r : rays_)
      if (!fits(part.cone.ray_view(r))) return 0;
    for (int l = 0; l < part.cone.lines; ++l)
      if (!fits(part.cone.line_view(l))) return 0;
    return sign_of(pivot->values[a]) == sign_of(pivot->values[b]) ? 1 : -1;
  }

  void add_ray(const ContactCone<A>& part, int r, SlidingFace<A>& out) const {
    SplitCone<A>& cone = out.cone;
    const int s = cone.rays++;
    A::select(part.cone.ray_view(r), chosen_, cone.planes, cone.ray(s), cone.ray_tags[s]);
    std::fill(cone.facets_of(s), cone.facets_of(s) + cone.facet_words, 0);
    for (int w = 0; w < std::min(cone.facet_words, part.cone.facet_words); ++w)
      cone.facets_of(s)[w] = part.cone.facets_of(r)[w];
    cone.sign_ray(s);
  }

  /// Dimension of the face modulo the lines, from incidences alone: of the proper faces that one
  /// more contact leaves, the one with most rays is a facet, and a facet is one dimension less.
  int dimension(const ContactCone<A>& part, const ContactFace& face) {
    chain_ = rays_;
    int dim = 0;
    while (chain_.size() > 2) {
      int best = -1;
      std::size_t most = 0;
      for (int k = 0; k < static_cast<int>(part.contacts.size()); ++k) {
        if (face.cs[k] == '0') continue;
        std::size_t count = 0;
        for (const int r : chain_) count += has(part.cone.facets_of(r), k) ? 1 : 0;
        if (count == chain_.size() || count < most || (best >= 0 && count == most)) continue;
        best = k;
        most = count;
      }
      if (best < 0) break;  // rays that a tolerance has made one
      ++dim;
      std::erase_if(chain_, [&](int r) { return !has(part.cone.facets_of(r), best); });
    }
    return dim + static_cast<int>(chain_.size());
  }
};

}  // namespace tact::detail
