package io.dure.e2e.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Session;
import io.dure.e2e.cluster.User;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What programs read by HTTP: the documents of the commands, for whom they ask. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class RestReadingTest {
  private static final int VERSIONS_FROM = 42;
  private static final int VERSIONS_TO = 45;

  /** When the scheduler looked at a job last, which goes on between two questions. */
  private static final Pattern EVALUATED =
      Pattern.compile("\"last_sched_evaluation\":(\\{[^}]*\\}|\\d+)");

  private static Cluster cluster;
  private static Session root;
  private static Session bob;
  private static HttpCaller nobody;

  @BeforeAll
  static void start() throws IOException {
    cluster =
        Cluster.prepare(
            Conf.nodes(2, 8)
                .with("SlurmctldParameters", "dure_http=127.0.0.1:0")
                .with("AuthAltTypes", "auth/jwt")
                .with("AuthAltParameters", "jwt_key={dir}/jwt.key")
                .with("PrivateData", "jobs"));
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

  private static String path(int version, String rest) {
    return "/slurm/v0.0." + version + "/" + rest;
  }

  /** A document as far as it tells of things, and not of the moment or of who asked. */
  private static String things(String document) {
    String line = document.strip();
    for (String end : List.of(",\"last_backfill\"", ",\"last_update\"", ",\"meta\"")) {
      int at = line.indexOf(end);
      line = at < 0 ? line : line.substring(0, at);
    }
    assertTrue(line.length() > 20, document);
    return EVALUATED.matcher(line).replaceAll("");
  }

  private static String shown(int version, String... command) {
    String[] words = command.clone();
    words[words.length - 1] += "v0.0." + version;
    return things(root.with("SLURM_JSON", "compact").run(words).ok());
  }

  @Test
  void documentsAreThoseOfTheCommands() {
    bob.submit("--hold", "-J", "a \"name\" é", "-o", "/dev/null", "--wrap", "true");
    root.submit("--hold", "--array=1-3", "-o", "/dev/null", "--wrap", "true");
    HttpCaller http = nobody.as(root);
    for (int version = VERSIONS_FROM; version <= VERSIONS_TO; version++) {
      assertEquals(
          shown(version, "squeue", "--json=data_parser/"),
          things(http.get(path(version, "jobs/"))),
          "jobs of " + version);
      assertEquals(
          shown(version, "scontrol", "show", "nodes", "--json=data_parser/"),
          things(http.get(path(version, "nodes"))),
          "nodes of " + version);
      assertEquals(
          shown(version, "scontrol", "show", "partitions", "--json=data_parser/"),
          things(http.get(path(version, "partitions/"))),
          "partitions of " + version);
    }
  }

  @Test
  void oneThingIsFoundByItsName() {
    int job = bob.submit("--hold", "-o", "/dev/null", "--wrap", "true");
    HttpCaller http = nobody.as(root);
    String one = http.get(path(45, "job/" + job));
    assertTrue(one.contains("\"job_id\":" + job + ","), one);
    assertTrue(http.get(path(45, "node/n2")).contains("\"name\":\"n2\""), "a node");
    HttpResponse<String> missing = http.call("GET", path(45, "job/999999"));
    assertEquals(422, missing.statusCode());
    assertTrue(
        missing
            .body()
            .contains(
                "\"errors\":[{\"description\":\"Unable to find JobId=999999\",\"error_number\":2017,"
                    + "\"error\":\"Invalid job id specified\",\"source\":\"slurm_load_job\"}]"),
        missing.body());
    assertEquals(422, http.status("GET", path(45, "node/no_such")));
    assertEquals(422, http.status("GET", path(45, "partition/no_such")));
    assertEquals(422, http.status("GET", path(45, "reservation/no_such")));
    assertEquals(422, http.status("GET", path(45, "job/abc")));
  }

  @Test
  void aTokenSaysWhoAsks() {
    int ofRoot = root.submit("--hold", "-o", "/dev/null", "--wrap", "true");
    int ofBob = bob.submit("--hold", "-o", "/dev/null", "--wrap", "true");
    String jobs = path(45, "jobs/");
    String seen = nobody.as(bob).get(jobs);
    assertTrue(seen.contains("\"job_id\":" + ofBob + ","), seen);
    assertFalse(seen.contains("\"job_id\":" + ofRoot + ","), seen);
    assertTrue(seen.contains("\"user\":\"dure-bob\""), "meta names the user: " + seen);

    assertEquals(401, nobody.status("GET", jobs));
    assertEquals(401, nobody.with("X-SLURM-USER-TOKEN", "abc").status("GET", jobs));
    String token = nobody.as(bob).headers().getLast();
    assertEquals(200, nobody.with("Authorization", "Bearer " + token).status("GET", jobs));
    HttpCaller asRoot = nobody.with("X-SLURM-USER-TOKEN", token, "X-SLURM-USER-NAME", "root");
    assertEquals(401, asRoot.status("GET", jobs));
    String operators = nobody.as(root).headers().getLast();
    HttpCaller forBob =
        asRoot.with("X-SLURM-USER-TOKEN", operators, "X-SLURM-USER-NAME", "dure-bob");
    assertEquals(things(seen), things(forBob.get(jobs)));
  }

  @Test
  void whatIsNotThereIsSaid() {
    HttpCaller http = nobody.as(root);
    HttpResponse<String> gone = http.call("GET", path(41, "jobs/"));
    assertEquals(404, gone.statusCode());
    assertEquals(
        "Unable find requested URL. Please view /openapi/v3 for API reference.", gone.body());
    assertEquals(404, http.status("GET", "/slurm/"));
    assertEquals(404, http.status("GET", "/"));
    HttpResponse<String> method = http.call("PATCH", path(45, "jobs/"));
    assertEquals(405, method.statusCode());
    assertEquals(
        "Requested REST method is not defined at URL. Please view /openapi/v3 for API reference.",
        method.body());
    String token = http.headers().getLast();
    HttpCaller pictures = http.with("X-SLURM-USER-TOKEN", token, "Accept", "image/png");
    assertEquals(406, pictures.status("GET", path(45, "jobs/")));
    HttpCaller yaml = http.with("X-SLURM-USER-TOKEN", token, "Accept", "application/yaml");
    assertTrue(yaml.get(path(45, "ping/")).contains("!!str pings: !!seq\n"), "YAML");
  }

  @Test
  void probesAndTheDescriptionAskForNoToken() {
    assertEquals(200, nobody.status("GET", "/livez"));
    assertEquals(200, nobody.status("GET", "/readyz"));
    String described = nobody.get("/openapi/v3");
    assertTrue(described.contains("\"/slurm/v0.0.45/jobs/\""), "a path that is there");
    assertFalse(described.contains("\"/slurm/v0.0.45/job/allocate\""), "one that is not");
  }

  @Test
  void aLongListComesWhole() {
    int first = root.submit("--hold", "--array=1-900", "-o", "/dev/null", "--wrap", "true");
    for (int i = 0; i < 3; i++) {
      // What is changed of a task makes a record of its own.
      root.run("scontrol", "update", "jobid=" + first + "_" + (i + 1), "nice=" + (5 + i))
          .okSilently();
    }
    String told = nobody.as(root).get(path(45, "jobs/"));
    assertEquals(
        shown(45, "squeue", "--json=data_parser/"), things(told), "a list of several parts");
  }
}
