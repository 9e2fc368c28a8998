package io.dure.testkit.cluster;

import io.dure.core.controller.StepEnd;
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

  FakeRun(Script script, Instant next) {
    this.script = script;
    this.next = next;
  }

  boolean lives() {
    return end == null;
  }
}
