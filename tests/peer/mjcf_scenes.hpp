// tests/peer/mjcf_scenes.hpp - small scenes, each for a few features of MJCF that MuJoCo 2.2 knows.
#pragma once

#include <string_view>

namespace tact::testing {

struct PeerScene {
  std::string_view name, text;
};

inline constexpr PeerScene peer_scenes[] = {
    {"solids", R"(<mujoco><worldbody>
      <body pos="0 0 1" euler="10 20 30"><freejoint/>
        <geom type="sphere" size="0.1" pos="0.1 0.2 0.3" density="700"/>
        <geom type="capsule" size="0.05 0.2" axisangle="1 1 0 40"/>
        <geom type="cylinder" size="0.07 0.3" pos="0.4 0 0" mass="2" zaxis="1 1 1"/>
        <geom type="ellipsoid" size="0.1 0.2 0.15" xyaxes="1 1 0 0 1 1"/>
        <geom type="box" size="0.1 0.2 0.3" quat="2 1 0 1"/>
      </body></worldbody></mujoco>)"},
    {"fromto", R"(<mujoco><worldbody>
      <body><freejoint/>
        <geom type="capsule" size="0.05" fromto="0 0 0 0.3 0.4 0.1"/>
        <geom type="cylinder" size="0.05" fromto="0 0 0 0 0 -0.5"/>
        <geom type="box" size="0.05" fromto="0 0.1 0 0 0.4 0"/>
        <geom type="ellipsoid" size="0.05" fromto="0.1 0 0 -0.4 0 0"/>
        <site name="s" type="capsule" size="0.01" fromto="0 0 0 1 1 0"/>
      </body></worldbody></mujoco>)"},
    {"angles in radians, other Euler sequence", R"(<mujoco>
      <compiler angle="radian" eulerseq="zYx"/><worldbody>
      <body euler="0.3 -0.2 1.1" pos="1 2 3">
        <joint type="hinge" axis="1 2 3" range="-0.5 0.7" limited="true" ref="0.2" springref="0.4"
               stiffness="3" damping="0.2" armature="0.01" frictionloss="0.05" pos="0.1 0 0"/>
        <geom size="0.1"/>
        <body pos="0 0 0.5" euler="0.1 0.2 0.3">
          <joint type="ball" range="0 1.2" limited="true" damping="0.1"/>
          <joint type="slide" axis="0 1 0" range="-0.1 0.1" limited="true" ref="0.05"/>
          <geom size="0.1"/>
        </body></body></worldbody></mujoco>)"},
    {"angles in degrees", R"(<mujoco><compiler autolimits="true"/><worldbody>
      <body axisangle="0 1 1 90">
        <joint type="hinge" axis="0 2 0" range="-50 70" ref="20" springref="40"/>
        <geom size="0.1"/>
        <body pos="0 0 0.5">
          <joint type="ball" range="0 75"/>
          <geom size="0.1"/>
          <body><joint type="slide" axis="0 1 0" range="-0.1 0.1" ref="0.05"/><geom size="0.2"/></body>
        </body></body></worldbody></mujoco>)"},
    {"defaults", R"(<mujoco><compiler autolimits="true"/><default>
        <geom friction="0.8" rgba="1 0 0 1" condim="4"/>
        <joint damping="2" armature="0.1"/>
        <default class="arm"><geom type="capsule" size="0.04 0.2" friction="0.7 0.01"/>
          <joint axis="0 1 0" range="-10 10"/>
          <default class="hand"><geom type="box" size="0.1 0.1 0.05" contype="2" conaffinity="4"/>
          </default>
        </default>
      </default><worldbody>
      <body childclass="arm"><joint/><geom/>
        <body pos="0 0 0.4"><joint class="main"/><geom class="hand"/><geom size="0.06"/>
          <body childclass="hand" pos="0 0 0.3"><joint range="-20 20"/><geom friction="0.3 0.2 0.1"/></body>
        </body></body>
      <body pos="2 0 0"><freejoint/><geom size="0.3" margin="0.01" priority="2" group="1"/></body>
      </worldbody></mujoco>)"},
    {"inertia as written", R"(<mujoco><worldbody>
      <body><joint/><inertial pos="0.1 0 0" mass="2" diaginertia="0.1 0.2 0.25" quat="1 2 3 4"/>
        <geom size="0.1"/></body>
      <body pos="1 0 0"><joint/><inertial pos="0 0.1 0" mass="3"
           fullinertia="0.3 0.25 0.2 0.01 0.02 -0.03"/></body>
      </worldbody></mujoco>)"},
    {"inertia from geoms of some groups, bounds, total mass", R"(<mujoco>
      <compiler inertiafromgeom="true" inertiagrouprange="1 2" boundmass="0.5" boundinertia="0.01"
                settotalmass="7"/><worldbody>
      <body><joint/><inertial pos="0.1 0 0" mass="2" diaginertia="0.1 0.2 0.25"/>
        <geom size="0.1" group="1"/><geom size="0.2" group="0"/></body>
      <body pos="1 0 0"><freejoint/><geom type="box" size="0.1 0.2 0.3" group="2"/></body>
      <body pos="2 0 0"><freejoint/><geom size="0.01" group="2"/></body>
      </worldbody></mujoco>)"},
    {"balanced inertia", R"(<mujoco><compiler balanceinertia="true"/><worldbody>
      <body><joint/><inertial pos="0 0 0" mass="2" diaginertia="0.1 0.2 0.6"/></body>
      </worldbody></mujoco>)"},
    {"meshes", R"(<mujoco><asset>
        <mesh name="wedge" vertex="0 0 0  1 0 0  0 2 0  0 0 3  1 2 3" scale="0.1 0.2 0.1"
              refpos="0.5 0 0" refquat="1 1 0 0"/>
        <mesh name="notch" vertex="0 0 0  4 0 0  4 3 0  0 3 0  2 1.5 3  2 1.5 1"
              face="0 1 4  1 2 4  2 3 4  3 0 4  1 0 5  2 1 5  3 2 5  0 3 5"/>
      </asset><worldbody>
      <body><freejoint/><geom type="mesh" mesh="wedge" pos="0.1 0.2 0.3" euler="10 20 30" mass="2"/></body>
      <body pos="9 0 0"><freejoint/><geom type="mesh" mesh="notch" mass="3"/></body>
      <body pos="12 0 0"><freejoint/><geom type="box" mesh="wedge" euler="0 0 30"/></body>
      <body pos="14 0 0"><freejoint/><geom type="capsule" mesh="wedge" fitscale="1.5"/></body>
      <body pos="16 0 0"><freejoint/><geom type="cylinder" mesh="notch"/><geom type="sphere" mesh="wedge"/></body>
      </worldbody></mujoco>)"},
    {"exact inertia of meshes", R"(<mujoco>
      <compiler exactmeshinertia="true"/><asset>
        <mesh name="wedge" vertex="0 0 0  1 0 0  0 2 0  0 0 3  1 2 3"/>
        <mesh name="notch" vertex="0 0 0  4 0 0  4 3 0  0 3 0  2 1.5 3  2 1.5 1"
              face="0 1 4  1 2 4  2 3 4  3 0 4  1 0 5  2 1 5  3 2 5  0 3 5"/>
      </asset><worldbody>
      <body pos="9 0 0"><freejoint/><geom type="mesh" mesh="notch" density="2"/></body>
      <body pos="12 0 0"><freejoint/><geom type="mesh" mesh="wedge"/></body>
      </worldbody></mujoco>)"},
    {"actuators", R"(<mujoco><compiler autolimits="true"/><default>
        <position kp="20" ctrlrange="-1 1"/>
        <default class="fast"><general gaintype="affine" gainprm="1 2 3" biastype="affine" biasprm="4 5 6"/>
        </default></default><worldbody>
      <body><joint name="a"/><geom size="0.1"/><site name="s" pos="0.1 0 0"/>
        <body><joint name="b" type="slide"/><geom size="0.1"/></body></body>
      <body pos="3 0 0"><freejoint name="f"/><geom size="0.1"/></body>
      </worldbody>
      <tendon><fixed name="t" range="-1 2" stiffness="3" damping="0.5" frictionloss="0.1">
        <joint joint="a" coef="2"/><joint joint="b" coef="-1"/></fixed></tendon>
      <actuator>
        <motor joint="a" gear="3" forcerange="-5 5"/>
        <position joint="b" kp="7"/><position joint="a"/>
        <velocity joint="a" kv="4"/>
        <damper joint="b" kv="2" ctrlrange="0 3"/>
        <general class="fast" joint="a"/>
        <general tendon="t" gainprm="2"/>
        <motor site="s" gear="1 2 3 4 5 6"/>
        <motor jointinparent="f" gear="1 0 0 0 0 2"/>
      </actuator></mujoco>)"},
    {"equalities, pairs, exclusions", R"(<mujoco><worldbody>
      <geom name="floor" type="plane" size="1 1 1"/>
      <body name="p" pos="1 0 0" euler="0 0 30"><joint name="a"/><geom name="g" size="0.1"/></body>
      <body name="q" pos="0 2 0" euler="50 0 0"><joint name="b" type="slide"/><geom name="h" size="0.1"/></body>
      </worldbody>
      <contact><pair geom1="g" geom2="h" friction="0.3 0.3 0.1 0.1 0.1" condim="4" margin="0.02"/>
        <exclude body1="q" body2="p"/></contact>
      <equality>
        <connect body1="p" body2="q" anchor="0.1 0.2 0.3"/><connect body1="q" anchor="0 0 1"/>
        <weld body1="p" body2="q"/><weld body1="p" body2="q" active="false" anchor="0.1 0.2 0"/>
        <weld body1="p" body2="q" relpose="1 2 3 1 0 1 0"/>
        <joint joint1="a" joint2="b" polycoef="0.1 0.2 0.3 0.4 0.5"/><joint joint1="a"/>
      </equality></mujoco>)"},
    {"keyframes, driven bodies, options",
     R"(<mujoco><option gravity="1 2 3" timestep="0.01"/><worldbody>
      <body name="m" mocap="true" pos="0 0 1"><geom size="0.1"/></body>
      <body><freejoint/><geom size="0.1"/><body><joint type="ball"/><geom size="0.1"/></body></body>
      <body><joint name="h" ref="30"/><geom size="0.1"/></body>
      </worldbody><actuator><motor joint="h"/></actuator>
      <keyframe><key name="init" time="2" qpos="1 2 3 2 0 0 0 0 3 0 0 7" qvel="1 2 3 4 5 6 7 8 9 10"
        ctrl="4"/><key/></keyframe></mujoco>)"},
};

}  // namespace tact::testing
