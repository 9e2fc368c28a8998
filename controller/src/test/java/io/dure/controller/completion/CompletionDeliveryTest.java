package io.dure.controller.completion;

import static io.dure.testkit.cluster.JobBuilder.job;
import static io.dure.testkit.cluster.TestCluster.ALICE;
import static io.dure.testkit.cluster.TestCluster.ROOT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.cluster.EventApplier;
import io.dure.controller.accounting.ClusterAccounting;
import io.dure.controller.accounting.SoundDisk;
import io.dure.controller.loop.EventFollower;
import io.dure.host.log.DaemonLog;
import io.dure.host.log.LogLevel;
import io.dure.model.command.Command;
import io.dure.model.command.JobSelector;
import io.dure.testkit.Await;
import io.dure.testkit.cluster.ClusterBuilder;
import io.dure.testkit.cluster.JobBuilder;
import io.dure.testkit.cluster.TestCluster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records of ended jobs, by a real log, and real files, programs and servers. */
@Tag("process")
class CompletionDeliveryTest {
  private static final Await SOON = Await.seconds(60);

  /** Of an answer whose last byte does not come. */
  private static final String ENDLESS = "...";

  @TempDir Path directory;
  private final ByteArrayOutputStream words = new ByteArrayOutputStream();
  private final AtomicReference<ClusterState> known = new AtomicReference<>();
  private TestCluster cluster;
  private ClusterAccounting accounting;
  private EventFollower feed;
  private CompletionDelivery delivery;
  private HttpServer server;
  private int heard;

  /** What the server is asked. */
  private record Asked(String path, String type, String body) {}

  private final List<Asked> asked = new CopyOnWriteArrayList<>();

  /** What it says next, a code and a text; then it takes everything. */
  private final ConcurrentLinkedQueue<String> answers = new ConcurrentLinkedQueue<>();

  private Path loc() {
    return directory.resolve("place");
  }

  private void start(String type, String place) throws IOException {
    start(type, place, "none", 5);
  }

  private void start(String type, String place, String privateData, int seconds)
      throws IOException {
    cluster =
        ClusterBuilder.of(2)
            .set("PrivateData", privateData)
            .set("JobCompType", type)
            .set("JobCompLoc", place)
            .set("JobCompParams", "timeout=%1$d,connect_timeout=%1$d".formatted(seconds))
            .set("AccountingStorageType", "accounting_storage/none")
            .set("StateSaveLocation", directory.resolve("state").toString())
            .start();
    accounting =
        Objects.requireNonNull(
            ClusterAccounting.of(
                cluster.state().config(),
                new ClusterAccounting.Surroundings(
                    InstantSource.system(), new SoundDisk(), DaemonLog.silent()),
                new ClusterAccounting.Group(() -> true, (_, _) -> {}, List.of()),
                bug -> {
                  throw new AssertionError(bug);
                }));
    assertNull(accounting.books(), "there is no database");
    feed = ClusterAccounting.follower(accounting);
    feed.begin(cluster.steps().getFirst().before());
    known.set(cluster.state());
    lead();
  }

  private void lead() {
    delivery =
        new CompletionDelivery(
            accounting.endedJobs(),
            known::get,
            this::keep,
            InstantSource.system(),
            DaemonLog.toStream(words, LogLevel.INFO, InstantSource.system(), ZoneId.of("UTC")));
    delivery.start();
  }

  private void keep(Command.InternalCommand command) {
    Command.NoteCompletions note = (Command.NoteCompletions) command;
    known.updateAndGet(state ->
        EventApplier.apply(
            state, new Event.CompletionsRecorded(note.position(), note.fileLength())));
  }

  /** What happened since is told. */
  private void tell() {
    for (TestCluster.Step step : cluster.steps().subList(heard, cluster.steps().size())) {
      feed.happened(List.of(step.event()), step.after());
    }
    heard = cluster.steps().size();
  }

  /** The same, all of it recorded together. */
  private void tellTogether() {
    List<TestCluster.Step> steps = cluster.steps().subList(heard, cluster.steps().size());
    feed.happened(steps.stream().map(TestCluster.Step::event).toList(), steps.getLast().after());
    heard = cluster.steps().size();
  }

  private int run(JobBuilder wanted) {
    int id = cluster.submit(ALICE, wanted.runs(60));
    cluster.minutes(2);
    tell();
    return id;
  }

  @AfterEach
  void close() throws IOException {
    delivery.close();
    accounting.close();
    if (server != null) {
      server.stop(0);
    }
  }

  private List<String> lines() throws IOException {
    return Files.exists(loc()) ? Files.readAllLines(loc()) : List.of();
  }

