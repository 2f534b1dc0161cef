// Files of wisdom: whatever they hold, what is read was written by weft, and nothing is lost.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <sstream>

#include "weft/error.hpp"
#include "weft/wisdom.hpp"
#include "wisdom/record.hpp"

namespace weft {
namespace {

namespace fs = std::filesystem;

WisdomRecord example(int number) {
  return {"64x64x64, kinds c2c,c2c,c2c, number " + std::to_string(number),
          "processor \"quoted\" \\ with\ttab, \xc3\xa4",
          "exchange=p2p, chunks=" + std::to_string(number % 8 + 1),
          0.25 / (number + 1),
          1e-3,
          "2026-11-25"};
}

void expect_equal(const WisdomRecord& a, const WisdomRecord& b) {
  EXPECT_EQ(a.problem, b.problem);
  EXPECT_EQ(a.machine, b.machine);
  EXPECT_EQ(a.settings, b.settings);
  EXPECT_EQ(a.seconds, b.seconds);
  EXPECT_EQ(a.default_seconds, b.default_seconds);
  EXPECT_EQ(a.date, b.date);
}

class WisdomFile : public ::testing::Test {
 protected:
  WisdomFile() {
    folder_ = fs::temp_directory_path() / ("weft-wisdom-file-" + std::to_string(getpid()));
    fs::create_directory(folder_);
    path_ = (folder_ / "deeper" / "wisdom.jsonl").string();
  }
  ~WisdomFile() override { fs::remove_all(folder_); }

  std::string text() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void write(const std::string& text) const {
    fs::create_directories(fs::path(path_).parent_path());
    std::ofstream(path_, std::ios::binary) << text;
  }

  /// Runs work in so many processes at a time.
  template <class Work>
  static void in_processes(int count, const Work& work) {
    std::vector<pid_t> children;
    for (int child = 0; child < count; ++child) {
      const pid_t process = fork();
      if (process == 0) {
        try {
          work(child);
        } catch (...) {
          _exit(1);
        }
        _exit(0);
      }
      children.push_back(process);
    }
    for (const pid_t child : children) {
      int status = -1;
      waitpid(child, &status, 0);
      EXPECT_EQ(status, 0);
    }
  }

  fs::path folder_;
  std::string path_;
};

TEST(WisdomRecord, LinesAreReadAsTheyWereWritten) {
  for (int number = 0; number < 20; ++number) {
    const auto read = parse_record(line_of(example(number)));
    ASSERT_TRUE(read);
    expect_equal(*read, example(number));
  }
  EXPECT_EQ(line_of(example(1)).find('\n'), std::string::npos);
}

TEST(WisdomRecord, NoChangedLineIsARecord) {
  std::mt19937 random(27);
  const auto below = [&](std::size_t limit) { return random() % limit; };
  for (int trial = 0; trial < 10000; ++trial) {
    const std::string line = line_of(example(trial % 50));
    std::string changed = line;
    switch (trial % 5) {
      case 0:
        changed[below(line.size())] = static_cast<char>(random());
        break;
      case 1:
        changed.resize(below(line.size()));
        break;
      case 2:
        changed.erase(below(line.size()), 1 + below(5));
        break;
      case 3:
        changed.insert(below(line.size()), 1 + below(3), static_cast<char>(random()));
        break;
      default:
        changed = line.substr(0, below(line.size())) +
                  line_of(example(trial % 50 + 1)).substr(below(line.size() / 2));
    }
    if (changed == line || changed == line_of(example(trial % 50 + 1))) continue;
    EXPECT_FALSE(parse_record(changed)) << changed;
  }
}

TEST_F(WisdomFile, ThereMayBeNone) {
  EXPECT_TRUE(read_wisdom(path_).records.empty());
  EXPECT_EQ(tidy_wisdom(path_), 0u);
  EXPECT_FALSE(fs::exists(path_));
  EXPECT_NO_THROW(add_wisdom({example(1)}, ""));
  EXPECT_TRUE(read_wisdom("").records.empty());
}

TEST_F(WisdomFile, LinesOfOthersAreSkippedAndCounted) {
  add_wisdom({example(1)}, path_);
  write(text() + "{\"foreign\": true}\n\n" + std::string(3, '\0') + "\n" +
        line_of(example(2)).substr(0, 40));  // torn: the next one begins a new line
  add_wisdom({example(3)}, path_);
  const Wisdom wisdom = read_wisdom(path_);
  ASSERT_EQ(wisdom.records.size(), 2u);
  expect_equal(wisdom.records[0], example(1));
  expect_equal(wisdom.records[1], example(3));
  EXPECT_EQ(wisdom.skipped_lines, 3u);
}

TEST_F(WisdomFile, FoldersAreNoFiles) {
  fs::create_directories(path_);
  EXPECT_THROW(read_wisdom(path_), Error);
  EXPECT_THROW(add_wisdom({example(1)}, path_), Error);
}

TEST_F(WisdomFile, OfRecordsAlikeTheLastStays) {
  WisdomRecord later = example(1);
  later.settings = "chunks=16";
  add_wisdom({example(1), example(2), later}, path_);
  EXPECT_EQ(tidy_wisdom(path_), 1u);
  const Wisdom wisdom = read_wisdom(path_);
  ASSERT_EQ(wisdom.records.size(), 2u);
  expect_equal(wisdom.records[0], example(2));
  expect_equal(wisdom.records[1], later);
}

TEST_F(WisdomFile, WhatHasATextIsForgotten) {
  add_wisdom({example(1), example(2), example(12)}, path_);
  EXPECT_EQ(forget_wisdom("number 2", path_), 1u);
  EXPECT_EQ(forget_wisdom("no such text", path_), 0u);
  EXPECT_EQ(read_wisdom(path_).records.size(), 2u);
}

TEST_F(WisdomFile, FilesOfProcessesWithoutLocksAreRead) {
  add_wisdom({example(1)}, path_);
  std::ofstream(path_ + ".host.123") << line_of(example(2)) << "\n";
  std::ofstream(path_ + ".backup") << line_of(example(3)) << "\n";
  EXPECT_EQ(read_wisdom(path_).records.size(), 2u);
  tidy_wisdom(path_);
  EXPECT_FALSE(fs::exists(path_ + ".host.123"));
  EXPECT_TRUE(fs::exists(path_ + ".backup"));
  EXPECT_EQ(read_wisdom(path_).records.size(), 2u);
}

TEST_F(WisdomFile, NothingIsLostWhenManyWriteAndTidy) {
  constexpr int each = 200, processes = 4;
  in_processes(processes, [&](int child) {
    for (int i = 0; i < each; ++i) {
      add_wisdom({example(child * each + i)}, path_);
      if (i % 10 == 9) tidy_wisdom(path_);
    }
  });
  const Wisdom wisdom = read_wisdom(path_);
  EXPECT_EQ(wisdom.skipped_lines, 0u);
  std::set<std::string> problems;
  for (const WisdomRecord& record : wisdom.records) problems.insert(record.problem);
  EXPECT_EQ(problems.size(), std::size_t{each * processes});
}

}  // namespace
}  // namespace weft
