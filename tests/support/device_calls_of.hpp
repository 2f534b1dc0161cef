#pragma once

// Compiled for each precision in a file of its own, as this takes minutes.
#include "support/device_calls.hpp"
#include "weft/fused_function.hpp"
#include "weft/plan_array.hpp"

namespace weft::test {

namespace {

/// Where a number is among those of all fields.
struct Places {
  Index batch;
  Index size;  ///< of the array of a field

  WEFT_HOST_DEVICE Index at(const Point& point) const {
    return point.field / batch * size + point.offset;
  }
};

/// A part of the number comes from a copy of the array, where the point says that it lies.
template <class Number>
struct WeightedInput {
  const Number* copy;
  Places places;

  WEFT_HOST_DEVICE void operator()(Number& value, const Point& point) const {
    using Part = typename detail::PartOfNumber<Number>::type;
    const auto factor = static_cast<Part>(weight_of(point.index, point.field));
    const auto half = static_cast<Part>(0.5);
    value = value * (factor - half) + copy[places.at(point)] * half;
  }
};

template <class Number>
struct WeightedOutput {
  int* counts;
  Places places;

  WEFT_HOST_DEVICE void operator()(Number& value, const Point& point) const {
    detail::scale_number(value, weight_of(point.index, point.field));
    ++counts[places.at(point)];
  }
};

PlanMemory copy_of(const Plan& plan, std::span<const std::byte> host) {
  PlanMemory copy(plan, host.size());
  copy.copy_from(host);
  return copy;
}

}  // namespace

template <class In, class Out, int... lengths>
Index DeviceCall<In, Out, lengths...>::run() {
  using InNumber = typename detail::DeviceNumberOf<In>::type;
  using OutNumber = typename detail::DeviceNumberOf<Out>::type;
  const bool forward = direction == Direction::forward;
  const Index source_size = (forward ? plan.input() : plan.output()).allocation_size;
  const Index sink_size = (forward ? plan.output() : plan.input()).allocation_size;
  const auto fields = static_cast<Index>(in.size());

  std::vector<In> all;
  for (const auto& field : in) all.insert(all.end(), field.begin(), field.begin() + source_size);
  const PlanMemory copy = copy_of(plan, std::as_bytes(std::span(all)));
  std::vector<int> counts(static_cast<std::size_t>(fields * sink_size));
  const PlanMemory counted = copy_of(plan, std::as_bytes(std::span(counts)));
  const WeightedInput<InNumber> weighted_input{reinterpret_cast<const InNumber*>(copy.data()),
                                               {plan.info().batch, source_size}};
  const WeightedOutput<OutNumber> weighted_output{reinterpret_cast<int*>(counted.data()),
                                                  {plan.info().batch, sink_size}};

  std::vector<PlanMemory> sources, sinks;
  std::vector<std::span<const In>> from = in;
  std::vector<std::span<Out>> to = out;
  for (std::size_t i = 0; i < in.size() && arrays_on_device; ++i) {
    // In place both are of the same memory, but for a part of a number at the end.
    const auto source = std::as_bytes(in[i]), sink = std::as_bytes(out[i]);
    const auto longer = in_place && sink.size() > source.size() ? sink : source;
    sources.push_back(copy_of(plan, longer));
    if (!in_place) sinks.push_back(copy_of(plan, sink));
    PlanMemory& target = in_place ? sources[i] : sinks[i];
    from[i] = {reinterpret_cast<const In*>(sources[i].data()), in[i].size()};
    to[i] = {reinterpret_cast<Out*>(target.data()), out[i].size()};
  }
  const auto call = [&](const auto&... stages) {
    if (many) {
      forward ? plan.forward_many(from, to, stages...) : plan.backward_many(from, to, stages...);
    } else {
      forward ? plan.forward(from[0], to[0], stages...) : plan.backward(from[0], to[0], stages...);
    }
  };
  const auto call_with = [&](const auto& input, const auto& output) {
    if (on_input && on_output) {
      call(weft::on_input(input), weft::on_output(output));
    } else if (on_input) {
      call(weft::on_input(input));
    } else {
      call(weft::on_output(output));
    }
  };
  if (fused) {
    call_with(fused_function<void, lengths...>(weighted_input),
              fused_function<void, lengths...>(weighted_output));
  } else {
    call_with(device_function(weighted_input), device_function(weighted_output));
  }
  for (std::size_t i = 0; i < in.size() && arrays_on_device; ++i) {
    sources[i].copy_to(
        {reinterpret_cast<std::byte*>(const_cast<In*>(in[i].data())), sources[i].size()});
    if (!in_place) sinks[i].copy_to(std::as_writable_bytes(out[i]));
  }
  counted.copy_to(std::as_writable_bytes(std::span(counts)));
  Index calls = 0;
  for (int count : counts) calls += count > 1 ? 1000000 : count;
  return calls;
}

}  // namespace weft::test
