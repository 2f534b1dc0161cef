#include "exchange/environment.hpp"

namespace weft {

FieldStreams::FieldStreams(int place, Stream& caller)
    : caller_(caller),
      own_compute_(place == 0 ? nullptr : caller.device().make_stream()),
      compute_(own_compute_ ? own_compute_.get() : &caller),
      send_(caller.device().make_stream(Priority::urgent)),
      own_(caller.device().make_stream()),
      handover_(caller.device()),
      recorder_(place, *compute_) {}

void FieldStreams::enter() {
  if (own_compute_) handover_(caller_, *compute_);
}

void FieldStreams::leave() {
  if (own_compute_) handover_(*compute_, caller_);
}

void FieldStreams::synchronize() const {
  for (Stream* stream : {compute_, send_.get(), own_.get()}) stream->synchronize();
}

}  // namespace weft
