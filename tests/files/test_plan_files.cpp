// Arrays of plans in files: every number is where NumPy looks for it, and comes back from there.
#include <gtest/gtest.h>
#include <unistd.h>

#include <complex>
#include <filesystem>
#include <fstream>
#include <random>
#include <vector>

#include "files/first_rank.hpp"
#include "files/npy.hpp"
#include "support/plan_run.hpp"
#include "support/random_problem.hpp"
#include "support/same_error.hpp"
#include "support/trials.hpp"
#include "weft/files.hpp"
#include "weft/plan_array.hpp"

namespace weft::test {
namespace {

namespace fs = std::filesystem;

/// A folder that all ranks share and that is removed at the end.
class PlanFiles : public testing::Test {
 protected:
  PlanFiles() : comm_(Communicator::duplicate(MPI_COMM_WORLD)) {
    folder_ = on_first_rank(comm_, [] {
      std::string name = (fs::temp_directory_path() / "weft-test-XXXXXX").string();
      if (mkdtemp(name.data()) == nullptr) throw Error("cannot make a folder");
      return name;
    });
  }
  ~PlanFiles() override {
    MPI_Barrier(comm_.get());
    if (comm_.rank() == 0) fs::remove_all(folder_);
  }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  /// Written by the first rank alone.
  void write(const std::string& name, const std::string& bytes) const {
    on_first_rank(comm_, [&] {
      std::ofstream(path(name), std::ios::binary) << bytes;
      return std::string();
    });
  }
  std::string bytes_of(const std::string& name) const {
    return on_first_rank(comm_, [&] {
      std::ifstream file(path(name), std::ios::binary);
      return std::string(std::istreambuf_iterator<char>(file), {});
    });
  }
  std::size_t count_of_files() const {
    return std::stoul(on_first_rank(
        comm_, [&] { return std::to_string(std::distance(fs::directory_iterator(folder_), {})); }));
  }

  Communicator comm_;
  std::string folder_;
};

/// One side of a plan as its user sees it.
struct Side {
  const LocalArray& local;
  Extents shape;
  Index batch;

