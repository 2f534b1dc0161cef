// Code that was compiled at run time, on disk: what is found is what was kept, or nothing.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "device/cached_file.hpp"
#include "device/code_cache.hpp"

namespace weft {
namespace {

namespace fs = std::filesystem;

class CodeCache : public ::testing::Test {
 public:
  CodeCache() {
    fs::remove_all(folder_);
    setenv("WEFT_KERNEL_CACHE", folder_.c_str(), 1);
  }
  ~CodeCache() override {
    unsetenv("WEFT_KERNEL_CACHE");
    fs::remove_all(folder_);
  }

 protected:
  std::vector<fs::path> files() const {
    std::vector<fs::path> all;
    for (const auto& entry : fs::directory_iterator(folder_)) all.push_back(entry.path());
    return all;
  }

  fs::path folder_ = fs::temp_directory_path() / ("weft-code-" + std::to_string(getpid()));
};

const std::string code("\0code\nof a kernel\0", 18);

TEST_F(CodeCache, FindsWhatWasKept) {
  EXPECT_FALSE(find_code("first"));
  keep_code("first", code);
  keep_code("second\nkey", "");
  EXPECT_EQ(find_code("first"), code);
  EXPECT_EQ(find_code("second\nkey"), "");
  EXPECT_FALSE(find_code("first "));
  EXPECT_FALSE(find_code("third"));
  keep_code("first", "other code");
  EXPECT_EQ(find_code("first"), "other code");
  EXPECT_EQ(files().size(), 2U);
}

TEST_F(CodeCache, FindsNothingInFilesThatAreNotSound) {
  keep_code("key", code);
  const fs::path file = files().at(0);
  std::ifstream in(file, std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(in), {}};
  const auto write = [&](const std::string& text) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << text;
  };
  for (std::size_t size = 0; size < whole.size(); ++size) {
    write(whole.substr(0, size));
    ASSERT_FALSE(find_code("key")) << size;
  }
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    write(changed);
    ASSERT_FALSE(find_code("key")) << i;
  }
  write(whole + " ");
  EXPECT_FALSE(find_code("key"));
  keep_code("key", code);
  EXPECT_EQ(find_code("key"), code);
}

/// As where a home cannot be written, or the variable is empty.
TEST_F(CodeCache, KeepsNothingWhereItCannot) {
  std::ofstream(folder_) << "no folder";
  keep_code("key", code);
  EXPECT_FALSE(find_code("key"));
  fs::remove(folder_);
  setenv("WEFT_KERNEL_CACHE", "", 1);
  keep_code("key", code);
  EXPECT_FALSE(find_code("key"));
  EXPECT_FALSE(fs::exists(folder_));
}

TEST_F(CodeCache, SharesFilesWithOthers) {
  std::vector<std::thread> others;
  for (int i = 0; i < 4; ++i) {
    others.emplace_back([] {
      for (int turn = 0; turn < 50; ++turn) {
        keep_code("key", code);
        EXPECT_EQ(find_code("key"), code);
      }
    });
  }
  for (std::thread& other : others) other.join();
  EXPECT_EQ(files().size(), 1U);  // no temporary ones are left
}

TEST_F(CodeCache, LiesWhereCachesDo) {
  const char* const before = std::getenv("XDG_CACHE_HOME");
  const std::string kept = before == nullptr ? "" : before;
  setenv("XDG_CACHE_HOME", "/cache", 1);
  EXPECT_EQ(path_in_cache("name"), "/cache/weft/name");
  setenv("XDG_CACHE_HOME", "relative", 1);
  EXPECT_EQ(path_in_cache("name"), std::string(std::getenv("HOME")) + "/.cache/weft/name");
  before == nullptr ? unsetenv("XDG_CACHE_HOME") : setenv("XDG_CACHE_HOME", kept.c_str(), 1);
}

}  // namespace
}  // namespace weft
