#include "tact/modes/mode_work.hpp"

#include <algorithm>
#include <type_traits>

#include "tact/base/parallel.hpp"
#include "tact/modes/face_tally.hpp"
#include "tact/modes/mode_machine.hpp"
#include "tact/modes/mode_parts.hpp"

namespace tact {

namespace detail {
namespace {

/// The same part in numbers that know no limit.
ContactCone<Filtered> enlarged(const ContactCone<Whole64>& part) {
  ContactCone<Filtered> out;
  out.contacts = part.contacts;
  out.origin = part.origin;
  out.ray_words = part.ray_words;
  out.zero_rays = part.zero_rays;
  out.plus_rays = part.plus_rays;
  out.minus_rays = part.minus_rays;
  out.on_lines = part.on_lines;
  const SplitCone<Whole64>& from = part.cone;
  SplitCone<Filtered>& to = out.cone;
  to.shape(from.planes, from.width, from.facet_words);
  to.reserve(from.rays, from.lines);
  to.dim = from.dim;
  to.rays = from.rays;
  to.lines = from.lines;
  to.facets = from.facets;
  for (int r = 0; r < from.rays; ++r)
    std::copy_n(from.facets_of(r), from.facet_words, to.facets_of(r));
  const auto given = [&](const std::int64_t* values, double* doubles) {
    return Filtered::given(std::vector<mpz_class>(values, values + from.width), doubles);
  };
  for (int r = 0; r < from.rays; ++r) to.ray_tag(r) = given(from.ray(r), to.ray(r));
  for (int l = 0; l < from.lines; ++l) to.line_tag(l) = given(from.line(l), to.line(l));
  return out;
}

/// The same part with recipes of its own.
ContactCone<Filtered> cloned(const ContactCone<Filtered>& part) {
  ContactCone<Filtered> out = part;
  for (int r = 0; r < part.cone.rays; ++r)
    out.cone.ray_tag(r) = Filtered::cloned(part.cone.ray_tag(r));
  for (int l = 0; l < part.cone.lines; ++l)
    out.cone.line_tag(l) = Filtered::cloned(part.cone.line_tag(l));
  return out;
}

int ray_limit(bool visit) {
  return visit ? ray_limit_of_visits : ray_limit_of_counts;
}

/// One piece of a block: a face, and of a visit the first cuts.
struct Task {
  ContactFace face;
  std::string path;
};

template <class A>
class MachineOf final : public ModeWork::Machine {
 public:
  MachineOf(const ModeSystem& system, const NumberRows<A>& rows, A arithmetic,
            const ModeOptions& options, bool visit)
      : arithmetic_(arithmetic), options_(options), visit_(visit) {
    PartsBuilder<A> builder(system, rows, arithmetic, visit, visit && options_.witnesses);
    parts_ =
        builder.build(options.method == ModeMethod::automatic ? ray_limit(visit) : unlimited_rays);
    if constexpr (std::is_same_v<A, Filtered>)  // evaluated now, and only read by the workers
      for (ContactCone<A>& part : parts_.parts) part = cloned(part);
  }

  bool run(const BlockSource& source, const BlockSink& done, const ModeSink& sink) override {
    source_ = &source;
    done_ = &done;
    sink_ = &sink;
    crew();
    block_ = 0;
    passed_ = 0;
    wanted_ = source();
    stopped_ = false;
    for (part_ = 0; part_ < parts() && wanted_ && !stopped_; ++part_) {
      tasks_ = 0;
      FaceWalk walk(parts_.parts[part_], [this](const ContactFace& face) { return take(face); });
      walk.walk();
      if (wanted_ && !stopped_ && tasks_ > 0) finish_block();
    }
    return !stopped_;
  }
  [[nodiscard]] ModeCount faces(ModeCount most) const override {
    ModeCount count = 0;
    for (const ContactCone<A>& part : parts_.parts) {
      if (count == most) break;
      FaceWalk walk(part, [&](const ContactFace&) { return ++count != most; });
      walk.walk();
    }
    return count;
  }
  [[nodiscard]] ModeCount faces_passed() const override { return passed_; }
  [[nodiscard]] int parts() const override { return static_cast<int>(parts_.parts.size()); }
  [[nodiscard]] int kernel() const override { return parts_.kernel; }
  [[nodiscard]] ModeMethod method() const override { return ModeMethod::rays; }

