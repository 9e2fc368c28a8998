package io.dure.twin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.model.config.slurmconf.SlurmConfParser;
import io.dure.twin.accounts.AccountsFile;
import io.dure.twin.policy.BackfillPolicy;
import io.dure.twin.policy.EstimateSource;
import io.dure.twin.policy.QueueOrderPolicy;
import io.dure.twin.policy.ReplayPolicy;
import io.dure.twin.result.JobResult;
import io.dure.twin.result.ReplayProgressListener;
import io.dure.twin.result.ReplayResult;
import io.dure.twin.result.TraceJobOutcome;
import io.dure.twin.trace.SwfReadOptions;
import io.dure.twin.trace.TraceOpener;
import io.dure.twin.trace.WorkloadTrace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs that do not just wait and run: they make room, get less time, start together. */
@Tag("pure")
class InterruptionsTest {
  private static final String SITE =
      """
      ClusterName=site
      SlurmctldHost=head
      SelectType=select/cons_tres
      SelectTypeParameters=CR_Core
      SchedulerParameters=requeue_delay=10
      NodeName=n1 CPUs=4 Sockets=1 CoresPerSocket=4
      """;
  private static final String TIERS =
      """
      PartitionName=low Nodes=ALL Default=YES PriorityTier=1 GraceTime=0
      PartitionName=high Nodes=ALL PriorityTier=2
      PreemptType=preempt/partition_prio
      """;
  private static final ReplayPolicy AS_THE_SITE =
      new ReplayPolicy(QueueOrderPolicy.FCFS, BackfillPolicy.CONF, EstimateSource.LIMIT, null);

  @TempDir Path folder;

  private static String job(int second, int runs, String more) {
    return "-dt "
        + second
        + " -e submit_batch_job | -sim-walltime "
        + runs
        + " --uid=ann "
        + more
        + " x.job\n";
  }

  /** Those of one victim, and the seconds of a CPU that it had run in vain. */
  private static ReplayResult.Interruptions interruptions(
      int cancelled, int requeued, int suspended, long cpuSeconds) {
    ReplayResult.ComputeTime lost = new ReplayResult.ComputeTime(cpuSeconds, 0);
    return new ReplayResult.Interruptions(
        1, cancelled, requeued, suspended, 0, 0, lost, ReplayResult.ComputeTime.NONE);
  }

  private ReplayResult schedule(String conf, String stream) throws Exception {
    return replay(conf, stream).run();
  }

  private TraceReplay replay(String conf, String stream) throws Exception {
    Path log = folder.resolve("jobs.events");
    Files.writeString(log, stream);
    WorkloadTrace trace = TraceOpener.read(log, SwfReadOptions.PLAIN);
    Path accounts = folder.resolve("accounts");
    ReplayMachine machine =
        ReplayMachine.of(SlurmConfParser.parseAlone("/slurm.conf", conf).config());
    ReplayInput workload =
        new ReplayInput(
            trace.start(),
            trace.jobs(),
            null,
            Files.exists(accounts) ? AccountsFile.read(accounts, "site").tree() : null);
    return new TraceReplay(machine, workload, AS_THE_SITE, ReplayProgressListener.SILENT);
  }

  /** What became of the jobs: {@code finished 0-100}. */
  private static List<String> fates(ReplayResult schedule) {
    List<String> fates = new ArrayList<>();
    for (JobResult result : schedule.results()) {
      fates.add(
          switch (result.ending()) {
            case TraceJobOutcome.Finished(var start, var end) ->
                "finished " + start.getEpochSecond() + "-" + end.getEpochSecond();
            case TraceJobOutcome.TimedOut(var start, var end) ->
                "cut " + start.getEpochSecond() + "-" + end.getEpochSecond();
            case TraceJobOutcome.Preempted(var start, var end) ->
                "preempted " + start.getEpochSecond() + "-" + end.getEpochSecond();
            case TraceJobOutcome.NodeFailed _ -> "lost";
            case TraceJobOutcome.Running _ -> "running";
            case TraceJobOutcome.Refused(String why) -> why;
            case TraceJobOutcome.NeverStarted(String reason) -> reason;
          });
    }
    return fates;
  }

