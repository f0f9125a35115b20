// SPDX-License-Identifier: BSD-3-Clause
#include "Process.h"

#include "Need.h"

#include <array>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace rivulet::bench
{

Process::Process(const std::vector<std::string>& words)
{
  std::array<int, 2> to{};
  std::array<int, 2> from{};
  // Daemons that MPI starts must not keep the pipes open.
  need(pipe2(to.data(), O_CLOEXEC) == 0 && pipe2(from.data(), O_CLOEXEC) == 0, "there is no pipe");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, to[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, from[1], STDOUT_FILENO);
  std::vector<char*> arguments;
  for (const std::string& word : words)
  {
    arguments.push_back(const_cast<char*>(word.c_str()));
  }
  arguments.push_back(nullptr);
  need(posix_spawnp(&id_, arguments[0], &actions, nullptr, arguments.data(), environ) == 0,
      words.front() + " cannot be started");
  posix_spawn_file_actions_destroy(&actions);
  close(to[0]);
  close(from[1]);
  input_ = fdopen(to[1], "w");
  output_ = fdopen(from[0], "r");
}

Process::~Process()
{
  std::fclose(input_);
  waitpid(id_, nullptr, 0);
  std::fclose(output_);
}

void Process::write_line(const std::string& line)
{
  std::fputs((line + "\n").c_str(), input_);
  std::fflush(input_);
}

std::string Process::read_line()
{
  std::string line;
  int letter = std::fgetc(output_);
  for (; letter != '\n' && letter != EOF; letter = std::fgetc(output_))
  {
    line += static_cast<char>(letter);
  }
  need(letter != EOF, "the process of analytics has ended");
  return line;
}

} // namespace rivulet::bench
