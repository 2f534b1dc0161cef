#include <fftw3.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "local/local_transform.hpp"
#include "support/same_error.hpp"
#include "weft/wisdom.hpp"

namespace weft {
namespace {

using test::error_text;

/// A folder that is removed again.
class Wisdom : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("weft-wisdom-" + std::to_string(getpid()));
    std::filesystem::create_directory(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ / name; }

  std::multiset<std::string> lines(const std::string& name) const {
    std::ifstream file(path(name));
    std::multiset<std::string> result;
    for (std::string line; std::getline(file, line);) result.insert(line);
    return result;
  }

  static void learn(Precision precision) {
    LocalProblem problem;
    problem.transform = {{360, 1, 1}};
    problem.kinds = {c2c};
    problem.precision = precision;
    problem.rigor = Rigor::measure;
    find_local_backend("fftw").make(problem);
  }

 private:
  std::filesystem::path folder_;
};

TEST_F(Wisdom, SurvivesExportAndImport) {
  for (const Precision precision : {Precision::f64, Precision::f32}) {
    const auto forget = precision == Precision::f64 ? fftw_forget_wisdom : fftwf_forget_wisdom;
    learn(precision);
    forget();
    export_fftw_wisdom(path("nothing"), precision);
    learn(precision);
    export_fftw_wisdom(path("learned"), precision);
    EXPECT_GT(lines("learned").size(), lines("nothing").size());
    forget();
    export_fftw_wisdom(path("forgotten"), precision);
    EXPECT_EQ(lines("forgotten"), lines("nothing"));
    import_fftw_wisdom(path("learned"), precision);
    export_fftw_wisdom(path("again"), precision);
    EXPECT_EQ(lines("again"), lines("learned"));
  }
}

TEST_F(Wisdom, FilesThatCannotBeReadAreErrors) {
  EXPECT_EQ(error_text([&] { import_fftw_wisdom("/nowhere/at/all", Precision::f64); }),
            "cannot read FFTW wisdom (f64) from '/nowhere/at/all'");
  std::ofstream(path("garbage")) << "this is no wisdom";
  EXPECT_EQ(error_text([&] { import_fftw_wisdom(path("garbage"), Precision::f32); }),
            "cannot read FFTW wisdom (f32) from '" + path("garbage") + "'");
  std::ofstream(path("empty"));
  EXPECT_NE(error_text([&] { import_fftw_wisdom(path("empty"), Precision::f64); }), "");
  learn(Precision::f64);
  export_fftw_wisdom(path("double"), Precision::f64);
  EXPECT_NE(error_text([&] { import_fftw_wisdom(path("double"), Precision::f32); }), "");
}

TEST_F(Wisdom, FilesThatCannotBeWrittenAreErrors) {
  EXPECT_EQ(error_text([&] { export_fftw_wisdom("/nowhere/at/all", Precision::f64); }),
            "cannot write FFTW wisdom (f64) to '/nowhere/at/all'");
  learn(Precision::f64);
  EXPECT_NE(error_text([&] { export_fftw_wisdom("/dev/full", Precision::f64); }), "");
}

}  // namespace
}  // namespace weft
