#include "tact/io/mode_checkpoint.hpp"

#include <optional>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tact/modes/mode_scenes.hpp"

namespace tact {
namespace {

constexpr std::uint64_t digest = 0xfedcba9876543210U;

bool same(const ModeTotals& a, const ModeTotals& b) {
  bool equal = a.next == b.next && a.hash == b.hash && a.inconsistent == b.inconsistent &&
               a.parts.size() == b.parts.size();
  for (std::size_t k = 0; equal && k < a.parts.size(); ++k)
    equal = a.parts[k].cs_by_dim == b.parts[k].cs_by_dim &&
            a.parts[k].full_by_dim == b.parts[k].full_by_dim;
  return equal;
}

/// Counts and hash of all bits set and of none.
ModeTotals sample() {
  ModeTotals totals;
  totals.next = ~std::uint64_t{0};
  totals.hash = ModeHash::restore(0, (std::uint64_t{1} << 61U) - 2);
  totals.inconsistent = true;
  constexpr ModeCount large = (ModeCount{1} << 100U) + 7;
  totals.parts = {{{0, 1, large}, {3}}, {{}, {4, 5, 6, large * 2}}};
  return totals;
}

std::string complaint(const std::string& text, std::uint64_t work = digest) {
  const auto totals = read_mode_checkpoint(text, "c.json", work);
  EXPECT_FALSE(totals) << text;
  return totals ? "" : totals.error().message;
}

TEST(ModeCheckpoint, ComesBackAsItWas) {
  for (const ModeTotals& totals : {sample(), ModeTotals{}}) {
    const auto again =
        read_mode_checkpoint(write_mode_checkpoint(totals, digest), "c.json", digest);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_TRUE(same(*again, totals));
    EXPECT_EQ(write_mode_checkpoint(*again, digest), write_mode_checkpoint(totals, digest));
  }
}

TEST(ModeCheckpoint, IsOfOneWorkOnly) {
  const std::string text = write_mode_checkpoint(sample(), digest);
  EXPECT_EQ(complaint(text, digest + 1),
            "c.json: this is a checkpoint of another problem or of other options; resume with the "
            "ones it was made with");
}

/// Where the file ends, or a field is not what it should be, a sentence names the file.
TEST(ModeCheckpoint, WhatIsTruncatedOrGarbledIsRefused) {
  const std::string text = write_mode_checkpoint(sample(), digest);
  for (std::size_t size = 0; size + 2 < text.size(); size += 7)
    EXPECT_EQ(complaint(text.substr(0, size)).rfind("c.json:", 0), 0U) << size;

  const auto good = nlohmann::json::parse(text);
  for (const auto& field : good.items()) {
    auto bad = good;
    bad.erase(field.key());
    EXPECT_NE(complaint(bad.dump()).find(field.key()), std::string::npos) << field.key();
    bad = good;
    bad[field.key()] = 1;
    EXPECT_NE(complaint(bad.dump()).find(field.key()), std::string::npos) << field.key();
  }
  struct Change {
    const char* place;
    const char* value;
  };
  for (const Change& change :
       {Change{"/format", R"("tact-problem/1")"}, Change{"/work", R"("12xy")"},
        Change{"/work", R"("")"}, Change{"/next_block", R"("-1")"},
        Change{"/next_block", R"("10000000000000000")"}, Change{"/hash", R"(["0"])"},
        Change{"/hash", R"(["0", "1", "2"])"}, Change{"/hash/0", R"("2000000000000000")"},
        Change{"/hash/1", R"("1fffffffffffffff")"}, Change{"/hash/1", "3"},
        Change{"/inconsistent", R"("no")"}, Change{"/parts/0/cs_by_dim/1", "1"},
        Change{"/parts/0/cs_by_dim/1", R"("-1")"}, Change{"/parts/0/cs_by_dim/1", R"("")"},
        Change{"/parts/1/full_by_dim/0", R"("400000000000000000000000000000000000000")"},
        Change{"/parts/1/full_by_dim", R"("4")"}, Change{"/parts/1", "{}"},
        Change{"/parts/1/other", "1"}, Change{"/other", "1"}}) {
    auto bad = good;
    bad[nlohmann::json::json_pointer(change.place)] = nlohmann::json::parse(change.value);
    const std::string sentence = complaint(bad.dump());
    EXPECT_EQ(sentence.rfind("c.json:", 0), 0U) << change.place << " " << change.value;
    EXPECT_EQ(sentence.find('\n'), std::string::npos) << sentence;
  }
  EXPECT_EQ(complaint("hello").rfind("c.json:1:1: ", 0), 0U);
}

TEST(ModeCheckpoint, DigestTellsWorkApart) {
  const ModeSystem box = mode_scene("box-1")->system;
  const ModeOptions options;
  const std::uint64_t own = work_digest(box, options, false);
  EXPECT_EQ(own, work_digest(mode_scene("box-1")->system, options, false));

  ModeOptions threads = options;
  threads.threads = 8;
  EXPECT_EQ(work_digest(box, threads, false), own);  // any number continues the work of any other

  EXPECT_NE(work_digest(box, options, true), own);
  ModeOptions other = options;
  other.kind = ModeKind::contacting;
  EXPECT_NE(work_digest(box, other, false), own);
  other = options;
  other.policy = ModePolicy::tolerance;
  const std::uint64_t loose = work_digest(box, other, false);
  EXPECT_NE(loose, own);
  other.tolerance *= 2;
  EXPECT_NE(work_digest(box, other, false), loose);

  ModeSystem changed = box;
  changed.rows(3, 2) += 1;
  EXPECT_NE(work_digest(changed, options, false), own);
  changed = box;
  changed.exact.push_back({0, 0, {"1", "3"}});
  EXPECT_NE(work_digest(changed, options, false), own);
  changed = box;
  changed.contacts = {{0, 11}};
  EXPECT_NE(work_digest(changed, options, false), own);
}

/// box-box-2 has work for several blocks; interrupted behind each of them and continued from the
/// text, it ends as if nothing had happened.
TEST(ModeCheckpoint, WorkGoesOnFromAFile) {
  const ModeSystem system = mode_scene("box-box-2")->system;
  ModeOptions options;
  options.kind = ModeKind::slipping;
  for (const bool visit : {false, true}) {
    const std::uint64_t own = work_digest(system, options, visit);
    const auto go_on = [&](ModeTotals totals, std::uint64_t blocks) {
      ModeWork work = *ModeWork::prepare(system, options, visit);
      std::uint64_t next = totals.next;
      const std::uint64_t end = blocks == 0 ? ~std::uint64_t{0} : next + blocks;
      EXPECT_TRUE(work.run([&] { return next == end ? std::nullopt : std::optional(next++); },
                           [&](const ModeBlock& block) { totals.add(block); }, {}));
      return totals;
    };
    const ModeTotals whole = go_on({}, 0);
    ASSERT_GE(whole.next, 3U);
    for (std::uint64_t stop = 1; stop < whole.next; stop += 1 + whole.next / 4) {
      const auto kept = read_mode_checkpoint(write_mode_checkpoint(go_on({}, stop), own), "c", own);
      ASSERT_TRUE(kept) << kept.error().message;
      EXPECT_EQ(kept->next, stop);
      EXPECT_TRUE(same(go_on(*kept, 0), whole)) << stop;
    }
  }
}

}  // namespace
}  // namespace tact
