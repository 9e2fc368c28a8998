package io.dure.testkit.cluster;

import io.dure.model.command.StepEnd;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One run on a {@link FakeNode}: its script runs, has ended, or is cleaned up. */
final class FakeRun {
  final Script script;

  /** When the script ends, or once it has, when the epilog does. */
  Instant next;

  @Nullable StepEnd end;
  boolean clean;
  boolean dying;

  /** Since when it stands still, null while it moves. */
  @Nullable Instant suspended;

  FakeRun(Script script, Instant next) {
    this.script = script;
    this.next = next;
  }

  void goOn(Instant now) {
    if (suspended != null) {
      next = next.plus(Duration.between(suspended, now));
      suspended = null;
    }
  }

  boolean lives() {
    return end == null;
  }
}
