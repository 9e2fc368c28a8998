package io.dure.surface.facts;

import io.dure.model.config.NodeConfig;
import io.dure.model.node.NodeCondition;
import io.dure.model.node.NodeLife;
import io.dure.protocol.NodeInfo;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What a node is, by Slurm's words.
 *
 * @param base what it is
 * @param drain whether it takes no new job
 * @param fail whether it is expected to fail
 * @param completing whether a job is being cleaned away
 * @param responding whether its daemon is connected
 * @param planned whether it is kept for a waiting job
 * @param cloud whether it exists only while it is wanted
 * @param maintenance whether it is reserved for work on it
 * @param reserved whether it is reserved for some jobs
 * @param power how it stands with its power
 * @param external whether it is no node daemon's
 */
public record SlurmNodeState(
    Base base,
    boolean drain,
    boolean fail,
    boolean completing,
    boolean responding,
    boolean planned,
    boolean cloud,
    boolean maintenance,
    boolean reserved,
    Power power,
    boolean external) {

  /** How a node stands with its power: the word for it, and the sign behind the node's state. */
  public enum Power {
    ON("", ""),
    /** It is to be switched off once its jobs are over. */
    POWER_DOWN("POWER_DOWN", "!"),
    POWERING_DOWN("POWERING_DOWN", "%"),
    POWERED_DOWN("POWERED_DOWN", "~"),
    POWERING_UP("POWERING_UP", "#"),
    /** It is to boot once its jobs are over. */
    REBOOT_ASKED("REBOOT_REQUESTED", "@"),
    REBOOTING("REBOOT_ISSUED", "^");

    private final String word;
    private final String sign;

    Power(String word, String sign) {
      this.word = word;
      this.sign = sign;
    }

    private static Power of(NodeInfo node) {
      return switch (node.condition().away()) {
        case NodeLife.PoweredDown _ -> POWERED_DOWN;
        case NodeLife.PoweringDown(Instant until, _) -> until == null ? POWER_DOWN : POWERING_DOWN;
        case NodeLife.PoweringUp _ -> POWERING_UP;
        case NodeLife.Rebooting(Instant until, _, _) -> until == null ? REBOOT_ASKED : REBOOTING;
        case NodeLife.Lent _ -> ON;
        case null -> ON;
      };
    }
  }

  /** What a node is, in Slurm's order. */
  public enum Base {
    UNKNOWN,
    DOWN,
    IDLE,
    ALLOCATED,
    MIXED,
    FUTURE
  }

  /** One word, in full and short. */
  private record Word(String full, String brief) {}

  private static final Word DRAINING = new Word("draining", "drng");
  private static final Word DRAINED = new Word("drained", "drain");
  private static final Word FAILING = new Word("failing", "failg");
  private static final Word FAIL = new Word("fail", "fail");
  private static final Word DOWN = new Word("down", "down");
  private static final Word ALLOCATED = new Word("allocated", "alloc");
  private static final Word ALLOCATED_AND_MORE = new Word("allocated+", "alloc+");
  private static final Word COMPLETING = new Word("completing", "comp");
  private static final Word PLANNED = new Word("planned", "plnd");
  private static final Word MAINT = new Word("maint", "maint");
  private static final Word RESERVED = new Word("reserved", "resv");
  private static final Word IDLE = new Word("idle", "idle");
  private static final Word MIXED_PLANNED = new Word("mixed-", "mix-");
  private static final Word MIXED = new Word("mixed", "mix");
  private static final Word FUTURE = new Word("future", "futr");
  private static final Word UNKNOWN = new Word("unknown", "unk");

  /** The state of a node. */
  public static SlurmNodeState of(NodeInfo node) {
    NodeCondition condition = node.condition();
    return new SlurmNodeState(
        base(node),
        condition.drain(),
        condition.fail(),
        node.completing(),
        node.responding(),
        node.planned(),
        node.config().state() == NodeConfig.State.CLOUD,
        node.maintenance(),
        node.reservation() != null && !node.maintenance(),
        Power.of(node),
        node.config().state() == NodeConfig.State.EXTERNAL);
  }

  private static Base base(NodeInfo node) {
    return switch (node.condition().life(node.responding())) {
      case NodeLife.Plain.DOWN -> Base.DOWN;
      case NodeLife.Plain.UP,
          NodeLife.Plain.DRAINING,
          NodeLife.Plain.FAILING,
          NodeLife.Plain.SILENT ->
          occupied(node);
      case NodeLife.PoweredDown _,
          NodeLife.PoweringUp _,
          NodeLife.PoweringDown _,
          NodeLife.Rebooting _,
          NodeLife.Lent _ ->
          occupied(node);
    };
  }

  private static Base occupied(NodeInfo node) {
    if (node.facts() == null && node.config().state() == NodeConfig.State.FUTURE) {
      return Base.FUTURE;
    }
    if (node.allocatedCpus() >= node.config().shape().cpus()) {
      return Base.ALLOCATED;
    }
    if (node.allocatedCpus() > 0) {
      return Base.MIXED;
    }
    boolean off =
        node.condition().away() != null || node.config().state() == NodeConfig.State.EXTERNAL;
    return node.facts() == null && !off ? Base.UNKNOWN : Base.IDLE;
  }

  /** {@code idle}, {@code down*}, {@code drained}. */
  public String full() {
    return word().full() + suffix();
  }

  /** {@code idle}, {@code down*}, {@code drain}. */
  public String brief() {
    return word().brief() + suffix();
  }

  private String suffix() {
    if (maintenance && !isQuietMaintenance()) {
      return "$";
    }
    if (power != Power.ON) {
      return power.sign;
    }
    return responding || external || base == Base.FUTURE ? "" : "*";
  }

  /** Nodes that are worked on say so by their word, others by a sign behind it. */
  private boolean isQuietMaintenance() {
    return maintenance && base == Base.IDLE && !drain && !fail && !completing;
  }

  private Word word() {
    if (isQuietMaintenance()) {
      return MAINT;
    }
    if (drain) {
      return isBusy() ? DRAINING : DRAINED;
    }
    if (fail) {
      return isBusy() ? FAILING : FAIL;
    }
    if (completing && base != Base.DOWN && base != Base.ALLOCATED) {
      return COMPLETING;
    }
    return switch (base) {
      case DOWN -> DOWN;
      case ALLOCATED -> completing ? ALLOCATED_AND_MORE : ALLOCATED;
      case IDLE -> reserved ? RESERVED : planned ? PLANNED : IDLE;
      case MIXED -> planned ? MIXED_PLANNED : MIXED;
      case FUTURE -> FUTURE;
      case UNKNOWN -> UNKNOWN;
    };
  }

  /** Whether jobs run or end there. */
  public boolean isBusy() {
    return base == Base.ALLOCATED || base == Base.MIXED || completing;
  }

  /** Whether it would take a job now if it had room. */
  public boolean isUsable() {
    return !drain
        && !fail
        && switch (base) {
          case IDLE, ALLOCATED, MIXED -> true;
          case UNKNOWN, DOWN, FUTURE -> false;
        };
  }

  /** What it is and all that may be said on top of that, in capitals. */
  public List<String> words() {
    List<String> words = new ArrayList<>(List.of(base.name()));
    addIf(cloud, "CLOUD", words);
    addIf(external, "EXTERNAL", words);
    addIf(drain, "DRAIN", words);
    addIf(completing, "COMPLETING", words);
    boolean silent = !responding && !external && base != Base.FUTURE;
    addIf(
        silent && (power == Power.ON || power == Power.POWER_DOWN || power == Power.REBOOT_ASKED),
        "NOT_RESPONDING",
        words);
    addIf(fail, "FAIL", words);
    addIf(maintenance, "MAINTENANCE", words);
    addIf(reserved, "RESERVED", words);
    addIf(planned, "PLANNED", words);
    addIf(power != Power.ON, power.word, words);
    return words;
  }

  private static void addIf(boolean condition, String word, List<String> words) {
    if (condition) {
      words.add(word);
    }
  }

  /** {@code IDLE+DRAIN} as node records print it. */
  public String complete() {
    return String.join("+", words());
  }

  /** A number that grows as Slurm's does, by which listings are sorted. */
  public int rank() {
    int rank =
        switch (base) {
          case UNKNOWN -> 0;
          case DOWN -> 1;
          case IDLE -> 2;
          case ALLOCATED -> 3;
          case MIXED -> 5;
          case FUTURE -> 6;
        };
    rank |= reserved ? 1 << 5 : 0;
    rank |= maintenance ? 1 << 15 : 0;
    rank |= drain ? 1 << 9 : 0;
    rank |= completing ? 1 << 10 : 0;
    rank |= responding ? 0 : 1 << 11;
    rank |= fail ? 1 << 13 : 0;
    return rank | (planned ? 1 << 21 : 0);
  }
}
