"""A foot comes down tilted, and tact knows where it will touch first: the twin of 03_touch_down.cpp."""

import math

import tact

tilt = 0.15  # [rad], the heel 1 cm above the floor
height = 0.01 + 0.12 * math.sin(tilt) + 0.03 * math.cos(tilt)
model = tact.Model.from_xml_string(f"""
<mujoco>
  <worldbody>
    <geom type="plane" size="0 0 1"/>
    <body name="foot" pos="0 0 {height!r}" quat="{math.cos(tilt / 2)!r} 0 {-math.sin(tilt / 2)!r} 0">
      <freejoint/>
      <inertial pos="0 0 0" mass="1.5" diaginertia="0.002 0.008 0.009"/>
      <geom type="box" size="0.12 0.05 0.03"/>
    </body>
  </worldbody>
</mujoco>""")
sim = tact.Simulation(model, dt=1e-3, margin_share=0.5)  # faces within half the foot's size are watched
foot = [model.body_id("foot")]
load = 300  # [N] that the leg will put on the foot
told = False
while sim.time < 0.3 and sim.step().status != "diverged":
    net = sim.net_contact(foot)
    if net["extended_cop_W"] is None:
        continue
    lever = net["extended_cop_W"][0] - sim.state.qpos[0]
    if not told:
        print(f"in the air: {-lever:.3f} m behind the ankle, prepare {-lever * load:.1f} N m")
        told = True
    if net["normal_force"] > 0:
        print(f"touch-down: {-lever:.3f} m behind the ankle")
        break
