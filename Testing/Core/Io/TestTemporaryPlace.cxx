// SPDX-License-Identifier: BSD-3-Clause
// Hidden places and the processes that make them. TestPublishFile has how they get their names.
#include "Io/Writes/TemporaryPlace.h"
#include "Support/TemporaryFolder.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace rivulet::test
{

namespace
{

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::MatchesRegex;

using Make = Result<TemporaryPlace> (*)(const std::string&, Abandoned);

/// A process that makes a hidden place and holds it until it is killed.
class Holder
{
public:
  Holder(const std::string& target, Make make)
  {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe(ends.data()), 0);
    process_ = ::fork();
    if (process_ == 0)
    {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      const Result<TemporaryPlace> place = make(target, Abandoned::Remove);
      const std::string path = place ? place->path() : std::string();
      const bool told = ::write(ends[1], path.data(), path.size()) >= 0;
      ::close(ends[1]);
      while (told)
      {
        ::pause();
      }
      ::_exit(1);
    }
    ::close(ends[1]);
    std::array<char, 4096> text{};
    for (ssize_t got = 1; got > 0;)
    {
      got = ::read(ends[0], text.data(), text.size());
      path_.append(text.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
    }
    ::close(ends[0]);
  }
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;
  ~Holder() { kill(); }

  void kill()
  {
    if (process_ > 0)
    {
      ::kill(process_, SIGKILL);
      ::waitpid(process_, nullptr, 0);
      process_ = 0;
    }
  }
  [[nodiscard]] const std::string& path() const { return path_; }

private:
  pid_t process_ = 0;
  std::string path_;
};

class HiddenPlaces : public testing::Test
{
protected:
  [[nodiscard]] std::vector<std::string> names() const
  {
    std::vector<std::string> all;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_.path()))
    {
      all.push_back(entry.path().filename().string());
    }
    return all;
  }
  /// A hidden name of this target and machine, as a process that is gone left it.
  [[nodiscard]] std::string left_behind() const
  {
    const Result<TemporaryPlace> place = TemporaryPlace::file(target_);
    EXPECT_TRUE(place);
    return place->path();
  }
  [[nodiscard]] static bool remains(const std::string& path) { return fs::exists(fs::symlink_status(path)); }

  TemporaryFolder folder_;
  std::string target_ = folder_.file("flow.rvf");
};

class HeldPlaces : public HiddenPlaces, public testing::WithParamInterface<Make>
{
};

} // namespace

TEST_F(HiddenPlaces, LieBesideTheirTargetUnderAHiddenName)
{
  const Result<TemporaryPlace> file = TemporaryPlace::file(target_);
  ASSERT_TRUE(file);
  EXPECT_THAT(names(),
      ElementsAre(MatchesRegex(R"(\.flow\.rvf\.tmp-)" + std::to_string(::getpid()) + "-[0-9a-f]{8}-[0-9a-f]{8}")));
  EXPECT_EQ(fs::file_size(file->path()), 0U);
  const Result<TemporaryPlace> other = TemporaryPlace::file(target_);
  ASSERT_TRUE(other);
  EXPECT_NE(file->path(), other->path());
}

TEST_F(HiddenPlaces, ThatAreFoldersAreClosedToOthers)
{
  const Result<TemporaryPlace> place = TemporaryPlace::folder(target_);
  ASSERT_TRUE(place);
  EXPECT_TRUE(fs::is_empty(place->path()));
  EXPECT_EQ(fs::status(place->path()).permissions() & fs::perms::all, fs::perms::owner_all);
}

TEST_F(HiddenPlaces, OfATargetWithoutAFolderLieInTheCurrentOne)
{
  const fs::path before = fs::current_path();
  fs::current_path(folder_.path());
  {
    const Result<TemporaryPlace> place = TemporaryPlace::file("flow.rvf");
    EXPECT_TRUE(place && remains(folder_.file(place->path())));
    std::ofstream(left_behind()) << "begun";
    EXPECT_EQ(remove_abandoned_places("flow.rvf").removed.size(), 1U);
  }
  fs::current_path(before);
  EXPECT_THAT(names(), IsEmpty());
}

TEST_F(HiddenPlaces, CannotBeMadeWhereThereIsNoFolder)
{
  std::ofstream(folder_.file("file")) << "a file";
  for (const Make make : { TemporaryPlace::file, TemporaryPlace::folder })
  {
    const std::string missing = folder_.file("none/flow.rvf");
    const Result<TemporaryPlace> nowhere = make(missing, Abandoned::Remove);
    ASSERT_FALSE(nowhere);
    EXPECT_EQ(nowhere.error().code, ErrorCode::CannotWrite);
    EXPECT_EQ(nowhere.error().path, missing) << "users know nothing of hidden names";
    EXPECT_EQ(nowhere.error().sys_errno, ENOENT);
    EXPECT_EQ(make(folder_.file("file/flow.rvf"), Abandoned::Remove).error().sys_errno, ENOTDIR);
  }
  EXPECT_THAT(names(), ElementsAre("file"));
}

TEST_F(HiddenPlaces, AreRemovedByTheObjectThatHasThemInTheEnd)
{
  Result<TemporaryPlace> made = TemporaryPlace::file(target_);
  ASSERT_TRUE(made);
  const std::string path = made->path();
  {
    const TemporaryPlace place = std::move(*made);
    made = TemporaryPlace::file(target_);
    EXPECT_EQ(place.path(), path);
    EXPECT_TRUE(remains(path));
  }
  EXPECT_FALSE(remains(path));
  const std::string second = made->path();
  made = TemporaryPlace::file(target_);
  EXPECT_FALSE(remains(second)) << "another one was assigned";
  EXPECT_TRUE(remains(made->path()));
}

