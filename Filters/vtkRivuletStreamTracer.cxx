// SPDX-License-Identifier: BSD-3-Clause
#include "vtkRivuletStreamTracer.h"

#include "Filters/Input/FilterInput.h"
#include "Filters/Input/InputMark.h"
#include "Filters/Input/MeshCache.h"
#include "Filters/Input/OpenInput.h"
#include "Filters/Input/WholeInput.h"
#include "Filters/Output/LineOutput.h"
#include "Filters/Run/FieldRun.h"
#include "Filters/Run/RunReport.h"
#include "Filters/Run/SharedTracing.h"
#include "Filters/Seeds/SeedsInPlane.h"
#include "Filters/Work/LinesOfBlocks.h"
#include "Pipeline/RunProgress.h"
#include "vtkCellData.h"
#include "vtkDataSet.h"
#include "vtkDataSetAttributes.h"
#include "vtkFieldData.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkNew.h"
#include "vtkObjectFactory.h"
#include "vtkPointData.h"
#include "vtkPolyData.h"
#include "vtkSmartPointer.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>

vtkStandardNewMacro(vtkRivuletStreamTracer);

using namespace rivulet;

namespace
{

/// Lengths and coordinates beyond this come from bounds that ParaView did not know: a proxy that is made before its
/// input was updated has lengths of -2e299 and seeds at 1e299. (From image data: a length of -2, and seeds around 0.)
constexpr double kNoBounds = 1e290;
constexpr const char* kLength = "a length, or update the input before the filter is made: UpdatePipeline(proxy=input)";

/// Fails if `good` is false. `label`: the setting's name in the user interface.
Result<void> check_setting(const char* label, double value, const std::string& wanted, bool good)
{
  std::ostringstream text;
  text << label << " is " << value;
  return good ? Result<void>{}
              : fail(ErrorCode::BadArgument, text.str(), std::string("set ") + label + " to " + wanted);
}

/// Shares geometry and arrays, but neither field data nor the pipeline's information.
void pass_lines(vtkPolyData& from, vtkPolyData& to)
{
  to.CopyStructure(&from);
  to.GetPointData()->ShallowCopy(from.GetPointData());
  to.GetCellData()->ShallowCopy(from.GetCellData());
}

} // namespace

/// Result of the last run, and marks of everything that it depends on.
struct vtkRivuletStreamTracer::LastRun
{
  vtkMTimeType settings = 0; ///< MTime of the filter
  InputMark input;
  std::vector<Vec3> positions; ///< this rank's seeds
  std::int64_t first_seed = 0;

  vtkNew<vtkPolyData> lines;
  vtkNew<vtkPolyData> seeds;
  vtkSmartPointer<vtkFieldData> statistics;
  bool unfinished = false;
};

/// One execution, from opening the input to filling the outputs. Every rank takes the same path through run(), because
/// the steps are collective.
class vtkRivuletStreamTracer::Run
{
public:
  Run(vtkRivuletStreamTracer& filter, vtkInformationVector** inputs, vtkInformationVector* outputs)
    : filter_(filter)
    , connection_(*inputs[0]->GetInformationObject(0))
    , input_(vtkDataObject::GetData(inputs[0], 0))
    , source_(vtkDataSet::GetData(inputs[1], 0))
    , lines_(*vtkPolyData::GetData(outputs, 0))
    , seeds_(*vtkPolyData::GetData(outputs, 1))
    , progress_(filter, "tracing lines", &ranks_)
  {
  }

  [[nodiscard]] Result<void> run();

private:
  [[nodiscard]] Result<void> open();
  [[nodiscard]] Result<void> check_settings() const;
  [[nodiscard]] Result<void> read_seeds();
  [[nodiscard]] Result<void> check_seeds(std::int64_t count);
  [[nodiscard]] double longest_side() const;
  [[nodiscard]] StreamlineOptions options() const;
  [[nodiscard]] Result<void> trace(LinesOfBlocks& lines);
  [[nodiscard]] Result<void> run_anew();
  void fill_outputs(LinesOfBlocks& lines, const RunReport& report);
  void warn(const LinesOfBlocks& lines, const RunReport& report);
  void add_field_data(vtkFieldData& statistics);
  [[nodiscard]] bool is_answered() const;
  void give_again(LastRun& last);
  void keep();

  vtkRivuletStreamTracer& filter_;
  vtkInformation& connection_;
  vtkSmartPointer<vtkDataObject> input_;
  vtkDataSet* source_;
  vtkPolyData& lines_;
  vtkPolyData& seeds_;
  Ranks ranks_;
  RunProgress progress_;
  std::int64_t particles_lent_ = 0;
  std::optional<RankedStatistics> bricks_shared_;
  std::string vectors_; ///< name of the vectors
  std::vector<FlowInput> flows_;
  std::string apart_; ///< reason why there are several flows
  vtkNew<vtkFieldData> statistics_;
  std::vector<Vec3> positions_; ///< this rank's seeds
  std::int64_t first_seed_ = 0; ///< number of this rank's first seed
};

