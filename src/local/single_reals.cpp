#include "local/single_reals.hpp"

#include "device/alignment.hpp"

namespace weft {

namespace {

class SingleReals : public LocalTransform {
 public:
  explicit SingleReals(const LocalProblem& problem) : problem_(problem) {
    for (const LocalAxis& axis : problem.batch) {
      extents_.push_back(axis.length);
      real_.push_back(problem.real_input() ? axis.in_stride : axis.out_stride);
      complex_.push_back(2 * (problem.real_input() ? axis.out_stride : axis.in_stride));
      zero_.push_back(0);
    }
  }

  std::size_t work_bytes() const override { return buffer_alignment; }

  void execute(const std::byte* in, std::byte* out, std::byte* work) const override {
    const CopyElement element{problem_.precision, false};
    if (problem_.real_output()) {
      const BlockMove real_parts{extents_, {in, complex_}, {out, real_}};
      problem_.stream->move({&real_parts, 1}, element, problem_.scale, Mover::kernel);
      return;
    }
    problem_.stream->clear(work, buffer_alignment);
    const BlockMove parts[] = {{extents_, {in, real_}, {out, complex_}},
                               {extents_, {work, zero_}, {out + bytes_of(element), complex_}}};
    problem_.stream->move(parts, element, problem_.scale, Mover::kernel);
  }

 private:
  LocalProblem problem_;
  Extents extents_;
  Strides real_, complex_, zero_;
};

}  // namespace

std::unique_ptr<LocalTransform> make_single_reals(const LocalProblem& problem) {
  return std::make_unique<SingleReals>(problem);
}

}  // namespace weft
