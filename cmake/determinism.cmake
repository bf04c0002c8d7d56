# The same bits for the same input: no contraction, no reassociation, no machine-specific code.
function(tact_determinism target)
  target_compile_options(${target} PRIVATE -ffp-contract=off)
endfunction()