  private static final String BOTH =
      job(0, 1000, "-n 4 -t 60 -p low") + job(100, 200, "-n 4 -t 60 -p high");

  @Test
  void whoIsRequeuedBeginsAgain() throws Exception {
    ReplayResult schedule = schedule(SITE + TIERS + "PreemptMode=REQUEUE\n", BOTH);
    assertEquals(List.of("finished 301-1301", "finished 101-301"), fates(schedule));
    assertEquals(interruptions(0, 1, 0, 400), schedule.interruptions());
  }

  @Test
  void whoIsRequeuedComesBackAfterTheDelay() throws Exception {
    String slow = SITE.replace("requeue_delay=10", "requeue_delay=500");
    ReplayResult schedule = schedule(slow + TIERS + "PreemptMode=REQUEUE\n", BOTH);
    assertEquals(List.of("finished 600-1600", "finished 101-301"), fates(schedule));
  }

  @Test
  void whoMayNotBeRequeuedEnds() throws Exception {
    String stream = BOTH.replace("-p low", "-p low --no-requeue");
    ReplayResult schedule = schedule(SITE + TIERS + "PreemptMode=REQUEUE\n", stream);
    assertEquals(List.of("preempted 0-100", "finished 101-301"), fates(schedule));
    assertEquals(interruptions(1, 0, 0, 400), schedule.interruptions());
  }

  @Test
  void whoIsCancelledEnds() throws Exception {
    ReplayResult schedule = schedule(SITE + TIERS + "PreemptMode=CANCEL\n", BOTH);
    assertEquals(List.of("preempted 0-100", "finished 101-301"), fates(schedule));
  }

  @Test
  void whoIsSuspendedGoesOnWhereItStopped() throws Exception {
    ReplayResult schedule = schedule(SITE + TIERS + "PreemptMode=SUSPEND,GANG\n", BOTH);
    assertEquals(List.of("finished 0-1201", "finished 101-301"), fates(schedule));
    assertEquals(List.of(new JobResult.Pause(100, 301)), schedule.results().getFirst().pauses());
    assertEquals(interruptions(0, 0, 1, 0), schedule.interruptions());
  }

  @Test
  void aPauseDoesNotCountAgainstTheLimit() throws Exception {
    String stream = BOTH.replace("1000", "9000");
    ReplayResult schedule = schedule(SITE + TIERS + "PreemptMode=SUSPEND,GANG\n", stream);
    assertEquals(List.of("cut 0-3801", "finished 101-301"), fates(schedule));
  }

  @Test
  void aGraceIsUsedToItsEnd() throws Exception {
    String conf = SITE + TIERS.replace("GraceTime=0", "GraceTime=50") + "PreemptMode=REQUEUE\n";
    assertEquals(List.of("finished 350-1350", "finished 150-350"), fates(schedule(conf, BOTH)));
    // Who ends by himself meanwhile is no victim.
    assertEquals(
        List.of("finished 0-120", "finished 120-320"),
        fates(schedule(conf, BOTH.replace("1000", "120"))));
  }

  /** Goes on from a second on with another configuration. */
  private static ReplayResult otherwise(
      TraceReplay replay, int second, String conf, ReplayRunTimes times) {
    Instant at = Instant.ofEpochSecond(second);
    replay.runTo(at);
    ReplayMachine machine =
        ReplayMachine.of(SlurmConfParser.parseAlone("/slurm.conf", conf).config());
    ReplayContinuation turn =
        new ReplayContinuation(at, machine, null, AS_THE_SITE, List.of(), times);
    return replay.fork(turn, ReplayProgressListener.SILENT).run();
  }

  @Test
  void whoStandsStillForAJobThatDoesNotComeGoesOnAfterAWhile() throws Exception {
    String conf = SITE + TIERS + "PreemptMode=SUSPEND,GANG\n";
    TraceReplay replay = replay(conf, BOTH);
    String closed = conf.replace("Nodes=ALL PriorityTier=2", "Nodes=ALL PriorityTier=2 State=DOWN");
    ReplayResult schedule = otherwise(replay, 101, closed, ReplayRunTimes.AS_THEY_ARE);
    assertEquals(List.of("finished 0-1300", "PartitionDown"), fates(schedule));
    assertEquals(List.of(new JobResult.Pause(100, 400)), schedule.results().getFirst().pauses());
    assertEquals(0, schedule.interruptions().suspended(), "what was before is not counted");
  }

