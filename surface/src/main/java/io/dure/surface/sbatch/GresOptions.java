package io.dure.surface.sbatch;

import io.dure.model.ErrorCode;
import io.dure.model.gres.GresCount;
import io.dure.model.gres.GresRequest;
import io.dure.model.request.ResourceRequest;
import io.dure.rules.GpuCountResolver;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.value.NumberParser;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The options that ask for generic resources. */
public final class GresOptions {
  private static final String UNFIT = "Failed to validate job spec. ";
  private static final List<SbatchOption> OF_STEPS =
      List.of(
          SbatchOption.GRES,
          SbatchOption.GPUS_PER_NODE,
          SbatchOption.GPUS,
          SbatchOption.GPUS_PER_TASK);

  private GresOptions() {}

  /** What one of the options asks for. */
  static List<GresCount> read(SbatchOption option, String text) throws CommandException {
    if (option == SbatchOption.GRES && (text.equalsIgnoreCase("none") || text.equals("0"))) {
      return List.of();
    }
    List<GresCount> counts =
        option == SbatchOption.GRES ? GresCount.list(text) : GresCount.list(GresCount.GPU, text);
    if (counts == null) {
      throw CommandException.error(ErrorCode.INVALID_GRES.text());
    }
    return counts;
  }

  /** All that is asked for, null if nothing is. */
  static @Nullable GresRequest of(SbatchSettings settings) throws CommandException {
    List<GresCount> perNode = new ArrayList<>(counts(settings, SbatchOption.GRES));
    List<GresCount> gpus = counts(settings, SbatchOption.GPUS_PER_NODE);
    if (GresRequest.gpus(perNode) > 0 && GresRequest.gpus(gpus) > 0) {
      throw CommandException.fatal("--gpus-per-node and --gres=gpu are mutually exclusive.");
    }
    perNode.addAll(gpus);
    List<GresCount> perTask = new ArrayList<>(counts(settings, SbatchOption.GPUS_PER_TASK));
    perTask.addAll(tresPerTask(settings).gres());
    GresRequest request =
        new GresRequest(
            perNode,
            counts(settings, SbatchOption.GPUS),
            counts(settings, SbatchOption.GPUS_PER_SOCKET),
            perTask,
            number(settings, SbatchOption.CPUS_PER_GPU),
            number(settings, SbatchOption.NTASKS_PER_GPU));
    return request.equals(GresRequest.NONE) ? null : request;
  }

  /**
   * What a step asks for of its job, null where it says nothing of that. Of several options that
   * count the same in different ways, the first here stands: {@code --gres}, {@code
   * --gpus-per-node}, {@code --gpus}, {@code --gpus-per-task}.
   *
   * @param tasks how many tasks it has, 0 where that is not said
   */
  public static @Nullable GresRequest ofStep(SbatchSettings settings, int tasks)
      throws CommandException {
    List<GresCount> perNode = new ArrayList<>(counts(settings, SbatchOption.GRES));
    if (settings.has(SbatchOption.GRES) && some(perNode).isEmpty()) {
      return GresRequest.NONE; // whatever the job's own variables say
    }
    if (GresRequest.gpus(perNode) == 0) {
      perNode.addAll(counts(settings, SbatchOption.GPUS_PER_NODE));
    }
    List<GresCount> perTask = new ArrayList<>(counts(settings, SbatchOption.GPUS_PER_TASK));
    perTask.addAll(tresPerTask(settings).gres());
    List<GresCount> perStep = counts(settings, SbatchOption.GPUS);
    Integer sharing = number(settings, SbatchOption.NTASKS_PER_GPU);
    boolean said =
        OF_STEPS.stream().anyMatch(settings::has)
            || (settings.has(SbatchOption.TRES_PER_TASK) && !perTask.isEmpty());
    if (!said) {
      if (sharing == null || tasks == 0) {
        return null;
      }
      perStep = List.of(new GresCount(GresCount.GPU, null, (tasks + sharing - 1) / sharing));
    }
    return new GresRequest(some(perNode), some(perStep), List.of(), some(perTask), null, sharing);
  }

  private static List<GresCount> some(List<GresCount> counts) {
    return counts.stream().filter(one -> one.count() > 0).toList();
  }

  /** What {@code --tres-per-task} asks for, which may be nothing. */
  static TresPerTaskOption tresPerTask(SbatchSettings settings) throws CommandException {
    String text = settings.value(SbatchOption.TRES_PER_TASK);
    return text == null ? new TresPerTaskOption(null, List.of()) : TresPerTaskOption.read(text);
  }

  private static List<GresCount> counts(SbatchSettings settings, SbatchOption option)
      throws CommandException {
    String text = settings.value(option);
    return text == null ? List.of() : read(option, text);
  }

  private static @Nullable Integer number(SbatchSettings settings, SbatchOption option)
      throws CommandException {
    String text = settings.value(option);
    return text == null ? null : NumberParser.positive("--" + option.longName(), text);
  }

  /** The request with the counts that follow from others. */
  static ResourceRequest settle(ResourceRequest request, SbatchSettings settings)
      throws CommandException {
    GresRequest gres = request.gresOrNone();
    boolean tasks = settings.has(SbatchOption.NTASKS) || settings.has(SbatchOption.NTASKS_PER_NODE);
    boolean gpus = !gres.perJob().isEmpty() || !gres.perNode().isEmpty();
    if (!gres.perTask().isEmpty() && !tasks && !gpus) {
      String option =
          settings.has(SbatchOption.TRES_PER_TASK) ? "--tres-per-task" : "--gpus-per-task";
      throw unfit(option + " used without either --gpus or -n/--ntasks is not allowed.");
    }
    if (!gres.perSocket().isEmpty() && request.socketsPerNode() == null) {
      throw unfit("--gpus-per-socket used without --sockets-per-node is not allowed.");
    }
    GpuCountResolver counts = new GpuCountResolver(tasks, settings.has(SbatchOption.NODES));
    ResourceRequest settled = counts.settle(request);
    if (settled == null) {
      throw CommandException.error(ErrorCode.INVALID_GRES.text());
    }
    return settled;
  }

  private static CommandException unfit(String why) {
    return CommandException.error(UNFIT + why)
        .and(StderrMessage.error(ErrorCode.INVALID_GRES.text()));
  }
}
