package io.dure.siterules;

import static io.dure.testkit.cluster.JobBuilder.job;
import static io.dure.testkit.cluster.TestCluster.ALICE;
import static io.dure.testkit.cluster.TestCluster.BOB;
import static io.dure.testkit.cluster.TestCluster.ROOT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.cluster.EventApplier;
import io.dure.cluster.decide.CommandDecider;
import io.dure.model.ErrorCode;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.CrontabChange;
import io.dure.model.command.KillFilter;
import io.dure.model.command.Reply;
import io.dure.model.cron.CronEntry;
import io.dure.model.cron.CronJob;
import io.dure.model.cron.CronSchedule;
import io.dure.model.cron.CronSyntaxException;
import io.dure.model.cron.Crontab;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.testkit.cluster.Ask;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.JobBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Crontabs: the jobs of their entries, through runs, cancels, replacements and restarts. */
@Tag("pure")
class CrontabTest {
  private static final KillFilter EVERYTHING =
      new KillFilter(null, null, "debug", null, null, null, null, List.of(), null, false, null);

  private TestCluster cluster = start("enable");

  private static TestCluster start(String parameters) {
    return ClusterBuilder.of(2).set("ScronParameters", parameters).start();
  }

  private static CronEntry at(String time, int firstLine, int lastLine) {
    try {
      return new CronEntry(CronSchedule.parse(time), "UTC", firstLine, lastLine);
    } catch (CronSyntaxException e) {
      throw new AssertionError(time, e);
    }
  }

  private static CrontabChange.Entry entry(CronEntry time, JobBuilder job) {
    Command.SubmitJob asked = job.submission();
    return new CrontabChange.Entry(time, asked.spec(), asked.workload(), asked.texts());
  }

  private Reply install(Caller.User who, String text, CrontabChange.Entry... entries) {
    return cluster.ask(who, new Command.ChangeCrontab(new CrontabChange(text, List.of(entries))));
  }

  /** The jobs of a crontab with one entry for each time, in lines of their own. */
  private List<Integer> installed(Caller.User who, JobBuilder job, String... times) {
    List<CrontabChange.Entry> entries = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    for (String time : times) {
      entries.add(entry(at(time, entries.size() + 1, entries.size() + 1), job));
      text.append(time).append(" true\n");
    }
    assertEquals(
        new Reply.Done(),
        install(who, text.toString(), entries.toArray(CrontabChange.Entry[]::new)));
    return jobs(who);
  }

  private List<Integer> jobs(Caller.User who) {
    Crontab crontab = cluster.state().crontabs().of(who.identity().uid());
    return crontab == null ? List.of() : crontab.jobs().stream().map(one -> one.jobId()).toList();
  }

  private String text(Caller.User who) {
    Crontab crontab = cluster.state().crontabs().of(who.identity().uid());
    return crontab == null ? "" : crontab.text();
  }

  private List<Instant> starts(int id) {
    List<Instant> starts = new ArrayList<>();
    for (TestCluster.Step step : cluster.steps()) {
      if (step.event() instanceof Event.JobStarted started && started.jobId() == id) {
        // Ticks are some seconds apart.
        starts.add(started.at().truncatedTo(ChronoUnit.MINUTES));
      }
    }
    return starts;
  }

  private static Instant after(long minutes) {
    return TestCluster.START.plus(Duration.ofMinutes(minutes));
  }

  @Test
  void anEntryIsOneJobThatComesAgainAndAgain() {
    cluster.seconds(30);
    int id = installed(ALICE, job().time(5).runs(90), "*/10 * * * *").getFirst();
    assertEquals("PENDING", cluster.state(id));
    assertEquals("BeginTime", cluster.reason(id));
    cluster.minutes(35);
    assertEquals(List.of(after(10), after(20), after(30)), starts(id));
    assertEquals("PENDING", cluster.state(id));
    assertEquals("BeginTime", cluster.reason(id));
    Job job = cluster.job(id);
    assertEquals(0, job.restarts());
    assertEquals(after(40), ((JobState.Pending) job.state()).notBefore());
    assertEquals("*/10 * * * *", job.cron().schedule().text());
  }

  @Test
  void timesThatPassWhileItRunsAreLeftOut() {
    int id = installed(ALICE, job().time(60).runs(15 * 60), "*/10 * * * *").getFirst();
    cluster.minutes(55);
    assertEquals(List.of(after(10), after(30), after(50)), starts(id));
  }

