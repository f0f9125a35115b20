// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Velocity as the curl of a sum of Fourier modes. A window may confine a mode to a layer about z = 0:
///
///     u = curl( sum_m  w_m(z, t) a_m cos(k_m . x + phase_m + frequency_m t) )
///
/// The field is free of divergence by construction, with windows too. Wave vectors have whole components, so the field
/// has period 2 pi along x and y, and without windows along z, too.
#pragma once

#include "Generate/AnalyticField.h"
#include "Generate/ModeKernel.h"

namespace rivulet
{

struct FourierMode
{
  Int3 wave{ 0, 0, 0 };      ///< wave vector; the first component is not negative
  Vec3 potential{ 0, 0, 0 }; ///< amplitude a of the vector potential
  double phase = 0;
  double frequency = 0;    ///< 1/T
  std::int32_t window = 0; ///< index of the mode's window; ignored without windows
};

/// Extent of a band of modes along z. With b(z) = 1 for |z| well below half_width and 0 well above, over a distance of
/// about `edge`, the window is (b(z - shift) + parity b(z + shift)) / 2. All lengths grow with time by (1 + growth
/// t)^2, as a Rayleigh-Taylor layer does.
struct LayerWindow
{
  double half_width = 1;
  double edge = 1;
  double shift = 0;
  double parity = 1;
};

class ModeField final : public AnalyticField
{
public:
  /// `windows`: the windows of the modes, or none. The constructor sorts the modes.
  ModeField(const FieldDomain& domain, bool steady, std::vector<FourierMode> modes, std::vector<LayerWindow> windows,
      double growth);

  [[nodiscard]] Vec3 velocity(const Vec3& at, double time) const override;
  [[nodiscard]] Mat3 gradient(const Vec3& at, double time) const override;
  void evaluate(const LatticePoints& points, double time, float* out) const override;
  void evaluate(const LatticePoints& points, double time, double* out) const override;
  [[nodiscard]] bool prefers_rows() const override { return true; }

private:
  template <class S>
  [[nodiscard]] std::array<S, 3> sum(const std::array<S, 3>& at, double time) const;
  template <class T>
  void fill(const LatticePoints& points, double time, T* out) const;
  template <class T>
  void plane_amplitudes(double z, double time, std::span<const double> phases, std::vector<T>& amplitudes) const;
  [[nodiscard]] std::vector<double> phases_at(double time) const;

  std::vector<FourierMode> modes_;
  std::vector<WavePair> pairs_;           ///< distinct (kx, ky) of the modes, in their order
  std::vector<std::size_t> pair_of_mode_; ///< index into pairs_
  std::vector<LayerWindow> windows_;
  double growth_;
  std::array<int, 3> largest_{ 0, 0, 0 }; ///< largest |k| along each axis
};

} // namespace rivulet
