package io.dure.model.config.step;

import io.dure.model.step.MpiInterface;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How steps run on their nodes.
 *
 * @param priority what a step takes along of the nice value that it was submitted with
 * @param memoryLock which memory the keeper of a step has locked
 * @param killsWholeStep whether a step that wants for memory is killed whole
 * @param daemonOffSpecialized whether a node's daemon keeps off the cores that jobs do not get
 * @param defaultFrequency CPU frequency of a step that asks for none, null to leave it
 * @param governors governors of CPU frequency that a job may ask for, in lower case
 * @param frequencyOfBatch whether batch steps have the frequency that their job asks for
 * @param memory how the memory of steps is watched
 * @param epilogMessageTime time between the words of two nodes of a job that their epilog is over
 * @param mpiDefault how MPI processes of steps that do not say it find each other
 * @param autoBind what tasks are bound to that say nothing, where as many CPUs as they have fit to
 *     nothing: {@code cores}, {@code sockets} or {@code threads}; empty for nothing
 * @param treeWidth to how many node daemons each passes on what is for the nodes of a step
 * @param constrainsDevices whether steps may open the devices of generic resources that they have,
 *     and no others
 * @param profiles where what tasks use is kept over time, null for nowhere
 * @param container which directories each job has for itself, null for none
 * @param cgroup how control groups bound steps
 * @param interactive options of the {@code srun} that begins the shell of {@code salloc} on the
 *     job's first node; null where the shell runs beside {@code salloc}
 * @param contains whether each job has a step {@code extern} on its nodes
 * @param oci how OCI bundles are run, null where they are not
 * @param mostSteps how many numbered steps a run may have, one after the other or at once
 * @param displays how jobs reach the X servers of their users, null where they do not
 * @param srun what {@code srun} does where its call says nothing
 */
@RecordBuilder
public record StepSettings(
    Priority priority,
    MemoryLock memoryLock,
    boolean killsWholeStep,
    boolean daemonOffSpecialized,
    @Nullable String defaultFrequency,
    List<String> governors,
    boolean frequencyOfBatch,
    MemoryWatch memory,
    Duration epilogMessageTime,
    MpiInterface mpiDefault,
    String autoBind,
    int treeWidth,
    boolean constrainsDevices,
    @Nullable Profiles profiles,
    @Nullable JobContainer container,
    CgroupSettings cgroup,
    @Nullable String interactive,
    boolean contains,
    @Nullable OciSettings oci,
    int mostSteps,
    @Nullable Displays displays,
    SrunDefaults srun)
    implements StepSettingsBuilder.With {

  /** Governors that a job may ask for where a site says nothing. */
  public static final List<String> GOVERNORS = List.of("ondemand", "performance", "userspace");

  private static final int TREE_WIDTH = 16;
  private static final int MOST_STEPS = 40_000;

  /** With no word in the file. */
  public static final StepSettings USUAL =
      new StepSettings(
          Priority.OF_DAEMON,
          MemoryLock.NONE,
          false,
          false,
          null,
          GOVERNORS,
          false,
          MemoryWatch.NONE,
          Duration.ofMillis(2),
          MpiInterface.NONE,
          "",
          TREE_WIDTH,
          false,
          null,
          null,
          CgroupSettings.USUAL,
          null,
          false,
          null,
          MOST_STEPS,
          null,
          SrunDefaults.USUAL);

  /** Settings; those that a journal does not have are as usual. */
  public StepSettings {
    governors = List.copyOf(governors);
    mpiDefault = Objects.requireNonNullElse(mpiDefault, MpiInterface.NONE);
    autoBind = Objects.requireNonNullElse(autoBind, "");
    treeWidth = treeWidth > 0 ? treeWidth : TREE_WIDTH;
    cgroup = CgroupSettings.orUsual(cgroup);
    mostSteps = mostSteps > 0 ? mostSteps : MOST_STEPS;
    srun = Objects.requireNonNullElse(srun, SrunDefaults.USUAL);
  }

  /** What a step takes along of the nice value that it was submitted with. */
  public enum Priority {
    /** Nothing: it has the daemon's. */
    OF_DAEMON,
    /** That value. */
    OF_SUBMITTER,
    /** That value, but always more than the daemon's. */
    ABOVE_DAEMON
  }

  /** Which memory the keeper of a step has locked. */
  public enum MemoryLock {
    NONE,
    /** What it has when it starts. */
    PRESENT,
    /** All that it will have, too. */
    ALL
  }

  /**
   * How the memory of steps is watched.
   *
   * @param source where it is read, null where nobody watches
   * @param every how often; zero for never
   * @param measure what counts of a process
   * @param kills whether a step is killed that has more than it asked for
   */
  public record MemoryWatch(
      @Nullable Source source, Duration every, Measure measure, boolean kills) {
    /** Nobody watches. */
    public static final MemoryWatch NONE =
        new MemoryWatch(null, Duration.ofSeconds(30), Measure.RESIDENT, false);

    /** Whether there is something to do, again and again. */
    public boolean isOn() {
      return source != null && !every.isZero();
    }
  }

  /**
   * How jobs reach the X servers of their users.
   *
   * @param home whether the cookie is kept in the user's own {@code .Xauthority}, and not in a file
   *     of the job
   */
  public record Displays(boolean home) {}

  /**
   * Where what tasks use is kept over time.
   *
   * @param directory of all users
   * @param usual whether that of jobs is kept that do not say so
   */
  public record Profiles(String directory, boolean usual) {}

  /** Where the memory of a step is read. */
  public enum Source {
    /** In /proc, process by process. */
    PROCESSES,
    /** In its control group. */
    CGROUP
  }

  /** What counts of a process. */
  public enum Measure {
    /** What is resident. */
    RESIDENT,
    /** That without what it shares with files and other processes. */
    WITHOUT_SHARED,
    /** That with its part of what it shares. */
    PROPORTIONAL
  }

  /** Settings, or the usual ones for a journal that has none. */
  public static StepSettings orUsual(@Nullable StepSettings settings) {
    return Objects.requireNonNullElse(settings, USUAL);
  }
}