  /// Calls work(number in C order with fields first, place in the array) for what this rank owns.
  template <class Work>
  void for_each(const Work& work) const {
    const Index count = local.box.empty() ? 0 : local.box.count();
    for (Index i = 0; i < batch * count; ++i) {
      const Index field = i / count;
      Index rest = i % count, number = 0, place = local.offset, weight = 1;
      for (int axis = shape.size() - 1; axis >= 0; --axis) {
        const Index own = rest % local.box.extent(axis);
        rest /= local.box.extent(axis);
        number += (local.box.lower[axis] + own) * weight;
        weight *= shape[axis];
        place += own * local.strides[axis];
      }
      if (batch > 1) place += field * local.strides[shape.size()];
      work(field * product(shape) + number, place);
    }
  }
};

Side side_of(const Plan& plan, bool input) {
  const PlanInfo& info = plan.info();
  Extents shape = info.input_points;
  if (!input) {
    shape = info.modes;
    for (int axis = 0; axis < shape.size(); ++axis) {
      if (info.kinds[axis] == r2c) shape[axis] = shape[axis] / 2 + 1;
    }
  }
  return {input ? plan.input() : plan.output(), shape, info.batch};
}

/// A number that no other place of the file holds, exactly, also in single precision.
template <class T>
T number_of(Index i) {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(i) - 7;
  } else {
    return {static_cast<typename T::value_type>(i), static_cast<typename T::value_type>(-3 * i)};
  }
}

template <class T>
const T poison = T(-1e30F);

/// Calls work(T{}) for the type of the numbers.
template <class Work>
void with_number(ElementType type, const Work& work) {
  if (type == element_type_of<float>()) return work(float{});
  if (type == element_type_of<double>()) return work(double{});
  if (type == element_type_of<std::complex<float>>()) return work(std::complex<float>{});
  work(std::complex<double>{});
}

NpyHeader header_of(const Side& side, bool fortran_order = false) {
  NpyHeader header;
  header.precision = side.local.type.precision;
  header.complex = side.local.type.complex;
  header.fortran_order = fortran_order;
  if (side.batch > 1) header.shape.push_back(side.batch);
  for (const Index length : side.shape) header.shape.push_back(length);
  return header;
}

/// What the file of number_of has to hold, in C or Fortran order.
template <class T>
std::string expected_file(const Side& side, bool fortran_order = false) {
  const NpyHeader header = header_of(side, fortran_order);
  const Index count = product(header.shape);
  std::string text = npy_header_text(header);
  for (Index i = 0; i < count; ++i) {
    Index number = i;
    if (fortran_order) {
      Index rest = i, weight = 1;
      number = 0;
      std::vector<Index> weights;
      for (int axis = header.shape.size() - 1; axis >= 0; --axis) {
        weights.insert(weights.begin(), weight);
        weight *= header.shape[axis];
      }
      for (int axis = 0; axis < header.shape.size(); ++axis) {
        number += rest % header.shape[axis] * weights[static_cast<std::size_t>(axis)];
        rest /= header.shape[axis];
      }
    }
    const T value = number_of<T>(number);
    text.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  return text;
}

template <class T>
std::vector<T> filled(const Side& side) {
  std::vector<T> array(static_cast<std::size_t>(side.local.allocation_size), poison<T>);
  side.for_each([&](Index number, Index place) {
    array[static_cast<std::size_t>(place)] = number_of<T>(number);
  });
  return array;
}

Problem random_problem_with_files(std::mt19937_64& random) {
  const auto draw = [&](Index from, Index to) {
    return from + static_cast<Index>(random() % static_cast<std::uint64_t>(to - from + 1));
  };
  Problem problem;
  const int axes = static_cast<int>(draw(1, 4));
  Axes<Kind> kinds;
  const int halved = static_cast<int>(draw(-1, axes - 1));
  for (int axis = 0; axis < axes; ++axis) {
    problem.shape.push_back(draw(1, 7));
    kinds.push_back(axis == halved ? r2c : c2c);
  }
  problem.kinds = kinds;
  problem.precision = static_cast<Precision>(draw(0, 1));
  problem.batch = draw(1, 3);
  problem.interleaved = draw(0, 1) == 1;
  Extents spectral = problem.shape;
  if (halved >= 0) spectral[halved] = spectral[halved] / 2 + 1;
  problem.input = random_layout(random, problem.shape, problem.batch, world_size(), world_rank());
  problem.output = random_layout(random, spectral, problem.batch, world_size(), world_rank());
  return problem;
}

TEST_F(PlanFiles, HoldEveryNumberWhereItBelongsAndGiveItBack) {
  for (unsigned seed = 0; seed < trials(60); ++seed) {
    std::mt19937_64 random(seed);
    const Plan plan(MPI_COMM_WORLD, random_problem_with_files(random));
    for (const bool input : {true, false}) {
      const Side side = side_of(plan, input);
      with_number(side.local.type, [&](auto like) {
        using T = decltype(like);
        const std::vector<T> array = filled<T>(side);
        input ? write_input(plan, path("a.npy"), array) : write_output(plan, path("a.npy"), array);
        EXPECT_EQ(bytes_of("a.npy"), expected_file<T>(side)) << "seed " << seed;
        for (const bool fortran_order : {false, true}) {
          write("b.npy", expected_file<T>(side, fortran_order));
          std::vector<T> back(array.size(), poison<T>);
          input ? read_input(plan, path("b.npy"), back) : read_output(plan, path("b.npy"), back);
          EXPECT_EQ(back, array) << "seed " << seed << (fortran_order ? ", Fortran order" : "");
        }
      });
    }
    EXPECT_EQ(count_of_files(), 2u);
  }
}

TEST_F(PlanFiles, OfADeviceHaveCopiesOnTheHost) {
  Options options;
  options.device = "emulated";
  Problem problem{.shape = {5, 6}, .input = slab_split(0).with_halo({1, 0}, {0, 2})};
  problem.output = slab_split(1);
  const Plan plan(MPI_COMM_WORLD, problem, options);
  const Side side = side_of(plan, true);
  const std::vector<std::complex<double>> array = filled<std::complex<double>>(side);
  PlanArray<std::complex<double>> memory(plan, side.local.allocation_size);
  memory.copy_from(array);
  write_input(plan, path("a.npy"), memory);
  EXPECT_EQ(bytes_of("a.npy"), expected_file<std::complex<double>>(side));
  std::vector<std::complex<double>> back(array.size(), poison<std::complex<double>>);
  memory.copy_from(back);
  read_input(plan, path("a.npy"), memory);
  memory.copy_to(back);
  EXPECT_EQ(back, array);
}

TEST_F(PlanFiles, ThatDoNotFitAreRefusedByAllRanks) {
  const Plan plan(MPI_COMM_WORLD, {.shape = {4, 6}, .kinds = r2c, .output = slab_split(1)});
  std::vector<double> u(static_cast<std::size_t>(plan.input().allocation_size), 1.5);
  const auto refused = [&](const std::string& name, const std::vector<std::string>& says,
                           ErrorCode code) {
    const std::vector<double> before = u;
    expect_same_error([&] { read_input(plan, path(name), u); }, says, code);
    EXPECT_EQ(u, before);
  };
  const Plan other(MPI_COMM_WORLD, {.shape = {4, 7}, .kinds = r2c, .output = slab_split(1)});
  std::vector<double> wider(static_cast<std::size_t>(other.input().allocation_size), 2.5);
  write_input(other, path("wider.npy"), wider);
  refused("wider.npy", {"wider.npy", "4x7 of <f8", "4x6 of <f8"}, ErrorCode::argument);
  std::vector<std::complex<double>> uh(static_cast<std::size_t>(plan.output().allocation_size));
  write_output(plan, path("spectrum.npy"), uh);
  refused("spectrum.npy", {"4x4 of <c16", "4x6 of <f8"}, ErrorCode::argument);
  refused("none.npy", {"none.npy", "No such file"}, ErrorCode::file);
  write_input(plan, path("good.npy"), u);
  const std::string good = bytes_of("good.npy");
  write("short.npy", good.substr(0, good.size() - 1));
  refused("short.npy", {"short.npy", "is truncated"}, ErrorCode::file);
  write("text.npy", "no numbers");
  refused("text.npy", {"text.npy", "is not a NumPy file"}, ErrorCode::file);
  if (world_size() > 1) {
    expect_same_error([&] { read_input(plan, path(world_rank() == 0 ? "good.npy" : "x.npy"), u); },
                      {"path"});
  }
}

TEST_F(PlanFiles, AreThereWholeOrNotAtAll) {
  const Plan plan(MPI_COMM_WORLD, {.shape = {4, 6}, .kinds = r2c, .output = slab_split(1)});
  const std::vector<double> u(static_cast<std::size_t>(plan.input().allocation_size), 1.5);
  expect_same_error([&] { write_input(plan, path("nowhere/a.npy"), u); }, {"nowhere/a.npy"},
                    ErrorCode::file);
  write("a.npy", "what was there before");
  const std::vector<double> too_short(1);
  const bool owns = !plan.input().box.empty();
  expect_same_error([&] { write_input(plan, path("a.npy"), owns ? too_short : u); },
                    {"input array has 1 elements"});
  EXPECT_EQ(bytes_of("a.npy"), "what was there before");
  EXPECT_EQ(count_of_files(), 1u);
  const Plan many(MPI_COMM_WORLD, {.shape = {2, 1, 1, 1, 1, 1}, .batch = 2});
  const std::vector<std::complex<double>> fields(
      static_cast<std::size_t>(many.input().allocation_size));
  expect_same_error([&] { write_input(many, path("b.npy"), fields); },
                    {"batch of arrays of 6 axes", "at most 6"}, ErrorCode::unsupported);
}

}  // namespace
}  // namespace weft::test
