// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Addresses of services, and a real server: one that works, one that is full, one that ends, and one that is no
/// server.
#include "Io/Service/ByteService.h"
#include "Io/Service/ServiceAddress.h"
#include "Support/TemporaryFolder.h"

#include <array>
#include <csignal>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <span>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace rivulet::test
{
namespace
{

using namespace std::chrono_literals;
using testing::HasSubstr;

TEST(ServiceAddresses, AreTakenApart)
{
  const auto tcp = ServiceAddress::from("redis://node7:7000?expiry=60");
  ASSERT_TRUE(tcp) << tcp.error().describe();
  EXPECT_EQ(tcp->host, "node7");
  EXPECT_EQ(tcp->port, 7000);
  EXPECT_EQ(tcp->expiry, 60);
  const auto usual = ServiceAddress::from("redis://node7");
  ASSERT_TRUE(usual);
  EXPECT_EQ(usual->port, 6379);
  EXPECT_EQ(usual->expiry, 7 * 86400);
  const auto local = ServiceAddress::from("unix:/run/user/1/redis.sock");
  ASSERT_TRUE(local);
  EXPECT_EQ(local->socket, "/run/user/1/redis.sock");
  EXPECT_EQ(local->host, "");
  for (const std::string text : { "redis://[::1]:7000", "redis://[::1]" })
  {
    const auto six = ServiceAddress::from(text);
    ASSERT_TRUE(six) << text;
    EXPECT_EQ(six->host, "::1");
  }
}

TEST(ServiceAddresses, ThatAreNoneAreRefused)
{
  for (const std::string text :
      { "", "node7", "http://node7", "redis://", "redis://:1", "redis://a:0", "redis://a:65536", "redis://a:b",
          "redis://a:", "redis://a?expiry=", "redis://a?expiry=-1", "redis://a?expiry=x", "redis://a?x=1",
          "redis://user@a", "redis://a/3", "unix:", "redis://a b", "redis://a?expiry=99999999999999999999" })
  {
    const auto made = ServiceAddress::from(text);
    ASSERT_FALSE(made) << text;
    EXPECT_EQ(made.error().code, ErrorCode::BadArgument);
    EXPECT_THAT(made.error().describe(), HasSubstr("\"" + text + "\""));
    EXPECT_FALSE(open_byte_service(text));
  }
}

std::vector<std::byte> bytes_of(const std::string& text)
{
  const std::span<const std::byte> bytes = std::as_bytes(std::span(text));
  return { bytes.begin(), bytes.end() };
}

#ifdef RIVULET_REDIS_SERVER

/// A server of its own on a Unix socket.
class RedisServer
{
public:
  explicit RedisServer(const std::string& socket, const std::string& memory = "64mb")
  {
    child_ = ::fork();
    if (child_ == 0)
    {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL); // a test that a sanitizer ends leaves nothing behind
      ::execl(RIVULET_REDIS_SERVER, "redis-server", "--port", "0", "--unixsocket", socket.c_str(), "--save", "",
          "--logfile", "/dev/null", "--maxmemory", memory.c_str(), "--maxmemory-policy", "noeviction", nullptr);
      ::_exit(127);
    }
    for (int turn = 0; turn < 2000 && !open_byte_service("unix:" + socket); ++turn)
    {
      std::this_thread::sleep_for(5ms);
    }
  }
  ~RedisServer() { end(); }
  RedisServer(const RedisServer&) = delete;
  RedisServer& operator=(const RedisServer&) = delete;

  void send(int signal) const { ::kill(child_, signal); }
  void end()
  {
    if (child_ > 0)
    {
      send(SIGKILL);
      ::waitpid(child_, nullptr, 0);
      child_ = -1;
    }
  }

private:
  pid_t child_ = -1;
};

class Redis : public testing::Test
{
protected:
  std::map<std::string, std::string> get(ByteService& service, const std::vector<std::string>& keys)
  {
    std::map<std::string, std::string> found;
    const Result<void> done = service.get(keys, [&](std::size_t i, std::span<const std::byte> value)
        { found[keys[i]] = std::string(reinterpret_cast<const char*>(value.data()), value.size()); });
    EXPECT_TRUE(done) << (done ? "" : done.error().describe());
    return found;
  }

  /// A socket for what is no Redis. The caller closes it.
  [[nodiscard]] int listen_here() const
  {
    const int listening = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    socket_.copy(name.sun_path, sizeof name.sun_path - 1);
    EXPECT_EQ(::bind(listening, reinterpret_cast<const sockaddr*>(&name), sizeof name), 0);
    EXPECT_EQ(::listen(listening, 1), 0);
    return listening;
  }

  TemporaryFolder folder_;
  std::string socket_ = folder_.file("socket");
  std::string address_ = "unix:" + socket_;
};

TEST_F(Redis, KeepsValuesForAllClients)
{
  const RedisServer server(socket_);
  const std::string binary("a\0b\r\n", 5);
  {
    const auto service = open_byte_service(address_);
    ASSERT_TRUE(service) << service.error().describe();
    const std::vector<ByteService::Value> values{ { "one", bytes_of(binary) }, { "two", bytes_of("") } };
    const auto done = (*service)->put(values);
    ASSERT_TRUE(done);
    EXPECT_EQ(done->values, 0);
  }
  const auto service = open_byte_service(address_);
  ASSERT_TRUE(service);
  EXPECT_EQ(get(**service, { "one", "three", "two" }),
      (std::map<std::string, std::string>{ { "one", binary }, { "two", "" } }));
}

TEST_F(Redis, ForgetsValuesInTime)
{
  const RedisServer server(socket_);
  const auto service = open_byte_service(address_ + "?expiry=1");
  ASSERT_TRUE(service);
  const std::vector<ByteService::Value> values{ { "one", bytes_of("1") } };
  ASSERT_TRUE((*service)->put(values));
  EXPECT_EQ(get(**service, { "one" }).size(), 1U);
  std::this_thread::sleep_for(1200ms);
  EXPECT_EQ(get(**service, { "one" }).size(), 0U);
}

TEST_F(Redis, SaysThatItIsFull)
{
  const RedisServer server(socket_, "2mb");
  const auto service = open_byte_service(address_);
  ASSERT_TRUE(service);
  const std::vector<ByteService::Value> values(40, { "one", std::vector<std::byte>(100000) });
  std::vector<ByteService::Value> many = values;
  for (std::size_t i = 0; i < many.size(); ++i)
  {
    many[i].key += std::to_string(i);
  }
  const auto done = (*service)->put(many);
  ASSERT_TRUE(done) << done.error().describe();
  EXPECT_GT(done->values, 0);
  EXPECT_THAT(done->why, HasSubstr("OOM"));
  EXPECT_EQ(get(**service, { "one0" }).size(), 1U);
}

TEST_F(Redis, ThatEndsOrStopsLetsCallsFail)
{
  RedisServer server(socket_);
  auto service = open_byte_service(address_);
  auto other = open_byte_service(address_);
  ASSERT_TRUE(service && other);
  server.send(SIGSTOP);
  const std::vector<std::string> keys{ "one" };
  const std::vector<ByteService::Value> values{ { "one", bytes_of("1") } };
  const auto none = [](std::size_t, std::span<const std::byte>) {
  };
  auto start = std::chrono::steady_clock::now();
  const Result<void> late = (*service)->get(keys, none);
  EXPECT_GE(std::chrono::steady_clock::now() - start, ByteService::kPatience - 10ms);
  ASSERT_FALSE(late);
  EXPECT_THAT(late.error().describe(), HasSubstr(address_));
  EXPECT_FALSE((*other)->put(values));
  server.end();
  start = std::chrono::steady_clock::now();
  EXPECT_FALSE(open_byte_service(address_));
  EXPECT_LT(std::chrono::steady_clock::now() - start, 2s);
}

TEST_F(Redis, ThatIsAnotherServerIsFoundOut)
{
  const int listening = listen_here();
  const std::vector<std::string> nonsense{ "HTTP/1.1 400 Bad Request\r\n\r\n", "*1\r\n*1\r\n*1\r\n",
    "*2\r\n$1\r\na\r\n$1\r\nb\r\n", ":17\r\n", "+OK\r\n", "-ERR no\r\n", "*-1\r\n", "$-1\r\n",
    "*1\r\n$99999999999999\r\nx", "*99999999999\r\n", "" };
  for (const std::string& each : nonsense)
  {
    std::thread server(
        [&]
        {
          const int client = ::accept4(listening, nullptr, nullptr, SOCK_CLOEXEC);
          std::array<char, 1000> asked{};
          (void)!::read(client, asked.data(), asked.size());
          (void)!::write(client, each.data(), each.size());
          std::this_thread::sleep_for(20ms);
          ::close(client);
        });
    auto service = open_byte_service(address_);
    ASSERT_TRUE(service);
    const std::vector<std::string> keys{ "one" };
    bool taken = false;
    const Result<void> done = (*service)->get(keys, [&](std::size_t, std::span<const std::byte>) { taken = true; });
    EXPECT_FALSE(done) << each;
    EXPECT_FALSE(taken) << each;
    server.join();
  }
  ::close(listening);
}

TEST_F(Redis, CanBeInterruptedWhileItGoesOnSending)
{
  const int listening = listen_here();
  std::thread server(
      [&]
      {
        const int client = ::accept4(listening, nullptr, nullptr, SOCK_CLOEXEC);
        const std::string begin = "*1\r\n$1000000\r\n";
        (void)!::write(client, begin.data(), begin.size());
        while (::send(client, "x", 1, MSG_NOSIGNAL) == 1)
        {
          std::this_thread::sleep_for(10ms);
        }
        ::close(client);
      });
  auto service = open_byte_service(address_);
  ASSERT_TRUE(service);
  std::thread impatient(
      [&]
      {
        std::this_thread::sleep_for(400ms);
        (*service)->interrupt();
      });
  const std::vector<std::string> keys{ "one" };
  EXPECT_FALSE((*service)->get(keys, [](std::size_t, std::span<const std::byte>) {}));
  impatient.join();
  service->reset();
  server.join();
  ::close(listening);
}

#endif

} // namespace
} // namespace rivulet::test
