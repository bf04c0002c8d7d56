#include "tact/io/file.hpp"

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

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

TEST_F(FileTest, DoesNotReplaceAFolder) {
  EXPECT_TRUE(write_file({folder_.string(), "1"}));
  EXPECT_EQ(count(), 0U);
}

}  // namespace
}  // namespace tact
