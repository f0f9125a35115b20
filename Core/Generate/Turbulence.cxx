// SPDX-License-Identifier: BSD-3-Clause
// Random velocity fields of a given energy spectrum: R. Kraichnan, "Diffusion by a random velocity field", Phys. Fluids
// 13, 1970. The phase of wave number k turns at the rate of eddies of that size, (energy flux k^2)^(1/3).
#include "Base/Vector.h"
#include "Generate/CounterRandom.h"
#include "Generate/FormulaField.h"
#include "Generate/ModeField.h"

#include <cmath>
#include <numbers>

namespace rivulet
{

namespace
{

using std::numbers::pi;

struct Spectrum
{
  int lowest, highest;
  double exponent;
  double rms;       ///< root mean square of each component, over the domain or where the window is 1
  double evolution; ///< turning rate of the largest eddies, divided by rms * lowest
  int modes;        ///< modes per shell
  std::uint64_t seed;
};

Int3 rounded(const Vec3& v)
{
  return { static_cast<std::int32_t>(std::lround(v[0])), static_cast<std::int32_t>(std::lround(v[1])),
    static_cast<std::int32_t>(std::lround(v[2])) };
}

double length_of(const Int3& k)
{
  return std::sqrt(double(k[0]) * k[0] + double(k[1]) * k[1] + double(k[2]) * k[2]);
}

/// Draws the modes of a spectrum one after the other.
class ModeSampler
{
public:
  explicit ModeSampler(const Spectrum& spectrum)
    : spectrum_(spectrum)
    , random_(spectrum.seed)
  {
    for (int shell = spectrum.lowest; shell <= spectrum.highest; ++shell)
    {
      total_ += std::pow(shell, spectrum.exponent);
    }
  }

  [[nodiscard]] FourierMode draw(int shell)
  {
    FourierMode mode;
    mode.wave = draw_wave(shell);
    const auto [phase, turn] = random_.uniform_pair(next_++);
    mode.phase = 2 * pi * phase;
    mode.frequency = (2 * turn - 1) * spectrum_.evolution * spectrum_.rms * spectrum_.lowest *
                     std::pow(double(shell) / spectrum_.lowest, 2.0 / 3.0);
    mode.potential = draw_potential(mode.wave, velocity_amplitude(shell) / length_of(mode.wave));
    return mode;
  }

private:
  /// Random direction, uniform on the unit sphere.
  Vec3 draw_direction()
  {
    const auto [height, angle] = random_.uniform_pair(next_++);
    const double z = 2 * height - 1;
    const double r = std::sqrt(1 - z * z);
    return { r * std::cos(2 * pi * angle), r * std::sin(2 * pi * angle), z };
  }

  /// Random wave vector of whole numbers with a length that rounds to the shell's. k and -k are the same wave: returns
  /// the one with kx >= 0.
  Int3 draw_wave(int shell)
  {
    for (;;)
    {
      const Vec3 d = draw_direction();
      const Int3 k = rounded({ std::abs(d[0]) * shell, d[1] * shell, d[2] * shell });
      if (std::lround(length_of(k)) == shell)
      {
        return k;
      }
    }
  }

  /// Random vector across the wave. The part along the wave has no curl.
  Vec3 draw_potential(const Int3& wave, double size)
  {
    const double length = length_of(wave);
    for (;;)
    {
      const Vec3 d = draw_direction();
      const double along = (d[0] * wave[0] + d[1] * wave[1] + d[2] * wave[2]) / (length * length);
      const Vec3 across{ d[0] - along * wave[0], d[1] - along * wave[1], d[2] - along * wave[2] };
      const double norm = rivulet::length_of(across);
      if (norm > 0.1)
      {
        return { size / norm * across[0], size / norm * across[1], size / norm * across[2] };
      }
    }
  }

  /// A wave of amplitude A has the energy A^2 / 4. The sum over all waves is 3/2 rms^2.
  [[nodiscard]] double velocity_amplitude(int shell) const
  {
    const double energy =
        1.5 * spectrum_.rms * spectrum_.rms * std::pow(shell, spectrum_.exponent) / total_ / spectrum_.modes;
    return 2 * std::sqrt(energy);
  }

