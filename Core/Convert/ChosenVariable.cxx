// SPDX-License-Identifier: BSD-3-Clause
#include "Convert/ChosenVariable.h"

namespace rivulet
{

namespace
{

class ChosenVariable final : public LatticeReader
{
public:
  ChosenVariable(std::unique_ptr<LatticeReader> source, std::size_t variable)
    : source_(std::move(source))
    , variable_(static_cast<int>(variable))
    , info_(source_->info())
  {
    info_.variables = { source_->info().variables[variable] };
    info_.ranges.resize(1);
    if (variable < source_->info().ranges.size())
    {
      info_.ranges[0] = source_->info().ranges[variable];
    }
  }

  [[nodiscard]] const FieldInfo& info() const override { return info_; }
  [[nodiscard]] Result<void> read(int, int step, const Box& box, void* out) override
  {
    return source_->read(variable_, step, box, out);
  }
  [[nodiscard]] bool hides(Centering centering, int step) const override { return source_->hides(centering, step); }
  [[nodiscard]] Result<void> read_hidden(Centering centering, int step, const Box& box, std::uint8_t* out) override
  {
    return source_->read_hidden(centering, step, box, out);
  }
  [[nodiscard]] std::int64_t source_bytes() const override { return source_->source_bytes(); }
  [[nodiscard]] std::vector<std::string> files() const override { return source_->files(); }
  [[nodiscard]] Result<void> check_unchanged() override { return source_->check_unchanged(); }
  [[nodiscard]] Int3 preferred_box() const override { return source_->preferred_box(); }

private:
  std::unique_ptr<LatticeReader> source_;
  int variable_;
  FieldInfo info_;
};

} // namespace

Result<std::unique_ptr<LatticeReader>> choose_variable(std::unique_ptr<LatticeReader> source, const std::string& name)
{
  const std::vector<Variable>& variables = source->info().variables;
  std::string names;
  for (std::size_t variable = 0; variable < variables.size(); ++variable)
  {
    if (variables[variable].name == name)
    {
      return std::make_unique<ChosenVariable>(std::move(source), variable);
    }
    names += (names.empty() ? "" : ", ") + variables[variable].name;
  }
  return fail(ErrorCode::NotFound, "the source has no variable \"" + name + "\"", "choose from: " + names);
}

} // namespace rivulet
