package io.dure.model.step;

import io.dure.model.ExitStatus;
import io.dure.model.collection.GroupedShares;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A step that was created and has not ended on all of its nodes.
 *
 * @param number its number in its job, {@link StepName.InteractiveStep#NUMBER} for its shell
 * @param spec what it asked for
 * @param shares what it has, a share for each of its nodes, in the order of the job's nodes
 * @param start when it was created
 * @param end when its limit ends it, null for the end of its job
 * @param nodesLeft nodes on which it has not ended
 * @param exit the worst end of a node so far
 * @param cancelled whether it was ended before its time, which its nodes are told until it is over
 */
@RecordBuilder
public record LaunchedStep(
    int number,
    StepSpec spec,
    List<StepShare> shares,
    Instant start,
    @Nullable Instant end,
    List<String> nodesLeft,
    ExitStatus exit,
    boolean cancelled)
    implements LaunchedStepBuilder.With {
  /** After that it has been launched or never is: its credential has expired, clocks included. */
  public static final Duration LAUNCH_TIME = Duration.ofMinutes(4);

  /** A step that begins. */
  public static LaunchedStep begun(
      int number, StepSpec spec, List<StepShare> shares, Instant start, @Nullable Instant end) {
    List<String> nodes = shares.stream().map(StepShare::node).toList();
    return new LaunchedStep(number, spec, shares, start, end, nodes, ExitStatus.OK, false);
  }

  /** Its name. */
  public StepName name() {
    return StepName.of(number);
  }

  /** Its nodes, in the order of the job's. */
  public List<String> nodes() {
    return GroupedShares.names(shares, StepShare::node);
  }

  /** The place of a node among its nodes, -1 for one of others. */
  public int indexOf(String node) {
    return GroupedShares.indexOf(shares, StepShare::node, node);
  }

  /** How many tasks it has. */
  public int tasks() {
    int tasks = 0;
    for (int onNode : tasksPerNode()) {
      tasks += onNode;
    }
    return tasks;
  }

  /** How many tasks run on each of its nodes, in their order. */
  public List<Integer> tasksPerNode() {
    return GroupedShares.numbers(shares, share -> share.ranks().size());
  }

  /** What it has on a node, null for nothing. */
  public @Nullable StepShare shareOn(String node) {
    int index = indexOf(node);
    return index < 0 ? null : shares.get(index);
  }

  /** Whether it has not ended on one of these nodes. */
  public boolean isLiveOnAny(Set<String> nodes) {
    return nodesLeft.stream().anyMatch(nodes::contains);
  }

  /** The same, ended on some nodes. */
  public LaunchedStep endedOn(Set<String> nodes, ExitStatus there) {
    return with()
        .nodesLeft(nodesLeft.stream().filter(one -> !nodes.contains(one)).toList())
        .exit(worse(exit, there))
        .build();
  }

  /**
   * Of two ends the one that a step is said to have had: a signal before a code, the higher one.
   */
  public static ExitStatus worse(ExitStatus one, ExitStatus other) {
    int bySignal = Integer.compare(one.signal(), other.signal());
    int order = bySignal != 0 ? bySignal : Integer.compare(one.code(), other.code());
    return order >= 0 ? one : other;
  }

  /** As a part of its run. */
  public Step asStep(boolean suspended) {
    return new Step(
        name(), nodes(), tasks(), suspended ? Step.State.SUSPENDED : Step.State.RUNNING);
  }
}
