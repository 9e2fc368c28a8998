package io.dure.controller;

import io.dure.cluster.ClusterState;
import io.dure.controller.loop.DecisionListener;
import io.dure.controller.loop.EventBatch;
import io.dure.controller.loop.EventStore;
import io.dure.controller.loop.InMemoryController;
import io.dure.controller.loop.StateLoop;
import io.dure.controller.service.CallerDirectory;
import io.dure.controller.service.ChangeService;
import io.dure.controller.service.ServiceContext;
import io.dure.controller.view.PendingVerdicts;
import io.dure.host.process.IdlePriority;
import io.dure.model.UserIdentity;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.model.command.Reply;
import io.dure.model.config.ClusterConfig;
import io.dure.model.jobtext.JobTexts;
import io.dure.model.request.JobSpec;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.TimeLimit;
import io.dure.model.request.Workload;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.WireCodecs;
import io.dure.scheduler.Planner;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.helpers.NOPLogger;

/**
 * Submissions to a cluster that is thrown away, on idle CPUs, while the controller is young: the
 * code that answers a submission is compiled by then, for which its first users would wait. Nothing
 * is stored, logged or counted.
 */
final class SubmissionRehearsal {
  /** Often enough that the compiler takes what each of them calls. */
  static final int TIMES = 200;

  private static final int TIMES_A_PASS = 20;

  private static final Caller.User CALLER =
      new Caller.User(new UserIdentity(0, 0, "root", "root"), List.of(), true);

  private final CallerDirectory callers;
  private final InstantSource clock;
  private final Logger log;
  private final ClusterState empty;

  /** One for a cluster of that configuration. */
  SubmissionRehearsal(
      ClusterConfig config, CallerDirectory callers, InstantSource clock, Logger log) {
    this.callers = callers;
    this.clock = clock;
    this.log = log;
    InMemoryController made = new InMemoryController(ClusterState.initial(config), clock.instant());
    made.decide(new Command.Configure(config, Command.Recovery.START), new Caller.Self());
    this.empty = made.state();
  }

  /** Begins, in a thread of its own. */
  void begin() {
    Thread.ofPlatform()
        .daemon()
        .name("rehearsal")
        .start(() -> {
          boolean _ = IdlePriority.yieldToAll();
          try {
            int _ = run();
          } catch (InterruptedException | RuntimeException e) {
            log.info("the first submissions take longer: their rehearsal failed: " + e);
          }
        });
  }

  /**
   * Submits all.
   *
   * @return how many were accepted
   */
  int run() throws InterruptedException {
    int accepted = 0;
    try (StateLoop loop =
        new StateLoop(empty, new Nowhere(), clock, new Ignored(), NOPLogger.NOP_LOGGER)) {
      loop.start();
      ChangeService changes =
          new ChangeService(
              new ServiceContext(loop, () -> PendingVerdicts.NONE, callers, clock, null), null);
      for (int i = 0; i < TIMES; i++) {
        Request asked = WireCodecs.requests().decode(WireCodecs.requests().encode(submission(i)));
        Response answer = changes.submit((Request.Change) asked, CALLER);
        byte[] _ = WireCodecs.responses().encode(answer);
        accepted +=
            answer instanceof Response.Decided(Reply reply) && reply instanceof Reply.Submitted
                ? 1
                : 0;
        if (i % TIMES_A_PASS == 0) {
          var _ = Planner.once(loop.published(), clock.instant());
        }
      }
    }
    return accepted;
  }

  private static Request.Change submission(int number) {
    return new Request.Change(
        new Command.SubmitJob(
            JobSpec.of(
                "wrap", List.of(), ResourceRequest.of(1, 1, 1), new TimeLimit.PartitionDefault()),
            Workload.BatchSpec.nothing("/"),
            JobTexts.of("#!/bin/sh\ntrue\n", List.of("PATH=/bin", "HOME=/")),
            Integer.toString(number)),
        null);
  }

  /** Keeps nothing. */
  private static final class Nowhere implements EventStore {
    @Override
    public void append(EventBatch batch, Consumer<@Nullable Throwable> done) {
      done.accept(null);
    }

    @Override
    public void offerSnapshot(ClusterState state) {}
  }

  /** Performs nothing. */
  private static final class Ignored implements DecisionListener {
    @Override
    public void published(ClusterState state) {}

    @Override
    public void perform(Effect effect, ClusterState state) {}
  }
}
