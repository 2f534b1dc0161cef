// Random problems of every kind that a plan accepts, each compared with the exact transform.
#include <gtest/gtest.h>

#include "support/trial.hpp"

namespace weft::test {
namespace {

class PlanTrial : public Trial {
 public:
  PlanTrial(const RandomProblem& random, std::uint64_t seed) : Trial(random, seed) {
    if (!random.own_workspace) return;
    const std::size_t bytes = plan_.info().workspace_bytes;
    plan_.set_workspace({make_workspace(bytes), bytes});
  }

 private:
  template <class In, class Out>
  void call_as(Direction direction, Arrays& in, Arrays& out) {
    std::vector<std::span<const In>> sources;
    std::vector<std::span<Out>> sinks;
    for (std::size_t i = 0; i < in.size(); ++i) {
      sources.emplace_back(reinterpret_cast<const In*>(in[i].data()), in[i].size() / sizeof(In));
      sinks.emplace_back(reinterpret_cast<Out*>(out[i].data()), out[i].size() / sizeof(Out));
    }
    const bool forward = direction == Direction::forward;
    if (random_.options.device != "host" && (random_.on_input || random_.on_output)) {
      calls_on_output_ += DeviceCall<In, Out>{plan_,
                                              direction,
                                              sources,
                                              sinks,
                                              random_.on_input,
                                              random_.on_output,
                                              random_.manner == Manner::many,
                                              random_.in_place,
                                              random_.fused,
                                              random_.arrays_on_device}
                              .run();
      return;
    }
    using RealOut = decltype(std::abs(Out{}));
    // A part of the number comes from the array, where the point says that it lies.
    const auto input = on_input([&](In& value, const Point& point) {
      const auto factor =
          static_cast<decltype(std::abs(In{}))>(weight_of(point.index, point.field));
      if (random_.in_place) {
        value *= factor;
      } else {
        const auto i = static_cast<std::size_t>(point.field / random_.problem.batch);
        const auto half = static_cast<decltype(factor)>(0.5);
        value = value * (factor - half) + half * sources[i][static_cast<std::size_t>(point.offset)];
      }
    });
    const auto output = on_output([&](Out& value, const Point& point) {
      value *= static_cast<RealOut>(weight_of(point.index, point.field));
      ++calls_on_output_;
    });
    const auto run = [&](const auto&... stages) {
      if (random_.manner == Manner::many) {
        forward ? plan_.forward_many(sources, sinks, stages...)
                : plan_.backward_many(sources, sinks, stages...);
      } else {
        forward ? plan_.forward(sources[0], sinks[0], stages...)
                : plan_.backward(sources[0], sinks[0], stages...);
      }
    };
    switch (random_.manner) {
      case Manner::many:
      case Manner::run:
        if (random_.on_input && random_.on_output) {
          run(input, output);
        } else if (random_.on_input) {
          run(input);
        } else if (random_.on_output) {
          run(output);
        } else {
          run();
        }
        break;
      default:
        if (forward && !random_.in_place) {
          plan_.start_forward(sources[0].data(), sinks[0].data());
        } else if (forward) {
          plan_.start_forward(sources[0], sinks[0]);
        } else {
          plan_.start_backward(sources[0], sinks[0]);
        }
        if (random_.manner == Manner::wait) {
          plan_.wait();
        } else {
          while (!plan_.test()) continue;
        }
    }
  }

  template <class Real>
  void call_real(Direction direction, Arrays& in, Arrays& out) {
    using Cplx = std::complex<Real>;
    if (plan_.input().type.complex) {
      call_as<Cplx, Cplx>(direction, in, out);
    } else if (!plan_.output().type.complex) {
      call_as<Real, Real>(direction, in, out);
    } else if (direction == Direction::forward) {
      call_as<Real, Cplx>(direction, in, out);
    } else {
      call_as<Cplx, Real>(direction, in, out);
    }
  }

  void call(Direction direction, Arrays& in, Arrays& out) override {
    if (random_.problem.precision == Precision::f32) {
      call_real<float>(direction, in, out);
    } else {
      call_real<double>(direction, in, out);
    }
    for (std::size_t i = 0; i < in.size(); ++i) {
      reports_.push_back(plan_.report(static_cast<Index>(i)));
    }
  }
};

TEST(RandomProblems, AgreeWithExactTransform) {
  expect_exact_transforms(100, FunctionsOnDevices::yes,
                          [](const RandomProblem& random, std::uint64_t seed) {
                            return std::make_unique<PlanTrial>(random, seed);
                          });
}

}  // namespace
}  // namespace weft::test
