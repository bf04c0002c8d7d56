#include "tact/io/recording_soft.hpp"

#include <cmath>

#include "tact/io/bytes.hpp"
#include "tact/io/recording_frame.hpp"

namespace tact {

namespace {

constexpr std::size_t four = 4;
constexpr std::size_t padding = 3;
/// geoms and which, state, pose, depth, patch, extension, wrench, energy, use, limits.
constexpr std::size_t sample_bytes =
    3 * four + four + 7 * four + four + 2 * four + 3 * four + 6 * four + 2 * four + 3 * four;
constexpr std::uint8_t states = 3;

void write_sample(const SoftSample& s, ByteWriter& out) {
  out.u32(static_cast<std::uint32_t>(s.geom1));
  out.u32(static_cast<std::uint32_t>(s.geom2));
  out.u32(s.which);
  out.u8(static_cast<std::uint8_t>(s.state));
  for (std::size_t i = 0; i < padding; ++i) out.u8(0);
  out.singles(pose_numbers(s.X_WC));
  out.f32(s.depth);
  out.singles(s.semi_axes);
  out.singles(s.extension);
  out.singles(s.wrench_C.vec());
  out.f32(s.energy);
  out.f32(s.friction_use);
  out.singles(s.slip_limits);
}

bool all_finite(const SoftSample& s) {
  return s.X_WC.p.allFinite() && s.X_WC.R.allFinite() && std::isfinite(s.depth) &&
         s.semi_axes.allFinite() && s.extension.allFinite() && s.wrench_C.vec().allFinite() &&
         std::isfinite(s.energy) && std::isfinite(s.friction_use) && !s.slip_limits.hasNaN();
}

bool read_sample(ByteReader& in, std::size_t geoms, SoftSample& s) {
  s.geom1 = in.u32();
  s.geom2 = in.u32();
  s.which = in.u32();
  const std::uint8_t state = in.u8();
  bool clean = true;
  for (std::size_t i = 0; i < padding; ++i) clean = in.u8() == 0 && clean;
  if (!in.good() || !clean || state >= states || static_cast<std::size_t>(s.geom1) >= geoms ||
      static_cast<std::size_t>(s.geom2) >= geoms)
    return false;
  s.state = static_cast<SoftState>(state);
  PoseNumbers pose;
  in.singles(pose);
  s.X_WC = pose_of(pose);
  s.depth = in.f32();
  in.singles(s.semi_axes);
  in.singles(s.extension);
  Vec6 wrench;
  in.singles(wrench);
  s.wrench_C = Wrench::from(wrench);
  s.energy = in.f32();
  s.friction_use = in.f32();
  in.singles(s.slip_limits);
  return in.good() && all_finite(s);
}

}  // namespace

std::string soft_payload(Index step, const std::vector<SoftSample>& contacts) {
  ByteWriter out;
  out.u64(static_cast<std::uint64_t>(step));
  out.count(contacts.size());
  for (const SoftSample& s : contacts) write_sample(s, out);
  return std::move(out.bytes);
}

bool read_soft(std::string_view payload, const RecordingHeader& header, Index& step,
               std::vector<SoftSample>& out) {
  ByteReader in(payload);
  step = static_cast<Index>(in.u64());
  out.resize(in.count(sample_bytes));
  for (SoftSample& s : out)
    if (!read_sample(in, header.geoms.size(), s)) return false;
  return in.finished();
}

}  // namespace tact
