package io.dure.e2e.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Checkout;
import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Session;
import io.dure.e2e.cluster.User;
import io.dure.testkit.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The daemon that answers HTTP beside the controllers. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class SlurmrestdTest {
  private static final String PROGRAM = Checkout.daemon("slurmrestd").toString();
  private static final String JOBS = "/slurm/v0.0.45/jobs/";

  private static Cluster cluster;
  private static Session root;
  private static Session bob;
  private static Process daemon;
  private static HttpCaller nobody;
  private static Path socket;

  @BeforeAll
  static void start() throws IOException {
    cluster =
        Cluster.prepare(
            Conf.nodes(1, 4)
                .with("AuthAltTypes", "auth/jwt")
                .with("AuthAltParameters", "jwt_key={dir}/jwt.key"));
    Path key = cluster.dir().resolve("jwt.key");
    Files.writeString(key, "a secret of more than thirty-two bytes");
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    cluster.startAll();
    root = cluster.admin();
    bob = cluster.as(User.named("dure-bob"));
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    socket = bob.directory().resolve("rest.socket");
    daemon = bob.start("restd.log", PROGRAM, "127.0.0.1:" + port, "unix:" + socket);
    Await.seconds(60).until("it listens", () -> bob.read("restd.log").contains("started"));
    nobody =
        new HttpCaller(
            HttpClient.newHttpClient(), URI.create("http://127.0.0.1:" + port), List.of());
  }

  @AfterAll
  static void stop() {
    if (daemon != null) {
      daemon.descendants().forEach(ProcessHandle::destroyForcibly);
      daemon.destroyForcibly();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  /** An answer over the unix socket, asked for by this process's user, which is root. */
  private static String overTheSocket(Path file) throws IOException {
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.connect(UnixDomainSocketAddress.of(file));
      String request = "GET " + JOBS + " HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n";
      channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.UTF_8)));
      StringBuilder answer = new StringBuilder();
      ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
      while (channel.read(buffer.clear()) >= 0) {
        answer.append(StandardCharsets.UTF_8.decode(buffer.flip()));
      }
      return answer.toString();
    }
  }

  @Test
  void requestsAreThoseOfTheToken() {
    assertEquals(401, nobody.status("GET", JOBS));
    assertEquals(401, nobody.with("X-SLURM-USER-TOKEN", "abc").status("GET", JOBS));
    String submission =
        "{\"script\":\"#!/bin/sh\\nid -un > who.out\\n\",\"job\":{\"environment\":[\"PATH=/usr/bin:/bin\"],"
            + "\"current_working_directory\":\""
            + bob.directory()
            + "\"}}";
    HttpCaller asBob = nobody.as(bob);
    HttpResponse<String> answer = asBob.send("POST", "/slurm/v0.0.45/job/submit", submission);
    assertEquals(200, answer.statusCode(), answer.body());
    int from = answer.body().indexOf("\"job_id\":") + "\"job_id\":".length();
    int job = Integer.parseInt(answer.body().substring(from, answer.body().indexOf(',', from)));
    cluster.await(job, "COMPLETED", "0:0");
    assertEquals("dure-bob", bob.read("who.out").strip());
    assertTrue(asBob.get(JOBS).contains("\"job_id\":" + job + ","), "the list has it");

    String ofBob = asBob.headers().getLast();
    String ofRoot = nobody.as(root).headers().getLast();
    HttpCaller bobAsRoot = nobody.with("X-SLURM-USER-TOKEN", ofBob, "X-SLURM-USER-NAME", "root");
    assertEquals(401, bobAsRoot.status("GET", JOBS));
    HttpCaller rootAsBob =
        nobody.with("X-SLURM-USER-TOKEN", ofRoot, "X-SLURM-USER-NAME", "dure-bob");
    assertTrue(rootAsBob.get(JOBS).contains("\"user\":\"dure-bob\""), "for another user");
  }

  @Test
  void probesAnswer() {
    assertEquals(200, nobody.status("GET", "/livez"));
    assertEquals(200, nobody.status("GET", "/readyz"));
    assertTrue(nobody.get("/openapi/v3").contains("\"/slurm/v0.0.45/job/submit\""), "paths");
  }

  @Test
  void theSocketKnowsItsOwnUserAlone() throws IOException {
    assertTrue(overTheSocket(socket).startsWith("HTTP/1.1 401"), "root is not dure-bob");
    Path other = cluster.dir().resolve("root.socket");
    Process unchecked =
        root.with("SLURMRESTD_SECURITY", "disable_user_check")
            .start("root-restd.log", PROGRAM, "unix:" + other);
    try {
      Await.seconds(60).until("it listens", () -> root.read("root-restd.log").contains("started"));
      String answer = overTheSocket(other);
      assertTrue(answer.startsWith("HTTP/1.1 200") && answer.contains("\"jobs\":["), answer);
    } finally {
      unchecked.descendants().forEach(ProcessHandle::destroyForcibly);
      unchecked.destroyForcibly();
    }
  }

  @Test
  void whatIsWrongIsSaidAtTheStart() {
    String fatal = "slurmrestd: fatal: ";
    root.run(PROGRAM, "127.0.0.1:1")
        .fails(
            1,
            fatal
                + "slurmrestd should not be run as root: start it as another user, or with"
                + " --user=USER as root");
    bob.run(PROGRAM)
        .fails(
            1,
            fatal
                + "no address to listen at: write [HOST]:PORT or unix:/PATH, or set SLURMRESTD_LISTEN");
    bob.run(PROGRAM, "here")
        .fails(1, fatal + "cannot listen at here: write [HOST]:PORT or unix:/PATH");
    bob.run(PROGRAM, "-x", ":1").fails(1, fatal + "unknown option: x");
    assertTrue(bob.run(PROGRAM, "-V").ok().startsWith("slurm 26.05"), "the version");
    assertTrue(
        bob.run(PROGRAM, "--generate-openapi-spec").ok().contains("\"/slurmdb/v0.0.45/accounts/\""),
        "the description");
  }
}
