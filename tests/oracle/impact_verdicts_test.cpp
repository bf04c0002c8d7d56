// 62 impacts with exact answers: walls, lifts, forklifts, cradles, and random ones. Every verdict
// with its work and a certificate that the verifier takes; certificates that were tampered with are
// not taken.
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tact/base/rng.hpp"
#include "tact/impact/judge.hpp"
#include "tact/io/certificate_file.hpp"
#include "tact/io/exact_entries.hpp"
#include "tact/io/problem_file.hpp"

namespace tact {
namespace {

struct Case {
  std::string name, verdict;
  ProblemFile file;
  nlohmann::json truth;
};

std::vector<Case> load_cases() {
  std::ifstream in(std::string(TACT_TEST_DATA) + "/impacts.json");
  std::vector<Case> out;
  for (const auto& c : nlohmann::json::parse(in)) {
    auto file = read_problem_file(c["problem"].dump(), "case");
    EXPECT_TRUE(file) << file.error().message;
    out.push_back({c["problem"]["name"], c["verdict"], *std::move(file), c});
  }
  return out;
}

struct Judged {
  Impact<double> rounded;
  Impact<Exact> exact;
  ImpactCertificate<double> in_doubles;
  ImpactCertificate<Exact> certificate;
};

Judged judged(const Case& c) {
  Judged out;
  out.rounded = *impact(c.file.problem);
  out.exact = *exact_impact(c.file.problem, exact_entries(c.file));
  out.in_doubles = judge(out.rounded);
  out.certificate = judge(out.exact, out.in_doubles);
  return out;
}

/// "-inf", "inf", null or a rational.
void expect_work(const nlohmann::json& want, const WorkBound<Exact>& exact,
                 const WorkBound<double>& rounded, bool upper) {
  using End = WorkBound<Exact>::End;
  if (want.is_null()) {
    EXPECT_EQ(exact.end, End::none);
    EXPECT_EQ(rounded.end, WorkBound<double>::End::none);
    return;
  }
  if (want == (upper ? "inf" : "-inf")) {
    EXPECT_EQ(exact.end, End::unbounded);
    EXPECT_EQ(rounded.end, WorkBound<double>::End::unbounded);
    return;
  }
  ASSERT_EQ(exact.end, End::finite);
  const Exact value(want.get<std::string>());
  EXPECT_EQ(exact.low, value);
  EXPECT_EQ(exact.high, value);
  const double scale = std::max(std::abs(nearest(value)), 1.0);
  EXPECT_NEAR(rounded.low, nearest(value), 1e-10 * scale);
  EXPECT_NEAR(rounded.high, nearest(value), 1e-10 * scale);
}

TEST(ImpactVerdicts, WorkAndVerdictAreExact) {
  const auto cases = load_cases();
  ASSERT_EQ(cases.size(), 62U);
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const Judged j = judged(c);
    EXPECT_EQ(name(j.certificate.verdict), c.verdict);
    EXPECT_EQ(name(j.in_doubles.verdict), c.verdict);
    EXPECT_EQ(j.certificate.tolerance, 0);
    expect_work(c.truth["work"][0], j.certificate.minimum, j.in_doubles.minimum, false);
    expect_work(c.truth["work"][1], j.certificate.maximum, j.in_doubles.maximum, true);
    if (c.verdict != "kinetically_incompatible") {
      EXPECT_EQ(j.certificate.jam.empty(), !c.truth["jam"].get<bool>());
    }
    EXPECT_EQ(refusal(j.exact, j.certificate).value_or(""), "");
    EXPECT_EQ(refusal(j.rounded, j.in_doubles).value_or(""), "");
  }
}

TEST(ImpactVerdicts, FilesKeepEveryDigit) {
  for (const Case& c : load_cases()) {
    SCOPED_TRACE(c.name);
    const Judged j = judged(c);
    const std::string exact = write_certificate({c.name, j.certificate});
    const auto read = read_certificate(exact, "file");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(refusal(j.exact, std::get<1>(read->certificate)).value_or(""), "");
    EXPECT_EQ(write_certificate(*read), exact);
    const std::string rounded = write_certificate({c.name, j.in_doubles});
    const auto again = read_certificate(rounded, "file");
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(refusal(j.rounded, std::get<0>(again->certificate)).value_or(""), "");
    EXPECT_EQ(write_certificate(*again), rounded);
  }
}

// ------------------------------------------------------------------------------------- tampering

/// All numbers of a certificate that prove something.
std::vector<Exact*> numbers_of(ImpactCertificate<Exact>& c) {
  std::vector<Exact*> out;
  const auto add = [&](auto& v) {
    for (auto& x : v) out.push_back(&x);
  };
  const auto add_pieces = [&](Distribution<Exact>& pieces) {
    for (auto& own : pieces)
      for (auto& piece : own) out.push_back(&piece.weight);
  };
  add(c.free);
  add(c.after);
  add(c.separator);
  for (WorkBound<Exact>* b : {&c.minimum, &c.maximum}) {
    if (b->end == WorkBound<Exact>::End::none) continue;
    if (b->end == WorkBound<Exact>::End::finite) {
      out.push_back(&b->low);
      out.push_back(&b->high);
    }
    add(b->velocity);
    add_pieces(b->impulses);
    add_pieces(b->ray);
  }
  if (c.verdict == ImpactVerdict::kinematically_infeasible) add_pieces(c.jam);
  return out;
}

/// What a mutated certificate claims is still true: witnesses are not unique.
bool claims_the_same(const ImpactCertificate<Exact>& a, const ImpactCertificate<Exact>& b) {
  return a.verdict == b.verdict && a.after == b.after && a.free == b.free &&
         a.minimum.end == b.minimum.end && a.minimum.low == b.minimum.low &&
         a.minimum.high == b.minimum.high && a.maximum.end == b.maximum.end &&
         a.maximum.low == b.maximum.low && a.maximum.high == b.maximum.high;
}

TEST(ImpactVerdicts, TamperedCertificatesAreRefused) {
  Rng rng(11);
  int refused = 0, harmless = 0;
  for (const Case& c : load_cases()) {
    SCOPED_TRACE(c.name);
    const Judged j = judged(c);
    for (int trial = 0; trial < 40; ++trial) {
      ImpactCertificate<Exact> wrong = j.certificate;
      const auto numbers = numbers_of(wrong);
      Exact& x = *numbers[rng.below(numbers.size())];
      switch (trial % 4) {
        case 0:
          x += Exact(1, 1000000007);
          break;
        case 1:
          x = -x - 1;
          break;
        case 2:
          x = x * 2 + 1;
          break;
        default:
          x -= Exact(3, 7);
      }
      if (refusal(j.exact, wrong)) {
        ++refused;
        continue;
      }
      // Another witness of the same truth; never another claim.
      EXPECT_TRUE(claims_the_same(wrong, j.certificate));
      ++harmless;
    }
  }
  EXPECT_GT(refused, 5 * harmless);
  RecordProperty("refused", refused);
  RecordProperty("harmless", harmless);
}

TEST(ImpactVerdicts, NoOtherVerdictIsAccepted) {
  for (const Case& c : load_cases()) {
    SCOPED_TRACE(c.name);
    const Judged j = judged(c);
    for (int v = 0; v <= static_cast<int>(ImpactVerdict::undecided); ++v) {
      ImpactCertificate<Exact> wrong = j.certificate;
      wrong.verdict = static_cast<ImpactVerdict>(v);
      EXPECT_EQ(refusal(j.exact, wrong).has_value(), wrong.verdict != j.certificate.verdict)
          << name(wrong.verdict);
    }
  }
}

}  // namespace
}  // namespace tact
