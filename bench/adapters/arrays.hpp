#pragma once

#include <algorithm>

#include "device/buffer.hpp"
#include "layouts.hpp"

/// For libraries that work in the memory of the host or of a device, by the same functions.
namespace weft::bench {

/// An array in the memory of the host. DeviceArray in device_array.hpp has the same functions:
/// `host` is for the driver, `data` for the library, between which `upload` and `download` copy.
class HostArray {
 public:
  explicit HostArray(std::size_t bytes) : buffer_(bytes) {}
  void* host() { return buffer_.data(); }
  void* data() { return buffer_.data(); }
  void upload() {}
  void download() {}
  bool scale(std::size_t /*bytes*/, Precision, double /*factor*/) { return false; }
  static void finish() {}
  static std::string device_id() { return {}; }
  static std::size_t device_bytes() { return 0; }

 private:
  Buffer buffer_;
};

/// The arrays of a transform, which the library's part computes from `input` to `output`.
template <class Array>
class ArrayTransform : public Transform {
 public:
  TransformDescription layout() const override { return transform_of(problem_, in_, out_); }
  void* physical() override { return physical_.host(); }
  void* spectral() override { return output().host(); }
  void upload(Direction direction) override {
    (direction == Direction::forward ? physical_ : output()).upload();
  }
  void download(Direction direction) override {
    (direction == Direction::forward ? output() : physical_).download();
  }
  bool scale_on_device(double factor) override {
    return physical_.scale(bytes_of(in_), problem_.precision, factor);
  }
  std::string device_id() const override { return Array::device_id(); }
  std::size_t device_bytes() const override { return Array::device_bytes(); }

 protected:
  ArrayTransform(const Case& problem, LocalArray in, LocalArray out)
      : problem_(problem),
        in_(std::move(in)),
        out_(std::move(out)),
        physical_(problem.in_place ? std::max(bytes_of(in_), bytes_of(out_)) : bytes_of(in_)),
        spectral_(problem.in_place ? 0 : bytes_of(out_)) {}

  const Case& problem() const { return problem_; }
  const LocalArray& in() const { return in_; }
  const LocalArray& out() const { return out_; }
  Array& input() { return physical_; }
  Array& output() { return problem_.in_place ? physical_ : spectral_; }

 private:
  Case problem_;
  LocalArray in_;
  LocalArray out_;
  Array physical_;
  Array spectral_;
};

}  // namespace weft::bench
