package io.dure.bench.scheduling;

import io.dure.controller.loop.ReplyListener;
import io.dure.controller.loop.StateLoop;
import io.dure.model.UserIdentity;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.JobSelector;
import io.dure.model.command.Reply;
import io.dure.model.jobtext.JobTexts;
import io.dure.model.request.Workload.BatchSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Submissions to a loop. A job that is too wide for a small cluster is refused, which takes as long
 * to decide. One thread.
 */
final class LiveSubmitter {
  private static final long PAUSE_MILLIS = 5;
  private static final Caller WHO =
      new Caller.User(new UserIdentity(1000, 100, "user0", "users"), List.of("users"), false);

  private final BenchCluster cluster;
  private final StateLoop loop;

  LiveSubmitter(BenchCluster cluster, StateLoop loop) {
    this.cluster = cluster;
    this.loop = loop;
  }

  private Command submission() {
    return new Command.SubmitJob(
        cluster.next(),
        BatchSpec.nothing("/tmp"),
        JobTexts.of("#!/bin/sh\nsleep 60\n", List.of("HOME=/home/user0")),
        null);
  }

  private static Command cancel(int job) {
    return new Command.KillJob(new JobSelector(job, null), null, false, false);
  }

  private static Reply answer(Future<Reply> asked) throws InterruptedException {
    try {
      return asked.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a command could not be stored", e);
    }
  }

  /** So many, 5 ms between one's answer and the next: how long each waited for its answer. */
  Timings oneByOne(int count) throws InterruptedException {
    Timings timings = new Timings();
    for (int i = 0; i < count; i++) {
      Command submission = submission();
      long began = System.nanoTime();
      answer(loop.submit(submission, WHO));
      timings.add(began, System.nanoTime() - began);
      Thread.sleep(PAUSE_MILLIS);
    }
    return timings;
  }

  /**
   * So many at once, which are then cancelled one behind the other: notes how long it took until
   * all were stored.
   */
  void rush(int count, Timings rushes) throws InterruptedException {
    List<Command> commands = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      commands.add(submission());
    }
    List<Future<Reply>> answers = new ArrayList<>(count);
    List<Reply> replies = new ArrayList<>(count);
    long began = System.nanoTime();
    for (Command command : commands) {
      answers.add(loop.submit(command, WHO));
    }
    for (Future<Reply> asked : answers) {
      replies.add(answer(asked));
    }
    rushes.add(began, System.nanoTime() - began);
    for (Reply reply : replies) {
      if (reply instanceof Reply.Submitted(int job)) {
        answer(loop.submit(cancel(job), WHO));
      }
    }
  }

  /** Whether more are to come. */
  @FunctionalInterface
  interface Going {
    boolean on() throws IOException, InterruptedException;
  }

  /** Nobody waits for the answer. */
  private static final class Ignored implements ReplyListener {
    @Override
    public void decided(Reply reply) {}

    @Override
    public void failed(Throwable failure) {
      throw new IllegalStateException("a command could not be stored", failure);
    }
  }

  /** When a command was to be sent, and what came of it. */
  private static final class Sent implements ReplyListener {
    private final long due;
    private final ConcurrentLinkedQueue<Integer> jobs;
    private final AtomicInteger left;
    private volatile long took;

    Sent(long due, ConcurrentLinkedQueue<Integer> jobs, AtomicInteger left) {
      this.due = due;
      this.jobs = jobs;
      this.left = left;
      left.incrementAndGet();
    }

    @Override
    public void decided(Reply reply) {
      took = System.nanoTime() - due;
      if (reply instanceof Reply.Submitted(int job)) {
        jobs.add(job);
      }
      left.decrementAndGet();
    }

    @Override
    public void failed(Throwable failure) {
      throw new IllegalStateException("a submission could not be stored", failure);
    }
  }

  /**
   * So many a second, whether or not those before have been answered, each cancelled after its
   * answer: how long each waited from the moment when it was due.
   *
   * @param goesOn asked before each
   */
  Timings steady(int rate, Going goesOn) throws IOException, InterruptedException {
    List<Sent> all = new ArrayList<>();
    ConcurrentLinkedQueue<Integer> jobs = new ConcurrentLinkedQueue<>();
    AtomicInteger left = new AtomicInteger();
    long began = System.nanoTime();
    while (goesOn.on()) {
      long due = began + all.size() * 1_000_000_000L / rate;
      Command submission = submission();
      for (long early = due - System.nanoTime(); early > 0; early = due - System.nanoTime()) {
        LockSupport.parkNanos(early);
      }
      Sent sent = new Sent(due, jobs, left);
      all.add(sent);
      loop.submit(submission, WHO, sent);
      Integer done = jobs.poll();
      if (done != null) {
        loop.submit(cancel(done), WHO, new Ignored());
      }
    }
    while (left.get() > 0) {
      LockSupport.parkNanos(1_000_000);
    }
    Timings timings = new Timings();
    all.forEach(one -> timings.add(one.due, one.took));
    return timings;
  }
}
