package io.dure.model.node;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Where a node is in its life: whether it takes jobs, and when it will again. */
public sealed interface NodeLife {
  /** Whether jobs may get it, if only to wait there until it is on. */
  default boolean takesJobs() {
    return this == Plain.UP || this instanceof PoweredDown || this instanceof PoweringUp;
  }

  /** What a node is that is where it should be. */
  enum Plain implements NodeLife {
    /** Jobs may start there. */
    UP,
    /** It may run nothing, and what ran there was ended. */
    DOWN,
    /** What runs goes on, and nothing new starts. */
    DRAINING,
    /** It is expected to fail; nothing new starts. */
    FAILING,
    /** Nothing is held against it, but its daemon does not answer. */
    SILENT
  }

  /** It is not there on purpose; what is kept of it is one of these. */
  sealed interface Away extends NodeLife {}

  /**
   * It is off to save energy, until a job gets it.
   *
   * @param since when it was switched off, null where that is not known
   */
  record PoweredDown(@Nullable Instant since) implements Away {
    static final String TAG = "PoweredDown";
  }

  /**
   * It was switched on, and is expected to register by then; jobs may get it.
   *
   * @param since when it was switched on, null where that is not known
   */
  record PoweringUp(Instant until, @Nullable Instant since) implements Away {
    static final String TAG = "PoweringUp";
  }

  /**
   * It is to be off by then, and jobs do not get it.
   *
   * @param until null as long as jobs that are there keep it on
   * @param since when it was switched off, or is to be
   */
  record PoweringDown(@Nullable Instant until, Instant since) implements Away {
    static final String TAG = "PoweringDown";
  }

  /**
   * It was told to boot, and is expected to register again by then.
   *
   * @param until null as long as jobs that are there keep it from that
   * @param drained whether it was drained for that
   * @param next what it is afterwards
   */
  record Rebooting(@Nullable Instant until, boolean drained, AfterBoot next) implements Away {
    static final String TAG = "Rebooting";

    /** A node that is to boot; what a record lacks is as before. */
    public Rebooting {
      next = Objects.requireNonNullElse(next, AfterBoot.AS_BEFORE);
    }
  }

  /** What a node is after a boot. */
  enum AfterBoot {
    /** What it was, without what was done for the boot. */
    AS_BEFORE,
    /** Good, whatever was held against it. */
    RESUME,
    /** Down. */
    DOWN
  }

  /** Another cluster has it, and is to give it back by then. */
  record Lent(Instant until) implements Away {
    static final String TAG = "Lent";
  }

  /** When it is expected to take jobs again; null if it takes them now, or that is not known. */
  default @Nullable Instant expected() {
    return switch (this) {
      case Rebooting(Instant until, _, _) -> until;
      case Lent(Instant until) -> until;
      case Plain _, PoweredDown _, PoweringUp _, PoweringDown _ -> null;
    };
  }
}
