#include "tact/modes/modes.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>

#include "tact/base/parallel.hpp"
#include "tact/modes/face_visit.hpp"
#include "tact/modes/flat_count.hpp"
#include "tact/modes/mode_hash.hpp"
#include "tact/modes/mode_parts.hpp"
#include "tact/modes/stick_count.hpp"

namespace tact {

namespace detail {
namespace {

/// Counts by dimension, of one face or of a part.
struct Tally {
  std::vector<ModeCount> cs, full;
  bool inconsistent = false;

  void add(const Tally& other) {
    add(cs, other.cs);
    add(full, other.full);
    inconsistent = inconsistent || other.inconsistent;
  }
  static void add(std::vector<ModeCount>& to, const std::vector<ModeCount>& from) {
    if (to.size() < from.size()) to.resize(from.size(), 0);
    for (std::size_t k = 0; k < from.size(); ++k) to[k] += from[k];
  }
  static void count(std::vector<ModeCount>& to, int dim, ModeCount times) {
    if (static_cast<int>(to.size()) <= dim) to.resize(dim + 1, 0);
    to[dim] += times;
  }
};

std::vector<int> staying_contacts(const ContactFace& face) {
  std::vector<int> out;
  for (std::size_t k = 0; k < face.cs.size(); ++k)
    if (face.cs[k] == '0') out.push_back(static_cast<int>(k));
  return out;
}

/// All that one thread needs to count the modes of faces.
template <class A>
class FaceTally {
 public:
  explicit FaceTally(const A& arithmetic)
      : restriction_(arithmetic), flats_(arithmetic), sticks_(arithmetic) {}

  /// Adds to `out` at the very end, so that NumberTooLarge leaves it as it was.
  void count(const ContactCone<A>& part, const ContactFace& face, ModeKind kind, Tally& out) {
    restriction_.restrict_to(part, face, false, {}, sliding_);
    const int dim = sliding_.cone.dim;
    if (kind == ModeKind::sliding) {
      const std::vector<ModeCount>& faces = flats_.faces(sliding_.cone);
      for (int j = 0; j < static_cast<int>(faces.size()); ++j)
        if (faces[j] != 0) Tally::count(out.full, dim - j, faces[j]);
      out.inconsistent = out.inconsistent || flats_.inconsistent();
    } else if (kind == ModeKind::slipping) {
      std::vector<ModeCount> sets;
      sticks_.visit(sliding_, staying_contacts(face),
                    [&](const std::vector<char>&, int d) { Tally::count(sets, d, 1); });
      Tally::add(out.full, sets);
    } else {
      Tally::count(out.full, dim, 1);
    }
    Tally::count(out.cs, dim, 1);
  }

 private:
  FaceRestriction<A> restriction_;
  FlatCount<A> flats_;
  StickSets<A> sticks_;
  SlidingFace<A> sliding_;
};

/// The same part in numbers of any length.
ContactCone<WholeBig> enlarged(const ContactCone<Whole64>& part) {
  ContactCone<WholeBig> out;
  out.contacts = part.contacts;
  out.origin = part.origin;
  out.ray_words = part.ray_words;
  out.zero_rays = part.zero_rays;
  out.plus_rays = part.plus_rays;
  out.minus_rays = part.minus_rays;
  const SplitCone<Whole64>& from = part.cone;
  SplitCone<WholeBig>& to = out.cone;
  to.shape(from.planes, from.width, from.facet_words);
  to.reserve(from.rays, from.lines);
  to.dim = from.dim;
  to.rays = from.rays;
  to.lines = from.lines;
  to.facets = from.facets;
  std::copy(from.on_facets.begin(), from.on_facets.begin() + from.rays * from.facet_words,
            to.on_facets.begin());
  for (int k = 0; k < from.rays * from.width; ++k) to.ray_values[k] = from.ray_values[k];
  for (int k = 0; k < from.lines * from.width; ++k) to.line_values[k] = from.line_values[k];
  return out;
}

/// A part, and on demand its exact twin for faces that 64 bits cannot hold.
template <class A>
class Twin {
 public:
  explicit Twin(const ContactCone<A>& part) : part_(part) {}
  const ContactCone<WholeBig>& big() {
    std::call_once(once_, [&] {
      if constexpr (std::is_same_v<A, Whole64>) big_ = enlarged(part_);
    });
    return big_;
  }

