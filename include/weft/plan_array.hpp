#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "weft/plan.hpp"

namespace weft {

/// Owning memory of the device that a plan works on, or of the host if that does. It may outlive
/// the plan. Nothing here is collective.
class PlanMemory {
 public:
  PlanMemory() = default;  ///< none
  /// Allocates; of what is in it nothing is known. Throws Error where there is not enough memory.
  PlanMemory(const Plan& plan, std::size_t bytes);
  PlanMemory(PlanMemory&&) noexcept = default;             ///< leaves none behind
  PlanMemory& operator=(PlanMemory&&) noexcept = default;  ///< leaves none behind

  std::byte* data() const;   ///< aligned to 64 bytes
  std::size_t size() const;  ///< in bytes
  /// Copies from the host to the beginning, behind what is in the plan's stream, and waits for it.
  void copy_from(std::span<const std::byte> host);
  /// Copies the beginning to the host, likewise.
  void copy_to(std::span<std::byte> host) const;

 private:
  struct Implementation;
  std::shared_ptr<Implementation> implementation_;
};

/// An array of numbers in such memory. As a range it can be given to plans; the caller's own loops
/// can go over it only if the plan works on the host.
template <class T>
class PlanArray {
 public:
  PlanArray() = default;  ///< makes an empty array
  /// Allocates `size` numbers, which have no values yet.
  PlanArray(const Plan& plan, Index size)
      : memory_(plan, static_cast<std::size_t>(size) * sizeof(T)),
        size_(static_cast<std::size_t>(size)) {}
  PlanArray(PlanArray&&) noexcept = default;             ///< leaves none behind
  PlanArray& operator=(PlanArray&&) noexcept = default;  ///< leaves none behind

  T* data() const { return reinterpret_cast<T*>(memory_.data()); }  ///< the first number
  std::size_t size() const { return size_; }                        ///< how many there are
  T* begin() const { return data(); }                               ///< the first number
  T* end() const { return data() + size_; }                         ///< behind the last one

  /// Copies numbers of the host to the beginning, behind what is in the plan's stream, and waits
  /// for it.
  void copy_from(std::span<const T> host) { memory_.copy_from(std::as_bytes(host)); }
  /// Copies the beginning to the host, likewise.
  void copy_to(std::span<T> host) const { memory_.copy_to(std::as_writable_bytes(host)); }

 private:
  PlanMemory memory_;
  std::size_t size_ = 0;
};

}  // namespace weft
