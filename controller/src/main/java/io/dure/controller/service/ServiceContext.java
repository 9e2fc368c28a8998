package io.dure.controller.service;

import io.dure.cluster.ClusterState;
import io.dure.controller.hook.HookVerdict;
import io.dure.controller.hook.JobSubmitHook;
import io.dure.controller.loop.StateLoop;
import io.dure.controller.view.PendingVerdicts;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What services read and write. Any thread.
 *
 * @param loop publishes the state, and decides changes
 * @param latestVerdicts supplies what the last scheduling pass found
 * @param callers the users that requests name
 * @param hook the script that judges submissions, null where there never is one
 */
public record ServiceContext(
    StateLoop loop,
    Supplier<PendingVerdicts> latestVerdicts,
    CallerDirectory callers,
    InstantSource clock,
    @Nullable JobSubmitHook hook) {

  /** The newest durable state. */
  ClusterState state() {
    return loop.published();
  }

  /** What the script of the site makes of a command, on the thread of the caller. */
  HookVerdict judge(Command.UserCommand command, Caller.User user) throws InterruptedException {
    ClusterState now = state();
    return hook == null || !JobSubmitHook.concerns(command, now)
        ? HookVerdict.unchanged(command)
        : hook.judge(command, user, now);
  }

  /** What the last scheduling pass found. */
  PendingVerdicts verdicts() {
    return latestVerdicts.get();
  }

  Instant now() {
    return clock.instant();
  }
}