  private List<String> lines(int count) throws IOException {
    SOON.until(count + " lines", () -> lines().size() == count);
    return lines();
  }

  private String said() {
    return words.toString(StandardCharsets.UTF_8);
  }

  @Test
  void endedJobsAreWrittenToAFile() throws IOException {
    start("jobcomp/filetxt", loc().toString());
    int id = cluster.submit(ALICE, job().name("x y\n").runs(60).ends("exit 2"));
    int dropped = cluster.submit(ALICE, job().held());
    cluster.ask(ROOT, new Command.KillJob(new JobSelector(dropped, null), null, false, false));
    cluster.minutes(2);
    tell();
    String line = lines(2).get(1);
    assertTrue(line.startsWith("JobId=" + id + " UserId=alice(1001) "), line);
    assertTrue(line.contains(" Name=x y? JobState=FAILED Partition=debug TimeLimit="), line);
    assertTrue(line.contains(" NodeList=n1 NodeCnt=1 ProcCnt=1 "), line);
    assertTrue(line.endsWith(" DerivedExitCode=0:0 ExitCode=2:0"), line);
    assertTrue(lines().getFirst().contains(" JobState=CANCELLED "), lines().getFirst());
  }

  @Test
  void aRestartRepeatsNothingAndCompletesALineThatWasCutShort() throws IOException {
    start("jobcomp/filetxt", loc().toString());
    ClusterState fresh = known.get();
    int first = run(job());
    List<String> one = lines(1);
    SOON.until("the note", () -> known.get().hooks().completed() > 0);
    ClusterState noted = known.get();
    delivery.close();
    lead();
    int second = run(job());
    List<String> two = lines(2);
    assertTrue(two.getLast().startsWith("JobId=" + second + " "), two.getLast());
    SOON.until("the note", () -> known.get() != noted);

    // Killed before the note of the second, with half of its line in the file.
    delivery.close();
    byte[] all = Files.readAllBytes(loc());
    Files.write(loc(), Arrays.copyOf(all, all.length - 20));
    known.set(noted);
    lead();
    SOON.until("the whole line", () -> lines().equals(two));
    SOON.until("the note", () -> known.get() != noted);
    assertEquals(new String(all, StandardCharsets.UTF_8), Files.readString(loc()));

    // Killed behind the line.
    delivery.close();
    known.set(noted);
    lead();
    int third = run(job());
    List<String> three = lines(3);
    assertTrue(three.getLast().startsWith("JobId=" + third + " "), three.getLast());
    assertTrue(one.getFirst().startsWith("JobId=" + first + " "), one.getFirst());
    assertTrue(fresh.hooks().completed() < noted.hooks().completed());
  }

  @Test
  void whatIsThereOfSeveralBatchesIsNotWrittenAgain() throws IOException {
    start("jobcomp/filetxt", loc().toString());
    run(job());
    lines(1);
    SOON.until("the note", () -> known.get().hooks().completed() > 0);
    ClusterState noted = known.get();
    run(job());
    run(job());
    List<String> three = lines(3);
    delivery.close();
    // Another leader, say, that has them in other batches: of none of these it is noted.
    known.set(noted);
    lead();
    int last = run(job());
    SOON.until("the last", () -> lines().getLast().startsWith("JobId=" + last + " "));
    assertEquals(three, lines().subList(0, lines().size() - 1));
  }

  @Test
  void aLineThatAnotherLeftTornIsNotContinued() throws IOException {
    Files.writeString(loc(), "JobId=900 UserId=al");
    start("jobcomp/filetxt", loc().toString());
    int id = run(job());
    List<String> lines = lines(2);
    assertEquals("JobId=900 UserId=al", lines.getFirst());
    assertTrue(lines.getLast().startsWith("JobId=" + id + " UserId=alice"), lines::toString);
  }