 private:
  static constexpr int block_size = 64;

  A arithmetic_;
  ModeOptions options_;
  bool visit_;
  ModeParts<A> parts_;
  struct Worker {
    explicit Worker(const A& arithmetic) : tally(arithmetic) {}
    FaceTally<A> tally;
    std::unique_ptr<FaceTally<Filtered>> big_tally;  ///< made when needed
    /// Per part, made when needed: twins in numbers without limit, for faces that 64 bits cannot
    /// hold, or where all numbers are such, copies that no other worker touches.
    std::vector<std::optional<ContactCone<Filtered>>> twins;
  };
  std::vector<Worker> workers_;
  std::vector<std::string> paths_{std::string{}};  ///< of the face at hand; a count goes one way

  const BlockSource* source_ = nullptr;
  const BlockSink* done_ = nullptr;
  const ModeSink* sink_ = nullptr;
  std::optional<std::uint64_t> wanted_;
  std::uint64_t block_ = 0;
  int part_ = 0;
  int tasks_ = 0;           ///< in the block at hand
  std::vector<Task> todo_;  ///< of several threads
  Tally tally_;             ///< of one
  std::atomic<bool> stopped_ = false;
  ModeCount passed_ = 0;

  void crew() {
    const int threads = std::max(1, options_.threads);
    workers_.reserve(threads);
    while (static_cast<int>(workers_.size()) < threads) workers_.emplace_back(arithmetic_);
    for (Worker& worker : workers_) worker.tally.obey({options_.stop});
    if (threads > 1) todo_.resize(block_size);
  }

  /// Puts a face into the block at hand, or its pieces into this and the next ones.
  bool take(const ContactFace& face) {
    if (visit_) pieces(face);
    for (const std::string& path : paths_) {
      if (*wanted_ == block_) put_down(face, path);
      if (&path == &paths_.back()) ++passed_;
      if (++tasks_ == block_size) finish_block();
      if (!wanted_ || stopped_) return false;
    }
    return true;
  }

  /// One thread does a task at once, several need the whole block.
  void put_down(const ContactFace& face, const std::string& path) {
    if (options_.threads <= 1) {
      if (tasks_ == 0) tally_ = {};
      if (!stop_asked()) do_task(face, path, 0, tally_, *sink_ ? sink_ : nullptr);
      return;
    }
    todo_[tasks_].face = face;
    todo_[tasks_].path = path;
  }

  void pieces(const ContactFace& face) {
    const ContactCone<A>& part = parts_.parts[part_];
    try {
      workers_[0].tally.cut_into_pieces(part, face, options_, paths_);
    } catch (const NumberTooLarge&) {
      big_tally(0).cut_into_pieces(twin(0), face, options_, paths_);
    }
  }

  const ContactCone<Filtered>& twin(int worker) {
    std::vector<std::optional<ContactCone<Filtered>>>& twins = workers_[worker].twins;
    twins.resize(parts_.parts.size());
    std::optional<ContactCone<Filtered>>& twin = twins[part_];
    if (!twin) {
      if constexpr (std::is_same_v<A, Whole64>) twin = enlarged(parts_.parts[part_]);
      if constexpr (std::is_same_v<A, Filtered>) twin = cloned(parts_.parts[part_]);
    }
    return *twin;
  }
  FaceTally<Filtered>& big_tally(int worker) {
    std::unique_ptr<FaceTally<Filtered>>& tally = workers_[worker].big_tally;
    if (!tally) {
      tally = std::make_unique<FaceTally<Filtered>>(Filtered{});
      tally->obey({options_.stop});
    }
    return *tally;
  }
  /// The part at hand, for one worker.
  const ContactCone<A>& part_for(int worker) {
    if constexpr (std::is_same_v<A, Filtered>) return twin(worker);
    return parts_.parts[part_];
  }

  [[nodiscard]] bool stop_asked() const {
    return stopped_ || (options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed));
  }

