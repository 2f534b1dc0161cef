#include "weft/halo.hpp"

#include "exchange/agreement.hpp"
#include "halo/arguments.hpp"
#include "halo/messages.hpp"
#include "plan/started.hpp"
#include "plan/user_array.hpp"

namespace weft {

/// The messages of both operations, and what ranks agree on while these are under way.
class Halo::Implementation {
 public:
  Implementation(MPI_Comm comm, const HaloProblem& given);
  ~Implementation();

  void start(Operation operation, const detail::AnyArray& argument);
  bool test();
  void wait();

  const ResolvedHalo& resolved() const { return resolved_; }
  const Extents& lower() const { return lower_; }
  const Extents& upper() const { return upper_; }
  const HaloMessages& of_exchange() const { return *exchange_; }

 private:
  /// What the ranks have called, and whether one of them had an error.
  struct Flags {
    int error, exchange, accumulate;

    bool differ() const { return exchange + accumulate == 2; }
  };

  HaloMessages& messages(Operation operation) {
    return operation == Operation::exchange ? *exchange_ : *accumulate_;
  }
  /// Waits until no messages are under way any more.
  void pass_messages();
  /// That, and writes what has come, or throws what is wrong.
  void finish();

  Communicator comm_;
  ResolvedHalo resolved_;
  Extents lower_;  // without the axis of a batch
  Extents upper_;
  // Of accumulate. Where ranks have called different operations, the messages of both are under
  // way and must not be taken for each other.
  Communicator reverse_comm_;
  std::optional<HaloMessages> exchange_;
  std::optional<HaloMessages> accumulate_;

  // Of what is under way.
  Started started_;
  Operation operation_ = Operation::exchange;
  std::byte* data_ = nullptr;
  std::optional<std::string> error_;
  Flags flags_{};
  MPI_Request agreement_ = MPI_REQUEST_NULL;
};

Halo::Implementation::Implementation(MPI_Comm comm, const HaloProblem& given)
    : comm_(Communicator::duplicate(comm)),
      resolved_(resolve_collectively(given, comm_)),
      reverse_comm_(Communicator::duplicate(comm_.get())) {
  const ResolvedProblem& problem = resolved_.problem;
  for (int axis = 0; axis < given.shape.size(); ++axis) {
    lower_.push_back(resolved_.widths.lower[axis]);
    upper_.push_back(resolved_.widths.upper[axis]);
  }
  HaloParts parts;
  HaloMemory memory;
  collectively(comm_, [&] {
    const Distribution& distribution = problem.input.distribution;
    parts = halo_parts(distribution, problem.shape, resolved_.widths, problem.rank);
    memory = {problem.input.memory.view(distribution.box(problem.shape, problem.rank)),
              resolved_.order,
              {problem.precision, given.type.complex}};
  });
  exchange_.emplace(comm_, memory, parts.owned, parts.halo);
  accumulate_.emplace(reverse_comm_, memory, parts.halo, parts.owned);
}

Halo::Implementation::~Implementation() {
  // Messages still under way would arrive in memory that is no longer there.
  if (!started_.is_under_way() || mpi_is_finalized()) return;
  try {
    pass_messages();
  } catch (const std::exception&) {
  }
}

void Halo::Implementation::start(Operation operation, const detail::AnyArray& argument) {
  check_mpi_runs();
  std::optional<std::string> error;
  try {
    if (started_.is_under_way()) {
      // Ends as it does on ranks that have waited for it, so that all stay in step.
      finish();
      throw Error("a halo exchange is under way: wait for it before the next one");
    }
    check_array("halo", argument, resolved_.array, "the halo exchange");
  } catch (const Error& failure) {
    error = failure.what();
  }
  operation_ = operation;
  data_ = static_cast<std::byte*>(const_cast<void*>(argument.data));
  error_ = error;
  const bool exchanges = operation == Operation::exchange;
  flags_ = {error ? 1 : 0, exchanges ? 1 : 0, exchanges ? 0 : 1};
  // Messages do not wait until all ranks have agreed, only what they bring does: a rank with an
  // error sends what happens to be in its buffers.
  check_mpi(MPI_Iallreduce(MPI_IN_PLACE, &flags_, 3, MPI_INT, MPI_MAX, comm_.get(), &agreement_),
            "MPI_Iallreduce");
  started_.begin();
  if (!error) messages(operation).pack(data_);
  messages(operation).start();
}

bool Halo::Implementation::test() {
  check_mpi_runs();
  started_.check("test");
  if (!started_.is_under_way()) return true;
  int agreed = 0;
  check_mpi(MPI_Test(&agreement_, &agreed, MPI_STATUS_IGNORE), "MPI_Test");
  if (agreed == 0) return false;
  if (!flags_.differ() && !messages(operation_).test()) return false;
  started_.complete();
  finish();
  return true;
}

void Halo::Implementation::wait() {
  check_mpi_runs();
  started_.check("wait");
  const bool runs = started_.is_under_way();
  started_.forget();
  if (runs) finish();
}

void Halo::Implementation::pass_messages() {
  check_mpi(MPI_Wait(&agreement_, MPI_STATUS_IGNORE), "MPI_Wait");
  if (flags_.differ()) {
    // Every message needs its receiver: take part in what the others have called, too.
    HaloMessages& other = operation_ == Operation::exchange ? *accumulate_ : *exchange_;
    other.start();
    other.wait();
  }
  messages(operation_).wait();
}

void Halo::Implementation::finish() {
  pass_messages();
  if (flags_.error != 0) agree(comm_, error_);
  if (flags_.differ()) throw Error("some ranks called exchange, others accumulate");
  if (operation_ == Operation::exchange) {
    exchange_->copy_into(data_);
  } else {
    accumulate_->add_into(data_);
  }
}

Halo::Halo(MPI_Comm comm, const HaloProblem& problem)
    : implementation_(std::make_unique<Implementation>(comm, problem)) {}
Halo::~Halo() = default;
Halo::Halo(Halo&&) noexcept = default;
Halo& Halo::operator=(Halo&&) noexcept = default;

void Halo::start(Operation operation, const detail::AnyArray& argument) {
  implementation_->start(operation, argument);
}
bool Halo::test() {
  return implementation_->test();
}
void Halo::wait() {
  implementation_->wait();
}
const LocalArray& Halo::array() const {
  return implementation_->resolved().array;
}
const Extents& Halo::lower() const {
  return implementation_->lower();
}
const Extents& Halo::upper() const {
  return implementation_->upper();
}
int Halo::peers() const {
  return implementation_->of_exchange().peers();
}
Index Halo::bytes_sent() const {
  return implementation_->of_exchange().bytes_to_others();
}

}  // namespace weft
