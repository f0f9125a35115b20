// SPDX-License-Identifier: BSD-3-Clause
// VTK's windows stand for those of simulations and of analytics.
#include "Catalyst/CurrentContext.h"
#include "vtkNew.h"
#include "vtkRenderer.h"
#include "vtkRenderWindow.h"

#include <gtest/gtest.h>
#include <thread>

namespace rivulet::insitu
{

namespace
{

class Window
{
public:
  Window()
  {
    window_->SetOffScreenRendering(1);
    window_->SetSize(32, 32);
    window_->AddRenderer(renderer_);
  }
  void draw() { window_->Render(); }
  [[nodiscard]] bool is_current() const { return window_->IsCurrent(); }

private:
  vtkNew<vtkRenderer> renderer_;
  vtkNew<vtkRenderWindow> window_;
};

TEST(CurrentContext, NoneIsCurrentAgain)
{
  Window analytics;
  {
    const KeptContext kept;
    analytics.draw();
    EXPECT_TRUE(analytics.is_current());
  }
  EXPECT_FALSE(analytics.is_current());
}

TEST(CurrentContext, TheContextOfTheSimulationIsCurrentAgain)
{
  Window simulation;
  Window analytics;
  simulation.draw();
  {
    const KeptContext kept;
    analytics.draw();
    EXPECT_FALSE(simulation.is_current());
  }
  EXPECT_TRUE(simulation.is_current());
}

TEST(CurrentContext, OneThreadDrawsAfterTheOther)
{
  Window analytics;
  for (int step = 0; step < 3; ++step)
  {
    std::thread(
        [&]
        {
          const KeptContext kept;
          analytics.draw();
          EXPECT_TRUE(analytics.is_current());
        })
        .join();
  }
}

} // namespace

} // namespace rivulet::insitu
