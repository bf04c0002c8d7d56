# Puts a file into the program as it is, without a literal for the compiler to read: the assembler takes it.
function(tact_embed_page target page)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/built_in_page.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT
"// Generated: the viewer's page, taken in by the assembler.
#include \"built_in_page.hpp\"

asm(R\"(
  .pushsection .rodata
  .globl tact_viewer_page_begin
  .globl tact_viewer_page_end
tact_viewer_page_begin:
  .incbin \"@page@\"
tact_viewer_page_end:
  .byte 0
  .popsection
)\");

extern \"C\" {
extern const char tact_viewer_page_begin[];
extern const char tact_viewer_page_end[];
}

namespace tact::app {

std::string_view built_in_page() {
  return {tact_viewer_page_begin, tact_viewer_page_end};
}

}  // namespace tact::app
" @ONLY)
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS ${page})
  target_sources(${target} PRIVATE ${source})
endfunction()
