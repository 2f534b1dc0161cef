// Random problems through the interface of C, each compared with the exact transform.
#include <gtest/gtest.h>

#include "bindings/c/structs.hpp"
#include "support/trial.hpp"

namespace weft::test {
namespace {

class CTrial : public Trial {
 public:
  CTrial(const RandomProblem& random, std::uint64_t seed) : Trial(random, seed) {
    const Structs structs(random.problem, random.options);
    check(weft_plan_create(random.comm, &structs.problem, structs.options.c_str(), &handle_));
    if (!random.own_workspace) return;
    const weft_plan_info* info = nullptr;
    check(weft_plan_get_info(handle_, &info));
    const std::size_t bytes = info->workspace_bytes;
    check(weft_plan_set_workspace(handle_, make_workspace(bytes), bytes));
  }
  ~CTrial() override { weft_plan_destroy(&handle_); }

 private:
  /// What functions are told: of fields that are run one by one, which the first one is.
  struct Side {
    CTrial* trial;
    bool complex;
    bool output;
    Index first_field = 0;
  };

  template <class T>
  static void multiply(const weft_line& line, const Side& side) {
    T* value = static_cast<T*>(line.values);
    Extents index;
    for (int axis = 0; axis < side.trial->random_.problem.shape.size(); ++axis) {
      index.push_back(line.index[axis]);
    }
    for (Index i = 0; i < line.count; ++i, ++index[line.axis]) {
      const double factor = weight_of(index, side.first_field + line.field);
      value[i * line.stride] *= static_cast<decltype(std::abs(T{}))>(factor);
    }
    if (side.output) side.trial->calls_on_output_ += line.count;
  }

  static int multiply_line(const weft_line* line, void* user_data) {
    const Side& side = *static_cast<const Side*>(user_data);
    const bool single = side.trial->random_.problem.precision == Precision::f32;
    if (single && side.complex) multiply<std::complex<float>>(*line, side);
    if (single && !side.complex) multiply<float>(*line, side);
    if (!single && side.complex) multiply<std::complex<double>>(*line, side);
    if (!single && !side.complex) multiply<double>(*line, side);
    return 0;
  }

  void call(Direction direction, Arrays& in, Arrays& out) override {
    const bool forward = direction == Direction::forward;
    const bool complex_in = (forward ? plan_.input() : plan_.output()).type.complex;
    const bool complex_out = (forward ? plan_.output() : plan_.input()).type.complex;
    Side input{this, complex_in, false}, output{this, complex_out, true};
    const weft_functions functions{random_.on_input ? multiply_line : nullptr, &input,
                                   random_.on_output ? multiply_line : nullptr, &output};
    if (random_.in_place) {
      const auto run = forward ? weft_plan_forward_in_place : weft_plan_backward_in_place;
      for (auto& memory : in) {
        check(run(handle_, memory.data(), memory.size(), &functions));
        reports_.push_back(report_of(handle_));
        input.first_field += random_.problem.batch;
        output.first_field += random_.problem.batch;
      }
      return;
    }
    switch (random_.manner) {
      case Manner::run:
        check((forward ? weft_plan_forward_with : weft_plan_backward_with)(
            handle_, in[0].data(), out[0].data(), &functions));
        break;
      case Manner::many: {
        std::vector<const void*> sources;
        std::vector<void*> sinks;
        for (const auto& memory : in) sources.push_back(memory.data());
        for (auto& memory : out) sinks.push_back(memory.data());
        check((forward ? weft_plan_forward_many : weft_plan_backward_many)(
            handle_, in.size(), sources.data(), sinks.data(), &functions));
        for (std::size_t i = 0; i < in.size(); ++i) {
          reports_.push_back(report_of(handle_, static_cast<Index>(i)));
        }
        return;
      }
      default: {
        check((forward ? weft_plan_start_forward : weft_plan_start_backward)(handle_, in[0].data(),
                                                                             out[0].data()));
        int done = 0;
        while (random_.manner == Manner::test && done == 0) check(weft_plan_test(handle_, &done));
        check(weft_plan_wait(handle_));
      }
    }
    reports_.push_back(report_of(handle_));
  }

  weft_plan handle_ = nullptr;
};

TEST(RandomProblemsInC, AgreeWithExactTransform) {
  expect_exact_transforms(50, FunctionsOnDevices::no,
                          [](const RandomProblem& random, std::uint64_t seed) {
                            return std::make_unique<CTrial>(random, seed);
                          });
}

}  // namespace
}  // namespace weft::test
