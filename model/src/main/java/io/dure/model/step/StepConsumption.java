package io.dure.model.step;

import org.jspecify.annotations.Nullable;

/**
 * What a step used on some of its nodes, these together.
 *
 * @param userMicros processor time outside the kernel, microseconds, also of processes that were of
 *     no task
 * @param systemMicros that in the kernel
 * @param tasks what its tasks used, null where the site has nobody gather it ({@code
 *     JobAcctGatherType})
 * @param joules what these nodes took while it ran, whatever else ran there; 0 where that is not
 *     known ({@code AcctGatherEnergyType})
 */
public record StepConsumption(
    long userMicros, long systemMicros, @Nullable TaskSums tasks, long joules) {

  /**
   * What tasks used, each with its children.
   *
   * @param count how many they are
   * @param cpu processor time, microseconds
   * @param memory the most that each was seen with, bytes
   * @param space the largest address space of each, bytes
   * @param pages page faults that needed a disk
   * @param read bytes read
   * @param written bytes written
   * @param gpuMemory the most memory of GPUs that each was seen with, bytes; null where no driver
   *     tells that
   * @param gpuPercent the most of the time that something of each was seen to run on GPUs, percent
   *     of one GPU; likewise
   */
  public record TaskSums(
      int count,
      Spread cpu,
      Spread memory,
      Spread space,
      Spread pages,
      Spread read,
      Spread written,
      @Nullable Spread gpuMemory,
      @Nullable Spread gpuPercent) {

    /** What these tasks and others used. */
    public TaskSums and(TaskSums other) {
      return new TaskSums(
          count + other.count,
          cpu.and(other.cpu),
          memory.and(other.memory),
          space.and(other.space),
          pages.and(other.pages),
          read.and(other.read),
          written.and(other.written),
          and(gpuMemory, other.gpuMemory),
          and(gpuPercent, other.gpuPercent));
    }

    private static @Nullable Spread and(@Nullable Spread one, @Nullable Spread other) {
      return one == null ? other : other == null ? one : one.and(other);
    }

    private TaskSums scaled(int part, int whole) {
      return new TaskSums(
          Math.max(1, (int) ((long) count * part / whole)),
          cpu.scaled(part, whole),
          memory.scaled(part, whole),
          space.scaled(part, whole),
          pages.scaled(part, whole),
          read.scaled(part, whole),
          written.scaled(part, whole),
          gpuMemory == null ? null : gpuMemory.scaled(part, whole),
          gpuPercent == null ? null : gpuPercent.scaled(part, whole));
    }
  }

  /** An amount of all tasks together, of the task with most of it and of that with least. */
  public record Spread(long total, OfTask most, OfTask least) {
    /** The amount of one task. */
    public static Spread of(long amount, String node, int task) {
      OfTask only = new OfTask(amount, node, task);
      return new Spread(amount, only, only);
    }

    /** That of these tasks and others. Of equal amounts that of the lowest number stands. */
    public Spread and(Spread other) {
      int upper = Long.compare(most.amount, other.most.amount);
      int lower = Long.compare(other.least.amount, least.amount);
      return new Spread(
          total + other.total,
          upper > 0 || upper == 0 && most.task <= other.most.task ? most : other.most,
          lower > 0 || lower == 0 && least.task <= other.least.task ? least : other.least);
    }

    private Spread scaled(int part, int whole) {
      return new Spread(StepConsumption.scaled(total, part, whole), most, least);
    }
  }

  /**
   * The amount of one task.
   *
   * @param node where it ran
   * @param task its number in the step
   */
  public record OfTask(long amount, String node, int task) {}

  /** What was used here and there, null for nothing that is known. */
  public static @Nullable StepConsumption sum(
      @Nullable StepConsumption one, @Nullable StepConsumption other) {
    return one == null ? other : other == null ? one : one.and(other);
  }

  private StepConsumption and(StepConsumption other) {
    TaskSums both =
        tasks == null ? other.tasks : other.tasks == null ? tasks : tasks.and(other.tasks);
    return new StepConsumption(
        userMicros + other.userMicros,
        systemMicros + other.systemMicros,
        both,
        joules + other.joules);
  }

  /**
   * An estimate of what was used on {@code part} of the {@code whole} nodes that this is of, at
   * least one: sums in proportion, the most and the least as they are.
   */
  public StepConsumption scaled(int part, int whole) {
    return part >= whole
        ? this
        : new StepConsumption(
            scaled(userMicros, part, whole),
            scaled(systemMicros, part, whole),
            tasks == null ? null : tasks.scaled(part, whole),
            scaled(joules, part, whole));
  }

  private static long scaled(long total, int part, int whole) {
    return total / whole * part + total % whole * part / whole;
  }
}