  @Test
  void aRunThatFailsOrTakesTooLongDoesNotEndIt() {
    int fails = installed(ALICE, job().runs(5).ends("exit 3"), "*/10 * * * *").getFirst();
    int late = installed(BOB, job().time(1).runs(600), "*/10 * * * *").getFirst();
    cluster.minutes(25);
    assertEquals(List.of(after(10), after(20)), starts(fails));
    assertEquals(List.of(after(10), after(20)), starts(late));
  }

  @Test
  void aHeldOneWaitsAndARequeuedOneComesAtItsNextTime() {
    int id = installed(ALICE, job().time(60).runs(300), "*/10 * * * *").getFirst();
    assertNull(cluster.refusal(ALICE, Ask.hold(id)));
    cluster.minutes(12);
    assertEquals(List.of(), starts(id));
    assertNull(cluster.refusal(ALICE, Ask.release(id)));
    cluster.minutes(1);
    assertEquals(1, starts(id).size());
    assertNull(cluster.refusal(ALICE, Ask.requeue(id)));
    cluster.minutes(8);
    assertEquals(2, starts(id).size());
    assertEquals(after(20), starts(id).getLast());
  }

  @Test
  void whatHappenedSurvivesTheController() {
    cluster =
        ClusterBuilder.of(1).set("ScronParameters", "enable").set("SlurmdTimeout", "0").start();
    int id = installed(ALICE, job().time(5).runs(60), "*/10 * * * *", "0 0 1 1 *").getFirst();
    cluster.minutes(15);
    cluster.restartController();
    assertEquals(2, jobs(ALICE).size());
    // Three of its times pass without a node: one run makes up for them.
    cluster.minutes(26);
    cluster.connectAll();
    assertEquals(List.of(after(10), after(41)), starts(id));
    cluster.minutes(10);
    assertEquals(List.of(after(10), after(41), after(50)), starts(id));
  }

  @Test
  void cancellingTurnsTheEntryIntoAComment() {
    List<Integer> ids = installed(ALICE, job().time(5).runs(60), "0 * * * *", "5 * * * *");
    assertNull(cluster.refusal(ALICE, Ask.cancel(ids.getFirst())));
    assertEquals("#DISABLED: 0 * * * * true\n5 * * * * true\n", text(ALICE));
    assertEquals("CANCELLED", cluster.state(ids.getFirst()));
    assertEquals(List.of(ids.getLast()), jobs(ALICE));
    cluster.minutes(5);
    assertEquals("RUNNING", cluster.state(ids.getLast()));
    assertNull(cluster.refusal(ALICE, Ask.cancel(ids.getLast())));
    cluster.minutes(2);
    assertEquals("CANCELLED", cluster.state(ids.getLast()));
    assertEquals("#DISABLED: 0 * * * * true\n#DISABLED: 5 * * * * true\n", text(ALICE));
    assertNull(cluster.job(ids.getLast()).cron());
    cluster.restartController();
  }

  @Test
  void allLinesOfAnEntryAreDisabled() {
    install(
        ALICE, "# a\n#SCRON -t 5\n\n* * * * * true\n# z\n", entry(at("* * * * *", 2, 4), job()));
    assertNull(cluster.refusal(ALICE, Ask.cancel(jobs(ALICE).getFirst())));
    assertEquals("# a\n#DISABLED: #SCRON -t 5\n\n#DISABLED: * * * * * true\n# z\n", text(ALICE));
    install(
        ALICE,
        "#SCRON -t 5\nFOO=bar\n#SCRONTAB\n#SCRON\n0 * * * * a\n5 * * * * b",
        entry(at("0 * * * *", 1, 5), job()),
        entry(at("5 * * * *", 6, 6), job()));
    String last = "5 * * * * b";
    String first = "#DISABLED: #SCRON -t 5\nFOO=bar\n#SCRONTAB\n#DISABLED: #SCRON\n";
    assertNull(cluster.refusal(ALICE, Ask.cancel(jobs(ALICE).getFirst())));
    assertEquals(first + "#DISABLED: 0 * * * * a\n" + last, text(ALICE));
    assertNull(cluster.refusal(ALICE, Ask.cancel(jobs(ALICE).getFirst())));
    assertEquals(first + "#DISABLED: 0 * * * * a\n#DISABLED: " + last, text(ALICE));
  }

