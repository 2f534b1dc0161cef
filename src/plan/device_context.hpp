#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "exchange/communicator.hpp"
#include "exchange/device_side.hpp"
#include "weft/options.hpp"

namespace weft {

/// The device that a plan works on, and the caller's stream.
class DeviceContext {
 public:
  /// Collective: opens the device that the options ask for, unless it is the host. Throws Error on
  /// all ranks where some rank has none, or two ranks have the same one.
  DeviceContext(const Options& options, const Communicator& comm);

  Device& device() const { return *device_; }
  bool on_host() const { return weft::on_host(*stream_); }
  /// -1 on the host.
  int number() const { return number_; }
  Stream& stream() const { return *stream_; }
  /// For what may outlive the plan.
  const std::shared_ptr<Device>& shared_device() const { return device_; }
  const std::shared_ptr<Stream>& shared_stream() const { return stream_; }
  /// Whether all ranks have devices of one machine; false on the host, where nobody asks.
  bool on_one_machine() const { return on_one_machine_; }

 private:
  void open(const Options& options, const Communicator& comm);

  int number_ = -1;
  std::shared_ptr<Device> device_;
  std::shared_ptr<Stream> stream_;
  bool on_one_machine_ = false;
};

/// Streams of a field in flight.
struct LaneStreams {
  std::unique_ptr<Stream> own_compute;  ///< null where the lane works in the caller's stream
  Stream* compute = nullptr;
  std::unique_ptr<Stream> send;
  std::unique_ptr<Stream> own;
  std::optional<Handover> handover;  ///< between the caller's stream and that of the lane

  std::vector<Stream*> all() const;

  LaneStreams() = default;
  LaneStreams(const DeviceContext& context, bool shares_compute);
  /// The lane waits for what the caller has put into its stream, or the other way round.
  void enter(const DeviceContext& context);
  void leave(const DeviceContext& context);
};

}  // namespace weft
