// The sources of kernels that GPUs get at run time compile: every form of pass, both precisions,
// short lines and long ones. That needs the vendor's compiler, but no GPU.
#include <gtest/gtest.h>

#include "device/gpu/code_compiler.hpp"
#include "device/gpu/code_text.hpp"
#include "local/gpu/line_source.hpp"
#include "local/line_plan.hpp"
#include "weft/error.hpp"

namespace weft {
namespace {

/// An old architecture and a new one, between both precisions.
const char* architecture_for(Precision precision) {
  const bool is_old = precision == Precision::f32;
  if (code_target("").starts_with("hiprtc")) return is_old ? "gfx908" : "gfx90a";
  return is_old ? "sm_75" : "sm_90";
}

/// What a source depends on of a pass.
LinePass pass_of(LineForm form, Index points, std::uint32_t lanes, std::uint32_t threads) {
  LinePass pass;
  pass.form = form;
  pass.points = static_cast<std::uint32_t>(points);
  for (const int radix : stockham::line_radices(points)) {
    pass.stage[pass.stages++].radix = static_cast<std::uint32_t>(radix);
  }
  pass.lanes = make_divisor(lanes);
  pass.threads = make_divisor(threads);
  pass.pitch = pass.points;
  return pass;
}

template <class Pass>
void expect_compiles(Precision precision, const Pass& pass) {
  const std::string source = source_of(precision, pass, std::size_t{96} << 10);
  ASSERT_NE(source, "");
  std::string code;
  EXPECT_NO_THROW(code = compile_code(line_code.text + source, architecture_for(precision)))
      << source;
  EXPECT_GT(code.size(), 1000U) << source;
}

TEST(LineCode, CompilesForEveryForm) {
  for (const Precision precision : {Precision::f32, Precision::f64}) {
    for (const LineForm form :
         {LineForm::whole, LineForm::complex, LineForm::convolved, LineForm::from_packed,
          LineForm::to_packed, LineForm::from_reals, LineForm::to_reals, LineForm::real_pairs}) {
      expect_compiles(precision, pass_of(form, 1001, 4, 50));
    }
  }
  for (const Index points : {1, 13, 4096, 5005}) {
    expect_compiles(Precision::f64, pass_of(LineForm::whole, points, 1, 256));
  }
}

TEST(LineCode, CompilesForPieces) {
  for (const Precision precision : {Precision::f32, Precision::f64}) {
    for (const LineForm form : {LineForm::whole, LineForm::from_packed, LineForm::to_packed}) {
      expect_compiles(precision, PieceLines{pass_of(form, 360, 8, 24), {}});
    }
  }
}

#if !defined(WEFT_HIP)

TEST(LineCode, CompilesForWideBlocks) {
  for (const Index points : {600, 1000, 1024}) {
    const stockham::LineRadices radices = stockham::wide_radices(points);
    for (const Precision precision : {Precision::f32, Precision::f64}) {
      const bool is_double = precision == Precision::f64;
      LinePass pass = pass_of(LineForm::whole, points, stockham::wide_lanes(is_double),
                              stockham::wide_threads(is_double, radices));
      pass.stages = 0;
      for (const int radix : radices) {
        pass.stage[pass.stages++].radix = static_cast<std::uint32_t>(radix);
      }
      pass.lasting_blocks = 100;
      expect_compiles(precision, pass);
    }
  }
}

TEST(LineCode, CompilesForPlanes) {
  const LineForm forms[][2] = {{LineForm::whole, LineForm::whole},
                               {LineForm::from_packed, LineForm::whole},
                               {LineForm::whole, LineForm::to_packed}};
  for (const auto& form : forms) {
    PlanePass<> pass;
    pass.first = pass_of(form[0], 600, 4, 30);
    pass.second = pass_of(form[1], 360, 5, 24);
    pass.mixed = form[0] == form[1];
    expect_compiles(Precision::f64, pass);
  }
}

#endif

TEST(LineCode, SaysWhatDoesNotCompile) {
  try {
    compile_code(std::string(line_code.text) + "int number = nothing;",
                 architecture_for(Precision::f64));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::device);
    EXPECT_NE(std::string(error.what()).find("nothing"), std::string::npos) << error.what();
  }
}

TEST(LineCode, IsKeptForItsCompilerAndArchitecture) {
  EXPECT_NE(code_target("one").find("one"), std::string::npos);
  EXPECT_NE(code_target("one"), code_target("other"));
}

}  // namespace
}  // namespace weft
