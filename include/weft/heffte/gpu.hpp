#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "weft/heffte/gpu_memory.hpp"
#include "weft/heffte/types.hpp"

// Tags, streams and arrays of GPUs. As with heFFTe, programs have them where Heffte_ENABLE_CUDA or
// Heffte_ENABLE_ROCM is defined.
#if defined(Heffte_ENABLE_CUDA) || defined(Heffte_ENABLE_ROCM)

#ifdef Heffte_ENABLE_CUDA
struct CUstream_st;
#else
struct ihipStream_t;
#endif

namespace heffte {

namespace backend {

#ifdef Heffte_ENABLE_CUDA
using gpu_tag = cufft;            ///< the tag that is served
using gpu_stream = CUstream_st*;  ///< cudaStream_t
#else
using gpu_tag = rocfft;
using gpu_stream = ihipStream_t*;
#endif

template <>
struct transform_of<gpu_tag> : served<weft::detail::HeffteKind::c2c> {};
template <>
struct uses_gpu<gpu_tag> : std::true_type {};
template <>
struct default_backend<tag::gpu> {
  using type = gpu_tag;
};
template <>
inline std::string name<gpu_tag>() {
#ifdef Heffte_ENABLE_CUDA
  return "cufft";
#else
  return "rocfft";
#endif
}

/// Holds a stream of the caller, in which transforms are put.
template <>
struct device_instance<tag::gpu> {
  using stream_type = gpu_stream;
  device_instance(stream_type stream = nullptr) : stream_(stream) {}
  stream_type stream() const { return stream_; }
  void synchronize_device() const { weft::detail::HeffteGpu::synchronize(stream_); }

 private:
  stream_type stream_;
};

}  // namespace backend

namespace gpu {

/// Numbers in memory of the GPU that was the current one when it was made.
template <typename T>
class vector {
 public:
  using value_type = T;
  using backend_device = backend::device_instance<tag::gpu>;
  using stream_type = backend_device::stream_type;

  /// So many numbers without values.
  explicit vector(std::size_t size = 0) : vector(backend_device(), size) {}
  /// The same; copies go through the stream.
  vector(backend_device const& device, std::size_t size) : device_(device), size_(size) {
    if (size > 0) data_ = static_cast<T*>(weft::detail::HeffteGpu::allocate(size * sizeof(T)));
  }
  /// Copies numbers of the GPU.
  vector(T const* begin, T const* end) : vector(backend_device(), begin, end) {}
  /// The same, in a stream.
  vector(backend_device const& device, T const* begin, T const* end)
      : vector(device, static_cast<std::size_t>(end - begin)) {
    fill(begin);
  }
  /// Takes memory of the GPU, which it will free.
  vector(T*&& memory, std::size_t size) : vector(backend_device(), std::move(memory), size) {}
  /// The same, with a stream.
  vector(backend_device const& device, T*&& memory, std::size_t size)
      : device_(device), size_(size), data_(memory) {
    memory = nullptr;
  }
  vector(vector const& other) : vector(other.device_, other.size_) { fill(other.data_); }
  vector(vector&& other) noexcept { swap(other); }
  vector& operator=(vector other) noexcept {
    swap(other);
    return *this;
  }
  ~vector() { weft::detail::HeffteGpu::free(data_); }

  T* data() { return data_; }
  T const* data() const { return data_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  stream_type device_stream() const { return device_.stream(); }
  /// Leaves the memory to the caller.
  T* release() {
    T* const memory = data_;
    size_ = 0;
    data_ = nullptr;
    return memory;
  }

 private:
  void fill(T const* numbers) {
    weft::detail::HeffteGpu::copy(data_, numbers, size_ * sizeof(T), device_.stream());
  }
  void swap(vector& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(size_, other.size_);
    std::swap(data_, other.data_);
  }

  backend_device device_;
  std::size_t size_ = 0;
  T* data_ = nullptr;
};

/// Copies between the host and the GPU; all wait until they are done.
struct transfer {
  using stream_type = backend::device_instance<tag::gpu>::stream_type;

  // To the GPU.
  template <typename T>
  static void load(stream_type stream, T const* host, std::size_t size, T* result) {
    weft::detail::HeffteGpu::copy(result, host, size * sizeof(T), stream);
  }
  template <typename T>
  static void load(stream_type stream, std::vector<T> const& host, T* result) {
    load(stream, host.data(), host.size(), result);
  }
  template <typename T>
  static void load(std::vector<T> const& host, T* result) {
    load(stream_type(), host, result);
  }
  template <typename T>
  static vector<T> load(stream_type stream, T const* host, std::size_t size) {
    vector<T> result(stream, size);
    load(stream, host, size, result.data());
    return result;
  }
  template <typename T>
  static vector<T> load(T const* host, std::size_t size) {
    return load(stream_type(), host, size);
  }
  template <typename T>
  static vector<T> load(std::vector<T> const& host) {
    return load(host.data(), host.size());
  }

  // To the host.
  template <typename T>
  static void unload(stream_type stream, T const* numbers, std::size_t size, T* result) {
    weft::detail::HeffteGpu::copy(result, numbers, size * sizeof(T), stream);
  }
  template <typename T>
  static void unload(vector<T> const& numbers, T* result) {
    unload(numbers.device_stream(), numbers.data(), numbers.size(), result);
  }
  template <typename T>
  static std::vector<T> unload(stream_type stream, T const* numbers, std::size_t size) {
    std::vector<T> result(size);
    unload(stream, numbers, size, result.data());
    return result;
  }
  template <typename T>
  static std::vector<T> unload(T const* numbers, std::size_t size) {
    return unload(stream_type(), numbers, size);
  }
  template <typename T>
  static std::vector<T> unload(vector<T> const& numbers) {
    return unload(numbers.device_stream(), numbers.data(), numbers.size());
  }

  /// Takes memory of the GPU, which the result will free.
  template <typename T>
  static vector<T> capture(T*&& memory, std::size_t size) {
    return vector<T>(std::move(memory), size);
  }
};

/// GPUs that this process sees.
inline int device_count() {
  return weft::detail::HeffteGpu::count();
}
/// Makes one the current one, on which what is made later works.
inline void device_set(int number) {
  weft::detail::HeffteGpu::choose(number);
}
/// Waits for what is in the default stream.
inline void synchronize_default_stream() {
  weft::detail::HeffteGpu::synchronize(nullptr);
}

}  // namespace gpu

namespace backend {
template <>
struct buffer_traits<gpu_tag> {
  using location = tag::gpu;
  template <typename T>
  using container = gpu::vector<T>;
};
}  // namespace backend

/// An array of so many numbers on the GPU.
template <typename T>
gpu::vector<T> make_buffer_container(backend::gpu_stream stream, std::size_t size) {
  return gpu::vector<T>(stream, size);
}

}  // namespace heffte

#endif
