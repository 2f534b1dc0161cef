#pragma once

#include <cstddef>
#include <string>

#include "device/gpu/code_text.hpp"
#include "device/gpu/launch.hpp"

namespace weft {

/// A kernel that was compiled at run time, for one GPU. It stays as long as the process.
using CompiledKernel = void*;

/// The function `weft_kernel` with C linkage of a source, for the current GPU: from memory, from
/// the cache on disk, or from the compiler. Sources have the same text, and each an end of its own.
/// Blocks of threads may share all that the GPU lets them. Throws Error.
CompiledKernel compiled_kernel(const CodeText& text, const std::string& end);

/// Blocks of threads that run at a time on a processor.
std::size_t blocks_at_a_time(CompiledKernel kernel, unsigned threads, std::size_t shared_bytes);

void launch_compiled(CompiledKernel kernel, unsigned blocks, unsigned threads, gpuStream_t stream,
                     const void* argument, std::size_t shared_bytes);

template <class Argument>
void launch(CompiledKernel kernel, unsigned blocks, unsigned threads, gpuStream_t stream,
            const Argument& argument, std::size_t shared_bytes) {
  static_assert(sizeof(Argument) <= most_argument_bytes);
  launch_compiled(kernel, blocks, threads, stream, &argument, shared_bytes);
}

}  // namespace weft