  @Test
  void allEntriesOfLargeCrontabsAreCancelledAtOnce() {
    String command = " " + "x".repeat(50);
    int count = CrontabChange.MOST_ENTRIES;
    CrontabChange.Entry[] entries = new CrontabChange.Entry[count];
    for (int i = 0; i < count; i++) {
      entries[i] = entry(at("0 0 1 1 *", i + 1, i + 1), job());
    }
    String line = "0 0 1 1 *" + command + "\n";
    assertEquals(new Reply.Done(), install(ALICE, line.repeat(count), entries));
    assertEquals(new Reply.Done(), install(BOB, line.repeat(count), entries));
    int before = cluster.steps().size();
    Reply reply = cluster.ask(ROOT, Command.KillJobs.passing(EVERYTHING, 0, null, false, false));
    assertEquals(new Reply.Killed(List.of(), 0), reply);
    assertEquals(("#DISABLED: " + line).repeat(count), text(ALICE));
    assertEquals(("#DISABLED: " + line).repeat(count), text(BOB));
    assertEquals(List.of(), jobs(BOB));
    long size = 0;
    for (TestCluster.Step step : cluster.steps().subList(before, cluster.steps().size())) {
      size += step.event().toString().length();
    }
    // A decision of 32 MiB is refused.
    assertTrue(size < 2 << 20, "events of " + size + " characters");
  }

  @Test
  void aRunThatRecursForgetsThatAnEarlierOneWasRestarted() {
    int id = installed(ALICE, job().time(60).runs(300), "*/10 * * * *").getFirst();
    cluster.minutes(11);
    assertNull(cluster.refusal(ALICE, Ask.requeue(id)));
    cluster.minutes(10);
    assertEquals("RUNNING", cluster.state(id));
    assertEquals(1, cluster.job(id).restarts());
    cluster.minutes(8);
    assertEquals("PENDING", cluster.state(id));
    assertEquals(0, cluster.job(id).restarts());
  }

  @Test
  void entriesStandInAText() {
    assertEquals(
        new Reply.Refused(ErrorCode.BAD_INPUT, "entries stand in a text"),
        install(ALICE, "", entry(at("0 * * * *", 1, 1), job())));
    // Of a job that is in no crontab all the same, the cancel is the end, too.
    int id = installed(ALICE, job(), "0 * * * *").getFirst();
    List<CronJob> jobs = List.of(new CronJob(id, at("0 * * * *", 1, 1)));
    ClusterState lost =
        EventApplier.apply(
            cluster.state(), new Event.CrontabStored(new Crontab(ALICE.identity(), "", jobs)));
    assertNull(lost.crontabs().of(ALICE.identity().uid()));
    ClusterState after = CommandDecider.decide(lost, Ask.cancel(id), ALICE, cluster.now()).after();
    Job cancelled = after.job(id);
    assertNotNull(cancelled);
    assertNull(cancelled.cron());
  }

  @Test
  void anIdThatTheCrontabBeforeHasMayBeThatOfANewJob() {
    int id = installed(ALICE, job(), "0 * * * *").getFirst();
    CronEntry other = at("5 * * * *", 1, 1);
    Event stored =
        new Event.CrontabStored(
            new Crontab(ALICE.identity(), "x\n", List.of(new CronJob(id, other))));
    Job job = EventApplier.apply(cluster.state(), stored).job(id);
    assertNotNull(job);
    assertEquals(other, job.cron());
  }

  @Test
  void anExplicitCancelIsAskedFor() {
    cluster = start("enable,explicit_scancel");
    int id = installed(ALICE, job(), "0 * * * *").getFirst();
    assertEquals(ErrorCode.CANNOT_CANCEL_CRON_JOB, cluster.refusal(ALICE, Ask.cancel(id)));
    Reply many =
        cluster.ask(
            ALICE, Command.KillJobs.named(List.of(Ask.all(id), Ask.all(77)), null, false, false));
    assertEquals(
        ErrorCode.CANNOT_CANCEL_CRON_JOB,
        assertInstanceOf(Reply.Killed.class, many).failures().getFirst().code());
    assertEquals("PENDING", cluster.state(id));
    assertNull(
        cluster.refusal(ALICE, new Command.KillJob(Ask.all(id), null, false, false, null, true)));
    assertEquals("CANCELLED", cluster.state(id));
    assertEquals("#DISABLED: 0 * * * * true\n", text(ALICE));
  }

  @Test
  void anotherCrontabTakesThePlaceOfTheOneBefore() {
    List<Integer> old = installed(ALICE, job().time(60).runs(600), "*/5 * * * *", "0 0 1 1 *");
    cluster.minutes(6);
    assertEquals("RUNNING", cluster.state(old.getFirst()));
    List<Integer> next = installed(ALICE, job().runs(10), "*/5 * * * *");
    assertEquals("CANCELLED", cluster.state(old.getLast()));
    assertEquals("RUNNING", cluster.state(old.getFirst()));
    assertTrue(next.getFirst() > old.getLast());
    cluster.minutes(10);
    assertEquals("COMPLETED", cluster.state(old.getFirst()));
    assertEquals(1, starts(old.getFirst()).size());
    assertEquals(2, starts(next.getFirst()).size());
    assertEquals(new Reply.Done(), install(ALICE, ""));
    assertEquals("CANCELLED", cluster.state(next.getFirst()));
    assertEquals("", text(ALICE));
    cluster.restartController();
  }

