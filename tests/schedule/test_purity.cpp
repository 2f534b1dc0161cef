// Pure folders know nothing of MPI, threads, FFT libraries or devices, so that every schedule can
// be made and looked at anywhere; nor do codecs. This reads the sources themselves.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>

#include "support/source_text.hpp"

namespace weft {
namespace {

namespace fs = std::filesystem;

using test::includes_of;
using test::text_of;

const fs::path root = WEFT_SOURCE_DIR;

fs::path find(const std::string& name) {
  for (const char* folder : {"src", "include"}) {
    if (fs::exists(root / folder / name)) return root / folder / name;
  }
  return {};
}

bool is_forbidden(const std::string& name) {
  static const std::regex pattern(
      "<?(mpi\\.h|omp\\.h|fftw3|mkl|cuda|cufft|hip|nccl|rccl|rocfft|pthread\\.h|sys/)[^>]*>?");
  return std::regex_match(name, pattern);
}

/// Of the public kernels, those that include the runtime of a GPU are found by the name of that.
const std::set<std::string> pure_folders{"weft", "kernels", "geometry", "kind", "schedule"};

/// Every file that `path` includes, directly or not, with the chain of names that leads to it. They
/// may be in the pure folders and in `own`.
void collect(const fs::path& path, const std::string& chain, const std::string& own,
             std::set<fs::path>& seen, std::vector<std::string>& faults) {
  if (!seen.insert(path).second) return;
  for (const std::string& name : includes_of(text_of(path))) {
    const std::string longer = chain + " -> " + name;
    if (is_forbidden(name)) faults.push_back(longer);
    if (name[0] == '<') continue;
    const fs::path next = find(name);
    if (next.empty()) {
      faults.push_back(longer + " (not found)");
      continue;
    }
    const std::string folder = next.parent_path().filename();
    if (folder != own && !pure_folders.contains(folder)) {
      faults.push_back(longer + " (not pure)");
    }
    collect(next, longer, own, seen, faults);
  }
}

TEST(Purity, PureFoldersIncludeNoMpiAndNoDevice) {
  int files = 0;
  for (const char* folder : {"geometry", "kind", "schedule", "codec"}) {
    for (const auto& entry : fs::directory_iterator(root / "src" / folder)) {
      ++files;
      std::set<fs::path> seen;
      std::vector<std::string> faults;
      collect(entry.path(), fs::relative(entry.path(), root).string(), folder, seen, faults);
      for (const std::string& fault : faults) ADD_FAILURE() << fault;
    }
  }
  EXPECT_GT(files, 15);
}

TEST(Purity, TheReaderSeesWhatItLooksFor) {
  EXPECT_EQ(includes_of("#include <mpi.h>\n  # include \"geometry/layout.hpp\"\n// #include <a>\n"),
            (std::vector<std::string>{"<mpi.h>", "geometry/layout.hpp"}));
  for (const char* name : {"<mpi.h>", "<omp.h>", "<fftw3.h>", "<cuda_runtime.h>", "<cuda.h>",
                           "<hip/hip_runtime.h>", "<mkl_dfti.h>", "mpi.h"}) {
    EXPECT_TRUE(is_forbidden(name)) << name;
  }
  EXPECT_FALSE(is_forbidden("<vector>"));
  EXPECT_FALSE(is_forbidden("weft/kinds.hpp"));
  // An impure folder is recognized as such.
  std::set<fs::path> seen;
  std::vector<std::string> faults;
  collect(root / "src" / "plan" / "plan.cpp", "plan.cpp", "schedule", seen, faults);
  EXPECT_FALSE(faults.empty());
}

}  // namespace
}  // namespace weft
