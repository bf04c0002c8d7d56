// modes/witness_machine.cpp - blocks of modes from walks by witnesses.
#include <algorithm>
#include <cmath>
#include <limits>

#include "tact/modes/face_tally.hpp"
#include "tact/modes/mode_machine.hpp"
#include "tact/modes/mode_parts.hpp"
#include "tact/modes/witness_walk.hpp"

namespace tact::detail {
namespace {

using Wholes = std::vector<mpz_class>;

/// The velocity of a witness: the shortest coordinates that still have all signs, in whole numbers.
template <class A>
class Velocity {
 public:
  const Wholes& of(const WalkMode<A>& mode) {
    const std::vector<ExactLine>& lines = mode.space->exact_lines();
    coordinates_.clear();
    Exact largest = 0;
    for (std::size_t l = 0; l < lines.size(); ++l) {
      coordinates_.push_back(mode.witness->coordinate(static_cast<int>(l)) * lines[l].unit);
      largest = std::max(largest, Exact(abs(coordinates_[l])));
    }
    const int planes = mode.space->cone.planes;
    const int width = mode.space->cone.width - planes;
    constexpr int most_bits = 32;
    for (int bits = 2; bits <= most_bits && largest != 0; bits *= 2)
      if (shorten(mode, largest, bits)) return sum(lines, planes, width);
    mpz_class common = 1;
    for (const Exact& c : coordinates_) common = lcm(common, c.get_den());
    whole_.clear();
    for (const Exact& c : coordinates_) whole_.emplace_back(c.get_num() * (common / c.get_den()));
    return sum(lines, planes, width);
  }

 private:
  ExactVector coordinates_;
  Wholes whole_, out_;

  bool shorten(const WalkMode<A>& mode, const Exact& largest, int bits) {
    const std::vector<ExactLine>& lines = mode.space->exact_lines();
    whole_.clear();
    const mpz_class grid = mpz_class(1) << static_cast<unsigned>(bits);
    for (const Exact& c : coordinates_) {
      const Exact scaled = c / largest * grid + Exact(1, 2);
      whole_.emplace_back();
      mpz_fdiv_q(whole_.back().get_mpz_t(), scaled.get_num_mpz_t(), scaled.get_den_mpz_t());
    }
    mpz_class value;
    return std::all_of(mode.strict.begin(), mode.strict.end(), [&](int signed_row) {
      value = 0;
      for (std::size_t l = 0; l < lines.size(); ++l)
        value += whole_[l] * lines[l].whole[std::abs(signed_row) - 1];
      return sgn(value) == (signed_row > 0 ? 1 : -1);
    });
  }
  const Wholes& sum(const std::vector<ExactLine>& lines, int planes, int width) {
    out_.assign(width, 0);
    mpz_class common = 0;
    for (int k = 0; k < width; ++k) {
      for (std::size_t l = 0; l < lines.size(); ++l)
        out_[k] += whole_[l] * lines[l].whole[planes + k];
      common = gcd(common, out_[k]);
    }
    if (common > 1)
      for (mpz_class& v : out_) v /= common;
    return out_;
  }
};

/// Whole numbers as doubles, rounded alike where they are longer; what is larger than doubles can
/// be is divided by a power of two.
void as_doubles(const Wholes& x, std::vector<double>& out) {
  long top = 0;
  for (const mpz_class& v : x) {
    long exponent = 0;
    (void)mpz_get_d_2exp(&exponent, v.get_mpz_t());
    top = std::max(top, exponent);
  }
  constexpr long comfortable = 1000;
  const long shift = std::max(0L, top - comfortable);
  out.clear();
  for (const mpz_class& v : x) {
    long exponent = 0;
    const double mantissa = mpz_get_d_2exp(&exponent, v.get_mpz_t());
    const long power = std::max(exponent - shift, -comfortable);
    out.push_back(std::ldexp(mantissa, static_cast<int>(power)));
  }
}

template <class A>
class WitnessMachine final : public ModeWork::Machine {
 public:
  WitnessMachine(const ModeSystem& system, const NumberRows<A>& rows, A arithmetic,
                 const ModeOptions& options, bool visit)
      : arithmetic_(arithmetic), options_(options), visit_(visit) {
    PartsBuilder<A> builder(system, rows, arithmetic, visit, visit && options_.witnesses);
    parts_ = builder.build(std::nullopt);
    for (ContactCone<A>& part : parts_.parts)
      for (int l = 0; l < part.cone.lines; ++l) sharpen_line(part.cone, l);
  }

