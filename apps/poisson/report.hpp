#pragma once

#include <fstream>
#include <optional>

#include "command_line.hpp"

namespace poisson {

/// Prints a table, and writes the file of records. Made and used on all ranks; the first one
/// writes. Throws weft::Error on all of them if the file cannot be written.
class Report {
 public:
  Report(const CommandLine& given, MPI_Comm comm);
  void add(const Trial& trial, const Result& result, std::optional<double> order);

 private:
  void print(const Trial& trial, const Result& result, std::optional<double> order) const;
  void record(const Trial& trial, const Result& result, std::optional<double> order);
  void check_file() const;

  const CommandLine& given_;
  MPI_Comm comm_;
  int rank_ = 0;
  int ranks_ = 1;
  std::ofstream json_;
};

/// "p,dn,u"
std::string boundary_of(const Equation& equation);

}  // namespace poisson
