# SPDX-License-Identifier: BSD-3-Clause
# Pages for the "?" of ParaView's panels. Include after find_package(ParaView).
#
# paraview_add_plugin calls the two functions below for them. ParaView's own leave out properties of base proxies, and
# need Qt's headers and xmlpatterns besides; these take their place and need Python and qhelpgenerator. Where one is
# missing, RIVULET_HELP is OFF and "?" opens ParaView's title page.
find_package(Python3 QUIET COMPONENTS Interpreter)
find_program(RIVULET_QHELPGENERATOR NAMES qhelpgenerator qhelpgenerator-qt6 qhelpgenerator-qt5
  HINTS /usr/lib/qt6/libexec /usr/lib/qt6/bin /usr/lib/qt5/bin)
mark_as_advanced(RIVULET_QHELPGENERATOR)
set(RIVULET_HELP ON)
set(RIVULET_NO_HELP "" CACHE INTERNAL "Why there are no pages of help")
if(NOT PARAVIEW_USE_QT)
  set(RIVULET_NO_HELP "this ParaView has no GUI" CACHE INTERNAL "")
elseif(NOT Python3_FOUND)
  set(RIVULET_NO_HELP "no Python 3" CACHE INTERNAL "")
elseif(NOT RIVULET_QHELPGENERATOR)
  set(RIVULET_NO_HELP "no qhelpgenerator" CACHE INTERNAL "")
endif()
if(RIVULET_NO_HELP)
  set(RIVULET_HELP OFF)
endif()
set(PARAVIEW_QT_MAJOR_VERSION 5) # ParaView 5.13 skips the help with Qt 6, because of its own functions

function(paraview_client_documentation)
  cmake_parse_arguments(PARSE_ARGV 0 doc "" "TARGET;OUTPUT_DIR" "XMLS")
  set_property(GLOBAL PROPERTY rivulet_help_xmls ${doc_XMLS})
  add_custom_target("${doc_TARGET}")
endfunction()

function(paraview_client_generate_help)
  cmake_parse_arguments(PARSE_ARGV 0 help "" "NAME;OUTPUT_PATH;OUTPUT_DIR;TARGET;SOURCE_DIR;TABLE_OF_CONTENTS"
    "DEPENDS;PATTERNS")
  get_property(xmls GLOBAL PROPERTY rivulet_help_xmls)
  set(script "${PROJECT_SOURCE_DIR}/Plugin/Help/make_help.py")
  set(made "${help_OUTPUT_DIR}/${help_NAME}.qch")
  add_custom_command(
    OUTPUT "${made}"
    COMMAND "${Python3_EXECUTABLE}" "${script}" "${help_NAME}" "${help_OUTPUT_DIR}" "${RIVULET_QHELPGENERATOR}" ${xmls}
    DEPENDS "${script}" ${xmls}
    COMMENT "Making the pages of ParaView's help"
    VERBATIM)
  add_custom_target("${help_TARGET}" DEPENDS "${made}")
  set("${help_OUTPUT_PATH}" "${made}" PARENT_SCOPE)
endfunction()
