# SPDX-License-Identifier: MIT
include_guard()
include(CheckCXXCompilerFlag)

# Warnings and sanitizers for one of our own targets.
function(shapeboost_options target)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  if(SHAPEBOOST_DEVELOPER)
    # Where much is inlined GCC 12 sees memory of Eigen's used after free(), which it is not; the sanitizers would say.
    # -Wpsabi warns of vectors passed between functions, which here never leave one file.
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror
                                             "$<$<CXX_COMPILER_ID:GNU>:-Wno-use-after-free;-Wno-psabi>")
  endif()
  if(SHAPEBOOST_HARDEN AND NOT SHAPEBOOST_SANITIZE)
    # What is out of bounds ends the program instead of going on: sizes that the C library can check, and the stack. Not the
    # standard library's containers: assertions in the innermost loops make predictions 1.4 times slower.
    target_compile_options(${target} PRIVATE
      $<$<CONFIG:Release>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=3;-fstack-protector-strong>)
    target_link_options(${target} PRIVATE $<$<CONFIG:Release>:$<$<PLATFORM_ID:Linux>:-Wl,-z,relro,-z,now>>)
  endif()
  if(SHAPEBOOST_SANITIZE)
    # Public: what links instrumented code must bring the sanitizer's runtime.
    target_compile_options(${target} PUBLIC -fsanitize=${SHAPEBOOST_SANITIZE} -fno-omit-frame-pointer
                                            -fno-sanitize-recover=all)
    target_link_options(${target} PUBLIC -fsanitize=${SHAPEBOOST_SANITIZE})
  endif()
endfunction()

# What makes the library fast. Nothing here reorders sums or assumes away NaN and infinity, as -ffast-math
# would: it only promises that nobody reads errno or the floating point exception flags, and that nobody
# replaces our functions when the program is loaded (else position independent code is hardly inlined).
function(shapeboost_tune target)
  target_compile_options(${target} PRIVATE -fno-math-errno -fno-trapping-math -fopenmp-simd
                                           -fno-semantic-interposition)
  if(SHAPEBOOST_NATIVE)
    # In this build tree all is compiled so: Eigen's inline functions come in one flavour in each of our programs.
    shapeboost_processor(${target} PUBLIC native)
  endif()
endfunction()

# Code for processors of this level, native or such as x86-64-v3.
function(shapeboost_processor target scope level)
  foreach(flag -march=${level} -mprefer-vector-width=512)
    string(MAKE_C_IDENTIFIER "shapeboost_has${flag}" accepted)
    check_cxx_compiler_flag(${flag} ${accepted})
    if(${accepted})
      target_compile_options(${target} ${scope} $<BUILD_INTERFACE:${flag}>)
    endif()
  endforeach()
endfunction()

# shapeboost_twins(TARGET): the static library once more for each of SHAPEBOOST_LEVELS, as TARGET-LEVEL. Each is a whole
# library: code for several processors must never meet in one module, where of an inline function the linker keeps one.
function(shapeboost_twins target)
  foreach(level IN LISTS SHAPEBOOST_LEVELS)
    get_target_property(sources ${target} SOURCES)
    add_library(${target}-${level} STATIC ${sources})
    foreach(property COMPILE_FEATURES COMPILE_OPTIONS INCLUDE_DIRECTORIES LINK_LIBRARIES UNITY_BUILD UNITY_BUILD_MODE
                     UNITY_BUILD_BATCH_SIZE POSITION_INDEPENDENT_CODE ARCHIVE_OUTPUT_DIRECTORY CXX_EXTENSIONS)
      get_target_property(value ${target} ${property})
      if(NOT value STREQUAL "value-NOTFOUND")
        set_target_properties(${target}-${level} PROPERTIES ${property} "${value}")
      endif()
    endforeach()
    shapeboost_processor(${target}-${level} PRIVATE ${level})
  endforeach()
endfunction()

# shapeboost_tests(ROOM name ...): tests/ROOM/<name>_test.cpp as one program, each case a test of ctest.
function(shapeboost_tests room)
  list(TRANSFORM ARGN PREPEND ${room}/ OUTPUT_VARIABLE sources)
  list(TRANSFORM sources APPEND _test.cpp)
  add_executable(${room}_tests ${sources})
  target_link_libraries(${room}_tests PRIVATE shapeboost_naive shapeboost_inside GTest::gtest_main)
  target_compile_definitions(${room}_tests PRIVATE SHAPEBOOST_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  # Nobody notices how fast tests themselves are. The library and what is shipped with it are all compiled alike: of an
  # inline function that several objects hold, the linker keeps one, and with it how its sums are rounded.
  target_compile_options(${room}_tests PRIVATE $<$<CONFIG:RelWithDebInfo>:-O1>)
  set_target_properties(${room}_tests PROPERTIES UNITY_BUILD ${SHAPEBOOST_UNITY} UNITY_BUILD_BATCH_SIZE 0)
  shapeboost_options(${room}_tests)
  gtest_discover_tests(${room}_tests DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 600)
endfunction()

# shapeboost_bench(pricing): bench/pricing.cpp, with a main() of its own or from bench/main.cpp. The target run_bench
# runs them all, one after the other, and leaves results/pricing.json in the build folder.
function(shapeboost_bench name)
  add_executable(${name}_bench ${name}.cpp)
  target_link_libraries(${name}_bench PRIVATE shapeboost_inside benchmark::benchmark)
  shapeboost_options(${name}_bench)
  add_custom_target(run_${name}_bench
    COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/results
    COMMAND ${name}_bench --benchmark_out=${PROJECT_BINARY_DIR}/results/${name}.json
                          --benchmark_out_format=json
    USES_TERMINAL VERBATIM)
  add_dependencies(run_bench run_${name}_bench)
endfunction()
