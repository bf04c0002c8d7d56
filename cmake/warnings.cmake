# Warnings are errors in our own targets, never in a user's build of them.
# Signed indices into standard containers are the house style (Eigen's Index), so -Wsign-conversion is off.
function(tact_warnings target)
  if(NOT PROJECT_IS_TOP_LEVEL)
    return()
  endif()
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wnon-virtual-dtor
    -Wold-style-cast -Woverloaded-virtual -Wdouble-promotion -Wno-sign-conversion -Werror)
endfunction()
