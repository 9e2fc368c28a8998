package io.dure.e2e.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Session;
import io.dure.e2e.cluster.User;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What programs submit and cancel by HTTP, for whom, and what is refused. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class RestSubmissionTest {
  private static final Pattern JOB = Pattern.compile("\"job_id\":(\\d+)");
  private static final String SUBMIT = "/slurm/v0.0.45/job/submit";

  private static Cluster cluster;
  private static Session root;
  private static Session bob;
  private static HttpCaller asRoot;
  private static HttpCaller asBob;

  @BeforeAll
  static void start() throws IOException {
    cluster =
        Cluster.prepare(
            Conf.nodes(2, 8)
                .with("SlurmctldParameters", "dure_http=127.0.0.1:0")
                .with("AuthAltTypes", "auth/jwt")
                .with("AuthAltParameters", "jwt_key={dir}/jwt.key"));
    Path key = cluster.dir().resolve("jwt.key");
    Files.writeString(key, "a secret of more than thirty-two bytes");
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    cluster.startAll();
    root = cluster.admin();
    bob = cluster.as(User.named("dure-bob"));
    asRoot = HttpCaller.of(cluster).as(root);
    asBob = HttpCaller.of(cluster).as(bob);
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  /** A submission of a script that runs in the caller's directory. */
  private static String job(Session who, String script, String members) {
    return "{\"script\":\"#!/bin/sh\\n"
        + script
        + "\\n\",\"job\":{\"environment\":[\"PATH=/usr/bin:/bin\",\"FOO=a b\"],"
        + "\"current_working_directory\":\""
        + who.directory()
        + "\""
        + (members.isEmpty() ? "" : ",")
        + members
        + "}}";
  }

  private static int submitted(HttpResponse<String> answer) {
    assertEquals(200, answer.statusCode(), answer.body());
    Matcher found = JOB.matcher(answer.body());
    assertTrue(found.find(), answer.body());
    return Integer.parseInt(found.group(1));
  }

  private static int held(HttpCaller http, Session who, String members) {
    return submitted(http.send("POST", SUBMIT, job(who, "true", "\"hold\":true," + members)));
  }

  private static String state(int job) {
    return root.run("squeue", "-h", "-t", "all", "-o", "%T", "-j", Integer.toString(job))
        .ok()
        .strip();
  }

  @Test
  void aJobRunsAsItsUserInItsSurroundings() {
    String members =
        "\"name\":\"rest é\",\"tasks\":2,\"nodes\":\"2\",\"time_limit\":{\"set\":true,\"number\":5},"
            + "\"standard_output\":\"rest.out\"";
    String script =
        "echo \\\"$FOO|$(id -un)|$(pwd)|$SLURM_JOB_NAME|$SLURM_NTASKS|$SLURM_JOB_NUM_NODES\\\"";
    int job = submitted(asBob.send("POST", SUBMIT, job(bob, script, members)));
    cluster.await(job, "COMPLETED", "0:0");
    assertEquals("a b|dure-bob|" + bob.directory() + "|rest é|2|2", bob.read("rest.out").strip());
  }

  @Test
  void everyVersionTakesAJob() {
    for (int version = 42; version <= 45; version++) {
      String path = "/slurm/v0.0." + version + "/job/submit";
      int job = submitted(asBob.send("POST", path, job(bob, "true", "\"hold\":true")));
      assertEquals("PENDING", state(job), "version " + version);
    }
  }

  @Test
  void arraysAndHeterogeneousJobsAreSubmitted() {
    int array = held(asBob, bob, "\"array\":\"0-3%2\"");
    assertEquals(
        array + "_[0-3%2]",
        root.run("squeue", "-h", "-o", "%i", "-j", Integer.toString(array)).ok().strip());
    String one = job(bob, "true", "\"hold\":true");
    String component =
        one.substring(one.indexOf("\"job\":") + "\"job\":".length(), one.length() - 1);
    int het =
        submitted(
            asBob.send(
                "POST",
                SUBMIT,
                "{\"script\":\"#!/bin/sh\\ntrue\\n\",\"jobs\":["
                    + component
                    + ","
                    + component
                    + "]}"));
    String shown = root.run("squeue", "-h", "-o", "%i", "-j", Integer.toString(het)).ok();
    assertTrue(shown.contains(het + "+0") && shown.contains(het + "+1"), shown);
  }

  @Test
  void onlyOperatorsSubmitForOthers() {
    String other = "\"hold\":true,\"user_id\":\"dure-bob\"";
    int job = submitted(asRoot.send("POST", SUBMIT, job(bob, "true", other)));
    assertEquals(
        "dure-bob", root.run("squeue", "-h", "-o", "%u", "-j", Integer.toString(job)).ok().strip());
    HttpResponse<String> refused =
        asBob.send("POST", SUBMIT, job(bob, "true", "\"user_id\":\"root\""));
    assertEquals(422, refused.statusCode());
    assertTrue(refused.body().contains("\"error_number\":2002"), refused.body());
  }

  @Test
  void whatIsWrongIsToldWithSlurmsNumber() {
    HttpResponse<String> partition =
        asBob.send("POST", SUBMIT, job(bob, "true", "\"partition\":\"nowhere\""));
    assertEquals(422, partition.statusCode());
    assertTrue(
        partition
            .body()
            .contains(
                "\"error_number\":2000,\"error\":\"Invalid partition name specified\",\"source\":"),
        partition.body());
    HttpResponse<String> text = asBob.send("POST", SUBMIT, "{\"job\":");
    assertEquals(400, text.statusCode());
    assertEquals("Unable to parse query.", text.body());
    HttpResponse<String> kind = asBob.send("POST", SUBMIT, job(bob, "true", "\"tasks\":\"many\""));
    assertEquals(422, kind.statusCode());
    assertTrue(kind.body().contains("\"source\":\"#/job/tasks\""), kind.body());
    HttpResponse<String> empty = asBob.send("POST", SUBMIT, "");
    assertEquals(422, empty.statusCode());
    assertTrue(empty.body().contains("\"error_number\":9002"), empty.body());
    String token = asBob.headers().getLast();
    assertEquals(
        415,
        asBob
            .with("X-SLURM-USER-TOKEN", token, "Content-Type", "text/csv")
            .send("POST", SUBMIT, "a,b")
            .statusCode());
    assertEquals(401, HttpCaller.of(cluster).send("POST", SUBMIT, "{}").statusCode());
  }

  @Test
  void aDocumentThatIsTooLargeIsRefused() {
    String large = job(bob, "x".repeat(17 << 20), "");
    byte[] bytes = large.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < 20; i++) {
      isCutOrTooLarge(HttpRequest.BodyPublishers.ofString(large));
      isCutOrTooLarge(
          HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(bytes)));
    }
    int kept =
        submitted(asBob.send("POST", SUBMIT, job(bob, "x".repeat(1 << 20), "\"hold\":true")));
    assertEquals("PENDING", state(kept), "memory was given back");
    assertEquals(200, asBob.status("GET", "/slurm/v0.0.45/ping/"), "the controller answers on");
  }

  /** The answer comes while the client still sends, which some clients take for a failure. */
  private static void isCutOrTooLarge(HttpRequest.BodyPublisher body) {
    try {
      assertEquals(413, asBob.call("POST", SUBMIT, body).statusCode());
    } catch (UncheckedIOException e) {
      // Cut, which the next submission shows to be of no consequence.
    }
  }

  @Test
  void aJobIsCancelledByItsNumber() {
    int job = held(asBob, bob, "\"name\":\"gone\"");
    HttpResponse<String> answer = asBob.call("DELETE", "/slurm/v0.0.45/job/" + job);
    assertEquals(200, answer.statusCode(), answer.body());
    assertEquals("CANCELLED", state(job));
    HttpResponse<String> again = asBob.call("DELETE", "/slurm/v0.0.45/job/999999");
    assertEquals(422, again.statusCode());
    assertTrue(
        again
            .body()
            .contains(
                "\"description\":\"unable to kill JobId=999999 with signal 9: "
                    + "Invalid job id specified\",\"error_number\":2017"),
        again.body());
    int array = held(asBob, bob, "\"array\":\"1-3\"");
    assertEquals(200, asBob.status("DELETE", "/slurm/v0.0.45/job/" + array + "_2"));
    assertEquals(
        array + "_[1,3]",
        root.run("squeue", "-h", "-t", "pending", "-o", "%i", "-j", Integer.toString(array))
            .ok()
            .strip());
    int others = held(asRoot, root, "\"name\":\"root's\"");
    HttpResponse<String> denied = asBob.call("DELETE", "/slurm/v0.0.45/job/" + others);
    assertEquals(422, denied.statusCode());
    assertEquals("PENDING", state(others));
  }

  @Test
  void aSignalReachesTheBatchScript() {
    String script = "trap 'echo caught > signal.out; exit 3' USR1; touch ready; sleep 60 & wait";
    int job = submitted(asBob.send("POST", SUBMIT, job(bob, script, "")));
    cluster.await(job, "RUNNING");
    bob.shell("until [ -e ready ]; do sleep 0.05; done").okSilently();
    HttpResponse<String> sent =
        asBob.call("DELETE", "/slurm/v0.0.45/job/" + job + "?signal=USR1&flags=BATCH_JOB");
    assertEquals(200, sent.statusCode(), sent.body());
    cluster.await(job, "FAILED", "3:0");
    assertEquals("caught", bob.read("signal.out").strip());
    assertEquals(422, asBob.status("DELETE", "/slurm/v0.0.45/job/" + job + "?signal=SIGNONSENSE"));
  }

  @Test
  void jobsAreCancelledByWhatTheyAre() {
    int one = held(asBob, bob, "\"name\":\"many\"");
    int two = held(asBob, bob, "\"name\":\"many\",\"array\":\"1-2\"");
    int kept = held(asBob, bob, "\"name\":\"few\"");
    String path = "/slurm/v0.0.45/jobs/";
    HttpResponse<String> answer =
        asBob.send("DELETE", path, "{\"job_name\":\"many\",\"job_state\":[\"PENDING\"]}");
    assertEquals(200, answer.statusCode(), answer.body());
    assertEquals("CANCELLED", state(one));
    assertFalse(state(two).contains("PENDING"), state(two));
    assertEquals("PENDING", state(kept));
    HttpResponse<String> named =
        asBob.send("DELETE", path, "{\"jobs\":[\"" + kept + "\",\"999999\"]}");
    assertEquals(422, named.statusCode());
    assertTrue(named.body().contains("unable to kill JobId=999999"), named.body());
    assertEquals("CANCELLED", state(kept));
    HttpResponse<String> nothing = asBob.send("DELETE", path, "{}");
    assertEquals(422, nothing.statusCode());
    assertTrue(nothing.body().contains("\"error_number\":9002"), nothing.body());
  }
}
