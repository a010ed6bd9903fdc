# For projects that look for modules: list(APPEND CMAKE_MODULE_PATH PREFIX/lib/cmake/DPC), then find_package(DPC).
include("${CMAKE_CURRENT_LIST_DIR}/DPCConfig.cmake")