  @Test
  void othersMayNotReadTheFileWhereDataArePrivate() throws IOException {
    start("jobcomp/filetxt", loc().toString(), "jobs", 5);
    run(job());
    lines(1);
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(loc())));
  }

  @Test
  void whatCannotBeWrittenIsWrittenLater() throws IOException {
    Path late = directory.resolve("late");
    start("jobcomp/jsonlines", late.resolve("jobs").toString());
    int a = run(job().name("one \"quoted\""));
    SOON.until("a word of it", () -> said().contains("ended jobs are kept and recorded later"));
    int b = run(job());
    Files.createDirectory(late);
    SOON.until(
        "both",
        () ->
            Files.exists(late.resolve("jobs"))
                && Files.readAllLines(late.resolve("jobs")).size() == 2);
    List<String> lines = Files.readAllLines(late.resolve("jobs"));
    assertTrue(lines.getFirst().startsWith("{\"jobid\":" + a + ",\"username\":\"alice\""));
    assertTrue(lines.getFirst().contains("\"job_name\":\"one \\\"quoted\\\"\""), lines::toString);
    assertTrue(lines.getFirst().contains("\"total_cpus\":1,"), lines::toString);
    assertTrue(lines.getFirst().contains("\"elapsed\":60,"), lines::toString);
    assertTrue(lines.getLast().startsWith("{\"jobid\":" + b + ","), lines::toString);
    assertTrue(said().contains("takes records again"), said());
  }

  private List<Path> ran() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> String.valueOf(file.getFileName()).startsWith("ran."))
          .sorted()
          .toList();
    }
  }

  @Test
  void endedJobsAreHandedToAProgramOnceItIsThere() throws IOException {
    start("jobcomp/script", loc().toString());
    int id = run(job());
    SOON.until("a word of it", () -> said().contains("there is no such program"));
    Path made =
        Files.writeString(
            directory.resolve("made"),
            "#!/bin/sh\nenv > %1$s/tmp.$JOBID; mv %1$s/tmp.$JOBID %1$s/ran.$JOBID; exit 3\n"
                .formatted(directory));
    Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.move(made, loc());
    SOON.until("the program", () -> ran().size() == 1);
    List<String> lines = Files.readAllLines(ran().getFirst());
    for (String line :
        List.of(
            "JOBID=" + id,
            "JOBSTATE=COMPLETED",
            "NODES=n1",
            "PROCS=1",
            "DERIVED_EC=0:0",
            "RESERVATIONNAME=",
            "STDIN=/dev/null",
            "USERNAME=alice")) {
      assertTrue(lines.contains(line), () -> line + " in " + lines);
    }
    SOON.until("its code", () -> said().contains("job " + id + ": JobCompLoc"));
    run(job());
    SOON.until("the next", () -> ran().size() == 2);
  }

  @Test
  void aProgramThatCannotBeBegunGetsTheJobLater() throws IOException {
    Files.writeString(loc(), "#!/no/such/shell\n");
    Files.setPosixFilePermissions(loc(), PosixFilePermissions.fromString("rwxr-xr-x"));
    start("jobcomp/script", loc().toString());
    int id = run(job());
    SOON.until("a word of it", () -> said().contains("ended jobs are kept and recorded later"));
    Path made =
        Files.writeString(
            directory.resolve("made"), "#!/bin/sh\ntouch %s/ran.$JOBID\n".formatted(directory));
    Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.move(made, loc(), StandardCopyOption.ATOMIC_MOVE);
    SOON.until("the program", () -> ran().equals(List.of(directory.resolve("ran." + id))));
  }

  private String serve(String path) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Thread::startVirtualThread);
    server.createContext(
        "/",
        exchange -> {
          String body =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          asked.add(
              new Asked(
                  exchange.getRequestURI().getPath(),
                  exchange.getRequestHeaders().getFirst("Content-Type"),
                  body));
          String next = answers.poll();
          String answer = next == null ? "200 {}" : next;
          byte[] text = answer.substring(4).getBytes(StandardCharsets.UTF_8);
          boolean ends = !answer.endsWith(ENDLESS);
          exchange.sendResponseHeaders(
              Integer.parseInt(answer.substring(0, 3)), text.length + (ends ? 0 : 1));
          exchange.getResponseBody().write(text);
          exchange.getResponseBody().flush();
          if (ends) {
            exchange.close();
          }
        });
    server.start();
    return "127.0.0.1:" + server.getAddress().getPort() + path;
  }

  @Test
  void documentsAreSentUntilTheServerTakesThem() throws IOException {
    answers.add("503 {\"error\":\"away\"}");
    start("jobcomp/elasticsearch", serve("/slurm/_doc"));
    int id = run(job());
    SOON.until("a second attempt", () -> asked.size() == 2);
    assertEquals(asked.getFirst(), asked.getLast());
    assertEquals("/slurm/_doc", asked.getFirst().path());
    assertEquals("application/json", asked.getFirst().type());
    assertTrue(asked.getFirst().body().startsWith("{\"jobid\":" + id + ","), asked::toString);
    assertTrue(said().contains("HTTP 503"), said());
    answers.add("400 no mapping");
    int refused = run(job());
    int next = run(job());
    SOON.until("the next", () -> asked.size() == 4);
    assertTrue(asked.get(2).body().startsWith("{\"jobid\":" + refused + ","), asked::toString);
    assertTrue(asked.getLast().body().startsWith("{\"jobid\":" + next + ","), asked::toString);
    assertTrue(said().contains("refuses a record, which is left out: HTTP 400 no mapping"), said());
  }

  @Test
  void aTopicGetsRecordsAndThoseNotTakenAgain() throws IOException {
    answers.add("200 {\"offsets\":[{\"partition\":0,\"offset\":null,\"error_code\":50003}]}");
    start("jobcomp/kafka", "http://" + serve("/topics/jobs"));
    int id = run(job());
    SOON.until("a second attempt", () -> asked.size() == 2);
    Asked request = asked.getLast();
    assertEquals("/topics/jobs", request.path());
    assertEquals("application/vnd.kafka.json.v2+json", request.type());
    assertTrue(
        request.body().startsWith("{\"records\":[{\"value\":{\"jobid\":" + id + ","),
        request.body());
    assertTrue(request.body().endsWith("}}]}"), request.body());
    SOON.until("the note", () -> known.get().hooks().completed() > 0);
  }

  /** Two jobs that end together. */
  private List<Integer> two() {
    int a = cluster.submit(ALICE, job().runs(60));
    int b = cluster.submit(ALICE, job().runs(60));
    cluster.minutes(2);
    tellTogether();
    return List.of(a, b);
  }

  private static String record(int id) {
    return "{\"value\":{\"jobid\":" + id + ",";
  }

  @Test
  void ofARefusedRequestThoseRecordsAreLeftOutThatAreRefusedAlone() throws IOException {
    answers.addAll(List.of("413 too large", "422 unreadable"));
    start("jobcomp/kafka", "http://" + serve("/topics/jobs"));
    List<Integer> jobs = two();
    SOON.until("the note", () -> known.get().hooks().completed() > 0);
    assertEquals(3, asked.size(), asked::toString);
    for (int job : jobs) {
      assertTrue(asked.getFirst().body().contains(record(job)), asked::toString);
    }
    String first = asked.get(1).body().contains(record(jobs.getFirst())) ? "0" : "1";
    int left = jobs.get(Integer.parseInt(first));
    int sent = jobs.get(1 - Integer.parseInt(first));
    assertTrue(asked.get(1).body().contains(record(left)), asked::toString);
    assertTrue(asked.get(2).body().contains(record(sent)), asked::toString);
    assertTrue(said().contains("left out: HTTP 422 unreadable, of"), said());
  }

  @Test
  void recordsThatATopicHasTakenAreNotSentAgain() throws IOException {
    answers.add(
        "200 {\"offsets\":[{\"partition\":0,\"offset\":7,\"error_code\":null,\"error\":null},"
            + "{\"partition\":null,\"offset\":null,\"error_code\":2,\"error\":\"later\"}],"
            + "\"key_schema_id\":null}");
    start("jobcomp/kafka", "http://" + serve("/topics/jobs"));
    List<Integer> jobs = two();
    SOON.until("the note", () -> known.get().hooks().completed() > 0);
    assertEquals(2, asked.size(), asked::toString);
    String again = asked.getLast().body();
    long times = jobs.stream().filter(job -> again.contains(record(job))).count();
    assertEquals(1, times, asked::toString);
    assertTrue(asked.getFirst().body().endsWith(again.substring(again.indexOf("{\"value\""))));
  }

  @Test
  void ofALongAnswerTheStatusCounts() throws IOException {
    String rest = "x".repeat(3 << 20);
    answers.addAll(List.of("200 {\"a\":\"" + rest + "\"}", "400 " + rest, "500 " + rest));
    start("jobcomp/kafka", "http://" + serve("/topics/jobs"));
    int taken = run(job());
    int refused = run(job());
    int later = run(job());
    SOON.until("the last", () -> asked.size() == 4);
    SOON.until("a word of it", () -> said().contains("takes records again"));
    assertTrue(asked.get(0).body().contains(record(taken)), asked::toString);
    assertTrue(asked.get(1).body().contains(record(refused)), asked::toString);
    assertTrue(said().contains("left out: HTTP 400 xxx"), said());
    assertTrue(asked.get(2).body().contains(record(later)), asked::toString);
    assertEquals(asked.get(2), asked.get(3));
  }

  @Test
  void aServerThatDoesNotEndItsAnswerIsAskedAgain() throws IOException {
    answers.add("200 " + ENDLESS);
    start("jobcomp/elasticsearch", serve("/slurm/_doc"), "none", 1);
    run(job());
    SOON.until("a second attempt", () -> asked.size() == 2);
    assertTrue(said().contains("no whole answer within 2 s"), said());
    SOON.until("the note", () -> known.get().hooks().completed() > 0);
  }
}
