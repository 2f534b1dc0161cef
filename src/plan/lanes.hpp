#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "exchange/environment.hpp"
#include "exchange/shared_window.hpp"
#include "plan/make_channels.hpp"
#include "plan/program.hpp"
#include "plan/staged_arrays.hpp"

namespace weft {

/// One direction: the usual program, and one that copies the input first, where the usual one
/// cannot run in place or apply functions to the input. They never run at the same time, and share
/// their exchanges.
struct Programs {
  Channels channels;
  std::unique_ptr<Program> usual;
  std::unique_ptr<Program> copying;  ///< may be null

  Program& choose(bool in_place, bool functions_on_input) const {
    const bool copies = in_place || (functions_on_input && !usual->applies_to_input());
    return copies && copying != nullptr ? *copying : *usual;
  }
};

/// What one field in flight needs. Its directions never run at the same time.
struct Lane {
  std::unique_ptr<FieldStreams> streams;
  Programs forward;
  Programs backward;
  Program* current = nullptr;
  std::size_t field = 0;  ///< that the current program transforms, of many
  StagedArrays staged;
};

/// The lanes of a plan. Different ones run at the same time: each has channels and workspace of its
/// own.
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
  void make_channels_of(Lane& lane, const Schedule& forward, const Schedule& backward);
  void make_programs(const Schedule& schedule, Lane& lane, Programs& programs) const;
  /// Of one lane.
  std::size_t lane_bytes() const;

  Context& context_;
  std::unique_ptr<SharedWindow> window_;
  std::vector<Lane> lanes_;
};

}  // namespace weft