  /** The job of an entry whose first run is over, with the epilog of the controller still to do. */
  private int completing() {
    cluster =
        ClusterBuilder.of(1)
            .set("ScronParameters", "enable")
            .set("EpilogSlurmctld", "/epilog")
            .start();
    int id = installed(ALICE, job().time(5).runs(30), "*/10 * * * *").getFirst();
    cluster.minutes(11);
    assertEquals("COMPLETING", cluster.state(id));
    return id;
  }

  @Test
  void aRunThatIsOverStaysAsItEndedWhenItIsTheLast() {
    int again = completing();
    cluster.tell(new Command.EpilogEnded(again, 1));
    cluster.minutes(10);
    assertEquals(2, starts(again).size());
    int cancelled = completing();
    assertNull(cluster.refusal(ALICE, Ask.cancel(cancelled)));
    assertEquals("#DISABLED: */10 * * * * true\n", text(ALICE));
    cluster.tell(new Command.EpilogEnded(cancelled, 1));
    assertEquals("COMPLETED", cluster.state(cancelled));
    int removed = completing();
    assertEquals(new Reply.Done(), install(ALICE, ""));
    cluster.tell(new Command.EpilogEnded(removed, 1));
    assertEquals("COMPLETED", cluster.state(removed));
  }

  /** The job of an entry whose first run was lost with its node, with the epilog still to do. */
  private int lost() {
    cluster =
        ClusterBuilder.of(2)
            .set("ScronParameters", "enable")
            .set("EpilogSlurmctld", "/epilog")
            .start();
    int id = installed(ALICE, job().time(60).runs(3000), "0 * * * *").getFirst();
    cluster.minutes(61);
    loseNode(id);
    assertEquals("COMPLETING", cluster.state(id));
    return id;
  }

  private void loseNode(int id) {
    String node = cluster.job(id).state().runningOrSuspended().allocation().nodes().getFirst();
    assertNull(cluster.refusal(ROOT, Ask.node(node, "state", "DOWN", "reason", "gone")));
  }

  @Test
  void anotherCrontabEndsWhatIsOnItsWayBackIntoTheQueue() {
    int removed = lost();
    assertEquals(new Reply.Done(), install(ALICE, ""));
    cluster.tell(new Command.EpilogEnded(removed, 1));
    assertEquals("NODE_FAIL", cluster.state(removed));
    cluster.minutes(70);
    assertEquals(1, starts(removed).size());
    int refused = lost();
    Reply reply = install(ALICE, "x\n", entry(at("0 * * * *", 1, 1), job().partition("nowhere")));
    assertInstanceOf(Reply.Refused.class, reply);
    cluster.tell(new Command.EpilogEnded(refused, 1));
    assertEquals("PENDING", cluster.state(refused));
  }

  @Test
  void aRunThatIsBrokenOffIsBegunAgainSoonAndItsRestartsAreItsOwn() {
    cluster =
        ClusterBuilder.of(3)
            .set("ScronParameters", "enable")
            .set("MaxBatchRequeue", "1")
            .set("SchedulerParameters", "requeue_delay=120")
            .start();
    int id = installed(ALICE, job().time(60).runs(600), "0 * * * *").getFirst();
    cluster.minutes(61);
    loseNode(id);
    assertEquals("PENDING", cluster.state(id));
    cluster.minutes(4);
    assertEquals(List.of(after(60), after(63)), starts(id));
    assertEquals(1, cluster.job(id).restarts());
    cluster.minutes(56);
    assertEquals(after(120), starts(id).getLast());
    assertEquals(0, cluster.job(id).restarts());
    loseNode(id);
    cluster.minutes(4);
    assertEquals("RUNNING", cluster.state(id));
    assertEquals(List.of(after(60), after(63), after(120), after(123)), starts(id));
  }

