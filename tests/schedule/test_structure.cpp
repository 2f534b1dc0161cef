// Layers and budgets of the core: which folder may include which, and how many types, virtual
// functions, members and lines there may be. Whoever needs more argues for it here.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <regex>

#include "support/source_text.hpp"

namespace weft {
namespace {

namespace fs = std::filesystem;

using test::includes_of;
using test::text_of;

const fs::path sources = fs::path(WEFT_SOURCE_DIR) / "src";

/// Each includes only those before it.
const std::vector<std::string> layers{"geometry",       "kind",    "schedule", "codec",  "device",
                                      "local",          "trace",   "exchange", "wisdom", "pass",
                                      "redistribution", "program", "plan",     "halo",   "spectral",
                                      "verify",         "files",   "tune"};

const std::vector<std::string> core{"pass", "redistribution", "program", "plan"};

std::vector<fs::path> files_of(const std::string& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(sources / folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  return files;
}

std::ptrdiff_t count(const std::string& text, const std::string& pattern) {
  const std::regex expression(pattern);
  return std::distance(std::sregex_iterator(text.begin(), text.end(), expression),
                       std::sregex_iterator());
}

std::ptrdiff_t lines_of(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n');
}

/// Classes, enumerations and aliases at namespace scope: clang-format begins their lines with them.
std::ptrdiff_t types_in(const std::string& text) {
  return count(text, "(^|\n)(class|struct|enum|enum class) \\w+( final)?( :[^;{]*)? ?\\{") +
         count(text, "(^|\n)using \\w+ =");
}

std::ptrdiff_t types_of(const std::string& folder) {
  std::ptrdiff_t types = 0;
  for (const fs::path& file : files_of(folder)) {
    if (file.extension() == ".hpp") types += types_in(text_of(file));
  }
  return types;
}

/// What stands between the braces of a type that begins so.
std::string body_of(const std::string& file, const std::string& beginning) {
  const std::string text = text_of(sources / file);
  const std::size_t begin = text.find("\n" + beginning);
  EXPECT_NE(begin, std::string::npos) << file << " has no " << beginning;
  const std::size_t end = text.find("\n};", begin);
  return text.substr(begin, end - begin);
}

std::ptrdiff_t virtuals_of(const std::string& file, const std::string& beginning) {
  return count(body_of(file, beginning), "\n  virtual (?!~)");
}

/// Members with a declaration of their own, or several on a line.
std::ptrdiff_t members_of(const std::string& file, const std::string& beginning) {
  std::string body = std::regex_replace(body_of(file, beginning), std::regex("//[^\n]*"), "");
  return count(body, "\n  [\\w:<>*& ]+ [*&]?\\w+( = [^;]*)?;");
}

TEST(Structure, FoldersIncludeOnlyThoseBefore) {
  const auto place = [](const std::string& folder) {
    return std::find(layers.begin(), layers.end(), folder) - layers.begin();
  };
  int seen = 0;
  for (const std::string& folder : layers) {
    for (const fs::path& file : files_of(folder)) {
      for (const std::string& name : includes_of(text_of(file))) {
        const std::string other = name.substr(0, name.find('/'));
        if (name[0] == '<' || place(other) == std::ssize(layers)) continue;
        ++seen;
        EXPECT_LE(place(other), place(folder))
            << fs::relative(file, sources) << " includes " << name;
      }
    }
  }
  EXPECT_GT(seen, 500);
}

TEST(Structure, TypesOfTheCore) {
  EXPECT_LE(types_of("pass"), 17);
  EXPECT_LE(types_of("redistribution"), 4);
  EXPECT_LE(types_of("program"), 9);
  EXPECT_LE(types_of("plan"), 5);
}

TEST(Structure, VirtualFunctions) {
  EXPECT_EQ(virtuals_of("device/device.hpp", "class Device {"), 12);
  EXPECT_EQ(virtuals_of("device/stream.hpp", "class Stream {"), 14);
  EXPECT_EQ(virtuals_of("exchange/exchange.hpp", "class Exchange {"), 9);
  EXPECT_EQ(virtuals_of("pass/pass.hpp", "class Pass {"), 4);
}

TEST(Structure, Members) {
  EXPECT_EQ(members_of("pass/pass.hpp", "struct PassSpec {"), 12);
  EXPECT_EQ(members_of("exchange/exchange.hpp", "struct ExchangeSpec {"), 8);
}

TEST(Structure, LengthsOfFiles) {
  std::ptrdiff_t all = 0;
  for (const std::string& folder : core) {
    for (const fs::path& file : files_of(folder)) {
      const std::ptrdiff_t lines = lines_of(text_of(file));
      EXPECT_LE(lines, file.extension() == ".hpp" ? 150 : 330) << fs::relative(file, sources);
      all += lines;
    }
  }
  EXPECT_LE(all, 6240);  // 6004 before transforms on devices read and wrote messages
}

TEST(Structure, NobodyAsksWhetherThereIsADevice) {
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (layers[i] == "geometry" || layers[i] == "device") continue;
    for (const fs::path& file : files_of(layers[i])) {
      EXPECT_EQ(count(text_of(file), "(stream|device)_?(\\(\\))? [=!]= nullptr"), 0)
          << fs::relative(file, sources);
    }
  }
}

TEST(Structure, TheReaderCountsWhatItLooksFor) {
  EXPECT_EQ(types_in("class A {\n  struct B {};\n};\nstruct C final : D {\n};\nclass E;\n"
                     "enum class F {\n};\nusing G = int;\n  using H = int;\n"),
            4);
}

}  // namespace
}  // namespace weft