Result<void> vtkRivuletStreamTracer::Run::check_settings() const
{
  if (filter_.SurfaceStreamlines)
  {
    return fail(ErrorCode::BadArgument, "Surface Streamlines is on, and this filter does not keep lines on a surface",
        "turn it off; on a flat grid, take the component across it away with Calculator");
  }
  const double length = filter_.MaximumPropagation;
  const double speed = filter_.TerminalSpeed;
  const double error = filter_.MaximumError;
  const auto steps = static_cast<double>(filter_.MaximumNumberOfSteps);
  Result<void> checked =
      check_setting("Maximum Streamline Length", length, kLength, length >= 0.0 || length < -kNoBounds);
  checked = checked ? check_setting("Maximum Steps", steps, "a number of steps", steps >= 0.0) : checked;
  checked = checked ? check_setting("Terminal Speed", speed, "a speed", std::isfinite(speed)) : checked;
  return checked ? check_setting("Maximum Error", error, "a length", std::isfinite(error)) : checked;
}

Result<void> vtkRivuletStreamTracer::Run::open()
{
  const auto choose = [&](vtkDataSet& dataset)
  {
    return filter_.GetVectorChoice(dataset);
  };
  Result<OpenedInput> input = open_input(filter_, input_, choose, *filter_.Cache);
  if (!input)
  {
    return forward_error(input);
  }
  // After the input: a length that ParaView derived from an input without points makes no sense.
  if (Result<void> good = check_settings(); !good)
  {
    return good;
  }
  flows_ = std::move(input->flows);
  vectors_ = input->vectors;
  apart_ = input->apart;
  filter_.InputLayout = input->layout;
  for (FlowInput& flow : flows_)
  {
    if (Result<void> added = flow.add_point_arrays(); !added)
    {
      return added;
    }
  }
  return read_seeds();
}

Result<void> vtkRivuletStreamTracer::Run::read_seeds()
{
  const std::int64_t count = source_ != nullptr ? source_->GetNumberOfPoints() : 0;
  if (count == 0)
  {
    return fail(ErrorCode::BadArgument, "the seed source has no points", "give it points, or choose another");
  }
  if (count > VTK_INT_MAX)
  {
    return fail(ErrorCode::BadArgument, "the seed source has " + std::to_string(count) + " points",
        "use at most " + std::to_string(VTK_INT_MAX));
  }
  const auto [first, last] = filter_.GetTracingPart().share(count);
  first_seed_ = first;
  positions_.resize(static_cast<std::size_t>(last - first));
  for (std::int64_t i = first; i < last; ++i)
  {
    Vec3& seed = positions_[static_cast<std::size_t>(i - first)];
    source_->GetPoint(i, seed.data());
  }
  return check_seeds(count);
}

/// Fails if the seeds are a line with ends that ParaView derived from unknown bounds. Every rank checks the same two
/// points.
Result<void> vtkRivuletStreamTracer::Run::check_seeds(std::int64_t count)
{
  for (const std::int64_t end : { std::int64_t{ 0 }, count - 1 })
  {
    Vec3 seed;
    source_->GetPoint(end, seed.data());
    if (!std::all_of(seed.begin(), seed.end(), [](double place) { return std::fabs(place) > kNoBounds; }))
    {
      return {};
    }
  }
  return fail(ErrorCode::BadArgument, "the seeds were placed before the bounds of the input were known",
      "place them, or update the input before the filter is made: UpdatePipeline(proxy=input)");
}

double vtkRivuletStreamTracer::Run::longest_side() const
{
  double longest = 0.0;
  for (const FlowInput& flow : flows_)
  {
    longest = std::max(longest, flow.longest_side());
  }
  return longest;
}

StreamlineOptions vtkRivuletStreamTracer::Run::options() const
{
  StreamlineOptions options;
  options.integrator = static_cast<Integrator>(filter_.IntegratorType);
  options.direction = static_cast<TraceDirection>(filter_.IntegrationDirection);
  options.step_unit = static_cast<StepUnit>(filter_.IntegrationStepUnit);
  options.initial_step = filter_.InitialIntegrationStep;
  options.minimum_step = filter_.MinimumIntegrationStep;
  options.maximum_step = filter_.MaximumIntegrationStep;
  options.maximum_error = filter_.MaximumError;
  // ParaView did not know the bounds when it set this length; they are known now.
  const double length = filter_.MaximumPropagation;
  options.maximum_length = length < -kNoBounds ? longest_side() : length;
  options.maximum_time = filter_.MaximumTime;
  options.maximum_steps = filter_.MaximumNumberOfSteps;
  options.terminal_speed = filter_.TerminalSpeed;
  options.exact_ends = filter_.EndOnBoundary;
  options.compute_vorticity = filter_.ComputeVorticity;
  options.rotation_scale = filter_.RotationScale;
  return options;
}