  void finish_block() {
    if (*wanted_ == block_) {
      ModeBlock result;
      result.index = block_;
      result.part = part_;
      do_tasks(result);
      if (stop_asked()) {
        stopped_ = true;
      } else {
        (*done_)(std::move(result));
        wanted_ = (*source_)();
        stopped_ = stop_asked();
      }
    }
    tasks_ = 0;
    ++block_;
  }

  void do_tasks(ModeBlock& out) {
    if (options_.threads <= 1) return add(tally_, out);
    std::vector<Tally> tallies(tasks_);
    std::vector<ModeBuffer> buffers(*sink_ ? tasks_ : 0);
    parallel_for(tasks_, options_.threads, [&](int k, int worker) {
      if (stop_asked()) return;
      ModeSink collect;
      if (*sink_)
        collect = [&buffers, k](const ModeView& mode) {
          buffers[k].push(mode);
          return true;
        };
      do_task(todo_[k].face, todo_[k].path, worker, tallies[k], *sink_ ? &collect : nullptr);
    });
    for (const Tally& tally : tallies) add(tally, out);
    for (const ModeBuffer& buffer : buffers)
      if (!stop_asked() && !buffer.replay(*sink_)) stopped_ = true;
  }

  static void add(const Tally& tally, ModeBlock& out) {
    Tally::add(out.cs_by_dim, tally.cs);
    Tally::add(out.full_by_dim, tally.full);
    out.hash.add(tally.hash);
    out.inconsistent = out.inconsistent || tally.inconsistent;
  }

  void do_task(const ContactFace& face, const std::string& path, int worker, Tally& tally,
               const ModeSink* sink) {
    try {
      do_in_any_numbers(face, path, worker, tally, sink);
    } catch (const WorkStopped&) {
      stopped_ = true;
    }
  }

  void do_in_any_numbers(const ContactFace& face, const std::string& path, int worker, Tally& tally,
                         const ModeSink* sink) {
    const ContactCone<A>& part = part_for(worker);
    std::uint64_t seen = 0;
    try {
      if (!work(workers_[worker].tally, part, face, path, tally, sink, seen)) stopped_ = true;
    } catch (const NumberTooLarge&) {
      if constexpr (std::is_same_v<A, Whole64>)
        if (!work(big_tally(worker), twin(worker), face, path, tally, sink, seen)) stopped_ = true;
    }
  }

  /// `seen`: how many modes of the task were already given, by an attempt in smaller numbers.
  template <class B>
  bool work(FaceTally<B>& worker, const ContactCone<B>& part, const ContactFace& face,
            const std::string& path, Tally& tally, const ModeSink* sink, std::uint64_t& seen) {
    if (visit_) return worker.visit(part, face, path, options_, tally, sink, parts_.kernel, seen);
    worker.count(part, face, options_.kind, tally);
    return true;
  }
};

ModeCount sum(ModeCount a, ModeCount b) {
  ModeCount out = 0;
  return __builtin_add_overflow(a, b, &out) ? most_modes : out;
}
ModeCount product(ModeCount a, ModeCount b) {
  ModeCount out = 0;
  return __builtin_mul_overflow(a, b, &out) ? most_modes : out;
}

std::vector<ModeCount> convolve(const std::vector<ModeCount>& a, const std::vector<ModeCount>& b) {
  if (a.empty() || b.empty()) return {};
  std::vector<ModeCount> out(a.size() + b.size() - 1, 0);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size() && a[i] != 0; ++j)
      out[i + j] = sum(out[i + j], product(a[i], b[j]));
  return out;
}

}  // namespace
}  // namespace detail

void ModeTotals::add(const ModeBlock& block) {
  TACT_EXPECTS(block.index == next);
  ++next;
  if (static_cast<int>(parts.size()) <= block.part) parts.resize(block.part + 1);
  detail::Tally::add(parts[block.part].cs_by_dim, block.cs_by_dim);
  detail::Tally::add(parts[block.part].full_by_dim, block.full_by_dim);
  hash.add(block.hash);
  inconsistent = inconsistent || block.inconsistent;
}

ModeWork::ModeWork(std::unique_ptr<Machine> machine) : machine_(std::move(machine)) {}
ModeWork::ModeWork(ModeWork&&) noexcept = default;
ModeWork& ModeWork::operator=(ModeWork&&) noexcept = default;
ModeWork::~ModeWork() = default;

