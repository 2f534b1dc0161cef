# Makes a source of C++ with the text of a header, and in it that of the headers of weft which it
# includes: what compilers for GPUs are given at run time (device/gpu/code_text.hpp). Others are left
# out.
#
#   cmake -D ROOT=file -D "FOLDERS=folder;folder" -D NAME=variable -D OUT=file -P code_text.cmake
#
# Headers are looked for in the folders. Each includes others before anything else.
cmake_minimum_required(VERSION 3.22)
set(seen "")
set(text "")

function(add_file path)
  if(path IN_LIST seen)
    return()
  endif()
  list(APPEND seen "${path}")
  file(READ "${path}" content)
  string(REGEX MATCHALL "#include \"[^\"]+\"" includes "${content}")
  foreach(include IN LISTS includes)
    string(REGEX REPLACE "#include \"(.*)\"" "\\1" name "${include}")
    set(found "")
    foreach(folder IN LISTS FOLDERS)
      if(NOT found AND EXISTS "${folder}/${name}")
        set(found "${folder}/${name}")
      endif()
    endforeach()
    if(NOT found)
      message(FATAL_ERROR "${path} includes ${name}, which is in none of ${FOLDERS}")
    endif()
    add_file("${found}")
  endforeach()
  string(REGEX REPLACE "(^|\n)#(include|pragma once)[^\n]*" "" content "${content}")
  set(seen "${seen}" PARENT_SCOPE)
  set(text "${text}${content}" PARENT_SCOPE)
endfunction()

add_file("${ROOT}")
string(SHA256 hash "${text}")
file(WRITE "${OUT}" "#include \"device/gpu/code_text.hpp\"\n\nnamespace weft {\n\n"
  "const CodeText ${NAME}{\"${hash}\", R\"code(${text})code\"};\n\n}  // namespace weft\n")
