# SPDX-License-Identifier: MIT
# Configures ROOT where pkg-config knows no package at all, and looks at what is said.
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK}/nothing)
execute_process(
  COMMAND ${CMAKE_COMMAND} -E env PKG_CONFIG_LIBDIR=${WORK}/nothing PKG_CONFIG_PATH=
          ${CMAKE_COMMAND} -S ${ROOT} -B ${WORK}/build -G ${GENERATOR} -DCMAKE_MAKE_PROGRAM=${MAKE_PROGRAM}
          -DCMAKE_CXX_COMPILER=${COMPILER}
  RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE said)
if(NOT failed)
  message(FATAL_ERROR "configured without Clp")
endif()
string(REGEX REPLACE "[ \n]+" " " said "${said}")
foreach(words "COIN-OR Clp" "apt-get install coinor-libclp-dev" "without root: scripts/portable" "conda install -c conda-forge coin-or-clp"
              "PKG_CONFIG_PATH=FOLDER/lib/pkgconfig")
  string(FIND "${said}" "${words}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "no word of \"${words}\" in: ${said}")
  endif()
endforeach()
