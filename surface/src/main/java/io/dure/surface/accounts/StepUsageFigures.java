package io.dure.surface.accounts;

import io.dure.model.step.StepConsumption;
import io.dure.model.step.StepConsumption.Spread;
import io.dure.model.step.StepConsumption.TaskSums;
import io.dure.surface.print.SizeUnits;
import org.jspecify.annotations.Nullable;

/**
 * What the tasks of a step use or have used, as listings show it.
 *
 * @param sums what they use
 * @param energy what their nodes take, joules
 * @param megahertz the mean frequency of their processors, 0 where it is not known
 * @param units in which sizes stand
 */
public record StepUsageFigures(TaskSums sums, Spread energy, long megahertz, SizeUnits units) {
  private static final Spread NOTHING = Spread.of(0, "", 0);

  /** Those of a step without tasks. */
  public static final TaskSums NO_TASKS =
      new TaskSums(0, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, null, null);

  /** An amount that is compared over tasks. */
  public enum Amount {
    CPU,
    MEMORY,
    SPACE,
    PAGES,
    READ,
    WRITTEN,
    GPU_MEMORY,
    GPU_PERCENT,
    ENERGY
  }

  /** What a step has used that is over, null where that is not known. */
  public static @Nullable StepUsageFigures of(@Nullable StepConsumption used, SizeUnits units) {
    TaskSums tasks = used == null ? null : used.tasks();
    return used == null || tasks == null
        ? null
        : new StepUsageFigures(tasks, spread(used.joules(), tasks), 0, units);
  }

  /** Of which node it is is not known; the one with the busiest task stands for it. */
  private static Spread spread(long joules, TaskSums tasks) {
    StepConsumption.OfTask busiest = tasks.cpu().most();
    return Spread.of(joules, busiest.node(), busiest.task());
  }

  /** An amount over all tasks. */
  public Spread of(Amount amount) {
    Spread found =
        switch (amount) {
          case CPU -> sums.cpu();
          case MEMORY -> sums.memory();
          case SPACE -> sums.space();
          case PAGES -> sums.pages();
          case READ -> sums.read();
          case WRITTEN -> sums.written();
          case GPU_MEMORY -> sums.gpuMemory();
          case GPU_PERCENT -> sums.gpuPercent();
          case ENERGY -> energy;
        };
    return found == null ? NOTHING : found;
  }

  /** An amount of a task in the mean. */
  public long average(Amount amount) {
    return sums.count() == 0 ? 0 : of(amount).total() / sums.count();
  }

  /** Whether a driver told of GPUs. */
  public boolean hasGpus() {
    return sums.gpuMemory() != null || sums.gpuPercent() != null;
  }
}