 private:
  const ContactCone<A>& part_;
  std::once_flag once_;
  ContactCone<WholeBig> big_;
};

template <class A>
struct Worker {
  explicit Worker(const A& arithmetic) : own(arithmetic), big(WholeBig{}) {}
  FaceTally<A> own;
  FaceTally<WholeBig> big;

  void count(const ContactCone<A>& part, Twin<A>& twin, const ContactFace& face, ModeKind kind,
             Tally& out) {
    if constexpr (std::is_same_v<A, Whole64>) {
      try {
        own.count(part, face, kind, out);
      } catch (const NumberTooLarge&) {
        big.count(twin.big(), face, kind, out);
      }
    } else {
      own.count(part, face, kind, out);
    }
  }
};

bool stopped(const ModeOptions& options) {
  return options.stop != nullptr && options.stop->load(std::memory_order_relaxed);
}

template <class A>
Tally count_part(const ContactCone<A>& part, const A& arithmetic, const ModeOptions& options) {
  constexpr std::size_t chunk = 4096;
  Twin<A> twin(part);
  std::vector<Worker<A>> workers;
  for (int w = 0; w < std::max(1, options.threads); ++w) workers.emplace_back(arithmetic);
  std::vector<ContactFace> faces;
  Tally total;
  const auto flush = [&] {
    std::vector<Tally> tallies(workers.size());
    parallel_for(static_cast<int>(faces.size()), options.threads, [&](int k, int worker) {
      if (!stopped(options))
        workers[worker].count(part, twin, faces[k], options.kind, tallies[worker]);
    });
    for (const Tally& tally : tallies) total.add(tally);
    faces.clear();
    return !stopped(options);
  };
  if (options.threads <= 1) {
    FaceWalk walk(part, [&](const ContactFace& face) {
      workers[0].count(part, twin, face, options.kind, total);
      return !stopped(options);
    });
    walk.walk();
    return total;
  }
  FaceWalk walk(part, [&](const ContactFace& face) {
    faces.push_back(face);
    return faces.size() < chunk || flush();
  });
  walk.walk();
  flush();
  return total;
}

std::vector<ModeCount> convolve(const std::vector<ModeCount>& a, const std::vector<ModeCount>& b) {
  std::vector<ModeCount> out(a.size() + b.size() - 1, 0);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) out[i + j] += a[i] * b[j];
  return out;
}

ModeCounts finish(const Tally& tally, int kernel) {
  ModeCounts out;
  out.cs_by_dim.assign(kernel, 0);
  out.full_by_dim.assign(kernel, 0);
  out.cs_by_dim.insert(out.cs_by_dim.end(), tally.cs.begin(), tally.cs.end());
  out.full_by_dim.insert(out.full_by_dim.end(), tally.full.begin(), tally.full.end());
  for (const ModeCount c : out.cs_by_dim) out.cs += c;
  for (const ModeCount c : out.full_by_dim) out.full += c;
  out.inconsistent = tally.inconsistent;
  return out;
}

template <class A>
ModeCounts count_with(const ModeSystem& system, const NumberRows<A>& rows, const A& arithmetic,
                      const ModeOptions& options) {
  const ModeParts<A> parts = PartsBuilder<A>(system, rows, arithmetic, false, false).build();
  Tally total{{1}, {1}};
  for (const ContactCone<A>& part : parts.parts) {
    const Tally tally = count_part(part, arithmetic, options);
    if (stopped(options)) break;
    total.cs = convolve(total.cs, tally.cs);
    total.full = convolve(total.full, tally.full);
    total.inconsistent = total.inconsistent || tally.inconsistent;
  }
  ModeCounts out = finish(total, parts.kernel);
  out.stopped = stopped(options);
  return out;
}

}  // namespace
}  // namespace detail

std::string to_string(ModeCount count) {
  std::string out;
  do {
    out.insert(out.begin(), static_cast<char>('0' + static_cast<int>(count % 10)));
    count /= 10;
  } while (count != 0);
  return out;
}

Result<ModeCounts> count_modes(const ModeSystem& system, const ModeOptions& options) {
  if (auto valid = validate(system); !valid) return valid.error();
  if (options.policy == ModePolicy::tolerance) {
    const detail::Snapped arithmetic(options.tolerance);
    return detail::count_with(system, detail::scaled_rows(system), arithmetic, options);
  }
  try {
    return detail::count_with(system, detail::small_rows(system), detail::Whole64{}, options);
  } catch (const detail::NumberTooLarge&) {
    return detail::count_with(system, detail::big_rows(system), detail::WholeBig{}, options);
  }
}

}  // namespace tact
