#include "weft/options.hpp"

#include "weft/error.hpp"

namespace weft {

Algorithm parse_algorithm(const std::string& text) {
  for (Algorithm value : {Algorithm::automatic, Algorithm::slab, Algorithm::pencil}) {
    if (text == to_string(value)) return value;
  }
  throw Error("algorithm '" + text + "' is unknown; known: auto, slab, pencil");
}

Rigor parse_rigor(const std::string& text) {
  for (Rigor value : {Rigor::estimate, Rigor::measure, Rigor::patient}) {
    if (text == to_string(value)) return value;
  }
  throw Error("rigor '" + text + "' is unknown; known: estimate, measure, patient");
}

ProgressBy parse_progress(const std::string& text) {
  for (ProgressBy value : {ProgressBy::polling, ProgressBy::thread}) {
    if (text == to_string(value)) return value;
  }
  throw Error("progress '" + text + "' is unknown; known: polling, thread");
}

std::string to_string(Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::automatic:
      return "auto";
    case Algorithm::slab:
      return "slab";
    case Algorithm::pencil:
      return "pencil";
  }
  return "unknown";
}

std::string to_string(Rigor rigor) {
  switch (rigor) {
    case Rigor::estimate:
      return "estimate";
    case Rigor::measure:
      return "measure";
    case Rigor::patient:
      return "patient";
  }
  return "unknown";
}

std::string to_string(ProgressBy progress) {
  switch (progress) {
    case ProgressBy::polling:
      return "polling";
    case ProgressBy::thread:
      return "thread";
  }
  return "unknown";
}

}  // namespace weft
