// SPDX-License-Identifier: BSD-3-Clause
#include "Catalogue.h"

#include "Gather.h"

#include <algorithm>
#include <map>
#include <set>

namespace rivulet::catalyst2
{

namespace
{

/// Names and numbers one behind the other. Each ends with a zero byte, which no name of Conduit has.
class Writer
{
public:
  void add(const std::string& word) { text_.append(word).push_back('\0'); }
  void add(std::int64_t number) { add(std::to_string(number)); }
  void add(const std::vector<VariableOutline>& variables)
  {
    add(static_cast<std::int64_t>(variables.size()));
    for (const VariableOutline& each : variables)
    {
      add(each.name);
      add(each.type);
      add(each.components);
    }
  }
  [[nodiscard]] std::string text() && { return std::move(text_); }

private:
  std::string text_;
};

class Reader
{
public:
  explicit Reader(const std::string& text)
    : text_(text)
  {
  }
  std::string word()
  {
    const std::size_t end = text_.find('\0', at_);
    std::string found = text_.substr(at_, end - at_);
    at_ = end + 1;
    return found;
  }
  std::int64_t number() { return std::stoll(word()); }
  std::vector<VariableOutline> variables()
  {
    std::vector<VariableOutline> all(static_cast<std::size_t>(number()));
    for (VariableOutline& each : all)
    {
      each.name = word();
      each.type = static_cast<std::int32_t>(number());
      each.components = static_cast<std::int32_t>(number());
    }
    return all;
  }

private:
  const std::string& text_;
  std::size_t at_ = 0;
};

std::string message_of(const std::vector<Outline>& own, const std::vector<std::string>& refused)
{
  Writer message;
  message.add(static_cast<std::int64_t>(refused.size()));
  for (const std::string& each : refused)
  {
    message.add(each);
  }
  message.add(static_cast<std::int64_t>(own.size()));
  for (const Outline& each : own)
  {
    message.add(each.channel);
    message.add(each.mesh);
    message.add(each.topology);
    message.add(static_cast<std::int64_t>(each.content));
    message.add(static_cast<std::int64_t>(each.kind));
    message.add(each.cells);
    message.add(each.nodes);
  }
  return std::move(message).text();
}

Outline next_outline(Reader& from)
{
  Outline read;
  read.channel = from.word();
  read.mesh = from.word();
  read.topology = from.word();
  read.content = static_cast<Content>(from.number());
  read.kind = static_cast<GridKind>(from.number());
  read.cells = from.variables();
  read.nodes = from.variables();
  return read;
}

/// An outline of the ranks so far.
struct Merged
{
  Outline outline;
  std::vector<std::string> left_out; ///< fields
  bool of_one_kind = true;

  void add(const Outline& other)
  {
    if (other.content > outline.content)
    {
      *this = { other, {}, true };
    }
    else if (other.content == outline.content)
    {
      of_one_kind = of_one_kind && other.kind == outline.kind;
      keep_common(outline.cells, other.cells, left_out);
      keep_common(outline.nodes, other.nodes, left_out);
    }
  }
};

/// Contents of the messages of all ranks, in the order in which topologies appear first.
struct Everything
{
  std::set<std::string> refused; ///< channels
  std::vector<Merged> merged;
  std::map<std::string, std::set<std::string>> topologies; ///< of each mesh

  void add(const std::string& message)
  {
    Reader from(message);
    for (std::int64_t left = from.number(); left > 0; --left)
    {
      refused.insert(from.word());
    }
    for (std::int64_t left = from.number(); left > 0; --left)
    {
      add(next_outline(from));
    }
  }

  void add(const Outline& outline)
  {
    topologies[outline.mesh].insert(outline.topology);
    const auto known = std::find_if(merged.begin(), merged.end(),
        [&](const Merged& each)
        { return each.outline.mesh == outline.mesh && each.outline.topology == outline.topology; });
    if (known == merged.end())
    {
      merged.push_back({ outline, {}, true });
    }
    else
    {
      known->add(outline);
    }
  }
};

} // namespace

Catalogue::Agreement Catalogue::agreement_of(const std::vector<std::string>& messages)
{
  Everything all;
  for (const std::string& each : messages)
  {
    all.add(each);
  }
  Agreement agreed;
  for (const Merged& each : all.merged)
  {
    const Outline& outline = each.outline;
    if (!each.of_one_kind && all.refused.insert(outline.channel).second)
    {
      agreed.channels.push_back(
          { ErrorCode::Unsupported, "the topology \"" + outline.topology + "\" has another type on some ranks",
              "describe it alike on all ranks", "catalyst/channels/" + outline.channel });
    }
  }
  for (Merged& each : all.merged)
  {
    Outline& outline = each.outline;
    if (outline.content == Content::None || all.refused.contains(outline.channel))
    {
      continue;
    }
    for (const std::string& field : each.left_out)
    {
      agreed.fields.push_back(left_out(outline.channel, field, "on all ranks"));
    }
    const bool alone = all.topologies[outline.mesh].size() == 1;
    outline.name = alone ? outline.mesh : outline.mesh + "/" + outline.topology;
    agreed.outlines.push_back(std::move(outline));
  }
  return agreed;
}

Result<std::vector<Outline>> Catalogue::agree(
    MPI_Comm comm, const std::vector<Outline>& own, const std::vector<std::string>& refused, Teller& teller)
{
  std::string message = message_of(own, refused);
  int changed = message == last_ ? 0 : 1;
  last_.reset();
  MPI_Allreduce(MPI_IN_PLACE, &changed, 1, MPI_INT, MPI_MAX, comm);
  if (changed != 0)
  {
    Result<std::vector<std::string>> messages = gather(comm, message);
    if (!messages)
    {
      return forward_error(messages);
    }
    agreement_ = agreement_of(*messages);
  }
  last_ = std::move(message);
  for (const Error& each : agreement_.fields)
  {
    teller.warn(each);
  }
  for (const Error& each : agreement_.channels)
  {
    teller.error(each);
  }
  return agreement_.outlines;
}

} // namespace rivulet::catalyst2
