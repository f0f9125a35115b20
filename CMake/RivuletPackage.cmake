# SPDX-License-Identifier: BSD-3-Clause
# `cpack -G DEB` in a build tree makes rivulet_VERSION_ARCHITECTURE.deb of what users run (`./run package` calls it).
# dpkg-shlibdeps finds the libraries it depends on, ParaView's among them, with the versions that fit.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME rivulet)
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGE_CONTACT "Rivulet developers <rivulet@packages.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "streamlines through flow fields larger than memory, in ParaView")
set(CPACK_PACKAGE_DESCRIPTION
"Rivulet is a plugin for ParaView. Its readers open a field without loading
it, and its filters read the parts that a streamline touches when it touches
them, within a memory budget that the user sets.
.
The program rivulet converts, generates, describes and checks field files.
.
The Python package rivulet_insitu runs analytics beside a simulation that
uses mpi4py and NumPy.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL runtime)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "paraview, python3-paraview")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3-mpi4py, python3-numpy")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS
  "${CMAKE_LIBRARY_OUTPUT_DIRECTORY}" "${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/Rivulet")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/doc/rivulet" RENAME copyright COMPONENT runtime)

# How Debian's ParaView learns of a plugin: by a line in its paraview.conf. That of Debian 12 reads /usr/bin/paraview.conf,
# which no package ships: ours adds its line there, and takes it away again. From 5.13 on ParaView's package has that file, and
# reads no other one; ours is diverted into its place. The folder that it names, /usr/share/paraview/plugins, makes plugins known
# and loads none.
set(known_plugins "/usr/${RIVULET_PLUGIN_FOLDER}/Rivulet.plugins.xml")
cmake_path(GET known_plugins PARENT_PATH paraview_conf)
cmake_path(REPLACE_FILENAME paraview_conf paraview.conf)
if(RIVULET_PARAVIEW_VERSION VERSION_LESS 5.13)
  set(scripts no-conf/postinst no-conf/postrm)
else()
  set(scripts own-conf/preinst own-conf/postinst own-conf/postrm)
endif()
if(RIVULET_IN_SITU)
  list(APPEND scripts python/prerm)
endif()
foreach(script IN LISTS scripts)
  cmake_path(GET script FILENAME name)
  configure_file("${PROJECT_SOURCE_DIR}/CMake/Debian/${script}.in" "${PROJECT_BINARY_DIR}/Debian/${name}" @ONLY
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  list(APPEND CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA "${PROJECT_BINARY_DIR}/Debian/${name}")
endforeach()
include(CPack)