  @Test
  void anEntryWhoseJobEndsWithoutRunningBecomesAComment() {
    List<Integer> late = installed(ALICE, job().time(5).deadline(after(30)), "0 * * * *");
    int other = cluster.submit(BOB, job().runs(60).ends("exit 1"));
    cluster.minutes(1);
    JobBuilder depends = job().dependency("afterok:" + other).killOnInvalidDependency();
    List<Integer> vain = installed(BOB, depends, "0 * * * *");
    cluster.minutes(3);
    assertEquals("CANCELLED", cluster.state(vain.getFirst()));
    cluster.minutes(24);
    assertEquals("DEADLINE", cluster.state(late.getFirst()));
    assertEquals("#DISABLED: 0 * * * * true\n", text(ALICE));
    assertEquals("#DISABLED: 0 * * * * true\n", text(BOB));
    assertEquals(List.of(), jobs(ALICE));
    assertNull(cluster.job(late.getFirst()).cron());
    cluster.restartController();
  }

  @Test
  void eachRunSaysSinceWhenItIsInTheQueue() {
    int id = installed(ALICE, job().time(5).runs(60), "*/10 * * * *").getFirst();
    assertEquals(TestCluster.START, cluster.job(id).attemptTime());
    cluster.minutes(15);
    Job job = cluster.job(id);
    assertEquals(TestCluster.START, job.submitTime());
    assertEquals(after(11), job.attemptTime().truncatedTo(ChronoUnit.MINUTES));
  }

  @Test
  void allOfItIsTakenOrNothing() {
    int before = installed(ALICE, job(), "0 * * * *").getFirst();
    Reply reply =
        install(
            ALICE,
            "x\ny\n",
            entry(at("1 * * * *", 1, 1), job()),
            entry(at("2 * * * *", 2, 2), job().partition("nowhere")));
    assertEquals(
        new Reply.Refused(
            ErrorCode.INVALID_PARTITION_NAME, "invalid partition specified: nowhere", 1),
        reply);
    reply = install(ALICE, "x\n", entry(at("0 0 30 2 *", 1, 1), job()));
    assertEquals(
        new Reply.Refused(ErrorCode.INVALID_TIME_VALUE, "this time never comes", 0), reply);
    assertEquals("0 * * * * true\n", text(ALICE));
    assertEquals("PENDING", cluster.state(before));
    assertEquals(List.of(before), jobs(ALICE));
    assertNotNull(cluster.job(before).cron());
  }

  @Test
  void limitsOfSubmissionsHoldForEntries() {
    cluster = ClusterBuilder.of(1).set("ScronParameters", "enable").set("MaxJobCount", "2").start();
    CrontabChange.Entry one = entry(at("0 * * * *", 1, 1), job());
    assertEquals(
        new Reply.Refused(ErrorCode.MAX_JOB_COUNT, "", 2), install(ALICE, "x\n", one, one, one));
    CrontabChange.Entry[] many = new CrontabChange.Entry[CrontabChange.MOST_ENTRIES + 1];
    Arrays.fill(many, one);
    assertEquals(
        new Reply.Refused(ErrorCode.BAD_INPUT, "a crontab has at most 1000 entries"),
        install(ALICE, "x\n", many));
    CronSchedule honest = one.entry().schedule();
    CronSchedule other =
        new CronSchedule(
            "1 * * * *",
            honest.minutes(),
            honest.hours(),
            honest.days(),
            honest.months(),
            honest.weekdays(),
            honest.eitherDay());
    Command.SubmitJob job = job().submission();
    assertEquals(
        new Reply.Refused(ErrorCode.BAD_INPUT, "a time unlike its text", 0),
        install(
            ALICE,
            "x\n",
            new CrontabChange.Entry(
                new CronEntry(other, "UTC", 1, 1), job.spec(), job.workload(), job.texts())));
  }

  @Test
  void usersHaveTheirOwn() {
    int alices = installed(ALICE, job(), "0 * * * *").getFirst();
    int bobs = installed(BOB, job(), "30 * * * *").getFirst();
    assertEquals(ErrorCode.ACCESS_DENIED, cluster.refusal(BOB, Ask.cancel(alices)));
    assertEquals(new Reply.Done(), install(BOB, ""));
    assertEquals("PENDING", cluster.state(alices));
    assertEquals("CANCELLED", cluster.state(bobs));
    assertNull(cluster.refusal(ROOT, Ask.cancel(alices)));
    assertEquals("#DISABLED: 0 * * * * true\n", text(ALICE));
  }

  @Test
  void withoutTheParameterThereAreNone() {
    cluster = start("explicit_scancel");
    assertEquals(
        new Reply.Refused(ErrorCode.DISABLED, "scrontab is disabled on this cluster"),
        install(ALICE, "x\n", entry(at("0 * * * *", 1, 1), job())));
  }
}
