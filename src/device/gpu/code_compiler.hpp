#pragma once

#include <string>

namespace weft {

// Compilers that make code for GPUs at run time: NVRTC of NVIDIA, hipRTC of AMD. They are loaded
// when they are first wanted.

/// Whether there is one for the current GPU.
bool has_code_compiler();

/// That of the current GPU, as the compiler calls it.
std::string gpu_architecture();

/// All that code depends on but its source: compiler, version and options.
std::string code_target(const std::string& architecture);

/// Needs no GPU. Throws Error with what the compiler says.
std::string compile_code(const std::string& source, const std::string& architecture);

}  // namespace weft
