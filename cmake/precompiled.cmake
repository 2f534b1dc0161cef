# weft_precompile(target headers...): compiles headers of the system once for all C++ files of a target.
# Headers of our own do not belong there: a change of one would compile everything again.
function(weft_precompile target)
  list(TRANSFORM ARGN REPLACE "(.+)" "$<$<COMPILE_LANGUAGE:CXX>:<\\1$<ANGLE-R>>")
  target_precompile_headers(${target} PRIVATE ${ARGN})
  weft_precompiled_for_cache(${target})
endfunction()

# Without it compiler caches do not know what a file includes.
function(weft_precompiled_for_cache target)
  target_compile_options(${target} PRIVATE
    $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-fpch-preprocess>)
endfunction()

set(weft_standard_headers algorithm complex functional memory mutex optional ranges span string variant
    vector)