namespace {

std::unique_ptr<ModeWork::Machine> ray_machine(const ModeSystem& system, const ModeOptions& options,
                                               bool visit) {
  using namespace detail;
  if (options.policy == ModePolicy::tolerance) {
    const Snapped arithmetic(options.tolerance);
    return std::make_unique<MachineOf<Snapped>>(system, scaled_rows(system), arithmetic, options,
                                                visit);
  }
  try {
    return std::make_unique<MachineOf<Whole64>>(system, small_rows(system), Whole64{}, options,
                                                visit);
  } catch (const NumberTooLarge&) {
    return std::make_unique<MachineOf<Filtered>>(system, NumberRows<Filtered>{big_rows(system)},
                                                 Filtered{}, options, visit);
  }
}

}  // namespace

namespace {

/// Facets of the cyclic polytope of that many points, `dof` one more than its dimension.
double cyclic_facets(Index points, Index dof) {
  const auto choose = [](Index n, Index k) {
    double out = 1;
    for (Index i = 1; i <= k; ++i) out *= static_cast<double>(n - k + i) / static_cast<double>(i);
    return out;
  };
  if (points <= dof) return static_cast<double>(points);  // a simplicial cone
  const Index d = dof - 1;                                // of a section
  return choose(points - (d + 1) / 2, points - d) + choose(points - (d + 2) / 2, points - d);
}

/// Rays are counted in rounded numbers first: exact ones grow long before they grow many.
void throw_if_too_many_rays(const ModeSystem& system, bool visit) {
  using namespace detail;
  if (most_rays(static_cast<Index>(system.contacts.size()), system.dof()) <= ray_limit(visit))
    return;
  const NumberRows<Snapped> rows = scaled_rows(system);
  PartsBuilder<Snapped> probe(system, rows, Snapped(tolerance::mode_sign), visit, false);
  (void)probe.build(ray_limit(visit));
}

}  // namespace

double most_rays(Index contacts, Index dof) {
  double most = 0;
  for (Index d = 1; d <= dof; ++d) most = std::max(most, cyclic_facets(contacts, d));
  return most;
}

Result<ModeWork> ModeWork::prepare(const ModeSystem& system, const ModeOptions& options,
                                   bool visit) {
  if (auto valid = validate(system, options); !valid) return valid.error();
  if (options.method != ModeMethod::witnesses) try {
      if (options.method == ModeMethod::automatic) throw_if_too_many_rays(system, visit);
      return ModeWork(ray_machine(system, options, visit));
    } catch (const detail::TooManyRays&) {
      // Then without them.
    }
  return ModeWork(detail::witness_machine(system, options, visit));
}

bool ModeWork::run(const BlockSource& source, const BlockSink& done, const ModeSink& sink) {
  return machine_->run(source, done, sink);
}
ModeCount ModeWork::faces(ModeCount most) const {
  return machine_->faces(most);
}
ModeMethod ModeWork::method() const {
  return machine_->method();
}
ModeCount ModeWork::faces_passed() const {
  return machine_->faces_passed();
}

ModeCounts ModeWork::counts(const ModeTotals& totals) const {
  ModeCounts out;
  // The velocities that no row feels have one mode, of their dimension; parts multiply.
  out.cs_by_dim.resize(machine_->kernel() + 1);
  out.cs_by_dim.back() = 1;
  out.full_by_dim = out.cs_by_dim;
  for (const ModeTotals::Part& part : totals.parts) {
    out.cs_by_dim = detail::convolve(out.cs_by_dim, part.cs_by_dim);
    out.full_by_dim = detail::convolve(out.full_by_dim, part.full_by_dim);
  }
  if (static_cast<int>(totals.parts.size()) < machine_->parts()) {  // stopped before the last ones
    out.cs_by_dim.assign(machine_->kernel(), 0);
    out.full_by_dim.assign(machine_->kernel(), 0);
  }
  for (const ModeCount c : out.cs_by_dim) out.cs = detail::sum(out.cs, c);
  for (const ModeCount c : out.full_by_dim) out.full = detail::sum(out.full, c);
  out.inconsistent = totals.inconsistent;
  out.method = machine_->method();
  return out;
}

}  // namespace tact
