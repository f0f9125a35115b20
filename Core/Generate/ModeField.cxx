// SPDX-License-Identifier: BSD-3-Clause
#include "Generate/ModeField.h"

#include "Base/Vector.h"
#include "Generate/Dual.h"

#include <cmath>
#include <complex>
#include <tuple>

namespace rivulet
{

namespace
{

using std::cos;
using std::sin;
using std::tanh;

/// Value of a window and its derivative along z.
template <class S>
struct WindowAt
{
  S value = 1.0;
  S slope = 0.0;
};

/// b(z): a box with soft edges.
template <class S>
WindowAt<S> box_at(double half_width, double edge, const S& z)
{
  const S lower = tanh((z + half_width) / edge);
  const S upper = tanh((z - half_width) / edge);
  return { 0.5 * (lower - upper), (upper * upper - lower * lower) / (2.0 * edge) };
}

template <class S>
WindowAt<S> window_at(const LayerWindow& window, double scale, const S& z)
{
  const double shift = window.shift * scale;
  const WindowAt<S> up = box_at<S>(window.half_width * scale, window.edge * scale, z - shift);
  const WindowAt<S> down = box_at<S>(window.half_width * scale, window.edge * scale, z + shift);
  return { 0.5 * (up.value + window.parity * down.value), 0.5 * (up.slope + window.parity * down.slope) };
}

/// Values of all windows; without windows a single value of 1.
template <class S>
std::vector<WindowAt<S>> windows_at(const std::vector<LayerWindow>& windows, double growth, double time, const S& z)
{
  const double scale = (1.0 + growth * time) * (1.0 + growth * time);
  std::vector<WindowAt<S>> values(std::max<std::size_t>(1, windows.size()));
  for (std::size_t w = 0; w < windows.size(); ++w)
  {
    values[w] = window_at(windows[w], scale, z);
  }
  return values;
}

/// The two vectors of curl(w a cos) = w' (ez x a) cos - w (k x a) sin.
struct CurlParts
{
  Vec3 with_slope;
  Vec3 with_value;
};

CurlParts curl_parts(const FourierMode& mode)
{
  const Vec3 wave{ double(mode.wave[0]), double(mode.wave[1]), double(mode.wave[2]) };
  return { cross({ 0, 0, 1 }, mode.potential), cross(wave, mode.potential) };
}

std::size_t window_of(const FourierMode& mode, bool windowed)
{
  return windowed ? static_cast<std::size_t>(mode.window) : 0;
}

} // namespace

ModeField::ModeField(const FieldDomain& domain, bool steady, std::vector<FourierMode> modes,
    std::vector<LayerWindow> windows, double growth)
  : AnalyticField(domain, steady)
  , modes_(std::move(modes))
  , windows_(std::move(windows))
  , growth_(growth)
{
  const auto columns = [](const FourierMode& mode)
  {
    return std::tie(mode.wave[0], mode.wave[1]);
  };
  std::stable_sort(modes_.begin(), modes_.end(),
      [&](const FourierMode& a, const FourierMode& b) { return columns(a) < columns(b); });
  for (const FourierMode& mode : modes_)
  {
    if (pairs_.empty() || pairs_.back().kx != mode.wave[0] || pairs_.back().ky != mode.wave[1])
    {
      pairs_.push_back({ mode.wave[0], mode.wave[1] });
    }
    pair_of_mode_.push_back(pairs_.size() - 1);
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      largest_[axis] = std::max(largest_[axis], std::abs(mode.wave[axis]));
    }
  }
}

template <class S>
std::array<S, 3> ModeField::sum(const std::array<S, 3>& at, double time) const
{
  const std::vector<WindowAt<S>> windows = windows_at(windows_, growth_, time, at[2]);
  std::array<S, 3> total{ S(0), S(0), S(0) };
  for (const FourierMode& mode : modes_)
  {
    const WindowAt<S>& window = windows[window_of(mode, !windows_.empty())];
    const S angle = double(mode.wave[0]) * at[0] + double(mode.wave[1]) * at[1] + double(mode.wave[2]) * at[2] +
                    (mode.phase + mode.frequency * time);
    const S cosine = window.slope * cos(angle);
    const S sine = window.value * sin(angle);
    const CurlParts parts = curl_parts(mode);
    for (std::size_t c = 0; c < 3; ++c)
    {
      total[c] = total[c] + (parts.with_slope[c] * cosine - parts.with_value[c] * sine);
    }
  }
  return total;
}

