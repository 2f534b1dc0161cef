#pragma once

#include <mkl_service.h>

#include <string>

/// What the two adapters of Intel MKL share.
namespace weft::bench {

inline std::string mkl_version() {
  MKLVersion version;
  mkl_get_version(&version);
  return std::to_string(version.MajorVersion) + "." + std::to_string(version.MinorVersion) + "." +
         std::to_string(version.UpdateVersion);
}

}  // namespace weft::bench