  Spectrum spectrum_;
  CounterRandom random_;
  std::uint64_t next_ = 0;
  double total_ = 0;
};

std::vector<FourierMode> draw_modes(const Spectrum& spectrum)
{
  ModeSampler sampler(spectrum);
  std::vector<FourierMode> modes;
  for (int shell = spectrum.lowest; shell <= spectrum.highest; ++shell)
  {
    for (int i = 0; i < spectrum.modes; ++i)
    {
      modes.push_back(sampler.draw(shell));
      modes.back().window = shell - spectrum.lowest;
    }
  }
  return modes;
}

Result<Spectrum> spectrum_of(std::span<const double> p)
{
  if (p[0] > p[1])
  {
    return fail(ErrorCode::BadArgument, "the lowest wave number is larger than the highest",
        "choose lowest at most as large as highest");
  }
  return Spectrum{ static_cast<int>(p[0]), static_cast<int>(p[1]), p[2], p[3], p[4], static_cast<int>(p[5]),
    static_cast<std::uint64_t>(p[6]) };
}

std::vector<FieldParameter> spectrum_parameters(double highest, double modes)
{
  return { whole_parameter("lowest", 2, 1, 256, "lowest wave number, per 2 pi of length"),
    whole_parameter("highest", highest, 1, 256, "highest wave number, per 2 pi of length"),
    real_parameter("exponent", -5.0 / 3.0, -10, 4, "1", "exponent of the energy spectrum between the two"),
    real_parameter("rms", 1, 0, 1e6, "L/T", "root of the mean square of each velocity component"),
    real_parameter("evolution", 0, 0, 1e6, "1", "how fast eddies change, in their turn-over rates; 0 for frozen ones"),
    whole_parameter("modes", modes, 1, 4096, "waves per whole wave number"),
    whole_parameter("seed", 1, 0, 0x1p53, "number that the random waves are drawn from") };
}

MadeField make_turbulence(std::span<const double> p)
{
  Result<Spectrum> spectrum = spectrum_of(p);
  if (!spectrum)
  {
    return forward_error(spectrum);
  }
  constexpr FieldDomain kPeriod{ { 0, 0, 0 }, { 2 * pi, 2 * pi, 2 * pi } };
  return std::make_unique<ModeField>(
      kPeriod, spectrum->evolution == 0, draw_modes(*spectrum), std::vector<LayerWindow>{}, 0.0);
}

// The mixing layer. Turbulence lies approximately in a window b(z - shift G(x, y)). It reaches up where the plume
// pattern G is near 1 and down where it is near -1. The layer moved up has the weight (1 + G) / 2, the layer moved down
// (1 - G) / 2. G is a sum of a few horizontal waves g cos(q . x + chi). Each mode becomes itself with an even window,
// and two side bands k + q and k - q with an odd window for each wave of G.

/// A wave of the plume pattern.
struct PlumeWave
{
  int qx, qy;
  double phase;
};

constexpr double kPlumeAmplitude = 0.45; // the root mean square of five waves is 0.7
constexpr std::array<PlumeWave, 5> kPlumes{ { { 3, 0, 0.3 }, { 1, 3, 1.9 }, { -2, 3, 4.4 }, { 2, 2, 5.6 },
    { -4, 1, 2.7 } } };

/// Window 2 s is the even one of shell s, window 2 s + 1 the odd one. Large eddies reach further out of the layer than
/// small ones, and fade over a longer distance.
std::vector<LayerWindow> layer_windows(const Spectrum& spectrum, double half_width, double plumes)
{
  std::vector<LayerWindow> windows;
  for (int shell = spectrum.lowest; shell <= spectrum.highest; ++shell)
  {
    const double size = std::sqrt(double(spectrum.lowest) / shell);
    LayerWindow window{ half_width * (0.75 + 0.5 * size), half_width * (0.1 + 0.3 * size), half_width * plumes, 1 };
    windows.push_back(window);
    window.parity = -1;
    windows.push_back(window);
  }
  return windows;
}

FourierMode side_band(const FourierMode& mode, const PlumeWave& plume, int sign)
{
  FourierMode side = mode;
  side.window = mode.window + 1;
  side.wave[0] += sign * plume.qx;
  side.wave[1] += sign * plume.qy;
  side.phase += sign * plume.phase;
  side.potential = { 0.5 * kPlumeAmplitude * mode.potential[0], 0.5 * kPlumeAmplitude * mode.potential[1],
    0.5 * kPlumeAmplitude * mode.potential[2] };
  if (side.wave[0] < 0) // cos is even: use the same wave with kx >= 0
  {
    side.wave = { -side.wave[0], -side.wave[1], -side.wave[2] };
    side.phase = -side.phase;
    side.frequency = -side.frequency;
  }
  return side;
}

std::vector<FourierMode> with_plumes(const std::vector<FourierMode>& modes)
{
  std::vector<FourierMode> all;
  for (FourierMode mode : modes)
  {
    mode.window *= 2;
    all.push_back(mode);
    for (const PlumeWave& plume : kPlumes)
    {
      all.push_back(side_band(mode, plume, 1));
      all.push_back(side_band(mode, plume, -1));
    }
  }
  return all;
}

MadeField make_mixing_layer(std::span<const double> p)
{
  Result<Spectrum> spectrum = spectrum_of(p);
  if (!spectrum)
  {
    return forward_error(spectrum);
  }
  constexpr FieldDomain kColumn{ { 0, 0, -1.5 * pi }, { 2 * pi, 2 * pi, 1.5 * pi } };
  const double half_width = p[7];
  const double plumes = p[8];
  const double growth = p[9];
  return std::make_unique<ModeField>(kColumn, spectrum->evolution == 0 && growth == 0,
      with_plumes(draw_modes(*spectrum)), layer_windows(*spectrum, half_width, plumes), growth);
}

FieldKind mixing_layer_kind()
{
  FieldKind kind{ "mixing-layer", "turbulence of many scales in a layer about z = 0, calm above and below",
    spectrum_parameters(64, 24) };
  kind.parameters.push_back(real_parameter("half-width", 1.25, 1e-3, 1e3, "L", "half the thickness of the layer"));
  kind.parameters.push_back(
      real_parameter("plumes", 0.8, 0, 10, "1", "how far the layer strays up and down, in half-widths"));
  kind.parameters.push_back(
      real_parameter("growth", 0, 0, 1e3, "1/T", "the thickness grows by (1 + growth * time) squared"));
  return kind;
}

} // namespace

std::vector<FieldRecipe> turbulence_recipes()
{
  return {
    { { "turbulence", "isotropic random velocity of a given energy spectrum, periodic", spectrum_parameters(24, 64) },
        make_turbulence },
    { mixing_layer_kind(), make_mixing_layer },
  };
}

} // namespace rivulet
