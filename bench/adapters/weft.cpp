// weft itself, through its public interface; on the host or, as a program of its own, on GPUs.
#include <algorithm>
#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "device/buffer.hpp"
#include "kind/kind.hpp"
#include "layouts.hpp"
#include "schedule/option_table.hpp"
#include "weft/weft.hpp"

namespace weft::bench {

namespace {

/// What this program was built for: "host" or "cuda".
const std::string device_name = WEFT_BENCH_DEVICE;

/// 0: the fields of a batch are one array of one plan.
int fields_in_flight(const Case& problem) {
  const std::string fields = setting(problem, "fields_in_flight", "batch");
  return fields == "batch" ? 0 : std::stoi(fields);
}

template <class Real>
class WeftTransform : public Transform {
 public:
  explicit WeftTransform(const Case& problem)
      : plan_(problem.comm, problem_of(problem), options_of(problem)),
        layout_(description(plan_)),
        in_place_(problem.in_place) {
    if (fields_in_flight(problem) > 0) line_up_fields(problem.batch);
    const std::size_t in = bytes_of(layout_.physical), out = bytes_of(layout_.spectral);
    physical_ = Buffer(in_place_ ? std::max(in, out) : in);
    spectral_ = Buffer(in_place_ ? 0 : out);
    if (device_name == "host") return;
    device_ = find_device_method(device_name).open(plan_.info().device_number);
    stream_ = device_->adopt_stream(nullptr);
    device_physical_ = Buffer(*device_, physical_.size());
    device_spectral_ = Buffer(*device_, spectral_.size());
  }

  TransformDescription layout() const override { return layout_; }
  void* physical() override { return physical_.data(); }
  void* spectral() override { return in_place_ ? physical_.data() : spectral_.data(); }
  bool unscaled() const override { return false; }
  double promised_error() const override {
    const Report report = plan_.report();
    // Without a tolerance the model of the codec counts, which is one of random data.
    constexpr double room = 1.2;
    return report.tolerance ? *report.tolerance : room * report.predicted_error;
  }
  std::vector<StageTiming> stages() const override { return plan_.timings(); }
  std::string device_id() const override { return device_ ? device_->info().identity : ""; }
  void upload(Direction direction) override {
    if (!device_) return;
    const bool forward = direction == Direction::forward;
    const Buffer& from = forward || in_place_ ? physical_ : spectral_;
    copy(forward ? own_physical() : own_spectral(), from.data(), from.size());
  }
  void download(Direction direction) override {
    if (!device_) return;
    const bool forward = direction == Direction::forward;
    const Buffer& to = !forward || in_place_ ? physical_ : spectral_;
    copy(to.data(), forward ? own_spectral() : own_physical(), to.size());
  }
  void forward() override {
    const bool real = !layout_.physical.type.complex;
    if (!layout_.spectral.type.complex) {
      forward_of<Real, Real>();
    } else {
      real ? forward_of<Real, Complex>() : forward_of<Complex, Complex>();
    }
    finish();
  }
  void backward() override {
    const bool real = !layout_.physical.type.complex;
    if (!layout_.spectral.type.complex) {
      backward_of<Real, Real>();
    } else {
      real ? backward_of<Real, Complex>() : backward_of<Complex, Complex>();
    }
    finish();
  }

 private:
  using Complex = std::complex<Real>;

  /// The arrays that the plan works on.
  std::byte* own_physical() const { return device_ ? device_physical_.data() : physical_.data(); }
  std::byte* own_spectral() const {
    if (in_place_) return own_physical();
    return device_ ? device_spectral_.data() : spectral_.data();
  }
  void copy(std::byte* to, const std::byte* from, std::size_t bytes) {
    stream_->copy(to, from, bytes);
    stream_->synchronize();
  }
  void finish() {
    if (device_) stream_->synchronize();
  }

  template <class Physical, class Spectral>
  void forward_of() {
    if (layout_.batch == plan_.info().batch) {
      plan_.forward(as<Physical>(own_physical()), as<Spectral>(own_spectral()));
    } else {
      plan_.forward_many(fields<Physical>(own_physical(), plan_.input()),
                         fields<Spectral>(own_spectral(), plan_.output()));
    }
  }
  template <class Physical, class Spectral>
  void backward_of() {
    if (layout_.batch == plan_.info().batch) {
      plan_.backward(as<Spectral>(own_spectral()), as<Physical>(own_physical()));
    } else {
      plan_.backward_many(fields<Spectral>(own_spectral(), plan_.output()),
                          fields<Physical>(own_physical(), plan_.input()));
    }
  }

