package io.dure.e2e.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * Constant submissions of short jobs to three controllers, some jobs that run through everything,
 * and who looks from outside whether the promises were kept: at the ids that were acknowledged, at
 * the lines that the jobs wrote, at the long jobs' processes, at what each controller knows.
 */
public final class Witness implements AutoCloseable {
  private static final Await SOON = Await.seconds(60);
  private static final Await LATER = Await.seconds(400);

  private final Group group;
  private final Cluster cluster;
  private final Path whileThere;
  private final Path acks;
  private final Path complaints;
  private final Path ran;
  private final Map<Integer, String> sleepers = new LinkedHashMap<>();
  private final Process load;

  /** Begins: four connections that submit all the time, and a long job on each node. */
  public Witness(Group group, int pauseMillis) {
    this.group = group;
    cluster = group.cluster();
    Path dir = cluster.dir();
    whileThere = dir.resolve("loading");
    acks = dir.resolve("acks");
    complaints = dir.resolve("complaints");
    ran = dir.resolve("ran");
    try {
      Files.writeString(whileThere, "");
      Files.writeString(ran, "");
      for (int i = 1; i <= 4; i++) {
        int job = cluster.admin().submit("-w", "n" + i, "--wrap", "exec sleep 36000");
        cluster.await(job, "RUNNING");
        sleepers.put(job, SOON.value("a process", () -> living(job), seen -> !seen.isEmpty()));
      }
      load = begin(pauseMillis);
    } catch (IOException e) {
      throw new AssertionError("cannot begin to submit", e);
    }
    awaitMore(5);
  }

  private Process begin(int pauseMillis) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            "bash",
            "-c",
            "home=$1; shift; . \"$home/libexec/launcher.sh\"; run_command bench-load \"$@\"",
            "bash",
            Checkout.root().toString(),
            "4",
            Integer.toString(pauseMillis),
            whileThere.toString(),
            "-o",
            "/dev/null",
            "--wrap",
            "echo $SLURM_JOB_ID >> " + ran);
    builder.environment().clear();
    builder.environment().putAll(cluster.admin().environment());
    return builder
        .directory(cluster.dir().toFile())
        .redirectOutput(acks.toFile())
        .redirectError(complaints.toFile())
        .start();
  }

  /** The long job's start, node, restarts and process. */
  private String living(int job) {
    Shown shown = cluster.job(job);
    String process =
        cluster.processesOf(job).stream()
            .filter(seen -> seen.name().equals("sleep"))
            .map(seen -> Integer.toString(seen.pid()))
            .findFirst()
            .orElse("");
    return process.isEmpty()
        ? ""
        : shown.get("JobState")
            + " on "
            + shown.get("NodeList")
            + " since "
            + shown.get("StartTime")
            + ", restarted "
            + shown.get("Restarts")
            + ", process "
            + process;
  }

  /** How many submissions were acknowledged. */
  public int acknowledged() {
    return ids().size();
  }

  /** Waits until so many more were acknowledged. */
  public void awaitMore(int count) {
    int before = acknowledged();
    SOON.until(count + " more acknowledgements", () -> acknowledged() >= before + count);
  }

  /** Waits until so many more jobs have run. */
  public void awaitRuns(int count) {
    int before = lines(ran).size();
    SOON.until(count + " more runs", () -> lines(ran).size() >= before + count);
  }

  private List<Integer> ids() {
    return lines(acks).stream()
        .map(line -> Integer.valueOf(line.substring(0, line.indexOf(' '))))
        .toList();
  }

  private static List<String> lines(Path file) {
    try {
      String text = Files.exists(file) ? Files.readString(file) : "";
      return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    } catch (IOException e) {
      throw new AssertionError("cannot read " + file, e);
    }
  }

  /** Ends the load and looks whether all promises were kept. */
  public void verify() {
    end();
    List<Integer> acknowledged = new ArrayList<>(ids());
    TreeSet<Integer> distinct = new TreeSet<>(acknowledged);
    assertEquals(acknowledged.size(), distinct.size(), "an id was given twice");
    LATER.until(
        "the end of all short jobs",
        () ->
            cluster.jobs().stream()
                .filter(job -> distinct.contains(Integer.valueOf(job.get("JobId"))))
                .allMatch(job -> job.is("COMPLETED")));
    List<Integer> runs = lines(ran).stream().map(Integer::valueOf).sorted().toList();
    assertEquals(List.copyOf(distinct), runs, "what was acknowledged ran once, and nothing else");
    TreeSet<Integer> known = new TreeSet<>();
    cluster.jobs().forEach(job -> known.add(Integer.valueOf(job.get("JobId"))));
    assertTrue(known.containsAll(distinct), "a job was forgotten");
    sleepers.forEach((job, before) -> assertEquals(before, living(job), "long job " + job));
    agree();
    System.out.println(distinct.size() + " jobs acknowledged, none lost, none run twice");
  }

  /** Each controller, when it leads, knows the same of every job that has ended. */
  private void agree() {
    group.awaitCaughtUp();
    String before = null;
    for (String host : group.hosts()) {
      group.takeOver(host);
      StringBuilder known = new StringBuilder();
      cluster.jobs().stream()
          .filter(job -> job.is("COMPLETED"))
          .forEach(job -> known.append(job.fields()).append('\n'));
      if (before != null) {
        assertEquals(before, known.toString(), "what " + host + " knows");
      }
      before = known.toString();
    }
  }

  private void end() {
    try {
      Files.deleteIfExists(whileThere);
      if (!load.waitFor(60, TimeUnit.SECONDS)) {
        throw new AssertionError("the clients hang: " + Files.readString(complaints));
      }
      assertEquals(0, load.exitValue(), "the clients' exit code");
    } catch (IOException e) {
      throw new AssertionError("cannot end the load", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    load.destroyForcibly();
  }
}
