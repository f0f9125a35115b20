// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Service/ByteService.h"
#include "Io/Service/ServiceAddress.h"

#ifdef RIVULET_HAVE_HIREDIS

#include <algorithm>
#include <array>
#include <hiredis/hiredis.h>
#include <sys/socket.h>
#include <sys/time.h>

namespace rivulet
{

namespace
{

struct FreeContext
{
  void operator()(redisContext* context) const { redisFree(context); }
};
struct FreeReply
{
  void operator()(redisReply* reply) const { freeReplyObject(reply); }
};
using Context = std::unique_ptr<redisContext, FreeContext>;
using Reply = std::unique_ptr<redisReply, FreeReply>;

timeval patience()
{
  return { .tv_sec = 0, .tv_usec = std::chrono::microseconds(ByteService::kPatience).count() };
}

std::string text_of(const redisReply& reply)
{
  return { reply.str, reply.str + std::min<std::size_t>(reply.len, 200) };
}

/// Words of one command.
class Command
{
public:
  void add(const void* word, std::size_t bytes)
  {
    words_.push_back(static_cast<const char*>(word));
    lengths_.push_back(bytes);
  }
  void add(const std::string& word) { add(word.data(), word.size()); }

  [[nodiscard]] bool append_to(redisContext& context)
  {
    return redisAppendCommandArgv(&context, static_cast<int>(words_.size()), words_.data(), lengths_.data()) ==
           REDIS_OK;
  }

private:
  std::vector<const char*> words_;
  std::vector<std::size_t> lengths_;
};

class RedisService final : public ByteService
{
public:
  RedisService(Context context, std::string address, std::int64_t expiry)
    : context_(std::move(context))
    , address_(std::move(address))
    , expiry_(std::to_string(expiry))
  {
  }

  Result<void> get(std::span<const std::string> keys, const Take& take) override
  {
    static const std::string mget = "MGET";
    Command command;
    command.add(mget);
    for (const std::string& key : keys)
    {
      command.add(key);
    }
    const Reply reply = command.append_to(*context_) ? next_reply() : nullptr;
    if (reply == nullptr)
    {
      return no_answer();
    }
    if (reply->type != REDIS_REPLY_ARRAY || reply->elements != keys.size())
    {
      return wrong_answer(*reply);
    }
    for (std::size_t i = 0; i < keys.size(); ++i)
    {
      const redisReply& value = *reply->element[i];
      if (value.type == REDIS_REPLY_STRING)
      {
        take(i, { reinterpret_cast<const std::byte*>(value.str), value.len });
      }
    }
    return {};
  }

  Result<Refused> put(std::span<const Value> values) override
  {
    static const std::array<std::string, 2> words{ "SET", "EX" };
    for (const Value& value : values)
    {
      Command command;
      command.add(words[0]);
      command.add(value.key);
      command.add(value.bytes.data(), value.bytes.size());
      command.add(words[1]);
      command.add(expiry_);
      if (!command.append_to(*context_))
      {
        return no_answer();
      }
    }
    Refused refused;
    for (std::size_t i = 0; i < values.size(); ++i)
    {
      const Reply reply = next_reply();
      if (reply == nullptr)
      {
        return no_answer();
      }
      if (reply->type == REDIS_REPLY_ERROR)
      {
        ++refused.values;
        refused.why = wrong_answer(*reply).value().describe();
      }
      else if (reply->type != REDIS_REPLY_STATUS)
      {
        return wrong_answer(*reply);
      }
    }
    return refused;
  }

  void interrupt() override { ::shutdown(context_->fd, SHUT_RDWR); }

private:
  [[nodiscard]] Reply next_reply()
  {
    void* reply = nullptr;
    return Reply(redisGetReply(context_.get(), &reply) == REDIS_OK ? static_cast<redisReply*>(reply) : nullptr);
  }
  [[nodiscard]] tl::unexpected<Error> no_answer() const
  {
    return fail(ErrorCode::CannotRead, std::string("the service does not answer: ") + context_->errstr, {}, address_);
  }
  [[nodiscard]] tl::unexpected<Error> wrong_answer(const redisReply& reply) const
  {
    return fail(ErrorCode::CannotRead,
        reply.type == REDIS_REPLY_ERROR ? "the service refuses: " + text_of(reply)
                                        : "the service answers in a way that it should not",
        {}, address_);
  }

  Context context_;
  std::string address_;
  std::string expiry_;
};

} // namespace

Result<std::unique_ptr<ByteService>> open_byte_service(const std::string& address)
{
  Result<ServiceAddress> where = ServiceAddress::from(address);
  if (!where)
  {
    return forward_error(where);
  }
  Context context(where->host.empty() ? redisConnectUnixWithTimeout(where->socket.c_str(), patience())
                                      : redisConnectWithTimeout(where->host.c_str(), where->port, patience()));
  if (context == nullptr || context->err != 0 || redisSetTimeout(context.get(), patience()) != REDIS_OK)
  {
    return fail(ErrorCode::CannotRead,
        std::string("the service cannot be reached: ") + (context == nullptr ? "no memory" : context->errstr),
        "start it, or correct the address", address);
  }
  return std::make_unique<RedisService>(std::move(context), address, where->expiry);
}

} // namespace rivulet

#else

namespace rivulet
{

Result<std::unique_ptr<ByteService>> open_byte_service(const std::string& address)
{
  return forward_error(check_service_address(address));
}

} // namespace rivulet

#endif

namespace rivulet
{

Result<void> check_service_address(const std::string& address)
{
  Result<ServiceAddress> where = ServiceAddress::from(address);
#ifdef RIVULET_HAVE_HIREDIS
  return where ? Result<void>() : forward_error(where);
#else
  return where ? fail(ErrorCode::Unsupported, "this build has no client for a service",
                     "build Rivulet with libhiredis-dev installed", address)
               : forward_error(where);
#endif
}

} // namespace rivulet
