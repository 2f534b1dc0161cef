// Files that are there as a whole or not at all, and the names of what is written meanwhile.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "trace/temporary_name.hpp"
#include "trace/whole_file.hpp"
#include "weft/error.hpp"

namespace weft {
namespace {

namespace fs = std::filesystem;

class WholeFile : public testing::Test {
 protected:
  WholeFile() {
    fs::remove_all(folder_);
    fs::create_directory(folder_);
  }
  ~WholeFile() override { fs::remove_all(folder_); }

  std::string path(const char* name) const { return (folder_ / name).string(); }
  static std::string content(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  auto files() const {
    return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
  }

  /// What write_whole_file says while files may have at most so many bytes, which stands for a full
  /// disk.
  static std::string error_of_writing(const std::string& path, const std::string& text,
                                      rlim_t longest_file) {
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit limited{longest_file, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limited);
    std::string error;
    try {
      write_whole_file(path, text);
    } catch (const Error& failure) {
      error = failure.what();
    }
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, SIG_DFL);
    return error;
  }

 private:
  fs::path folder_ = testing::TempDir() + "weft_whole_file_" + std::to_string(getpid());
};

TEST_F(WholeFile, IsWrittenOrLeftAsItWas) {
  const std::string text(1000, 'x'), says = "cannot write '" + path("a") + "': File too large";
  EXPECT_EQ(error_of_writing(path("a"), text, 100), says);
  EXPECT_EQ(files(), 0);
  EXPECT_EQ(error_of_writing(path("a"), "older", 100), "");
  EXPECT_EQ(error_of_writing(path("a"), text, 100), says);
  EXPECT_EQ(content(path("a")), "older");
  write_whole_file(path("a"), text);
  EXPECT_EQ(content(path("a")), text);
  EXPECT_EQ(files(), 1);
}

TEST_F(WholeFile, DevicesAreWrittenAsTheyAre) {
  write_whole_file("/dev/null", "text");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_EQ(error_of_writing("/dev/full", "text", RLIM_INFINITY),
            "cannot write '/dev/full': No space left on device");
}

TEST_F(WholeFile, LooksBeforeItIsWritten) {
  check_whole_file(path("a"));
  EXPECT_EQ(files(), 0);
  check_whole_file("/dev/null");
  write_whole_file(path("a"), "older");
  check_whole_file(path("a"));
  EXPECT_EQ(content(path("a")), "older");
  EXPECT_THROW(check_whole_file(path("nowhere/a")), Error);
  EXPECT_THROW(check_whole_file(path(".")), Error);
}

TEST_F(WholeFile, LinksAndPermissionsStay) {
  write_whole_file(path("target"), "older");
  fs::permissions(path("target"), fs::perms::owner_all);
  fs::create_symlink("target", path("link"));
  write_whole_file(path("link"), "newer");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(content(path("target")), "newer");
  EXPECT_EQ(fs::status(path("target")).permissions(), fs::perms::owner_all);
}

TEST(TemporaryName, TellsWhetherItsWriterIsThere) {
  const auto self = writer_of(temporary_name() + "aB3xyz");
  ASSERT_TRUE(self.has_value());
  EXPECT_EQ(self->process, getpid());
  EXPECT_EQ(state_of(*self), WriterState::running);
  FileWriter other = *self;
  other.host += ".elsewhere";
  EXPECT_EQ(state_of(other), WriterState::elsewhere);
  other = *self;
  ++other.space;
  EXPECT_EQ(state_of(other), WriterState::elsewhere);
  other = *self;
  ++other.started;  // the number belongs to another process now
  EXPECT_EQ(state_of(other), WriterState::ended);
  for (const char* name : {"", "out.npy", ".weft-ab12cd", ".weft-host-12-ab12cd", ".weft-",
                           ".weft-host-12-3.4-ab12cde", ".weft-host-x-3.4-ab12cd",
                           ".weft-host-99999999999-3.4-ab12cd"}) {
    EXPECT_FALSE(writer_of(name).has_value()) << name;
  }
}

TEST(TemporaryName, ProcessesThatHaveEndedAreKnown) {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  FileWriter writer = *writer_of(temporary_name() + "aB3xyz");
  writer.process = child;
  writer.started = 0;
  // First it is a zombie.
  siginfo_t info{};
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT), 0);
  EXPECT_EQ(state_of(writer), WriterState::ended);
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  EXPECT_EQ(state_of(writer), WriterState::ended);
}

}  // namespace
}  // namespace weft
