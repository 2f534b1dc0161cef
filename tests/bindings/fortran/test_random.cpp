// Random problems through the interface of Fortran, each compared with the exact transform.
#include <ISO_Fortran_binding.h>
#include <gtest/gtest.h>

#include "bindings/c/structs.hpp"
#include "support/trial.hpp"

extern "C" {

// random_runner.F90
int weft_test_create(const weft_problem* problem, const char* options, MPI_Fint comm, int way,
                     void** state);
void weft_test_destroy(void* state);
void weft_test_shape(void* state, int side, int strided, int* dimensions, std::int64_t* extents);
int weft_test_run(void* state, int direction, int manner, const CFI_cdesc_t* in, CFI_cdesc_t* out,
                  int on_input, int on_output, void* counter);
int weft_test_run_in_place(void* state, int direction, CFI_cdesc_t* memory, int on_input,
                           int on_output, void* counter, std::int64_t first_field);
int weft_test_run_many(void* state, int direction, int fields, void* const* in, void** out,
                       int on_input, int on_output, void* counter);
int weft_test_set_workspace(void* state, CFI_cdesc_t* workspace);
std::int64_t weft_test_workspace_bytes(void* state);
void weft_test_errors(void* state, int field, int most, int* count, double* errors);

/// Called by callbacks, from all threads.
void weft_test_count(void* counter, std::int64_t numbers) {
  *static_cast<std::atomic<weft::Index>*>(counter) += numbers;
}

}  // extern "C"

namespace weft::test {
namespace {

CFI_type_t type_code(ElementType type) {
  if (type.precision == Precision::f32)
    return type.complex ? CFI_type_float_Complex : CFI_type_float;
  return type.complex ? CFI_type_double_Complex : CFI_type_double;
}

/// An array as Fortran passes it.
class Descriptor {
 public:
  Descriptor(void* data, ElementType type, const std::vector<CFI_index_t>& extents) {
    CFI_establish(get(), data, CFI_attribute_other, type_code(type), 0,
                  static_cast<CFI_rank_t>(extents.size()), extents.data());
  }
  CFI_cdesc_t* get() { return reinterpret_cast<CFI_cdesc_t*>(&room_); }

 private:
  CFI_CDESC_T(max_axes + 1) room_;
};

class FortranTrial : public Trial {
 public:
  FortranTrial(const RandomProblem& random, std::uint64_t seed)
      : Trial(random, seed), flat_(seed % 3 == 0) {
    const Structs structs(random.problem, random.options);
    check(weft_test_create(&structs.problem, structs.options.c_str(), MPI_Comm_c2f(random.comm),
                           static_cast<int>(seed % 3), &state_));
    if (!random.own_workspace) return;
    const auto bytes = static_cast<std::size_t>(weft_test_workspace_bytes(state_));
    Descriptor workspace(make_workspace(bytes), {Precision::f32, false},
                         {static_cast<CFI_index_t>((bytes + 3) / 4)});
    check(weft_test_set_workspace(state_, workspace.get()));
  }
  ~FortranTrial() override { weft_test_destroy(state_); }

 private:
  /// Adds the report of a field, which counts from 1, or of the last one: 0.
  void add_report(int field) {
    double errors[16];
    int count = 0;
    weft_test_errors(state_, field, 16, &count, errors);
    Report& report = reports_.emplace_back();
    for (int i = 0; i < count; ++i) report.redistributions.emplace_back().error = errors[i];
  }

  /// The array of a side of the plan, with all its dimensions or with one.
  Descriptor array(std::vector<std::byte>& memory, bool physical) const {
    const LocalArray& planned = physical ? plan_.input() : plan_.output();
    const LayoutSpec& given = physical ? random_.problem.input : random_.problem.output;
    const bool as_input = given.form == LayoutSpec::Form::as_input;
    const bool strided = !(as_input ? random_.problem.input : given).strides.empty();
    int dimensions = 0;
    std::int64_t extents[max_axes + 1];
    weft_test_shape(state_, physical ? 1 : 2, strided ? 1 : 0, &dimensions, extents);
    std::vector<CFI_index_t> shape(extents, extents + dimensions);
    if (flat_ && !strided) shape = {static_cast<CFI_index_t>(planned.allocation_size)};
    return {memory.data(), planned.type, shape};
  }

  void call(Direction direction, Arrays& in, Arrays& out) override {
    const bool forward = direction == Direction::forward;
    const int number = forward ? WEFT_DIRECTION_FORWARD : WEFT_DIRECTION_BACKWARD;
    const int on_input = random_.on_input ? 1 : 0, on_output = random_.on_output ? 1 : 0;
    if (random_.in_place) {
      Index first_field = 0;
      for (auto& memory : in) {
        const ElementType type = {random_.problem.precision, false};
        Descriptor descriptor(memory.data(), type,
                              {static_cast<CFI_index_t>(memory.size() / element_size(type))});
        check(weft_test_run_in_place(state_, number, descriptor.get(), on_input, on_output,
                                     &calls_on_output_, first_field));
        add_report(0);
        first_field += random_.problem.batch;
      }
    } else if (random_.manner == Manner::many) {
      std::vector<void*> sources, sinks;
      for (auto& memory : in) sources.push_back(memory.data());
      for (auto& memory : out) sinks.push_back(memory.data());
      check(weft_test_run_many(state_, number, static_cast<int>(in.size()), sources.data(),
                               sinks.data(), on_input, on_output, &calls_on_output_));
      for (int field = 1; field <= static_cast<int>(in.size()); ++field) add_report(field);
    } else {
      const int manner = random_.manner == Manner::run ? 0 : random_.manner == Manner::wait ? 1 : 2;
      Descriptor source = array(in[0], forward), sink = array(out[0], !forward);
      check(weft_test_run(state_, number, manner, source.get(), sink.get(), on_input, on_output,
                          &calls_on_output_));
      add_report(0);
    }
  }

  void* state_ = nullptr;
  bool flat_;  ///< arrays are passed with one dimension
};

TEST(RandomProblemsInFortran, AgreeWithExactTransform) {
  expect_exact_transforms(50, FunctionsOnDevices::no,
                          [](const RandomProblem& random, std::uint64_t seed) {
                            return std::make_unique<FortranTrial>(random, seed);
                          });
}

}  // namespace
}  // namespace weft::test
