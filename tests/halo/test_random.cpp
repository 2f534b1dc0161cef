// Random halos of every kind, each element compared with the global array.
#include <gtest/gtest.h>

#include "halo/halo_array.hpp"
#include "halo/random_halo.hpp"
#include "support/plan_run.hpp"
#include "support/same_error.hpp"
#include "verify/random.hpp"

namespace weft::test {
namespace {

constexpr std::uint64_t halos = 80;

/// A small integer, so that sums are exact in both precisions.
double small_integer(std::uint64_t seed) {
  return static_cast<double>(mixed_bits(seed) % 17) - 8;
}

Complex small_value(std::uint64_t seed, bool complex) {
  return {small_integer(2 * seed), complex ? small_integer(2 * seed + 1) : 0};
}

/// Calls check(problem, seed) for many random halos; stops at the first that fails on any rank.
template <class Check>
void for_each_random_halo(Check&& check) {
  const Watchdog watchdog(280);
  for (std::uint64_t seed = 0; seed < halos; ++seed) {
    const RandomHalo random =
        random_halo(1000 * static_cast<std::uint64_t>(world_size()) + seed, MPI_COMM_WORLD);
    std::string wrong;
    try {
      wrong = check(random.problem, seed);
    } catch (const Error& error) {
      wrong = std::string("unexpected error: ") + error.what();
    }
    EXPECT_EQ(wrong, "") << "seed " << seed << ": " << random.text;
    int failed = wrong.empty() ? 0 : 1;
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (failed != 0) break;
  }
}

/// Sets the owned points, and finds what the array must be after an exchange.
void fill(GlobalArray& global, HaloArray& array, HaloArray& expected) {
  array.for_each_point([&](const Extents& point, bool owned, const Extents& place) {
    for (Index field = 0; field < global.batch; ++field) {
      const Complex value = global.at(place, field);
      if (owned) array.set(point, field, value);
      expected.set(point, field, value);
    }
  });
}

std::string check_exchange(const HaloProblem& problem, std::uint64_t seed) {
  Halo halo(MPI_COMM_WORLD, problem);
  for (std::uint64_t run = 0; run < 3; ++run) {
    GlobalArray global =
        random_array(problem.shape, problem.batch, problem.type.complex, seed + 1000 * run);
    HaloArray array(halo, problem), expected(halo, problem);
    fill(global, array, expected);
    if (run == 1) {
      start_exchange(halo, array);
      while (!halo.test()) continue;
    } else {
      exchange(halo, array);
    }
    if (array.bytes() != expected.bytes()) return "run " + std::to_string(run) + " went wrong";
  }
  return "";
}

TEST(RandomHalos, HoldThePointsOfTheirOwners) {
  for_each_random_halo(check_exchange);
}

std::string check_accumulate(const HaloProblem& problem, std::uint64_t seed) {
  Halo halo(MPI_COMM_WORLD, problem);
  const bool complex = problem.type.complex;
  for (std::uint64_t run = 0; run < 3; ++run) {
    HaloArray array(halo, problem);
    GlobalArray sums = random_array(problem.shape, problem.batch, complex, 0);
    std::fill(sums.values.begin(), sums.values.end(), Complex(0, 0));
    std::uint64_t number = mixed_bits(seed + 1000 * run) + 100000 * std::uint64_t(world_rank());
    array.for_each_point([&](const Extents& point, bool, const Extents& place) {
      for (Index field = 0; field < problem.batch; ++field) {
        const Complex value = small_value(++number, complex);
        array.set(point, field, value);
        sums.at(place, field) += value;
      }
    });
    MPI_Allreduce(MPI_IN_PLACE, sums.values.data(), static_cast<int>(sums.values.size()),
                  MPI_C_DOUBLE_COMPLEX, MPI_SUM, MPI_COMM_WORLD);
    HaloArray expected = array;
    expected.for_each_point([&](const Extents& point, bool owned, const Extents& place) {
      for (Index field = 0; owned && field < problem.batch; ++field) {
        expected.set(point, field, sums.at(place, field));
      }
    });
    if (run == 1) {
      const HaloArray before = array;
      start_accumulate(halo, array);
      if (array.bytes() != before.bytes()) return "the array was written before wait";
      halo.wait();
    } else {
      accumulate(halo, array);
    }
    if (array.bytes() != expected.bytes()) return "run " + std::to_string(run) + " went wrong";
  }
  return "";
}

TEST(RandomHalos, AreAddedToTheirOwners) {
  for_each_random_halo(check_accumulate);
}

}  // namespace
}  // namespace weft::test
