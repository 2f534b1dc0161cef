#include "report.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

namespace poisson {

std::string boundary_of(const Equation& equation) {
  std::string text;
  for (const Axis& axis : equation.axes) text += (text.empty() ? "" : ",") + ends_of(axis);
  return text;
}

Report::Report(const CommandLine& given, MPI_Comm comm) : given_(given), comm_(comm) {
  MPI_Comm_rank(comm, &rank_);
  MPI_Comm_size(comm, &ranks_);
  if (rank_ == 0 && !given.json.empty()) json_.open(given.json, std::ios::app);
  check_file();
  if (rank_ != 0) return;
  std::printf("%s, %d ranks\n%12s  %11s  %9s  %9s  %6s  %9s  %9s\n", given.describe().c_str(),
              ranks_, "points", "boundary", "L2 error", "max error", "order", "seconds", "MB sent");
}

void Report::add(const Trial& trial, const Result& result, std::optional<double> order) {
  if (rank_ == 0) {
    print(trial, result, order);
    if (json_.is_open()) record(trial, result, order);
  }
  check_file();
}

void Report::check_file() const {
  int error = json_.good() ? 0 : errno;
  MPI_Bcast(&error, 1, MPI_INT, 0, comm_);
  if (error == 0) return;
  throw weft::Error("'" + given_.json + "' cannot be written: " + std::strerror(error));
}

void Report::print(const Trial& trial, const Result& result, std::optional<double> order) const {
  char order_text[16] = "";
  if (order) std::snprintf(order_text, sizeof order_text, "%.2f", *order);
  std::printf("%12s  %11s  %9.3e  %9.3e  %6s  %9.3e  %9.3f",
              to_string(trial.equation.points()).c_str(), boundary_of(trial.equation).c_str(),
              result.error, result.largest_error, order_text, result.seconds,
              static_cast<double>(result.bytes) / 1e6);
  if (result.bound) std::printf("  bound %.1e", *result.bound);
  if (result.estimate.error) std::printf("  estimate %.1e", *result.estimate.error);
  if (result.tolerance) {
    std::printf("  tolerance %.1e  of transforms %.1e", *result.tolerance,
                result.compression_error);
  }
  if (!result.estimate.reason.empty()) {
    std::printf("  no compression: %s", result.estimate.reason.c_str());
  }
  if (result.mean_counts) std::printf("  removed mean of f: %.6g", result.removed_mean);
  std::printf("\n");
  std::fflush(stdout);
}

void Report::record(const Trial& trial, const Result& result, std::optional<double> order) {
  nlohmann::json shape;
  for (const Axis& axis : trial.equation.axes) shape.push_back(axis.points);
  nlohmann::json object{{"shape", shape},
                        {"boundary", boundary_of(trial.equation)},
                        {"points", given_.centring},
                        {"lengths", given_.lengths},
                        {"lambda", given_.lambda},
                        {"stencil", given_.stencil},
                        {"precision", given_.precision},
                        {"exchange", given_.exchange},
                        {"ranks", ranks_},
                        {"threads", result.threads},
                        {"error_l2", result.error},
                        {"error_max", result.largest_error},
                        {"removed_mean", result.removed_mean},
                        {"seconds", result.seconds},
                        {"bytes", result.bytes}};
  if (trial.equation.unbounded_axes() > 0) object["kernel"] = given_.kernel;
  if (given_.smoothness > 0) object["smoothness"] = given_.smoothness;
  if (result.estimate.error) object["estimate"] = *result.estimate.error;
  if (result.tolerance) {
    object["tolerance"] = *result.tolerance;
    object["compression_error"] = result.compression_error;
  }
  if (!result.estimate.reason.empty()) object["no_compression"] = result.estimate.reason;
  if (result.bound) object["bound"] = *result.bound;
  if (order) object["order"] = *order;
  json_ << object.dump() << std::endl;
}

}  // namespace poisson