Vec3 ModeField::velocity(const Vec3& at, double time) const
{
  return sum(at, time);
}

Mat3 ModeField::gradient(const Vec3& at, double time) const
{
  const std::array<Dual, 3> u =
      sum(std::array<Dual, 3>{ Dual::variable(at[0], 0), Dual::variable(at[1], 1), Dual::variable(at[2], 2) }, time);
  return { u[0].slope[0], u[0].slope[1], u[0].slope[2], u[1].slope[0], u[1].slope[1], u[1].slope[2], u[2].slope[0],
    u[2].slope[1], u[2].slope[2] };
}

/// cos and sin of each mode's phase at a time.
std::vector<double> ModeField::phases_at(double time) const
{
  std::vector<double> phases;
  phases.reserve(2 * modes_.size());
  for (const FourierMode& mode : modes_)
  {
    phases.push_back(std::cos(mode.phase + mode.frequency * time));
    phases.push_back(std::sin(mode.phase + mode.frequency * time));
  }
  return phases;
}

// Stage 1: the velocity of a mode is Re[(p + i q) exp(i angle)] with p = w' (ez x a), q = w (k x a).
template <class T>
void ModeField::plane_amplitudes(
    double z, double time, std::span<const double> phases, std::vector<T>& amplitudes) const
{
  const std::vector<WindowAt<double>> windows = windows_at(windows_, growth_, time, z);
  const PhaseTable<double> along_z(std::span(&z, 1), largest_[2], 1);
  std::vector<double> sums(pairs_.size() * kAmplitudes);
  for (std::size_t m = 0; m < modes_.size(); ++m)
  {
    const FourierMode& mode = modes_[m];
    const WindowAt<double>& window = windows[window_of(mode, !windows_.empty())];
    const int k = std::abs(mode.wave[2]);
    const double cosine = *along_z.cosines(k);
    const double sine = mode.wave[2] < 0 ? -*along_z.sines(k) : *along_z.sines(k);
    const double re = phases[2 * m] * cosine - phases[2 * m + 1] * sine;
    const double im = phases[2 * m] * sine + phases[2 * m + 1] * cosine;
    const CurlParts parts = curl_parts(mode);
    double* const sum = sums.data() + pair_of_mode_[m] * kAmplitudes;
    for (std::size_t c = 0; c < 3; ++c)
    {
      const double p = window.slope * parts.with_slope[c];
      const double q = window.value * parts.with_value[c];
      sum[2 * c] += p * re - q * im;
      sum[2 * c + 1] += p * im + q * re;
    }
  }
  amplitudes.assign(sums.begin(), sums.end());
}

template <class T>
void ModeField::fill(const LatticePoints& points, double time, T* out) const
{
  const PhaseTable<T> along_x(points.x, largest_[0], kLaneBytes / sizeof(T));
  const PhaseTable<T> along_y(points.y, largest_[1], kRowTile);
  const std::vector<double> phases = phases_at(time);
  std::vector<T> amplitudes;
  std::vector<T> rows(static_cast<std::size_t>(largest_[0] + 1) * kAmplitudes * kRowTile);
  for (const double z : points.z)
  {
    plane_amplitudes(z, time, phases, amplitudes);
    for (std::size_t first = 0; first < points.y.size(); first += kRowTile)
    {
      const std::size_t count = std::min(kRowTile, points.y.size() - first);
      sum_rows(pairs_, amplitudes.data(), along_y, first, rows);
      sum_points(rows.data(), count, along_x, largest_[0], points.x.size(), out);
      out += 3 * count * points.x.size();
    }
  }
}

void ModeField::evaluate(const LatticePoints& points, double time, float* out) const
{
  fill(points, time, out);
}

void ModeField::evaluate(const LatticePoints& points, double time, double* out) const
{
  fill(points, time, out);
}

} // namespace rivulet
