#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "exchange/environment.hpp"
#include "exchange/shared_window.hpp"
#include "plan/make_redistributions.hpp"
#include "plan/program.hpp"
#include "plan/staged_arrays.hpp"

namespace weft {

/// One direction.
struct LaneDirection {
  Redistributions redistributions;
  std::unique_ptr<Program> program;
};

/// What one field in flight needs. Its directions never run at the same time.
struct Lane {
  std::unique_ptr<FieldStreams> streams;
  LaneDirection forward;
  LaneDirection backward;

  LaneDirection& of(Direction direction) {
    return direction == Direction::forward ? forward : backward;
  }
  const LaneDirection& of(Direction direction) const {
    return direction == Direction::forward ? forward : backward;
  }

  Program* current = nullptr;
  std::size_t field = 0;  ///< that the current program transforms, of many
  StagedArrays staged;
};

/// The lanes of a plan. Different ones run at the same time: each has redistributions and
/// workspace of its own.
class Lanes {
 public:
  /// Collective. Makes the window, if the exchange needs one. Throws SharedMemoryError where there
  /// is not enough memory for it. The context must outlive this.
  Lanes(Context& context, const Schedule& forward);
  ~Lanes();

  std::vector<Lane>::iterator begin() { return lanes_.begin(); }
  std::vector<Lane>::iterator end() { return lanes_.end(); }
  Lane& front() { return lanes_.front(); }
  const Lane& front() const { return lanes_.front(); }

  /// Waits for everything that was submitted.
  void synchronize() const;

  std::size_t workspace_bytes() const { return lanes_.size() * lane_bytes(); }
  /// Where the part of a lane begins in the workspace.
  std::size_t workspace_offset(const Lane& lane) const;
  /// Bytes of this rank's memory that others write to.
  Index shared_bytes() const;

 private:
  void make_redistributions_of(Lane& lane, const Schedule& forward, const Schedule& backward);
  void make_program(const Schedule& schedule, Lane& lane, LaneDirection& direction) const;
  /// Of one lane.
  std::size_t lane_bytes() const;

  Context& context_;
  std::unique_ptr<SharedWindow> window_;
  std::vector<Lane> lanes_;
};

}  // namespace weft
