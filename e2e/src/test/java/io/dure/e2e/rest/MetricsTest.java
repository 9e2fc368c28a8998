package io.dure.e2e.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Session;
import io.dure.e2e.cluster.User;
import io.dure.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What monitoring reads by HTTP: the figures of the commands, for whom the configuration lets. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class MetricsTest {
  private static final Await SOON = Await.seconds(60);

  private static Cluster cluster;
  private static Session root;
  private static Session bob;
  private static HttpCaller nobody;

  private static Conf conf() {
    return Conf.nodes(3, 8)
        .with("SlurmctldParameters", "dure_http=127.0.0.1:0")
        .with("AuthAltTypes", "auth/jwt")
        .with("AuthAltParameters", "jwt_key={dir}/jwt.key")
        .line("PartitionName=small Nodes=n3 MaxTime=60 Hidden=YES");
  }

  private static Conf metrics() {
    return conf().with("MetricsType", "metrics/openmetrics");
  }

  @BeforeAll
  static void start() throws IOException {
    cluster = Cluster.prepare(metrics());
    Path key = cluster.dir().resolve("jwt.key");
    Files.writeString(key, "a secret of more than thirty-two bytes");
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    cluster.startAll();
    root = cluster.admin();
    bob = cluster.as(User.named("dure-bob"));
    nobody = HttpCaller.of(cluster);
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static void configure(Conf conf) {
    cluster.configure(conf);
    root.run("scontrol", "reconfigure").ok();
  }

  @BeforeEach
  void open() {
    configure(metrics());
  }

  /** The values of a page by names and labels. */
  private static Map<String, String> values(String page) {
    Map<String, String> values = new TreeMap<>();
    for (String line : nobody.get("/metrics/" + page).lines().toList()) {
      int blank = line.lastIndexOf(' ');
      if (!line.startsWith("#")) {
        String before = values.put(line.substring(0, blank), line.substring(blank + 1));
        assertEquals(null, before, () -> "twice: " + line);
      }
    }
    return values;
  }

  private static String number(long value) {
    return Long.toString(value);
  }

  /** How many lines a command prints. */
  private static String lines(String... command) {
    return number(root.run(command).ok().lines().filter(line -> !line.isBlank()).count());
  }

  /** The sum of the numbers that a command prints. */
  private static String sum(String... command) {
    return number(
        root.run(command)
            .ok()
            .lines()
            .filter(line -> !line.isBlank())
            .mapToLong(line -> Long.parseLong(line.strip()))
            .sum());
  }

  private static String jobs(String states, String... more) {
    String[] words = {"squeue", "-a", "-r", "-h", "-t", states, "-o", "%i"};
    String[] all = new String[words.length + more.length];
    System.arraycopy(words, 0, all, 0, words.length);
    System.arraycopy(more, 0, all, words.length, more.length);
    return lines(all);
  }

  @Test
  void jobsAreThoseOfTheQueue() {
    int one = root.submit("-n", "3", "-o", "/dev/null", "--wrap", "sleep 600");
    int other = bob.submit("-n", "2", "-p", "small", "-o", "/dev/null", "--wrap", "sleep 600");
    int held = bob.submit("--hold", "--array=1-4", "-o", "/dev/null", "--wrap", "true");
    int over = bob.submit("-o", "/dev/null", "--wrap", "exit 3");
    cluster.await(one, "RUNNING");
    cluster.await(other, "RUNNING");
    cluster.await(over, "FAILED");
    SOON.passes(
        "jobs are counted",
        () -> {
          Map<String, String> all = values("jobs");
          assertEquals(jobs("all"), all.get("slurm_jobs"));
          assertEquals(jobs("R"), all.get("slurm_jobs_running"));
          assertEquals(jobs("PD"), all.get("slurm_jobs_pending"));
          assertEquals(jobs("F"), all.get("slurm_jobs_failed"));
          assertEquals(
              sum("squeue", "-a", "-h", "-t", "R", "-o", "%C"), all.get("slurm_jobs_cpus_alloc"));
        });
    assertEquals("4", values("jobs").get("slurm_jobs_hold"));

    Map<String, String> named = values("jobs-users-accts");
    assertEquals(
        jobs("PD", "-u", "dure-bob"), named.get("slurm_user_jobs_pending{username=\"dure-bob\"}"));
    Map<String, String> placed = values("partitions");
    assertEquals(
        jobs("PD", "-p", "main"), placed.get("slurm_partition_jobs_pending{partition=\"main\"}"));
    assertEquals("1", placed.get("slurm_partition_jobs_running{partition=\"small\"}"));
    assertEquals("2", placed.get("slurm_partition_jobs_cpus_alloc{partition=\"small\"}"));
    assertEquals("4", values("dure").get("dure_pending_jobs{reason=\"JobHeldUser\"}"));
    root.run("scancel", number(one), number(other), number(held)).okSilently();
  }

  @Test
  void nodesAreThoseOfTheCommands() {
    int job = root.submit("-n", "3", "-w", "n1", "-o", "/dev/null", "--wrap", "sleep 600");
    cluster.await(job, "RUNNING");
    root.run("scontrol", "update", "nodename=n2", "state=drain", "reason=test").okSilently();
    SOON.passes(
        "nodes are counted",
        () -> {
          Map<String, String> all = values("nodes");
          assertEquals("3", all.get("slurm_nodes"));
          assertEquals(
              lines("sinfo", "-a", "-h", "-N", "-p", "main", "-t", "mixed", "-o", "%n"),
              all.get("slurm_nodes_mixed"));
          assertEquals(
              lines("sinfo", "-a", "-h", "-N", "-p", "main", "-t", "drained", "-o", "%n"),
              all.get("slurm_nodes_drained"));
          String[] cpus =
              root.run("sinfo", "-a", "-h", "-p", "main", "-o", "%C").ok().strip().split("/", -1);
          Map<String, String> placed = values("partitions");
          assertEquals(cpus[0], placed.get("slurm_partition_nodes_cpus_alloc{partition=\"main\"}"));
          assertEquals(cpus[1], placed.get("slurm_partition_nodes_cpus_idle{partition=\"main\"}"));
          assertEquals(cpus[3], placed.get("slurm_partition_cpus{partition=\"main\"}"));
        });
    Map<String, String> all = values("nodes");
    assertEquals("3", all.get("slurm_node_cpus_alloc{node=\"n1\"}"));
    assertEquals("5", all.get("slurm_node_cpus_idle{node=\"n1\"}"));
    assertEquals(number(4000L << 20), all.get("slurm_node_memory_bytes{node=\"n1\"}"));
    assertEquals("2", values("partitions").get("slurm_partitions"));
    root.run("scontrol", "update", "nodename=n2", "state=resume").okSilently();
    root.run("scancel", number(job)).okSilently();
  }

  private static String diag(String label) {
    return root.run("sdiag")
        .ok()
        .lines()
        .filter(line -> line.strip().startsWith(label + ":"))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElseThrow();
  }

  @Test
  void theSchedulersFiguresAreThoseOfSdiag() {
    int job = root.submit("-o", "/dev/null", "--wrap", "true");
    cluster.await(job, "COMPLETED");
    SOON.passes(
        "figures are those of sdiag",
        () -> {
          Map<String, String> all = values("scheduler");
          assertEquals(diag("Jobs submitted"), all.get("slurm_sdiag_jobs_submitted"));
          assertEquals(diag("Jobs completed"), all.get("slurm_sdiag_jobs_completed"));
          assertEquals(diag("Jobs started"), all.get("slurm_sdiag_jobs_started"));
          assertEquals(diag("Max cycle"), all.get("slurm_schedule_cycle_max"));
        });
    Map<String, String> own = values("dure");
    assertTrue(own.containsValue("1"), "a controller leads");
    assertTrue(Long.parseLong(own.get("dure_journal_events_total")) > 0, "events");
  }

  @Test
  void whoMayReadIsAsConfigured() {
    String path = "/metrics/jobs";
    HttpCaller asBob = nobody.as(bob);
    HttpCaller asRoot = nobody.as(root);
    assertEquals(200, nobody.status("GET", path));
    assertEquals(405, nobody.status("POST", path));
    assertTrue(nobody.get("/metrics").contains("GET /metrics/jobs-users-accts"), "the list");

    configure(metrics().with("PrivateData", "jobs"));
    assertEquals(401, nobody.status("GET", path));
    assertEquals(401, nobody.with("X-SLURM-USER-TOKEN", "abc").status("GET", path));
    assertEquals(403, asBob.status("GET", path));
    assertEquals(200, asRoot.status("GET", path));

    configure(
        metrics().with("PrivateData", "jobs").with("MetricsParameters", "ignore_private_data"));
    assertEquals(200, nobody.status("GET", path));

    configure(
        metrics()
            .with("MetricsParameters", "ignore_private_data")
            .with("MetricsAuthUsers", "dure-bob"));
    assertEquals(401, nobody.status("GET", path));
    assertEquals(200, asBob.status("GET", path));
    assertEquals(200, asRoot.status("GET", path));

    configure(conf());
    assertEquals(404, asRoot.status("GET", path));
    assertEquals(404, asRoot.status("GET", "/metrics"));
  }

  @Test
  void theFormatIsThatWhichIsAskedFor() {
    String plain = nobody.get("/metrics/nodes");
    assertTrue(plain.startsWith("# HELP slurm_node_cpus "), plain);
    HttpCaller open =
        nobody.with("Accept", "application/openmetrics-text;version=1.0.0,text/plain;q=0.5");
    var answer = open.call("GET", "/metrics/dure");
    assertEquals(
        "application/openmetrics-text; version=1.0.0; charset=utf-8",
        answer.headers().firstValue("Content-Type").orElseThrow());
    assertTrue(answer.body().endsWith("# EOF\n"), answer.body());
    assertTrue(answer.body().contains("# TYPE dure_journal_events counter\n"), answer.body());
  }
}
