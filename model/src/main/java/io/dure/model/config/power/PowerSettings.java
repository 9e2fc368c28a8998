package io.dure.model.config.power;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * When nodes are switched off and on, and by which programs of the controller.
 *
 * @param suspendProgram switches nodes off; empty for none
 * @param resumeProgram switches nodes on; empty for none
 * @param resumeFailProgram is told of nodes that did not come; empty for none
 * @param suspendTime how long a node is idle before it is switched off; null for ever
 * @param suspendTimeout from then until it is off
 * @param resumeTimeout how long a node may take to call once it is switched on
 * @param suspendRate most nodes switched off in a minute, 0 for all
 * @param resumeRate most nodes switched on in a minute, 0 for all
 * @param keptUp nodes of which some are not switched off
 * @param keptPartitions partitions whose nodes are not
 * @param keptStates states in which nodes are not, in capitals
 */
public record PowerSettings(
    String suspendProgram,
    String resumeProgram,
    String resumeFailProgram,
    @Nullable Duration suspendTime,
    Duration suspendTimeout,
    Duration resumeTimeout,
    int suspendRate,
    int resumeRate,
    List<KeptUp> keptUp,
    List<String> keptPartitions,
    List<String> keptStates) {

  /** How long it takes until never. */
  public static final Duration NEVER = Duration.ofDays(36_500);

  /** Of a cluster whose nodes are always on. */
  public static final PowerSettings NONE =
      new PowerSettings(
          "",
          "",
          "",
          null,
          Duration.ofSeconds(30),
          Duration.ofSeconds(60),
          60,
          300,
          List.of(),
          List.of(),
          List.of());

  /** Of these nodes so many that are idle and usable stay on. */
  public record KeptUp(List<String> nodes, int count) {
    /** Nodes and a number. */
    public KeptUp {
      nodes = List.copyOf(nodes);
    }
  }

  /** Settings. */
  public PowerSettings {
    keptUp = List.copyOf(keptUp);
    keptPartitions = List.copyOf(keptPartitions);
    keptStates = List.copyOf(keptStates);
  }

  /** Whether nodes can be switched off and on. */
  public boolean isEnabled() {
    return !suspendProgram.isEmpty() && !resumeProgram.isEmpty();
  }
}
