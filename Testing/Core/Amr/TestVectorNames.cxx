// SPDX-License-Identifier: BSD-3-Clause
// Which components are vectors.
#include "Amr/VectorNames.h"

#include <gtest/gtest.h>

namespace rivulet::test
{
namespace
{

/// "rho vel=1+2+3" for a scalar and a vector.
std::string grouped(const std::vector<std::string>& names, int dimensions)
{
  std::string text;
  for (const NamedComponents& one : group_components(names, dimensions))
  {
    text += (text.empty() ? "" : ",") + one.name;
    for (std::size_t i = 0; i < one.components.size() && one.components.size() > 1; ++i)
    {
      text += (i == 0 ? "=" : "+") + std::to_string(one.components[i]);
    }
  }
  return text;
}

TEST(VectorNames, ALetterAtEitherEndMakesAVector)
{
  EXPECT_EQ(grouped({ "rho", "velx", "vely", "velz" }, 3), "rho,vel=1+2+3");
  EXPECT_EQ(grouped({ "B_z", "B_x", "rho", "B_y" }, 3), "B=1+3+0,rho");
  EXPECT_EQ(grouped({ "momX", "momY", "momZ", "p" }, 3), "mom=0+1+2,p");
  EXPECT_EQ(grouped({ "x-velocity", "y-velocity", "z-velocity" }, 3), "velocity=0+1+2");
  EXPECT_EQ(grouped({ "x_velocity", "y_velocity" }, 2), "velocity=0+1");
  EXPECT_EQ(grouped({ "u.x", "u.y" }, 2), "u=0+1");
}

TEST(VectorNames, WhatIsIncompleteStaysScalar)
{
  EXPECT_EQ(grouped({ "velx", "vely" }, 3), "velx,vely");
  EXPECT_EQ(grouped({ "velx", "velY", "velz" }, 3), "velx,velY,velz");
  EXPECT_EQ(grouped({ "velx", "vel_y", "velz" }, 3), "velx,vel_y,velz");
  EXPECT_EQ(grouped({ "x", "y", "z" }, 3), "x,y,z");
  EXPECT_EQ(grouped({ "_x", "_y", "_z" }, 3), "_x,_y,_z");
  EXPECT_EQ(grouped({ "xvel", "zvel" }, 2), "xvel,zvel");
  EXPECT_EQ(grouped({ "x1", "y1" }, 2), "x1,y1");
  EXPECT_EQ(grouped({ "vx1", "vx2" }, 3), "vx1,vx2");
}

TEST(VectorNames, AsCodesCallTheirs)
{
  EXPECT_EQ(grouped({ "thickness", "xVel", "yVel", "zVel", "xfVel", "yfVel" }, 2), // BISICLES
      "thickness,Vel=1+2,zVel,fVel=4+5");
  EXPECT_EQ(grouped({ "xVel", "yVel", "zVel" }, 3), "Vel=0+1+2");
  EXPECT_EQ(grouped({ "xDarcy velocity", "yDarcy velocity" }, 2), "Darcy velocity=0+1");          // chombopy
  EXPECT_EQ(grouped({ "rho", "vx1", "vx2", "vx3", "Bx1", "Bx2", "Bx3", "prs", "tr1", "tr2" }, 3), // PLUTO
      "rho,v=1+2+3,B=4+5+6,prs,tr1,tr2");
  EXPECT_EQ(grouped({ "density", "xmom", "ymom", "zmom", "x_velocity", "y_velocity", "z_velocity" }, 3), // Castro
      "density,mom=1+2+3,velocity=4+5+6");
  EXPECT_EQ(grouped({ "x_vel", "y_vel" }, 2), "vel=0+1"); // MAESTRO
  EXPECT_EQ(grouped({ "X-momentum", "Y-momentum", "Z-momentum" }, 3), "momentum=0+1+2");
  EXPECT_EQ(grouped({ "velx", "vely", "velz", "magx", "magy", "magz" }, 3), "vel=0+1+2,mag=3+4+5"); // FLASH
  EXPECT_EQ(grouped({ "velocity_x", "velocity_y", "velocity_z" }, 3), "velocity=0+1+2");            // Enzo
  EXPECT_EQ(grouped({ "vel1", "vel2", "vel3", "Bcc1", "Bcc2", "Bcc3" }, 3), "vel=0+1+2,Bcc=3+4+5"); // Athena++
  EXPECT_EQ(grouped({ "U_0", "U_1", "U_2", "P" }, 3), "U=0+1+2,P");                                 // IBAMR
  EXPECT_EQ(grouped({ "U_0", "U_1" }, 2), "U=0+1");
  EXPECT_EQ(grouped({ "chi", "Gamma1", "Gamma2", "Gamma3", "lapse", "shift1", "shift2", "shift3" }, 3), // GRChombo
      "chi,Gamma=1+2+3,lapse,shift=5+6+7");
  EXPECT_EQ(grouped({ "Ex", "Ey", "Ez", "jx", "jy", "jz" }, 3), "E=0+1+2,j=3+4+5"); // WarpX
}

TEST(VectorNames, WhatIsNumberedIsNoVectorByThat)
{
  EXPECT_EQ(grouped({ "tracer1", "tracer2", "tracer3" }, 3), "tracer1,tracer2,tracer3");
  EXPECT_EQ(grouped({ "Y_0", "Y_1", "Y_2" }, 3), "Y_0,Y_1,Y_2");
  EXPECT_EQ(grouped({ "flux1", "flux2", "flux3" }, 3), "flux1,flux2,flux3");
  EXPECT_EQ(grouped({ "v1", "v2", "v3", "v4" }, 3), "v1,v2,v3,v4");
  EXPECT_EQ(grouped({ "u0", "u1", "u2", "u3" }, 3), "u0,u1,u2,u3");
  EXPECT_EQ(grouped({ "vel1", "vel2", "vel3" }, 2), "vel=0+1,vel3");
}

TEST(VectorNames, InThePlaneAThirdIsOnItsOwn)
{
  EXPECT_EQ(grouped({ "velz", "velx", "vely" }, 2), "velz,vel=1+2");
}

TEST(VectorNames, NoTwoHaveOneName)
{
  EXPECT_EQ(grouped({ "B", "Bx", "By", "Bz" }, 3), "B,Bx,By,Bz");
  EXPECT_EQ(grouped({ "Bx", "By", "B_x", "B_y" }, 2), "B=0+1,B_x,B_y");
  EXPECT_EQ(grouped({ "xmom", "ymom", "mom_x", "mom_y" }, 2), "mom=0+1,mom_x,mom_y");
}

TEST(VectorNames, OfOneNameTheLaterOnesGetANumber)
{
  std::vector<std::string> notes;
  const std::vector<std::string> none{ "rho", "p" };
  EXPECT_EQ(distinct_names(none, notes), none);
  EXPECT_TRUE(notes.empty());
  const std::vector<std::string> several{ "rho", "rho", "p", "rho", "rho_2" };
  EXPECT_EQ(distinct_names(several, notes), (std::vector<std::string>{ "rho", "rho_3", "p", "rho_4", "rho_2" }));
  ASSERT_EQ(notes.size(), 2U);
  EXPECT_EQ(notes[0], "there is more than one \"rho\": one of them is shown as \"rho_3\"");
}

} // namespace
} // namespace rivulet::test
