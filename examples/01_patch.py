"""What is this foot doing? The twin of 01_patch.cpp."""

import tact

sole = tact.Patch([[-0.1, -0.05], [0.1, -0.05], [0.1, 0.05], [-0.1, 0.05]])
push = [4.9, -41.2, 0, 0, 0, 412]  # [m_T, m_N, f_T, f_N]
roll = [0, 1.5, 0, 0, 0, 0.15]  # [ω_T, ω_N, v_T, v_N]
print(sole.regime(push, roll).regime or "violates Signorini")
