#include "tact/io/file.hpp"

#include <filesystem>
#include <string>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tact {
namespace {

namespace fs = std::filesystem;

/// A folder of its own that goes away with the test.
class FileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(::testing::TempDir()) / (std::string("tact_file_") + test->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  [[nodiscard]] std::string at(const std::string& name) const { return (folder_ / name).string(); }
  [[nodiscard]] std::size_t count() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), {}));
  }
  fs::path folder_;
};

TEST_F(FileTest, ReadsBackWhatWasWritten) {
  const std::string content("a\0b\r\n", 5);
  EXPECT_FALSE(write_file({at("x"), content}));
  EXPECT_FALSE(write_file({at("x"), content}));
  EXPECT_EQ(*read_file(at("x")), content);
  EXPECT_EQ(count(), 1U);
}

TEST_F(FileTest, SaysWhyAFileCannotBeRead) {
  EXPECT_NE(read_file(at("none")).error().message.find("no such file"), std::string::npos);
  EXPECT_NE(read_file(folder_.string()).error().message.find("is a folder"), std::string::npos);
}

TEST_F(FileTest, WritesAllFilesOrNone) {
  const std::vector<FileContent> files = {{at("good"), "1"}, {at("missing/bad"), "2"}};
  const auto error = write_files(files);
  ASSERT_TRUE(error);
  EXPECT_NE(error->message.find("there is no folder"), std::string::npos);
  EXPECT_EQ(count(), 0U);
}

TEST_F(FileTest, FollowsALink) {
  EXPECT_FALSE(write_file({at("old"), "1"}));
  fs::create_symlink("old", at("link"));
  fs::create_symlink("new", at("dangling"));
  EXPECT_FALSE(write_file({at("link"), "2"}));
  EXPECT_FALSE(write_file({at("dangling"), "3"}));
  EXPECT_TRUE(fs::is_symlink(at("link")) && fs::is_symlink(at("dangling")));
  EXPECT_EQ(*read_file(at("old")), "2");
  EXPECT_EQ(*read_file(at("new")), "3");
  EXPECT_EQ(count(), 4U);
}

TEST_F(FileTest, DoesNotReplaceALinkInACircle) {
  fs::create_symlink("b", at("a"));
  fs::create_symlink("a", at("b"));
  EXPECT_NE(write_file({at("a"), "1"})->message.find("circle"), std::string::npos);
  EXPECT_EQ(count(), 2U);
}

TEST_F(FileTest, WritesIntoAPipeThatStays) {
  ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
  // Open for both, so that neither side waits for the other.
  const int pipe = ::open(at("pipe").c_str(), O_RDWR | O_NONBLOCK);
  ASSERT_GE(pipe, 0);
  const std::vector<FileContent> files = {{at("pipe"), "12"}, {at("x"), "3"}};
  EXPECT_FALSE(write_files(files));
  char got[3] = {};
  EXPECT_EQ(::read(pipe, got, 3), 2);
  (void)::close(pipe);
  EXPECT_EQ(std::string(got), "12");
  EXPECT_TRUE(fs::is_fifo(at("pipe")));
  EXPECT_EQ(count(), 2U);
}

TEST_F(FileTest, SaysBeforehandWhatCannotBeWritten) {
  EXPECT_FALSE(check_write(at("new")));
  EXPECT_TRUE(check_write(""));
  EXPECT_NE(check_write(folder_.string())->message.find("is a folder"), std::string::npos);
  EXPECT_NE(check_write(at("no/x"))->message.find("there is no folder"), std::string::npos);
  EXPECT_EQ(count(), 0U);
}

TEST_F(FileTest, DoesNotReplaceAFolder) {
  EXPECT_TRUE(write_file({folder_.string(), "1"}));
  EXPECT_EQ(count(), 0U);
}

}  // namespace
}  // namespace tact
