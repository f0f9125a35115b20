// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The parsers of XML in this program hand over each token at once.
///
/// VTK's readers feed the XML in front of appended values to libexpat, close it themselves, and expect to have been
/// told of each element by then. Since version 2.6 (and in Debian 12 since 2.5.0-1+deb12u2) libexpat may keep the last
/// token back until more comes, so that VTK before 9.3.1 goes on into the values and refuses the file, unless it is
/// small (VTK's issue 19258). libexpat has a switch for it, which VTK does not turn; so this program makes the parsers.
#include <dlfcn.h>

extern "C"
{
  struct XML_ParserStruct;

  /// In the place of libexpat's function, which it calls. A VTK with an expat of its own calls neither.
  __attribute__((visibility("default"))) XML_ParserStruct* XML_ParserCreate(const char* encoding)
  {
    using Create = XML_ParserStruct* (*)(const char*);
    using Defer = unsigned char (*)(XML_ParserStruct*, unsigned char);
    static const auto create = reinterpret_cast<Create>(::dlsym(RTLD_NEXT, "XML_ParserCreate"));
    static const auto defer = reinterpret_cast<Defer>(::dlsym(RTLD_DEFAULT, "XML_SetReparseDeferralEnabled"));
    XML_ParserStruct* const parser = create != nullptr ? create(encoding) : nullptr;
    if (parser != nullptr && defer != nullptr)
    {
      defer(parser, 0);
    }
    return parser;
  }
}
