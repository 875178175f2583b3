# SPDX-License-Identifier: MIT
# libsvm brings neither a CMake package nor a pkg-config file: defines LibSvm::LibSvm.
include(FindPackageHandleStandardArgs)
find_path(LibSvm_INCLUDE_DIR svm.h PATH_SUFFIXES libsvm)
find_library(LibSvm_LIBRARY svm)
mark_as_advanced(LibSvm_INCLUDE_DIR LibSvm_LIBRARY)
find_package_handle_standard_args(LibSvm REQUIRED_VARS LibSvm_LIBRARY LibSvm_INCLUDE_DIR)
if(LibSvm_FOUND AND NOT TARGET LibSvm::LibSvm)
  add_library(LibSvm::LibSvm UNKNOWN IMPORTED)
  set_target_properties(LibSvm::LibSvm PROPERTIES
    IMPORTED_LOCATION ${LibSvm_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${LibSvm_INCLUDE_DIR})
endif()
