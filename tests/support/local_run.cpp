#include "support/local_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>

#include "device/buffer.hpp"
#include "kind/kind.hpp"
#include "support/device_run.hpp"
#include "verify/random.hpp"
#include "weft/error.hpp"
#include "weft/verify.hpp"

namespace weft::test {

namespace {

constexpr std::byte untouched{0xff};

void set_dense_output(LocalProblem& problem) {
  Index distance = 1;
  for (int axis = problem.transform.size() - 1; axis >= 0; --axis) {
    problem.transform[axis].out_stride = distance;
    distance *= stored_points(problem, axis, false);
  }
  for (int axis = problem.batch.size() - 1; axis >= 0; --axis) {
    problem.batch[axis].out_stride = distance;
    distance *= problem.batch[axis].length;
  }
}

/// One side's memory: elements of `reals` numbers at all positions that the problem touches.
class Array {
 public:
  Array(const LocalProblem& problem, bool input, std::size_t shift)
      : real_bytes_(problem.precision == Precision::f32 ? 4 : 8),
        reals_((input ? problem.real_input() : problem.real_output()) ? 1 : 2),
        shift_(shift) {
    positions_ = {0};
    const auto add_axis = [&](Index length, Index stride) {
      std::vector<Index> longer;
      for (Index position : positions_) {
        for (Index i = 0; i < length; ++i) longer.push_back(position + i * stride);
      }
      positions_ = std::move(longer);
    };
    for (const LocalAxis& axis : problem.batch) {
      add_axis(axis.length, input ? axis.in_stride : axis.out_stride);
    }
    for (int axis = 0; axis < problem.transform.size(); ++axis) {
      add_axis(stored_points(problem, axis, input),
               input ? problem.transform[axis].in_stride : problem.transform[axis].out_stride);
    }
    Index last = 0;
    for (Index position : positions_) last = std::max(last, position);
    memory_.assign(static_cast<std::size_t>(last + 1) * real_bytes_ * reals_ + shift_ + 64,
                   untouched);
  }

  std::byte* data() {
    const auto address = reinterpret_cast<std::uintptr_t>(memory_.data());
    return memory_.data() + (64 - address % 64) % 64 + shift_;
  }
  const std::vector<std::byte>& memory() const { return memory_; }
  std::size_t shift() const { return shift_; }
  /// All memory from the aligned address before the data.
  std::span<std::byte> aligned_memory() {
    std::byte* const begin = data() - shift_;
    return {begin, memory_.data() + memory_.size()};
  }

  void fill(unsigned seed) {
    std::uint64_t number = 0;
    for_each_real([&](std::byte* at) {
      const double value = random_value(number++, seed);
      if (real_bytes_ == 4) {
        const auto single = static_cast<float>(value);
        std::memcpy(at, &single, 4);
      } else {
        std::memcpy(at, &value, 8);
      }
    });
  }

  std::vector<double> values() {
    std::vector<double> result;
    for_each_real([&](std::byte* at) {
      float single = 0;
      double value = 0;
      if (real_bytes_ == 4) {
        std::memcpy(&single, at, 4);
        value = single;
      } else {
        std::memcpy(&value, at, 8);
      }
      result.push_back(value);
    });
    return result;
  }

  /// Becomes a copy of another array, with its own elements among the other's.
  void take(Array& other) {
    memory_.assign(std::max(memory_.size(), other.memory_.size() + 128), untouched);
    std::memcpy(data(), other.data(), other.used_bytes());
  }

  bool gaps_untouched() {
    std::vector<bool> owned(memory_.size());
    for_each_real([&](std::byte* at) {
      for (std::size_t i = 0; i < real_bytes_; ++i) {
        owned[static_cast<std::size_t>(at - memory_.data()) + i] = true;
      }
    });
    for (std::size_t i = 0; i < memory_.size(); ++i) {
      if (!owned[i] && memory_[i] != untouched) return false;
    }
    return true;
  }

 private:
  std::size_t used_bytes() {
    return memory_.size() - static_cast<std::size_t>(data() - memory_.data());
  }

  template <class Visit>
  void for_each_real(const Visit& visit) {
    for (Index position : positions_) {
      for (std::size_t part = 0; part < reals_; ++part) {
        visit(data() + (static_cast<std::size_t>(position) * reals_ + part) * real_bytes_);
      }
    }
  }

