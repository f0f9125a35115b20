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
  EXPECT_EQ(grouped({ "xvel", "yvel", "zvel" }, 3), "xvel,yvel,zvel");
}

TEST(VectorNames, InThePlaneAThirdIsOnItsOwn)
{
  EXPECT_EQ(grouped({ "velz", "velx", "vely" }, 2), "velz,vel=1+2");
}

TEST(VectorNames, NoTwoHaveOneName)
{
  EXPECT_EQ(grouped({ "B", "Bx", "By", "Bz" }, 3), "B,Bx,By,Bz");
  EXPECT_EQ(grouped({ "Bx", "By", "B_x", "B_y" }, 2), "B=0+1,B_x,B_y");
}

} // namespace
} // namespace rivulet::test
