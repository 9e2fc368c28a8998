package io.dure.controller.loop;

import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Tells the state's owner what must not be lost, again and again until it is stored: what cannot be
 * stored now may be later, and what is refused met a bug, which others may have to do with. It ends
 * when the program does. Any thread may call, and waits.
 */
public final class RetryingSubmitter {
  private final CommandTarget owner;
  private final CountDownLatch stopping;
  private final RetryDelays pauses;
  private final Logger log;

  /** Where commands are decided. */
  public interface CommandTarget {
    /** The reply, once the decision is durable; an exception if it could not be stored. */
    Future<Reply> submit(Command.InternalCommand news) throws InterruptedException;
  }

  /** How long to wait before the second attempt, and at most; each wait is twice the last. */
  public record RetryDelays(Duration first, Duration longest) {
    Duration after(Duration last) {
      Duration twice = last.multipliedBy(2);
      return twice.compareTo(longest) < 0 ? twice : longest;
    }
  }

  /**
   * Tells nothing yet.
   *
   * @param stopping at zero once the program ends
   */
  public RetryingSubmitter(
      CommandTarget owner, CountDownLatch stopping, RetryDelays pauses, Logger log) {
    this.owner = owner;
    this.stopping = stopping;
    this.pauses = pauses;
    this.log = log;
  }

  /** Returns once it is stored, or the program ends. */
  public void tell(Command.InternalCommand news) throws InterruptedException {
    Duration pause = pauses.first();
    boolean complained = false;
    String objection = objection(news);
    while (objection != null && !stopping.await(pause.toNanos(), TimeUnit.NANOSECONDS)) {
      if (!complained) {
        log.error(news + " could not be stored, retrying: " + objection);
        complained = true;
      }
      pause = pauses.after(pause);
      objection = objection(news);
    }
  }

  private @Nullable String objection(Command.InternalCommand news) throws InterruptedException {
    try {
      return switch (owner.submit(news).get()) {
        case Reply.Refused refused -> refused.code() + " " + refused.detail();
        case Reply.Done _,
            Reply.Submitted _,
            Reply.StepCreated _,
            Reply.Reserved _,
            Reply.Killed _ ->
            null;
      };
    } catch (ExecutionException e) {
      return String.valueOf(e.getCause());
    }
  }
}
