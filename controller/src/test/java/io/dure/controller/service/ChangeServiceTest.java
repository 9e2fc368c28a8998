package io.dure.controller.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.dure.cluster.ClusterState;
import io.dure.controller.hook.JobSubmitHook;
import io.dure.controller.loop.DecisionListener;
import io.dure.controller.loop.EventBatch;
import io.dure.controller.loop.EventStore;
import io.dure.controller.loop.InMemoryController;
import io.dure.controller.loop.StateLoop;
import io.dure.controller.view.PendingVerdicts;
import io.dure.host.user.CachedUserDatabase;
import io.dure.model.ErrorCode;
import io.dure.model.UserIdentity;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.CrontabChange;
import io.dure.model.command.Effect;
import io.dure.model.command.JobChange;
import io.dure.model.command.JobSelector;
import io.dure.model.command.Reply;
import io.dure.model.config.slurmconf.SlurmConfParser;
import io.dure.model.cron.CronEntry;
import io.dure.model.cron.CronSchedule;
import io.dure.model.cron.CronSyntaxException;
import io.dure.model.jobtext.JobTexts;
import io.dure.model.request.JobSpec;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.TimeLimit;
import io.dure.model.request.Workload;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.helpers.NOPLogger;

/** What is sent again has the answer that it had, whatever a script says by then. */
@Tag("process")
class ChangeServiceTest {
  private static final Caller.User CALLER =
      new Caller.User(new UserIdentity(0, 0, "root", "root"), List.of(), true);

  private static ClusterState empty() {
    var config =
        SlurmConfParser.parse(
                "/slurm.conf",
                _ ->
                    """
                    ClusterName=test
                    SlurmctldHost=a
                    JobSubmitPlugins=lua
                    NodeName=n[1-2] CPUs=2
                    PartitionName=main Nodes=ALL Default=YES State=UP
                    """)
            .config();
    InstantSource clock = InstantSource.system();
    InMemoryController made = new InMemoryController(ClusterState.initial(config), clock.instant());
    made.decide(new Command.Configure(config, Command.Recovery.START), new Caller.Self());
    return made.state();
  }

  private static ChangeService service(StateLoop loop, @Nullable JobSubmitHook hook) {
    return new ChangeService(
        new ServiceContext(
            loop,
            () -> PendingVerdicts.NONE,
            new CallerDirectory(CachedUserDatabase.ofThisMachine(), 0, "here"),
            InstantSource.system(),
            hook),
        null);
  }

  private static Request.Change submission(String name) {
    return new Request.Change(
        new Command.SubmitJob(
            JobSpec.of(
                "wrap", List.of(), ResourceRequest.of(1, 1, 1), new TimeLimit.PartitionDefault()),
            Workload.BatchSpec.nothing("/"),
            JobTexts.of("#!/bin/sh\ntrue\n", List.of("PATH=/bin", "HOME=/")),
            name),
        null);
  }

  private static Request.Change hold(int jobId, String name) {
    return new Request.Change(
        new Command.UpdateJob(new JobSelector(jobId, null), JobChange.NONE.withPriority(0L)),
        null,
        name);
  }

  private static Request.Change crontab(int entries) throws CronSyntaxException {
    CronEntry daily = new CronEntry(CronSchedule.parse("@daily"), "UTC", 1, 1);
    Command.SubmitJob job = (Command.SubmitJob) submission("cron").command();
    CrontabChange.Entry entry =
        new CrontabChange.Entry(daily, job.spec(), job.workload(), job.texts());
    return new Request.Change(
        new Command.ChangeCrontab(
            new CrontabChange("@daily true\n", Collections.nCopies(entries, entry))),
        null);
  }

  private static Reply reply(Response response) {
    return assertInstanceOf(Response.Decided.class, response).reply();
  }

  @Test
  void aScriptIsNotAskedAboutWhatIsDone(@TempDir Path directory) throws Exception {
    String name = "0123456789abcdef0123456789abcdef";
    // Without its file the script refuses all.
    try (StateLoop loop =
            new StateLoop(
                empty(),
                new Nowhere(),
                InstantSource.system(),
                new Ignored(),
                NOPLogger.NOP_LOGGER);
        JobSubmitHook hook =
            new JobSubmitHook(directory.resolve("slurm.conf"), NOPLogger.NOP_LOGGER)) {
      loop.start();
      ChangeService before = service(loop, null);
      Reply.Submitted first =
          assertInstanceOf(Reply.Submitted.class, reply(before.submit(submission("one"), CALLER)));
      Reply held = reply(before.submit(hold(first.jobId(), name), CALLER));
      ChangeService now = service(loop, hook);
      assertEquals(first, reply(now.submit(submission("one"), CALLER)));
      assertEquals(held, reply(now.submit(hold(first.jobId(), name), CALLER)));
      assertEquals(
          new Reply.Refused(ErrorCode.UNSPECIFIED, ""),
          reply(now.submit(submission("two"), CALLER)));
      assertEquals(
          new Reply.Refused(ErrorCode.UNSPECIFIED, ""),
          reply(now.submit(hold(first.jobId(), name.replace('0', '1')), CALLER)));
      // Before the script is asked about each of its entries.
      assertEquals(
          new Reply.Refused(ErrorCode.BAD_INPUT, "a crontab has at most 1000 entries"),
          reply(now.submit(crontab(CrontabChange.MOST_ENTRIES + 1), CALLER)));
      assertEquals(
          new Reply.Refused(ErrorCode.UNSPECIFIED, "").of(0),
          reply(now.submit(crontab(1), CALLER)));
    }
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
