# Compiles TWIN both ways (see CMakeLists.txt beside this file).
set(compile ${COMPILER} -std=c++20 -fsyntax-only -Werror=unused-result -I${LIBRARY} -isystem ${EIGEN})

execute_process(COMMAND ${compile} ${TWIN} RESULT_VARIABLE status ERROR_VARIABLE complaint)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${TWIN}: does not compile, so its twin proves nothing:\n${complaint}")
endif()

execute_process(COMMAND ${compile} -DTACT_MUST_FAIL ${TWIN} RESULT_VARIABLE status ERROR_VARIABLE complaint)
if(status EQUAL 0)
  message(FATAL_ERROR "${TWIN}: compiles with TACT_MUST_FAIL")
endif()

file(STRINGS ${TWIN} expected REGEX "^// error: ")
foreach(line ${expected})
  string(REPLACE "// error: " "" text "${line}")
  string(FIND "${complaint}" "${text}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "${TWIN}: fails, but not with \"${text}\":\n${complaint}")
  endif()
endforeach()