Result<void> vtkRivuletStreamTracer::Run::trace(LinesOfBlocks& lines)
{
  RunOptions run{ .progress = progress_.callback(), .maximum_seconds = filter_.MaximumSeconds };
  SharedTracing shared(ranks_, filter_.GetTracingPart(), lines.ranked());
  shared.attach(run);
  Result<void> done = within_memory([&] { return lines.trace(options(), run); });
  shared.close([&] { (void)run.progress(1.0); });
  particles_lent_ = shared.particles_lent();
  bricks_shared_ = shared.bricks();
  lines.end();
  progress_.finish();
  return done;
}

void vtkRivuletStreamTracer::Run::fill_outputs(LinesOfBlocks& lines, const RunReport& report)
{
  lines.fill({ .velocity = vectors_, .rotation = filter_.ComputeVorticity, .first_seed = first_seed_ }, lines_);
  fill_seeds(lines.fates(), positions_, first_seed_, seeds_);
  add_report(report, *statistics_);
  add_count("LinesCut", report.lines_cut, *statistics_);
  add_field_data(*statistics_);
}

void vtkRivuletStreamTracer::Run::add_field_data(vtkFieldData& statistics)
{
  const int arrays = input_->GetFieldData()->GetNumberOfArrays() + statistics.GetNumberOfArrays();
  for (vtkPolyData* output : { &lines_, &seeds_ })
  {
    output->GetFieldData()->AllocateArrays(arrays);
    output->GetFieldData()->PassData(input_->GetFieldData());
    output->GetFieldData()->PassData(&statistics);
  }
}

/// Whether the last result answers this request on all ranks. Collective.
bool vtkRivuletStreamTracer::Run::is_answered() const
{
  const LastRun* last = filter_.Last.get();
  const bool same = last != nullptr && last->settings == filter_.GetMTime() && last->first_seed == first_seed_ &&
                    last->positions == positions_ && last->input == InputMark(*input_) &&
                    std::all_of(flows_.begin(), flows_.end(),
                        [](const FlowInput& flow) { return flow.field().velocity.source->health().has_value(); });
  std::int64_t others = same ? 0 : 1;
  ranks_.sum({ &others, 1 });
  return others == 0;
}

void vtkRivuletStreamTracer::Run::give_again(LastRun& last)
{
  pass_lines(*last.lines, lines_);
  pass_lines(*last.seeds, seeds_);
  add_field_data(*last.statistics);
  filter_.Unfinished = last.unfinished;
}

void vtkRivuletStreamTracer::Run::keep()
{
  filter_.Last = std::make_unique<LastRun>();
  LastRun& last = *filter_.Last;
  last.settings = filter_.GetMTime();
  last.input = InputMark(*input_);
  last.positions = std::move(positions_);
  last.first_seed = first_seed_;
  pass_lines(lines_, *last.lines);
  pass_lines(seeds_, *last.seeds);
  last.statistics = statistics_.Get();
  last.unfinished = filter_.Unfinished;
}

Result<void> vtkRivuletStreamTracer::Run::run()
{
  if (Result<void> whole = make_whole(input_, { filter_, connection_, ranks_ }, filter_.GetRunSettings().memory_budget);
      !whole)
  {
    return whole;
  }
  filter_.Cache->begin();
  Result<void> opened = ranks_.agree(within_memory([this] { return open(); }));
  filter_.Cache->end();
  if (!opened)
  {
    return opened;
  }
  if (is_answered())
  {
    give_again(*filter_.Last);
    return {};
  }
  filter_.Last.reset(); // so that there are never two results in memory
  return run_anew();
}

Result<void> vtkRivuletStreamTracer::Run::run_anew()
{
  LinesOfBlocks lines(flows_, positions_, filter_.BeginRunSettings());
  Result<void> done = ranks_.agree(within_memory([&] { return lines.begin(); }));
  done = done ? ranks_.agree(trace(lines)) : done;
  if (!done)
  {
    return done;
  }
  RunReport report = lines.report();
  report.particles_lent = particles_lent_;
  report.bricks_shared = bricks_shared_;
  combine(ranks_, report);
  filter_.SetReport(report);
  Result<void> filled = within_memory(
      [&]() -> Result<void>
      {
        fill_outputs(lines, report);
        return {};
      });
  if (!filled)
  {
    lines_.Initialize(); // outputs are complete or empty
    seeds_.Initialize();
  }
  filter_.Unfinished = progress_.stopped() || report.lines_cut > 0;
  warn(lines, report);
  const bool missing = report_data_error(
      filter_, ranks_, filled ? lines.data_error() : std::make_shared<const Error>(std::move(filled.error())));
  if (!missing)
  {
    keep();
  }
  return {};
}

