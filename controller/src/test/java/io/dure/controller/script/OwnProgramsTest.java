package io.dure.controller.script;

import static io.dure.testkit.cluster.JobBuilder.job;
import static io.dure.testkit.cluster.TestCluster.ALICE;
import static io.dure.testkit.cluster.TestCluster.ROOT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.host.log.DaemonLog;
import io.dure.host.log.LogLevel;
import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.model.command.JobSelector;
import io.dure.model.command.Placement;
import io.dure.model.job.Allocation;
import io.dure.model.reservation.NameListEdit;
import io.dure.model.reservation.ReservationRequest;
import io.dure.model.reservation.ReservationRequestBuilder;
import io.dure.testkit.Await;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the controller runs and writes on its own account, by real programs. */
@Tag("process")
class OwnProgramsTest {
  private static final Await SOON = Await.seconds(30);

  @TempDir Path directory;
  private final ByteArrayOutputStream log = new ByteArrayOutputStream();
  private OwnPrograms own;
  private TestCluster cluster;
  private int heard;

  @BeforeEach
  void open() throws IOException {
    own =
        new OwnPrograms(
            ClusterBuilder.of(1).start().state(),
            DaemonLog.toStream(log, LogLevel.INFO, InstantSource.system(), ZoneId.systemDefault()));
    Path program =
        Files.writeString(
            directory.resolve("program"),
            """
            #!/bin/sh
            out=$(mktemp %1$s/made.XXXXXX)
            { for word in "$@"; do echo "[$word]"; done
              env
              [ -z "$SLURM_RESUME_FILE" ] || cat "$SLURM_RESUME_FILE"
            } > "$out"
            mv "$out" "%1$s/ran.${out##*.}"
            """
                .formatted(directory));
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @AfterEach
  void close() {
    own.close();
  }

  private ClusterBuilder of(int nodes) {
    return ClusterBuilder.of(nodes).set("MailProg", directory + "/program");
  }

  private List<String> ran() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> String.valueOf(file.getFileName()).startsWith("ran."))
          .map(file -> {
            try {
              return Files.readString(file);
            } catch (IOException e) {
              throw new IllegalStateException(e);
            }
          })
          .sorted()
          .toList();
    }
  }

  /** What happened since is told, in one piece. */
  private void tell() {
    List<Event> events =
        cluster.steps().subList(heard, cluster.steps().size()).stream()
            .map(TestCluster.Step::event)
            .toList();
    heard = cluster.steps().size();
    own.happened(events, cluster.state());
  }

  private List<String> programs(int count) {
    SOON.until(count + " programs", () -> ran().size() == count);
    try {
      return ran();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aJobThatAsksForItIsMailedAbout() {
    cluster = of(1).set("MailDomain", "example.org").start();
    int id = cluster.submit(ALICE, job().name("a\nb").runs(60).mail("BEGIN,END", null));
    tell();
    String begin = programs(1).getFirst();
    String subject = "[Slurm Job_id=" + id + " Name=a?b Began, Queued time 00:00:00]";
    assertTrue(begin.startsWith("[-s]\n" + subject + "\n[alice@example.org]\n"), begin);
    assertTrue(begin.contains("\nSLURM_JOB_MAIL_TYPE=Began\n"), begin);
    cluster.seconds(70);
    tell();
    String end = String.join("", programs(2));
    assertTrue(end.contains("Name=a?b Ended, Run time 00:01:00, COMPLETED, ExitCode 0]"), end);
  }

  @Test
  void aJobThatFailsIsMailedAboutToThoseWhoAskedForFailures() {
    cluster = of(1).start();
    cluster.submit(ALICE, job().runs(60).ends("exit 3").mail("FAIL", "ann@example.org"));
    cluster.submit(ALICE, job().runs(60).mail("FAIL", "ann@example.org"));
    cluster.seconds(70);
    tell();
    String mail = programs(1).getFirst();
    assertTrue(mail.contains(" Failed, Run time 00:01:00, FAILED, ExitCode 3]"), mail);
    assertTrue(mail.contains("\n[ann@example.org]\n"), mail);
  }

  @Test
  void theEndOfAnArrayIsToldWhereItsRestIsCancelled() {
    cluster = of(1).start();
    int id = cluster.submit(ALICE, job().array("1-3").held().mail("END", null));
    cluster.ask(ALICE, new Command.KillJob(new JobSelector(id, null), null, false, false));
    tell();
    assertTrue(programs(1).getFirst().contains("Array Summary Job_id=" + id), "one mail");
  }

  @Test
  void ofFailuresAnArrayTellsOnlyWhereATaskFailed() {
    cluster = of(1).start();
    cluster.submit(ALICE, job().array("1-2").runs(60).mail("FAIL", "good@example.org"));
    cluster.submit(
        ALICE, job().array("1-2").runs(60).ends("exit 3").mail("FAIL", "bad@example.org"));
    cluster.minutes(3);
    tell();
    assertTrue(programs(1).getFirst().contains("[bad@example.org]"), "one mail");
  }

  @Test
  void ofAnArrayOneMailTellsOfAllTasks() {
    cluster = of(2).start();
    int id = cluster.submit(ALICE, job().array("1-4").runs(60).mail("ALL", null));
    tell();
    cluster.minutes(3);
    tell();
    List<String> mails = programs(2);
    String all = String.join("", mails);
    assertTrue(all.contains("[Slurm Array Summary Job_id=" + id + "_* ("), all);
    assertTrue(all.contains("Ended, COMPLETED, ExitCode [0-0]]"), all);
  }

  @Test
  void whatIsNoAddressIsNotUsed() {
    cluster = of(1).start();
    cluster.submit(ALICE, job().runs(60).mail("BEGIN", "-S/etc/passwd"));
    cluster.submit(ALICE, job().runs(60).mail("BEGIN", "|/home/a/x\u009b.sh"));
    cluster.submit(ALICE, job().runs(60).mail("BEGIN", "bob,/home/a/file,ann@example.org"));
    tell();
    assertTrue(programs(1).getFirst().contains("\n[bob,ann@example.org]\n"));
    String text = log.toString(StandardCharsets.UTF_8);
    assertTrue(text.contains("no mail is sent to |/home/a/x?.sh"), text);
    assertTrue(text.contains("no mail is sent to /home/a/file"), text);
  }

  @Test
  void withoutAProgramItIsSaidOnceThatNoMailIsSent() {
    cluster = of(1).set("MailProg", directory + "/none").start();
    cluster.submit(ALICE, job().runs(60).mail("ALL", null));
    cluster.submit(ALICE, job().runs(60).mail("ALL", null));
    cluster.minutes(5);
    tell();
    SOON.until(
        "a word about it",
        () -> log.toString(StandardCharsets.UTF_8).contains("no mail is sent to users"));
    String text = log.toString(StandardCharsets.UTF_8);
    assertEquals(1, text.lines().filter(line -> line.contains("no mail is sent")).count(), text);
  }

  @Test
  void nodesAreSwitchedOnForTheJobsThatAFileNames() {
    cluster =
        of(2)
            .set("SuspendProgram", directory + "/program")
            .set("ResumeProgram", directory + "/program")
            .start();
    int id = cluster.submit(ALICE, job().nodes(2).runs(60));
    own.power(
        new Effect.SwitchPower(Effect.PowerAction.RESUME, List.of("n1", "n2")), cluster.state());
    String ran = programs(1).getFirst();
    assertTrue(ran.startsWith("[n[1-2]]\n"), ran);
    assertTrue(ran.contains("{\"all_nodes_resume\":\"n[1-2]\",\"jobs\":[{\"extra\":null,"), ran);
    assertTrue(
        ran.contains(
            "\"job_id\":" + id + ",\"nodes_alloc\":\"n[1-2]\",\"nodes_resume\":\"n[1-2]\","),
        ran);
  }

  @Test
  void programsRunWhenAReservationBeginsAndEnds() throws IOException {
    cluster =
        of(1)
            .set("ResvProlog", directory + "/program")
            .set("ResvEpilog", directory + "/program")
            .start();
    Instant begin = cluster.now().plusSeconds(60);
    ReservationRequest wanted =
        ReservationRequestBuilder.builder()
            .name("r1")
            .start(begin)
            .duration(Duration.ofMinutes(2))
            .nodes(List.of("n1"))
            .users(new NameListEdit(NameListEdit.Mode.SET, List.of("alice")))
            .set(List.of())
            .clear(List.of())
            .zone("UTC")
            .build();
    assertNull(cluster.refusal(ROOT, new Command.CreateReservation(wanted)));
    tell();
    cluster.seconds(61);
    tell();
    assertTrue(programs(1).getFirst().startsWith("[r1]\n"));
    own.close();
    own = new OwnPrograms(cluster.state(), DaemonLog.silent());
    cluster.seconds(30);
    tell();
    assertEquals(1, ran().size(), "another controller leads, which runs it no second time");
    own.close();
    own = new OwnPrograms(cluster.state(), DaemonLog.silent());
    cluster.minutes(3);
    tell();
    programs(2);
  }

  @Test
  void theSchedulerWritesDownWhatItStarts() throws IOException {
    Path file = directory.resolve("sched");
    cluster = of(1).set("SlurmSchedLogLevel", "1").set("SlurmSchedLogFile", "" + file).start();
    int id = cluster.submit(ALICE, job().held());
    Placement start = new Placement(id, null, new Allocation("debug", List.of()));
    SchedulerLog scheduler = new SchedulerLog(DaemonLog.silent());
    scheduler.planned(cluster.state(), List.of(), cluster.now());
    assertFalse(Files.exists(file), "nothing was started");
    scheduler.planned(cluster.state(), List.of(start), cluster.now());
    List<String> lines = Files.readAllLines(file);
    assertTrue(
        lines.getFirst().endsWith("] sched: Allocate JobId=" + id + " NodeList= Partition=debug"),
        lines::toString);
    assertTrue(lines.get(1).endsWith("] sched: jobs started: 1, pending: 1"), lines::toString);
  }

  @Test
  void theSchedulersLogIsSwitchedUntilTheConfigurationIsReadAgain() throws IOException {
    Path file = directory.resolve("sched");
    cluster = of(1).set("SlurmSchedLogFile", "" + file).start();
    int id = cluster.submit(ALICE, job().held());
    List<Placement> starts = List.of(new Placement(id, null, new Allocation("debug", List.of())));
    SchedulerLog scheduler = new SchedulerLog(DaemonLog.silent());
    scheduler.planned(cluster.state(), starts, cluster.now());
    assertFalse(Files.exists(file), "SlurmSchedLogLevel is 0");
    assertTrue(scheduler.set(true, cluster.state()));
    scheduler.planned(cluster.state(), starts, cluster.now());
    assertEquals(2, Files.readAllLines(file).size());
    assertTrue(scheduler.set(false, cluster.state()));
    scheduler.planned(cluster.state(), starts, cluster.now());
    assertEquals(2, Files.readAllLines(file).size());
    assertTrue(scheduler.set(true, cluster.state()));
    ClusterState again = of(1).set("SlurmSchedLogFile", "" + file).start().state();
    scheduler.planned(again, starts, cluster.now());
    assertEquals(2, Files.readAllLines(file).size(), "another configuration is in force");
    assertFalse(scheduler.set(true, of(1).start().state()), "there is no such file");
  }

  @Test
  void programsRunWhenTheLeadershipBeginsAndEnds() {
    cluster =
        of(1)
            .set("SlurmctldPrimaryOnProg", directory + "/program")
            .set("SlurmctldPrimaryOffProg", directory + "/program")
            .start();
    own.close(cluster.state());
    own = new OwnPrograms(cluster.state(), DaemonLog.silent());
    own.begin(cluster.state());
    assertFalse(programs(1).isEmpty(), "one that never led ended no leadership");
    own.close(cluster.state());
    programs(2);
  }
}
