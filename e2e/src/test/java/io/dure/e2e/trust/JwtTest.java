package io.dure.e2e.trust;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Ran;
import io.dure.e2e.cluster.Session;
import io.dure.e2e.cluster.User;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tokens of auth/jwt: got by scontrol, shown by SLURM_JWT, and taken away by another secret. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class JwtTest {
  private static Cluster cluster;
  private static Session root;
  private static Session bob;

  @BeforeAll
  static void start() throws IOException {
    cluster =
        Cluster.prepare(
            Conf.nodes(1, 8)
                .with("AuthAltTypes", "auth/jwt")
                .with("AuthAltParameters", "jwt_key={dir}/jwt.key,max_token_lifespan=7200"));
    newSecret();
    cluster.startAll();
    root = cluster.admin();
    bob = cluster.as(User.named("dure-bob"));
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static void newSecret() throws IOException {
    byte[] secret = new byte[32];
    new SecureRandom().nextBytes(secret);
    Path key = cluster.dir().resolve("jwt.key");
    Files.writeString(key, HexFormat.of().formatHex(secret));
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
  }

  private static String token(Session of, String... words) {
    String[] all = new String[words.length + 2];
    all[0] = "scontrol";
    all[1] = "token";
    System.arraycopy(words, 0, all, 2, words.length);
    String printed = of.run(all).ok();
    assertTrue(printed.startsWith("SLURM_JWT=ey"), printed);
    return printed.strip().substring("SLURM_JWT=".length());
  }

  /** It failed, and said this. */
  private static void failure(Ran ran, String said) {
    String all = ran.whatever();
    assertFalse(all.startsWith("exit 0"), all);
    assertTrue(all.contains(said), all);
  }

  private static void refused(Session who, String token) {
    for (String agent : new String[] {null, ""}) {
      Session shows = who.with("SLURM_JWT", token);
      failure(
          (agent == null ? shows : shows.with("DURE_AGENT", agent)).run("squeue"),
          "Protocol authentication error");
    }
  }

  @Test
  void aTokenIsTheUserAndNotTheKernelsWord() {
    String own = token(bob);
    String ofRoot = token(root, "username=" + User.SELF.name());
    for (String agent : new String[] {null, ""}) {
      Session asBob = root.with("SLURM_JWT", own);
      Session asRoot = bob.with("SLURM_JWT", ofRoot);
      if (agent != null) {
        asBob = asBob.with("DURE_AGENT", agent);
        asRoot = asRoot.with("DURE_AGENT", agent);
      }
      int job = asBob.submit("--hold", "-o", "/dev/null", "--wrap", "true");
      String owner = root.run("squeue", "-h", "-j", String.valueOf(job), "-o", "%u").ok().strip();
      assertEquals("dure-bob", owner);
      // Root's process is bob with bob's token.
      failure(
          asBob.run("scontrol", "update", "nodename=n1", "state=drain", "reason=x"),
          "Invalid user id");
      asRoot.run("scancel", String.valueOf(job)).okSilently();
      asRoot.run("scontrol", "setdebug", "info").okSilently();
    }
  }

  @Test
  void nobodyGetsATokenOfAnothers() {
    bob.run("scontrol", "token", "username=" + User.SELF.name())
        .fails(
            1,
            "scontrol: error: slurm_fetch_token: error with request: Invalid user id",
            "Error fetching token");
    failure(
        root.with("SLURM_JWT", token(bob)).run("scontrol", "token", "username=root"),
        "Invalid user id");
    failure(bob.run("scontrol", "token", "lifespan=infinite"), "Requested time limit is invalid");
    token(root, "lifespan=infinite");
    failure(root.run("scontrol", "token", "username=no_such_user"), "Invalid user id");
  }

  @Test
  void whatIsNoTokenIsRefusedWithoutAReason() throws IOException {
    String good = token(bob);
    refused(bob, "");
    refused(bob, "abc");
    refused(bob, good.substring(0, good.lastIndexOf('.') + 1));
    refused(bob, good.replaceFirst("\\.[^.]*$", ".AAAA"));
    refused(root, good + "x");
    refused(bob, "v1.USER.cm9vdA.0.0.99999999999.AAAA.AAAA");
    assertTrue(cluster.logs().contains("auth/jwt: token refused: wrong signature"), "the log says");
  }

  @Test
  void overTheNetworkTheAuthorityHasToBeKnown() throws IOException {
    Path dir = Files.createDirectory(cluster.dir().resolve("login"));
    Files.setPosixFilePermissions(dir, PosixFilePermissions.fromString("rwxr-xr-x"));
    // A machine without socket, key and daemons of the cluster.
    String conf =
        Files.readString(cluster.confFile())
            .replace(cluster.dir() + "/run/", cluster.dir() + "/none/");
    Path file = Files.writeString(dir.resolve("slurm.conf"), conf);
    Session away =
        bob.with("SLURM_CONF", file.toString())
            .with("DURE_AGENT", "")
            .with("SLURM_JWT", token(bob));
    failure(away.run("squeue"), "dure.ca");
    String key = Files.readString(cluster.dir().resolve("dure.key"));
    Files.writeString(
        dir.resolve("dure.ca"),
        key.lines().filter(line -> line.startsWith("ca=")).findFirst().orElseThrow() + "\n");
    away.run("squeue").ok();
    int job = away.submit("--hold", "-o", "/dev/null", "--wrap", "true");
    assertEquals(
        "dure-bob", root.run("squeue", "-h", "-j", String.valueOf(job), "-o", "%u").ok().strip());
    refused(away, "a.b.c");
    Files.writeString(dir.resolve("dure.ca"), "ca=" + "00".repeat(32) + "\n");
    failure(away.run("squeue"), "Unable to contact slurm controller");
  }

  @Test
  void anotherSecretEndsTheTokens() throws IOException {
    String before = token(bob);
    root.with("SLURM_JWT", before).run("squeue").ok();
    newSecret();
    root.with("SLURM_JWT", before).run("squeue").ok();
    root.run("scontrol", "reconfigure").okSilently();
    refused(root, before);
    root.with("SLURM_JWT", token(bob)).run("squeue").ok();
    Path key = cluster.dir().resolve("jwt.key");
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
    failure(root.run("scontrol", "reconfigure"), "chmod 600 " + key);
    root.with("SLURM_JWT", token(bob)).run("squeue").ok();
    newSecret();
    root.run("scontrol", "reconfigure").okSilently();
  }
}