  bool run(const BlockSource& source, const BlockSink& done, const ModeSink& sink) override {
    source_ = &source;
    done_ = &done;
    sink_ = visit_ && sink ? &sink : nullptr;
    block_ = 0;
    passed_ = 0;
    stopped_ = false;
    wanted_ = source();
    try {
      for (part_ = 0; part_ < parts() && wanted_ && !stopped_; ++part_) walk_part();
    } catch (const WalkStopped&) {
      stopped_ = true;
    }
    return !stopped_;
  }
  /// Nobody knows before they are walked through.
  [[nodiscard]] ModeCount faces(ModeCount most) const override { return most; }
  [[nodiscard]] ModeCount faces_passed() const override { return passed_; }
  [[nodiscard]] int parts() const override { return static_cast<int>(parts_.parts.size()); }
  [[nodiscard]] int kernel() const override { return parts_.kernel; }
  [[nodiscard]] ModeMethod method() const override { return ModeMethod::witnesses; }

 private:
  static constexpr int block_size = 64;  ///< cs strings

  A arithmetic_;
  ModeOptions options_;
  bool visit_;
  ModeParts<A> parts_;
  Velocity<A> velocity_;

  const BlockSource* source_ = nullptr;
  const BlockSink* done_ = nullptr;
  const ModeSink* sink_ = nullptr;
  std::optional<std::uint64_t> wanted_;
  std::uint64_t block_ = 0;
  ModeCount passed_ = 0;
  int part_ = 0;
  int faces_ = 0;  ///< in the block at hand
  Tally tally_;
  bool new_face_ = false;
  bool stopped_ = false;
  std::vector<double> doubles_;
  std::vector<Rational> rationals_;

  void walk_part() {
    WitnessWalk<A> walk(parts_.parts[part_], arithmetic_, options_.kind, options_.stop);
    faces_ = 0;
    tally_ = {};
    const auto wanted = [&]() -> std::optional<bool> {
      if (faces_ == block_size) finish_block(walk);
      if (!wanted_ || stopped_) return std::nullopt;
      ++faces_;
      ++passed_;
      new_face_ = true;
      return *wanted_ == block_;
    };
    walk.walk(wanted, [&](const WalkMode<A>& mode) { return take(mode); });
    if (wanted_ && !stopped_ && faces_ > 0) finish_block(walk);
  }

  void finish_block(const WitnessWalk<A>& walk) {
    if (*wanted_ == block_) {
      (*done_)(ModeBlock{block_, part_, std::move(tally_.cs), std::move(tally_.full), tally_.hash,
                         walk.inconsistent()});
      wanted_ = (*source_)();
      stopped_ = options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed);
    }
    tally_ = {};
    faces_ = 0;
    ++block_;
  }

  bool take(const WalkMode<A>& mode) {
    if (new_face_) Tally::count(tally_.cs, mode.face_dim, 1);
    new_face_ = false;
    Tally::count(tally_.full, mode.dim, 1);
    if (visit_) tally_.hash.add(mode.cs, mode.ss);
    if (sink_ == nullptr) return true;
    ModeView view{mode.cs, mode.ss, mode.dim + parts_.kernel, {}, {}};
    if (options_.witnesses && options_.kind != ModeKind::slipping) {
      const Wholes& x = velocity_.of(mode);
      as_doubles(x, doubles_);
      view.witness = doubles_;
      rationals_.clear();
      for (const mpz_class& v : x) rationals_.push_back({v.get_str(), "1"});
      view.exact_witness = rationals_;
    }
    if ((*sink_)(view)) return true;
    stopped_ = true;
    return false;
  }
};

}  // namespace

std::unique_ptr<ModeWork::Machine> witness_machine(const ModeSystem& system,
                                                   const ModeOptions& options, bool visit) {
  if (options.policy == ModePolicy::tolerance) {
    const Snapped arithmetic(options.tolerance);
    return std::make_unique<WitnessMachine<Snapped>>(system, scaled_rows(system), arithmetic,
                                                     options, visit);
  }
  return std::make_unique<WitnessMachine<Doubled>>(system, NumberRows<Doubled>{big_rows(system)},
                                                   Doubled{}, options, visit);
}

}  // namespace tact::detail
