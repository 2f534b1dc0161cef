#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "support/device_calls.hpp"
#include "support/global_array.hpp"
#include "support/random_problem.hpp"

namespace weft::test {

/// A random problem that is run, in one language or another, and compared with the exact transform.
class Trial {
 public:
  virtual ~Trial() = default;

  /// What went wrong, or nothing.
  std::string run(Direction direction);

 protected:
  using Arrays = std::vector<std::vector<std::byte>>;

  Trial(const RandomProblem& random, std::uint64_t seed);

  /// Memory for the plan that is run, if the problem says so; what is past it is watched.
  std::byte* make_workspace(std::size_t bytes);

  /// Transforms as the problem says, with functions that multiply by weight_of() if it says so.
  virtual void call(Direction direction, Arrays& in, Arrays& out) = 0;

  const RandomProblem& random_;
  Plan plan_;  ///< of the problem, also where another one is run
  std::atomic<Index> calls_on_output_ = 0;
  std::vector<Report> reports_;  ///< of each field that call() has transformed, which adds them

 private:
  struct Free {
    void operator()(std::byte* pointer) const { std::free(pointer); }
  };

  static void multiply_by_weights(GlobalArray& array, Index first_field);
  double compression_error(const Report& report) const;
  double dropped_share(const GlobalArray& kept, const GlobalArray& in, const Axes<Kind>& kinds,
                       Direction direction) const;
  bool canary_intact() const;

  std::uint64_t seed_;
  std::unique_ptr<std::byte, Free> workspace_;
  std::size_t workspace_bytes_ = 0;
};

/// Whether problems for devices may have functions.
enum class FunctionsOnDevices { no, yes };

/// Collective. Runs as many problems as the environment says (WEFT_TEST_PROBLEMS, by default
/// `problems`; WEFT_TEST_SEED), each twice in each direction, and expects nothing to go wrong.
void expect_exact_transforms(
    std::uint64_t problems, FunctionsOnDevices functions,
    const std::function<std::unique_ptr<Trial>(const RandomProblem&, std::uint64_t seed)>& make);

}  // namespace weft::test