  @Test
  void otherRunTimesGiveNoTimeBackToWhoWasToldToMakeRoom() throws Exception {
    String conf =
        SITE
            + TIERS.replace("GraceTime=0", "GraceTime=50")
            + "PreemptMode=REQUEUE\nOverTimeLimit=10\n";
    ReplayResult schedule = otherwise(replay(conf, BOTH), 120, conf, ReplayRunTimes.LIMIT);
    // Its grace is over in second 150, whatever else it might run.
    assertEquals("finished 150-3750", fates(schedule).get(1));
    assertEquals(new ReplayResult.ComputeTime(600, 0), schedule.interruptions().madeRoom());
  }

  @Test
  void whoIsExemptMakesRoomOnceHeIsNot() throws Exception {
    String conf = SITE + TIERS + "PreemptMode=REQUEUE\nPreemptExemptTime=00:05:00\n";
    assertEquals(List.of("finished 501-1501", "finished 301-501"), fates(schedule(conf, BOTH)));
  }

  @Test
  void aQualityOfServicePreemptsAnother() throws Exception {
    Files.writeString(
        folder.resolve("accounts"),
        """
        add qos free,fast
        modify qos fast set preempt=free priority=10
        modify qos free set preemptmode=cancel
        add account lab qos=free,fast
        add user ann account=lab
        """);
    String conf =
        SITE
            + "PartitionName=day Nodes=ALL Default=YES\n"
            + "PreemptType=preempt/qos\nPreemptMode=REQUEUE\n";
    String stream =
        job(0, 1000, "-n 2 -t 60 -q free")
            + job(0, 1000, "-n 2 -t 60 -q fast")
            + job(100, 200, "-n 2 -t 60 -q fast");
    assertEquals(
        List.of("preempted 0-100", "finished 0-1000", "finished 101-301"),
        fates(schedule(conf, stream)));
  }

  private static final String DAY = SITE + "PartitionName=day Nodes=ALL Default=YES\n";

  @Test
  void aJobThatTakesLessTimeFillsAGap() throws Exception {
    String stream =
        job(0, 600, "-n 2 -t 10")
            + job(1, 100, "-n 4 -t 10")
            + job(2, 3000, "-n 2 -t 60 --time-min=5");
    ReplayResult schedule = schedule(DAY, stream);
    assertEquals(List.of("finished 0-600", "finished 600-700", "cut 2-542"), fates(schedule));
    assertEquals(1, schedule.interruptions().lowered());
  }

  @Test
  void componentsStartTogetherAndEndWithTheFirst() throws Exception {
    String stream = job(0, 100, "-n 3 -t 10") + job(1, 500, "-n 2 -t 5 : -n 2 -t 60");
    assertEquals(
        List.of("finished 0-100", "cut 100-400", "cut 100-400"), fates(schedule(DAY, stream)));
    String never = job(0, 100, "-n 1 -t 10") + job(1, 500, "-n 2 -t 5 : -n 2 -p none -t 60");
    assertEquals(
        List.of("finished 0-100", "there is no partition none", "there is no partition none"),
        fates(schedule(DAY, never)));
  }

  @Test
  void aLicenceIsHeldByOneAtATime() throws Exception {
    String stream = job(0, 100, "-n 1 -t 10 -L sum") + job(0, 100, "-n 1 -t 10 -L sum");
    assertEquals(
        List.of("finished 0-100", "finished 100-200"),
        fates(schedule(DAY + "Licenses=sum:1\n", stream)));
  }

  @Test
  void aLimitIsExceededAsFarAsTheSiteAllows() throws Exception {
    assertEquals(
        List.of("cut 0-420"),
        fates(schedule(DAY + "OverTimeLimit=2\n", job(0, 9000, "-n 1 -t 5"))));
    assertEquals(
        List.of("finished 0-9000"),
        fates(schedule(DAY + "OverTimeLimit=UNLIMITED\n", job(0, 9000, "-n 1 -t 5"))));
  }
}