  /// Fields of a plan for one, one after another in memory like a batch.
  void line_up_fields(Index count) {
    layout_.batch = count;
    for (LocalArray* array : {&layout_.physical, &layout_.spectral}) {
      if (count > 1) array->strides.push_back(array->allocation_size);
      array->allocation_size *= count;
    }
  }
  template <class T>
  std::vector<T*> fields(std::byte* data, const LocalArray& one) const {
    std::vector<T*> all;
    for (Index i = 0; i < layout_.batch; ++i) all.push_back(as<T>(data) + i * one.allocation_size);
    return all;
  }

  static Problem problem_of(const Case& problem) {
    LayoutSpec in = asked_input(problem, "slab:0");
    if (problem.in_place && halved_axis(problem.kinds) >= 0) in = in.padded_for_r2c();
    LayoutSpec out = asked_output(problem, problem.shape.size() > 1 ? "slab:1" : "slab:0");
    if (setting(problem, "order", "natural") == "transposed") out = out.with_order({1, 0, 2});
    return {.shape = problem.shape,
            .kinds = problem.kinds,
            .input = in,
            .output = out,
            .precision = problem.precision,
            .batch = fields_in_flight(problem) > 0 ? 1 : problem.batch};
  }
  static Options options_of(const Case& problem) {
    Options options{.grid = problem.grid,
                    .device = device_name,
                    .overwrite_input = true,
                    .threads = problem.threads};
    for (const OptionRow& row : option_table()) {
      const std::string name = row.name, unset = row.read(row, options);
      const std::string value = setting(problem, name, unset);
      const bool is_unset = value == unset || (name == "tolerance" && value == "none") ||
                            (name == "fields_in_flight" && value == "batch");
      if (!is_unset) set_option(options, name, value);
    }
    return options;
  }
  template <class T>
  static T* as(std::byte* data) {
    return reinterpret_cast<T*>(data);
  }

  Plan plan_;
  TransformDescription layout_;
  bool in_place_;
  Buffer physical_;
  Buffer spectral_;
  std::unique_ptr<Device> device_;  // null: the host
  std::unique_ptr<Stream> stream_;
  Buffer device_physical_;
  Buffer device_spectral_;
};

/// Whether every rank sees a device of the kind that this program is for.
bool devices_are_there(MPI_Comm comm) {
  int count = device_name == "host" ? 1 : find_device_method(device_name).count();
  MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_INT, MPI_MIN, comm);
  return count > 0;
}

}  // namespace

Library describe() {
  if (device_name != "host") {
    return {"weft-" + device_name,
            WEFT_VERSION_STRING,
            {{"exchange", {"auto", "peer:kernel", "nccl", "staged"}},
             {"algorithm", {"auto", "slab", "pencil"}},
             {"order", {"natural", "transposed"}},
             {"chunks", {"0"}},
             {"receive_chunks", {"0"}},
             {"breakdown", {"no"}},
             {"fields_in_flight", {"batch"}}},
            false,
            device_name};
  }
  return {"weft",
          WEFT_VERSION_STRING,
          {{"local", {"auto", "stockham", "fftw", "mkl"}},
           {"exchange",
            {"auto", "node_shared", "alltoall", "alltoallv", "alltoallw", "p2p", "p2p_pipelined",
             "ialltoallv", "neighbor", "persistent", "one_sided", "node_aware"}},
           {"rigor", {"estimate", "measure", "patient"}},
           {"algorithm", {"auto", "slab", "pencil"}},
           {"order", {"natural", "transposed"}},
           {"reorder", {"no", "yes"}},
           // Of these studies name other values. "best" must not choose an inexact result.
           {"codec", {"auto"}},
           {"tolerance", {"none"}},
           {"chunks", {"0"}},
           {"receive_chunks", {"0"}},
           {"fields_in_flight", {"batch"}},
           {"tune", {"wisdom"}},
           {"tune_seconds", {"10"}},
           {"breakdown", {"no"}},
           {"progress", {"polling"}, "thread"}}};
}

std::unique_ptr<Transform> plan(const Case& problem) {
  if (!devices_are_there(problem.comm)) throw Unsupported("no device '" + device_name + "' here");
  if (setting(problem, "order", "natural") == "transposed") {
    require(problem.shape.size() == 3, "transposed order of other than 3 axes");
  }
  if (fields_in_flight(problem) > 0) require(!problem.in_place, "several fields in place");
  if (problem.precision == Precision::f32) return std::make_unique<WeftTransform<float>>(problem);
  return std::make_unique<WeftTransform<double>>(problem);
}

}  // namespace weft::bench
