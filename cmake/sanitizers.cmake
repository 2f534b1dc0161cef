# Sanitizers, for tests: the library and its programs are watched for errors with memory and for
# undefined behavior.
option(WEFT_SANITIZE "Address and undefined behavior sanitizers for the library and programs" OFF)
if(NOT WEFT_SANITIZE)
  return()
endif()

# Left out are checks that double the time to compile. Null pointers and objects that are too small
# are noticed where memory is touched.
string(CONCAT weft_sanitize_flags
  "-O1;-g1;-fno-omit-frame-pointer;-fsanitize=address,undefined;-fno-sanitize-recover=all;"
  "-fno-sanitize=null,object-size,pointer-overflow,vptr")
add_compile_options("$<$<COMPILE_LANGUAGE:C,CXX>:${weft_sanitize_flags}>")
# The library calls its own, watched, copies of functions that programs have copies of too.
add_link_options(-fsanitize=address,undefined -Wl,-Bsymbolic-functions)
