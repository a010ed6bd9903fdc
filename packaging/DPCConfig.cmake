# find_package(DPC) for CMake:
#
#   find_package(DPC REQUIRED)
#   add_dpc_executable(heat heat.dpc solver.dpc output.c OPTIONS -O2 LIBRARIES -lfftw3)
#
# DPC_FOUND, DPC_DPCC (the command), DPC_VERSION.  The program is made again when a header that it includes changes.
# MPICC in the environment, or in the variable DPC_MPICC, names the MPI compiler.
cmake_minimum_required(VERSION 3.20)

find_program(DPC_DPCC dpcc HINTS "${CMAKE_CURRENT_LIST_DIR}/../../../bin" DOC "the translator of data-parallel C")
if(DPC_DPCC)
    execute_process(COMMAND "${DPC_DPCC}" --version OUTPUT_VARIABLE DPC_VERSION OUTPUT_STRIP_TRAILING_WHITESPACE)
    string(REGEX REPLACE "^dpcc ([0-9.]+).*" "\\1" DPC_VERSION "${DPC_VERSION}")
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(DPC REQUIRED_VARS DPC_DPCC VERSION_VAR DPC_VERSION)

function(add_dpc_executable name)
    cmake_parse_arguments(DPC "" "" "OPTIONS;LIBRARIES" ${ARGN})
    if(NOT DPC_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "add_dpc_executable(${name}): there are no sources")
    endif()
    set(command "${DPC_DPCC}")
    if(DPC_MPICC)
        set(command "${CMAKE_COMMAND}" -E env "MPICC=${DPC_MPICC}" "${DPC_DPCC}")
    endif()
    set(directory "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${name}.dpc")
    file(MAKE_DIRECTORY "${directory}")
    set(objects "")
    foreach(source IN LISTS DPC_UNPARSED_ARGUMENTS)
        get_filename_component(path "${source}" ABSOLUTE)
        string(REGEX REPLACE "[^A-Za-z0-9_.]" "_" file "${source}")
        set(object "${directory}/${file}.o")
        add_custom_command(
            OUTPUT "${object}"
            COMMAND ${command} ${DPC_OPTIONS} -c "${path}" -o "${object}" -MMD -MF "${object}.d" -MQ "${object}"
            DEPENDS "${path}"
            DEPFILE "${object}.d"
            COMMENT "Translating ${source}"
            VERBATIM)
        list(APPEND objects "${object}")
    endforeach()
    add_custom_command(
        OUTPUT "${directory}/program"
        COMMAND ${command} ${DPC_OPTIONS} ${objects} ${DPC_LIBRARIES} -o "${directory}/program"
        DEPENDS ${objects}
        COMMENT "Linking ${name}"
        VERBATIM)
    # a target and a file of one name would depend on one another
    add_custom_target(
        ${name} ALL
        COMMAND "${CMAKE_COMMAND}" -E copy_if_different "${directory}/program" "${CMAKE_CURRENT_BINARY_DIR}/${name}"
        DEPENDS "${directory}/program"
        VERBATIM)
endfunction()
