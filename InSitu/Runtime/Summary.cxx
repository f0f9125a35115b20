// SPDX-License-Identifier: BSD-3-Clause
#include "Summary.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cstdio>

namespace rivulet::insitu
{

namespace
{

bool in_seconds(const std::string& key)
{
  return key.ends_with("_s");
}

/// "copied_bytes" -> "copied bytes", "idle_s" -> "idle, s".
std::string words_of(const Figure& figure)
{
  std::string words = figure.key;
  if (in_seconds(words))
  {
    words.replace(words.size() - 2, 2, ", s");
  }
  for (char& letter : words)
  {
    letter = letter == '_' ? ' ' : letter;
  }
  return (figure.analytics.empty() ? "" : figure.analytics + ": ") + words;
}

} // namespace

std::vector<Spread> gather(const std::vector<Figure>& figures, MPI_Comm comm)
{
  std::vector<double> least;
  least.reserve(figures.size());
  for (const Figure& figure : figures)
  {
    least.push_back(figure.value);
  }
  std::vector<double> most = least;
  std::vector<double> sum = least;
  const int count = static_cast<int>(figures.size());
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  const std::array<int, 3> codes{ MPI_Allreduce(MPI_IN_PLACE, least.data(), count, MPI_DOUBLE, MPI_MIN, comm),
    MPI_Allreduce(MPI_IN_PLACE, most.data(), count, MPI_DOUBLE, MPI_MAX, comm),
    MPI_Allreduce(MPI_IN_PLACE, sum.data(), count, MPI_DOUBLE, MPI_SUM, comm) };
  const bool good = codes == std::array<int, 3>{ MPI_SUCCESS, MPI_SUCCESS, MPI_SUCCESS };
  std::vector<Spread> spreads;
  for (std::size_t i = 0; i < figures.size(); ++i)
  {
    Spread spread{ figures[i], figures[i].value, figures[i].value };
    if (good)
    {
      spread.figure.value = sum[i] / ranks;
      spread.least = least[i];
      spread.most = most[i];
    }
    spreads.push_back(std::move(spread));
  }
  return spreads;
}

std::string table_of(const SummaryHead& head, const std::vector<Spread>& figures)
{
  std::array<char, 256> line{};
  std::snprintf(line.data(), line.size(),
      "policy %s, ranks: %d; of each rank: cores %d, simulation %d, analytics %d, workers %d\n", head.policy.c_str(),
      head.ranks, head.cores, head.simulation, head.analytics, head.workers);
  std::string table = line.data();
  std::snprintf(line.data(), line.size(), "%-40s %14s %14s %14s\n", "", "min", "mean", "max");
  table += line.data();
  for (const Spread& each : figures)
  {
    const int digits = in_seconds(each.figure.key) ? 3 : 0;
    std::snprintf(line.data(), line.size(), "%-40.150s %14.*f %14.*f %14.*f\n", words_of(each.figure).c_str(), digits,
        each.least, digits, each.figure.value, digits, each.most);
    table += line.data();
  }
  return table;
}

std::string json_of(const SummaryHead& head, const std::vector<Spread>& figures)
{
  nlohmann::ordered_json json;
  json["policy"] = head.policy;
  json["ranks"] = head.ranks;
  json["cores"] = head.cores;
  json["simulation_threads"] = head.simulation;
  json["analytics_threads"] = head.analytics;
  json["workers"] = head.workers;
  json["session"] = nlohmann::ordered_json::object();
  json["analytics"] = nlohmann::ordered_json::object();
  for (const Spread& each : figures)
  {
    auto& group = each.figure.analytics.empty() ? json["session"] : json["analytics"][each.figure.analytics];
    group[each.figure.key] = { { "min", each.least }, { "mean", each.figure.value }, { "max", each.most } };
  }
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

} // namespace rivulet::insitu
