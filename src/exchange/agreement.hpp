#pragma once

#include <exception>
#include <functional>
#include <optional>
#include <string>

#include "exchange/communicator.hpp"
#include "weft/error.hpp"

namespace weft {

/// Collective. Returns if no rank passes an error; otherwise throws the same Error on every rank:
/// that of the lowest rank that has one, with its number before the text unless all ranks have one.
void agree(const Communicator& comm, const std::optional<Error>& error);

/// Collective: the text of rank `root`.
std::string broadcast(const Communicator& comm, std::string text, int root);

/// The exception that is being handled. Of others than Error it says whether memory was missing.
Error caught_error();

/// What work throws, if anything.
template <class Work>
std::optional<Error> error_of(Work&& work) {
  try {
    work();
    return std::nullopt;
  } catch (const std::exception&) {
    return caught_error();
  }
}

/// Collective. Runs work that is local to this rank; if it throws on any rank, all ranks throw.
template <class Work>
void collectively(const Communicator& comm, Work&& work) {
  agree(comm, error_of(work));
}

/// Collective. Throws on every rank unless all pass the same text; `what` names it in the message.
void agree_same(const Communicator& comm, const std::string& text, const std::string& what);

/// Barrier of point-to-point messages that does not wait for ever. True when all ranks have come;
/// false on those that have waited for so many seconds. Other ranks may have passed it then.
/// `meanwhile` is called again and again.
bool barrier_within(double seconds, const Communicator& comm, int tag,
                    const std::function<void()>& meanwhile);

}  // namespace weft