void vtkRivuletStreamTracer::Run::warn(const LinesOfBlocks& lines, const RunReport& report)
{
  if (progress_.stopped())
  {
    progress_.keep_what_is_there(
        describe_ends(report, Termination::Cancelled) + ", and arrays other than the vectors hold NaN", kRunAgain);
  }
  warn_if_apart(filter_, ranks_, apart_);
  warn_of_left_out(filter_, ranks_, lines.left_out());
  if (ranks_.rank() == 0)
  {
    warn_of(filter_, ranks_, flows_.front().suspects());
  }
  warn_if_out_of_seconds(filter_, ranks_, report, filter_.MaximumSeconds);
  warn_if_all_outside(filter_, ranks_, report, flows_, *source_);
  warn_if_no_steps(filter_, ranks_, report,
      "set Integration Step Unit to Cell Crossing, End On Boundary, or a shorter Initial Step Length");
}

vtkRivuletStreamTracer::~vtkRivuletStreamTracer() = default;

vtkRivuletStreamTracer::vtkRivuletStreamTracer()
  : Cache(std::make_unique<MeshCache>())
{
  this->SetNumberOfInputPorts(2);
  this->SetNumberOfOutputPorts(2);
  this->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS, vtkDataSetAttributes::VECTORS);
}

void vtkRivuletStreamTracer::SetSourceData(vtkDataSet* source)
{
  this->SetInputData(1, source);
}

void vtkRivuletStreamTracer::SetSourceConnection(vtkAlgorithmOutput* output)
{
  this->SetInputConnection(1, output);
}

int vtkRivuletStreamTracer::FillInputPortInformation(int port, vtkInformation* info)
{
  // Any data object on port 0: the filter's own message about an unsupported type is clearer than the pipeline's.
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), port == 0 ? "vtkDataObject" : "vtkDataSet");
  return 1;
}

int vtkRivuletStreamTracer::RequestUpdateExtent(
    vtkInformation*, vtkInformationVector** inputVector, vtkInformationVector*)
{
  request_all_of(*inputVector[0]->GetInformationObject(0));
  request_all_of(*inputVector[1]->GetInformationObject(0));
  return 1;
}

int vtkRivuletStreamTracer::RequestData(
    vtkInformation*, vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  this->Unfinished = false;
  this->InputLayout.clear();
  vtkInformationVector* inputs[] = { inputVector[0], inputVector[1] };
  const vtkSmartPointer<vtkInformationVector> moved =
      this->SeedsInPlane ? seeds_in_plane(*inputs[0], *inputs[1]) : nullptr;
  if (moved != nullptr)
  {
    inputs[1] = moved;
  }
  const Result<void> done = Run(*this, inputs, outputVector).run();
  this->Unfinished = this->Unfinished || !done;
  if (!done)
  {
    this->ForgetReport();
    return refuse(*this, done.error());
  }
  return 1;
}

void vtkRivuletStreamTracer::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "IntegrationDirection: " << this->IntegrationDirection << "\n"
     << indent << "IntegratorType: " << this->IntegratorType << "\n"
     << indent << "SurfaceStreamlines: " << this->SurfaceStreamlines << "\n"
     << indent << "IntegrationStepUnit: " << this->IntegrationStepUnit << "\n"
     << indent << "InitialIntegrationStep: " << this->InitialIntegrationStep << "\n"
     << indent << "MinimumIntegrationStep: " << this->MinimumIntegrationStep << "\n"
     << indent << "MaximumIntegrationStep: " << this->MaximumIntegrationStep << "\n"
     << indent << "MaximumError: " << this->MaximumError << "\n"
     << indent << "MaximumNumberOfSteps: " << this->MaximumNumberOfSteps << "\n"
     << indent << "MaximumPropagation: " << this->MaximumPropagation << "\n"
     << indent << "MaximumTime: " << this->MaximumTime << "\n"
     << indent << "TerminalSpeed: " << this->TerminalSpeed << "\n"
     << indent << "EndOnBoundary: " << this->EndOnBoundary << "\n"
     << indent << "ComputeVorticity: " << this->ComputeVorticity << "\n"
     << indent << "RotationScale: " << this->RotationScale << "\n"
     << indent << "MaximumSeconds: " << this->MaximumSeconds << "\n";
}
