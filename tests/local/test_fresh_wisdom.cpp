// A program of its own, as the test needs a process that has not used FFTW yet: users import wisdom
// before they make their first plan.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "local/local_transform.hpp"
#include "weft/wisdom.hpp"

namespace weft {
namespace {

TEST(FreshWisdom, IsImportedBeforeTheFirstPlan) {
  const std::string path =
      std::filesystem::temp_directory_path() / ("weft-fresh-wisdom-" + std::to_string(getpid()));
  for (const Precision precision : {Precision::f64, Precision::f32}) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      LocalProblem problem;
      problem.transform = {{60, 1, 1}};
      problem.kinds = {c2c};
      problem.precision = precision;
      problem.rigor = Rigor::measure;
      find_local_backend("fftw").make(problem);
      export_fftw_wisdom(path, precision);
      _exit(0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    ASSERT_EQ(status, 0);
    EXPECT_NO_THROW(import_fftw_wisdom(path, precision));
    std::filesystem::remove(path);
  }
}

}  // namespace
}  // namespace weft
