# The same bits for the same input: no contraction, no reassociation, no machine-specific code.
function(tact_determinism target)
  # Nobody reads errno or the flags of floating-point exceptions: square roots and comparisons in line, same bits.
  target_compile_options(${target} PRIVATE -ffp-contract=off -fno-math-errno -fno-trapping-math)
endfunction()
