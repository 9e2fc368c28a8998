package io.dure.model.node;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What administrators and the controller hold against a node.
 *
 * @param down true if it may run nothing and what ran there was ended
 * @param drain true if it takes no new job
 * @param fail true if it is expected to fail soon (scontrol's FAIL)
 * @param reason why, null where nothing is wrong
 * @param reasonUid user that set the reason
 * @param reasonTime when, null where nothing is wrong
 * @param away where it is if it is not there on purpose, else null
 */
public record NodeCondition(
    boolean down,
    boolean drain,
    boolean fail,
    @Nullable String reason,
    int reasonUid,
    @Nullable Instant reasonTime,
    NodeLife.@Nullable Away away) {
  /** Nothing is held against it. */
  public static final NodeCondition GOOD = new NodeCondition(false, false, false, null, 0, null);

  /** Of a node that is where it should be. */
  public NodeCondition(
      boolean down,
      boolean drain,
      boolean fail,
      @Nullable String reason,
      int reasonUid,
      @Nullable Instant reasonTime) {
    this(down, drain, fail, reason, reasonUid, reasonTime, null);
  }

  /** Where in its life a node is of which this is known. */
  public NodeLife life(boolean responding) {
    if (down) {
      return NodeLife.Plain.DOWN;
    } else if (drain) {
      return NodeLife.Plain.DRAINING;
    } else if (fail) {
      return NodeLife.Plain.FAILING;
    } else if (away instanceof NodeLife.PoweredDown
        || away instanceof NodeLife.PoweringDown
        || away instanceof NodeLife.Rebooting(Instant until, _, _) && until != null) {
      // Its daemon may answer until the power is gone.
      return away;
    } else if (responding) {
      return NodeLife.Plain.UP;
    }
    return away == null || isBootAsked() ? NodeLife.Plain.SILENT : away;
  }

  /** The same of a node that is there. */
  public NodeCondition present() {
    return withAway(null);
  }

  /** Whether it is to boot once its jobs are over. */
  private boolean isBootAsked() {
    return away instanceof NodeLife.Rebooting(Instant until, _, _) && until == null;
  }

  /**
   * The same of a node whose daemon has called; one that is being switched off still is, and one
   * that is to boot until it has.
   *
   * @param booted whether it has booted since it called last
   */
  public NodeCondition registered(boolean booted) {
    return away instanceof NodeLife.PoweringDown || away instanceof NodeLife.Rebooting && !booted
        ? this
        : present();
  }

  /** The same of a node that is somewhere else; null for where it should be. */
  public NodeCondition withAway(NodeLife.@Nullable Away where) {
    return Objects.equals(away, where)
        ? this
        : new NodeCondition(down, drain, fail, reason, reasonUid, reasonTime, where);
  }

  /** Nothing is held against it any more; it is where it was. */
  public NodeCondition good() {
    return GOOD.withAway(away);
  }

  /** Whether it is not there on purpose, or comes only now: nothing can run on it. */
  public boolean isOff() {
    return away != null && !(away instanceof NodeLife.PoweringDown) && !isBootAsked();
  }

  /** Whether its power may go at any time, and its daemon with it. */
  public boolean isBeingSwitchedOff() {
    return away instanceof NodeLife.PoweringDown(Instant until, _) && until != null;
  }

  /** The same with other flags, and why. */
  private NodeCondition with(
      boolean isDown,
      boolean isDrain,
      boolean isFail,
      @Nullable String why,
      int uid,
      @Nullable Instant at) {
    return new NodeCondition(isDown, isDrain, isFail, why, uid, at, away);
  }

  /** The same for another reason. */
  public NodeCondition because(@Nullable String why, int uid, @Nullable Instant at) {
    return with(down, drain, fail, why, uid, at);
  }

  /** The same, down. */
  public NodeCondition asDown(@Nullable String why, int uid, @Nullable Instant at) {
    return with(true, drain, fail, why, uid, at);
  }

  /** The same, not down. */
  public NodeCondition notDown(@Nullable String why) {
    return drain || fail ? with(false, drain, fail, why, reasonUid, reasonTime) : good();
  }

  /** The same, to be drained. */
  public NodeCondition asDrained(@Nullable String why, int uid, @Nullable Instant at) {
    return with(down, true, fail, why, uid, at);
  }

  /** The same, not to be drained. */
  public NodeCondition notDrained(@Nullable String why) {
    return down || fail ? with(down, false, fail, why, reasonUid, reasonTime) : good();
  }

  /** The same, failing. */
  public NodeCondition asFailing(@Nullable String why, int uid, @Nullable Instant at) {
    return with(down, drain, true, why, uid, at);
  }
}