TEST_F(HiddenPlaces, ThatAreForgottenStay)
{
  std::string path;
  {
    Result<TemporaryPlace> place = TemporaryPlace::file(target_);
    ASSERT_TRUE(place);
    path = place->path();
    place->forget();
    EXPECT_TRUE(place->path().empty());
  }
  EXPECT_TRUE(remains(path));
  EXPECT_THAT(remove_abandoned_places(target_).removed, ElementsAre(path)) << "nothing locks it any more";
}

INSTANTIATE_TEST_SUITE_P(Of, HeldPlaces, testing::Values(&TemporaryPlace::file, &TemporaryPlace::folder),
    [](const auto& each) { return std::string(each.index == 0 ? "Files" : "Folders"); });

TEST_P(HeldPlaces, AreLeftAloneWhileTheirProcessLivesAndRemovedAfterwards)
{
  Holder holder(target_, GetParam());
  ASSERT_TRUE(remains(holder.path()));
  const AbandonedPlaces living = remove_abandoned_places(target_);
  EXPECT_THAT(living.removed, IsEmpty());
  EXPECT_THAT(living.left, IsEmpty());
  holder.kill();
  ASSERT_TRUE(remains(holder.path())) << "a process that is killed leaves it";
  EXPECT_THAT(remove_abandoned_places(target_).removed, ElementsAre(holder.path()));
  EXPECT_THAT(names(), IsEmpty());
}

TEST_P(HeldPlaces, OfKilledProcessesGoWhenTheNextOneIsMade)
{
  Holder holder(target_, GetParam());
  Holder of_another(folder_.file("other.rvf"), GetParam());
  holder.kill();
  of_another.kill();
  {
    const Result<TemporaryPlace> leaves = GetParam()(target_, Abandoned::Leave);
    ASSERT_TRUE(leaves);
    EXPECT_TRUE(remains(holder.path()));
  }
  const Result<TemporaryPlace> place = GetParam()(target_, Abandoned::Remove);
  ASSERT_TRUE(place);
  EXPECT_FALSE(remains(holder.path()));
  EXPECT_TRUE(remains(of_another.path())) << "of another target";
}

TEST_F(HiddenPlaces, ThatAreAbandonedGoWithWhatIsInThemButNotWithWhatItsLinksLeadTo)
{
  fs::create_directories(folder_.file("mine/deep"));
  const std::string left = left_behind();
  fs::create_directories(left + "/some/more");
  fs::create_directory_symlink(folder_.file("mine"), left + "/some/link");
  EXPECT_THAT(remove_abandoned_places(target_).removed, ElementsAre(left));
  EXPECT_TRUE(fs::exists(folder_.file("mine/deep")));
  EXPECT_FALSE(remains(left));
}

TEST_F(HiddenPlaces, ThatAreNoFilesOrFoldersAreLeft)
{
  const std::string link = left_behind();
  std::ofstream(folder_.file("mine")) << "mine";
  fs::create_symlink("mine", link);
  const std::string pipe = left_behind();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0); // opening it must not wait for a writer
  const AbandonedPlaces found = remove_abandoned_places(target_);
  EXPECT_THAT(found.removed, IsEmpty());
  EXPECT_THAT(found.left, testing::UnorderedElementsAre(link, pipe));
  EXPECT_TRUE(fs::exists(folder_.file("mine")));
}

TEST_F(HiddenPlaces, OfOtherMachinesAndUsersAreLeft)
{
  std::string elsewhere = left_behind();
  char& digit = elsewhere[elsewhere.size() - 17]; // the first one of the machine
  digit = digit == '0' ? '1' : '0';
  std::ofstream(elsewhere) << "begun";
  std::vector<std::string> left{ elsewhere };
  if (const std::string of_user = left_behind(); ::geteuid() == 0)
  {
    std::ofstream(of_user) << "begun";
    ASSERT_EQ(::chown(of_user.c_str(), 12345, 12345), 0);
    left.push_back(of_user);
  }
  const AbandonedPlaces found = remove_abandoned_places(target_);
  EXPECT_THAT(found.removed, IsEmpty());
  EXPECT_THAT(found.left, testing::UnorderedElementsAreArray(left));
  EXPECT_TRUE(remains(elsewhere));
}

TEST_F(HiddenPlaces, AreNamedAsLeftWhereTheyCannotBeRemoved)
{
  const std::string left = left_behind();
  std::ofstream(left) << "begun";
  std::vector<std::string> asked;
  const auto refuse = [&](const std::string& path)
  {
    asked.push_back(path);
    return false;
  };
  EXPECT_THAT(remove_abandoned_places(target_, refuse).left, ElementsAre(left));
  EXPECT_THAT(asked, ElementsAre(left));
  EXPECT_THAT(remove_abandoned_places(folder_.file("none/flow.rvf")).left, IsEmpty()) << "no folder, no places";
}

/// Each looks for abandoned places while the others make theirs.
TEST_F(HiddenPlaces, OfManyThreadsDoNotRemoveEachOther)
{
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread)
  {
    threads.emplace_back(
        [&, thread]
        {
          for (int time = 0; time < 25; ++time)
          {
            const Result<TemporaryPlace> place =
                thread % 2 == 0 ? TemporaryPlace::file(target_) : TemporaryPlace::folder(target_);
            ASSERT_TRUE(place) << place.error().describe();
            std::this_thread::yield();
            EXPECT_TRUE(remains(place->path()));
          }
        });
  }
  for (std::thread& thread : threads)
  {
    thread.join();
  }
  EXPECT_THAT(names(), IsEmpty());
}

} // namespace rivulet::test