  std::size_t real_bytes_;
  std::size_t reals_;
  std::size_t shift_;
  std::vector<Index> positions_;
  std::vector<std::byte> memory_;
};

/// Where the problem is.
void run(const LocalProblem& problem, const LocalTransform& transform, Array& in, Array& out) {
  if (problem.on_host()) return execute(transform, in.data(), out.data());
  execute_on(*problem.stream, transform,
             {in.aligned_memory(), in.shift(), out.aligned_memory(), out.shift()});
}

double norm(const std::vector<double>& values) {
  double squares = 0;
  for (double value : values) squares += value * value;
  return std::sqrt(squares);
}

/// What rounding may amount to where this is the exact result. Rounding spreads over all elements:
/// those that are kept may happen to be small ones.
double largest_error(const LocalProblem& problem, Array& in, const LocalBackend& reference,
                     Array& exact) {
  LocalProblem whole = problem;
  double kept = 1;
  for (int axis = 0; axis < whole.transform.size(); ++axis) {
    whole.transform[axis].out_points = 0;
    kept *= static_cast<double>(stored_points(problem, axis, false)) /
            static_cast<double>(stored_points(whole, axis, false));
  }
  const double bound = rounding_error_bound(problem.precision, points(problem));
  if (kept == 1) return bound * norm(exact.values());
  set_dense_output(whole);
  whole.in_place = false;
  Array out(whole, false, exact.shift());
  execute(*make_local(reference, whole), in.data(), out.data());
  return bound * norm(out.values()) * std::sqrt(kept);
}

}  // namespace

std::string label_of(const LocalBackend& backend) {
  return on_host(backend) ? backend.name : std::string(backend.device) + "_" + backend.name;
}

const LocalBackend& backend_named(const std::string& name) {
  for (const LocalBackend& backend : local_backends()) {
    if (name == label_of(backend)) return backend;
  }
  throw Error("no local backend '" + name + "'");
}

void execute(const LocalTransform& transform, const std::byte* in, std::byte* out) {
  constexpr std::size_t guard = 4096;
  const std::size_t bytes = transform.work_bytes();
  const Buffer work(bytes + guard);
  std::memset(work.data(), static_cast<int>(untouched), bytes + guard);
  transform.execute(in, out, bytes > 0 ? work.data() : nullptr);
  const std::byte* const end = work.data() + bytes;
  EXPECT_EQ(std::count(end, end + guard, untouched), static_cast<std::ptrdiff_t>(guard))
      << "wrote beyond its memory";
}

Index points(const LocalProblem& problem) {
  Index result = 1;
  for (int axis = 0; axis < problem.transform.size(); ++axis) {
    result *= traits(problem.kinds[axis]).logical_length(problem.transform[axis].length);
  }
  return result;
}

void add_random_axes(Axes<LocalAxis>& axes, Index count, Index longest, Random& random) {
  for (Index i = 0; i < count; ++i) axes.push_back({1 + random.below(longest), 1, 1});
}

void set_random_strides(LocalProblem& problem, Random& random) {
  const int axes = problem.transform.size();
  const int all = axes + problem.batch.size();
  for (const bool input : {true, false}) {
    Index distance = random.chance(70) ? 1 : 1 + random.below(3);
    for (int number : random_order(random, all)) {
      const bool transformed = number < axes;
      LocalAxis& axis = transformed ? problem.transform[number] : problem.batch[number - axes];
      (input ? axis.in_stride : axis.out_stride) = distance;
      const Index length = transformed ? stored_points(problem, number, input) : axis.length;
      distance = distance * length + (random.chance(70) ? 0 : random.below(4));
    }
  }
}

std::string describe(const LocalProblem& problem) {
  std::ostringstream text;
  const auto write = [&](const Axes<LocalAxis>& axes) {
    for (const LocalAxis& axis : axes) {
      text << " " << axis.length;
      if (axis.in_points + axis.out_points > 0) {
        text << "(" << axis.in_points << "-" << axis.out_points << ")";
      }
      text << ":" << axis.in_stride << ":" << axis.out_stride;
    }
  };
  text << to_string(problem.kinds) << " " << to_string(problem.precision)
       << (problem.direction == Direction::forward ? " forward" : " backward");
  write(problem.transform);
  text << " batch";
  write(problem.batch);
  text << (problem.real_data ? " real" : "") << (problem.preserve_input ? " preserving" : "")
       << (problem.in_place ? " in place" : "");
  if (problem.scale != 1) text << " scale " << problem.scale;
  return text.str();
}

void LocalRun::place_on(const LocalBackend& backend) {
  if (on_host(backend)) return;
  problem.stream = open_device(backend.device).stream.get();
  const std::size_t complex_bytes = problem.precision == Precision::f32 ? 8 : 16;
  in_shift -= in_shift % complex_bytes;
  out_shift -= out_shift % complex_bytes;
  if (problem.real()) problem.any_alignment = false;
  if (problem.real_output() && !backend.supports(problem)) problem.preserve_input = false;
}

std::string LocalRun::compare(const LocalBackend& backend, const LocalBackend& with,
                              unsigned seed) const {
  Array in(problem, true, in_shift), out(problem, false, out_shift);
  Array exact(problem, false, out_shift);
  in.fill(seed);
  const std::vector<std::byte> before = in.memory();
  LocalProblem across = problem;
  across.in_place = false;
  // Not all backends that are compared with keep several axes.
  across.preserve_input = !problem.real_output() || is_pruned(problem);
  across.stream = &host_stream();
  across.scale = 1;
  execute(*make_local(with, across), in.data(), exact.data());
  in.fill(seed);
  const double allowed = std::abs(problem.scale) * largest_error(across, in, with, exact);
  const auto transform = make_local(backend, problem);
  std::string wrong;
  const auto check = [&](const char* what, Array& result) {
    std::vector<double> difference = result.values();
    std::vector<double> expected = exact.values();
    for (double& value : expected) value *= problem.scale;
    for (std::size_t i = 0; i < expected.size(); ++i) difference[i] -= expected[i];
    if (!(norm(difference) <= allowed)) {
      wrong += what + std::to_string(norm(difference) / norm(expected)) + "; ";
    }
  };
  // Real data and half spectra of the same memory would be two arrays here.
  if (problem.in_place || (!problem.real() && transform->works_in_place())) {
    Array both(problem, false, out_shift);
    both.take(in);
    run(problem, *transform, both, both);
    check("error in place ", both);
  }
  if (!problem.in_place) {
    run(problem, *transform, in, out);
    check("error ", out);
  }
  if (problem.preserve_input && in.memory() != before) wrong += "input was changed; ";
  if (!out.gaps_untouched()) wrong += "wrote between the elements of the output; ";
  return wrong.empty() ? "" : wrong + describe(problem);
}

}  // namespace weft::test
