#include "tact/io/fclib_file.hpp"

#include <string>

#include <gtest/gtest.h>

#include "tact/io/hdf5_image.hpp"
#include "tests/support/random_problems.hpp"

namespace tact {
namespace {

using testing::expect_same_bits;

std::string complaint(std::string_view bytes) {
  const auto problem = read_fclib(bytes, "f.hdf5");
  if (problem) return "none";
  EXPECT_TRUE(problem.error().message.starts_with("f.hdf5: ")) << problem.error().message;
  EXPECT_EQ(problem.error().message.find('\n'), std::string::npos);
  return problem.error().message.substr(8);
}

/// One contact in the plane, W = [1 2; 3 4] in the order n, t, as nz says it is stored.
struct LocalFile {
  int spacedim = 2, m = 2, n = 2, nz = -1;
  std::vector<int> p{0, 2, 4}, i{0, 1, 0, 1};
  std::vector<double> x{1, 3, 2, 4}, q{-1, 0.5}, mu{0.3}, r;
  std::string title, equality;

  [[nodiscard]] std::string bytes() const {
    Hdf5Writer file;
    file.group("/fclib_local");
    file.integer("/fclib_local/spacedim", spacedim);
    file.group("/fclib_local/W");
    file.integer("/fclib_local/W/m", m);
    file.integer("/fclib_local/W/n", n);
    file.integer("/fclib_local/W/nz", nz);
    file.integers("/fclib_local/W/p", p);
    file.integers("/fclib_local/W/i", i);
    file.numbers("/fclib_local/W/x", x.data(), x.size());
    file.group("/fclib_local/vectors");
    file.numbers("/fclib_local/vectors/q", q.data(), q.size());
    if (!mu.empty()) file.numbers("/fclib_local/vectors/mu", mu.data(), mu.size());
    if (!r.empty()) {
      file.group("/solution");
      file.numbers("/solution/r", r.data(), r.size());
    }
    if (!equality.empty()) file.group("/fclib_local/" + equality);
    file.group("/fclib_local/info");
    file.text("/fclib_local/info/title", title);
    return file.finish().value_or("");
  }
};

TEST(FclibFile, ReadsEveryStorageOfAMatrix) {
  LocalFile columns, rows, entries;
  rows.nz = -2;
  rows.x = {1, 2, 3, 4};
  rows.i = {0, 1, 0, 1};
  entries.nz = 4;
  entries.i = {1, 0, 1, 0};
  entries.p = {1, 1, 0, 0};
  entries.x = {4, 2, 3, 1};
  for (const LocalFile& file : {columns, rows, entries}) {
    const auto p = read_fclib(file.bytes(), "f");
    ASSERT_TRUE(p) << p.error().message;
    EXPECT_EQ(MatX(p->delassus), (MatX(2, 2) << 4, 3, 2, 1).finished());  // [t, n]
    EXPECT_EQ(p->free_velocity, Vec2(0.5, -1));
    EXPECT_EQ(p->contacts[0].law, Law(CoulombLaw{0.3, true}));
    EXPECT_FALSE(p->outcome);
  }
}

TEST(FclibFile, ReadsTitleAndSolution) {
  LocalFile file;
  file.title = "two words";
  file.r = {2, 0.25};
  const auto p = read_fclib(file.bytes(), "f");
  ASSERT_TRUE(p) << p.error().message;
  EXPECT_EQ(p->name, "two words");
  ASSERT_TRUE(p->outcome && p->outcome->impulses);
  EXPECT_EQ((*p->outcome->impulses)[0], Vec2(0.25, 2));
  file.r = {1};
  EXPECT_EQ(complaint(file.bytes()), "the solution does not have the size of the problem");
}

TEST(FclibFile, EveryComplaintNamesTheDataset) {
  const auto told = [](auto&& spoil) {
    LocalFile file;
    spoil(file);
    return complaint(file.bytes());
  };
  EXPECT_EQ(told([](LocalFile& f) { f.mu.clear(); }),
            "/fclib_local/vectors/mu is missing; write it as a dataset of numbers");
  EXPECT_EQ(told([](LocalFile& f) { f.nz = -3; }).substr(0, 24), "/fclib_local/W/nz is -3;");
  EXPECT_EQ(told([](LocalFile& f) { f.nz = 5; }).substr(0, 24), "/fclib_local/W has lists");
  EXPECT_EQ(told([](LocalFile& f) { f.p = {0, 2, 5}; }).substr(0, 24), "/fclib_local/W has lists");
  EXPECT_EQ(told([](LocalFile& f) { f.p = {0, 3, 2}; }).substr(0, 24), "/fclib_local/W has lists");
  EXPECT_EQ(told([](LocalFile& f) { f.p = {0, -3, 4}; }).substr(0, 24), "/fclib_local/W has lists");
  EXPECT_EQ(told([](LocalFile& f) {
              f.i = {0, 1, 0, 2};
            }).substr(0, 36),
            "/fclib_local/W has an entry outside ");
  EXPECT_EQ(told([](LocalFile& f) {
              f.i = {0, -1, 0, 1};
            }).substr(0, 36),
            "/fclib_local/W has an entry outside ");
  EXPECT_EQ(told([](LocalFile& f) { f.m = -2; }).substr(0, 26), "/fclib_local/W is -2 x 2; ");
  EXPECT_EQ(told([](LocalFile& f) { f.n = 2000000000; }).substr(0, 25),
            "/fclib_local/W is 2 x 200");
  EXPECT_EQ(told([](LocalFile& f) { f.m = 3; }), "the matrix M is not square");
  EXPECT_EQ(told([](LocalFile& f) { f.q = {1}; }),
            "the vector of free velocities has 1 entries for 2 contact rows");
  EXPECT_EQ(told([](LocalFile& f) { f.mu = {-1}; }), "mu[0] is not a finite number, zero or more");
  EXPECT_EQ(told([](LocalFile& f) { f.spacedim = 5; }).substr(0, 18), "the dimension is 5");
  EXPECT_EQ(told([](LocalFile& f) { f.equality = "V"; }).substr(0, 20), "/fclib_local/V makes");
  Hdf5Writer empty;
  EXPECT_EQ(complaint(*empty.finish()).substr(0, 26), "has neither /fclib_local n");
  EXPECT_EQ(complaint("fcp 1").substr(0, 15), "is no HDF5 file");
  EXPECT_EQ(complaint("").substr(0, 15), "is no HDF5 file");
}

TEST(FclibFile, WritesWhatItReadsBack) {
  Rng rng(5);
  for (int k = 0; k < 40; ++k) {
    ContactProblem p = testing::random_coulomb(rng, k % 2 == 0, k % 4 < 2, k % 5);
    if (k % 3 == 0) {
      p.outcome.emplace();
      p.outcome->velocity = testing::random_vector(rng, p.dof());
      p.outcome->impulses.emplace();
      for (const Contact& c : p.contacts)
        p.outcome->impulses->push_back(testing::random_vector(rng, row_count(c.law)));
    }
    if (p.contacts.empty()) p.outcome.reset();
    const auto bytes = write_fclib(p);
    ASSERT_TRUE(bytes) << bytes.error().message;
    EXPECT_TRUE(is_hdf5(*bytes));
    EXPECT_EQ(*write_fclib(p), *bytes);
    const auto again = read_fclib(*bytes, "f");
    ASSERT_TRUE(again) << again.error().message;
    // Without contacts nothing says how many rows they would have.
    if (!p.contacts.empty()) expect_same_bits(*again, p);
    EXPECT_EQ(again->name, "random");
  }
}

TEST(FclibFile, TruncationsAreOneSentence) {
  Rng rng(7);
  const std::string bytes = *write_fclib(testing::random_coulomb(rng, true, false, 4));
  std::size_t refused = 0, cuts = 0;
  for (std::size_t cut = 0; cut < bytes.size(); cut += bytes.size() / 199 + 1) {
    ++cuts;
    if (complaint(bytes.substr(0, cut)) != "none") ++refused;
  }
  EXPECT_EQ(refused, cuts);
}

TEST(Hdf5Image, RefusesWhatIsOfAnotherKind) {
  Hdf5Writer writer;
  writer.group("/a");
  writer.text("/a/text", "hello");
  writer.numbers("/a/half", std::vector<double>{0.5}.data(), 1);
  writer.integers("/a/two", {1, 2});
  const std::string bytes = *writer.finish();
  const auto told = [&](auto&& ask) {
    Hdf5Reader reader(bytes, "f");
    ask(reader);
    return reader.error() ? reader.error()->message : "none";
  };
  EXPECT_EQ(told([](Hdf5Reader& r) { EXPECT_EQ(r.text("/a/text"), "hello"); }), "none");
  EXPECT_EQ(told([](Hdf5Reader& r) { EXPECT_EQ(r.text("/b/text"), ""); }), "none");
  EXPECT_EQ(told([](Hdf5Reader& r) { (void)r.integers("/a/half"); }),
            "f: /a/half is no list of whole numbers; write it as one");
  EXPECT_EQ(told([](Hdf5Reader& r) { (void)r.numbers("/a/text"); }),
            "f: /a/text is no list of numbers; write it as one");
  EXPECT_EQ(told([](Hdf5Reader& r) { (void)r.numbers("/a"); }),
            "f: /a is no list of numbers; write it as one");
  EXPECT_EQ(told([](Hdf5Reader& r) { (void)r.integer("/a/two"); }),
            "f: /a/two has 2 values; write one whole number");
  EXPECT_TRUE(told([](Hdf5Reader& r) { EXPECT_FALSE(r.has("/x/y/z")); }) == "none");
}

}  // namespace
}  // namespace tact
