package io.dure.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Session;
import io.dure.e2e.cluster.User;
import io.dure.host.trust.AuthToken;
import io.dure.host.trust.ClusterKey;
import io.dure.host.user.CurrentProcess;
import io.dure.protocol.DureVersion;
import io.dure.protocol.Request;
import io.dure.protocol.WireCodecs;
import io.dure.testkit.Await;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What an ordinary user tries in order to pass for somebody else at the agent or the controller.
 */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class IdentityTest {
  private static final Await SOON = Await.seconds(60);
  private static final String SUBMISSION = "sbatch --parsable --hold -J forged --wrap true";

  /** Sends what a file holds to a unix socket, and prints what is answered. */
  private static final String SEND =
      """
      socket S, 1, 1, 0 or die; connect S, pack('S Z*', 1, $ARGV[0]) or die "no: $!";
      open F, '<', $ARGV[1] or die; binmode F; local $/; $call = <F>;
      $first = $ARGV[2]; eval $first; die $@ if $@;
      syswrite S, $call; shutdown S, 1; $| = 1; print $x while sysread S, $x, 9999;
      """;

  /**
   * The process that has connected becomes a program that runs as root, and its child sends the
   * call: whoever looks the caller up in /proc by its number sees root.
   */
  private static final String BECOME_ROOT =
      """
      pipe R, W; $parent = $$; $child = fork;
      unless ($child) {
        close W;
        for (;;) {
          open P, '<', "/proc/$parent/status" or die; $status = <P>; close P;
          last if $status =~ /^Uid:\\s+\\d+\\s+0\\s/m;
          select undef, undef, undef, 0.01;
        }
      } else { close S; open STDIN, '<&', *R; open STDOUT, '>', '/dev/null'; exec 'su', 'root' }
      """;

  private static Cluster cluster;
  private static Session root;
  private static Session bob;

  @BeforeAll
  static void start() {
    User other = User.named("dure-bob");
    cluster = Cluster.start(Conf.nodes(1, 8));
    root = cluster.admin();
    bob = cluster.as(other);
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @AfterEach
  void emptyTheQueue() {
    root.run("scancel", "--state=PENDING").okSilently();
    SOON.until("the queue is empty", () -> owners().isEmpty());
  }

  /** Whose the jobs are that the tests have submitted. */
  private static List<String> owners() {
    return root.run("squeue", "-h", "-t", "PD", "-o", "%u(%U)").ok().lines().toList();
  }

  private static String nameOf(User user) {
    return user.name() + "(" + user.uid() + ")";
  }

  private static Path socket(String whose) {
    return cluster.dir().resolve("run/" + whose + ".sock");
  }

  /** What somebody is answered who sends these bytes. */
  private static String sent(Session who, String whose, byte[] bytes, String first)
      throws IOException {
    Path file = Files.createTempFile("dure-sent", "");
    try {
      Files.write(file, bytes);
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
      return who.run("perl", "-e", SEND, socket(whose).toString(), file.toString(), first).output();
    } finally {
      Files.delete(file);
    }
  }

  /** All that the client of a command tells an agent, which then hangs up. */
  private static byte[] callOf(Session who, String line) throws IOException {
    Path dir = Files.createTempDirectory("dure-listens");
    Path path = dir.resolve("agent.sock");
    ByteArrayOutputStream heard = new ByteArrayOutputStream();
    try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      listener.bind(UnixDomainSocketAddress.of(path));
      Thread ear =
          Thread.startVirtualThread(() -> {
            try (SocketChannel channel = listener.accept()) {
              ByteBuffer part = ByteBuffer.allocate(1 << 20);
              while (heard.size() < 13 || heard.size() < 13 + lengthIn(heard)) {
                channel.read(part.clear());
                heard.write(part.array(), 0, part.position());
              }
            } catch (IOException e) {
              heard.reset();
            }
          });
      who.with("DURE_AGENT", path.toString()).shell(line).ok();
      SOON.until("it was heard", () -> !ear.isAlive());
    } finally {
      Files.deleteIfExists(path);
      Files.delete(dir);
    }
    return heard.toByteArray();
  }

  /** Length of the call, which stands after the magic and the type. */
  private static int lengthIn(ByteArrayOutputStream heard) {
    return ByteBuffer.wrap(heard.toByteArray()).getInt(9);
  }

  @Test
  void theEnvironmentSaysNothing() {
    String claims =
        "USER=root LOGNAME=root UID=0 SLURM_JOB_UID=0 SUDO_UID=0 DURE_REQUEST_ID=" + "0".repeat(32);
    bob.shell(claims + " " + SUBMISSION).ok();
    assertEquals(List.of(nameOf(bob.user())), owners());
    // The same words from the same caller are the same call; from another they are another's.
    root.with("DURE_REQUEST_ID", "0".repeat(32)).shell(SUBMISSION).ok();
    assertEquals(2, owners().size(), "a request id of another user's is nobody else's");
  }

  @Test
  void aCallThatIsReplayedIsItsSendersOrTheSameJob() throws IOException {
    byte[] call = callOf(root, SUBMISSION);
    assertEquals(List.of(nameOf(User.SELF)), owners(), "the client ran it by itself");
    sent(root, "agent", call, "");
    assertEquals(1, owners().size(), "the same call is the same job");
    sent(bob, "agent", call, "");
    assertEquals(2, owners().size());
    assertTrue(owners().contains(nameOf(bob.user())), "what bob sends is his: " + owners());
  }

  @Test
  void whoBecomesRootAfterConnectingIsWhoHeWas() throws IOException {
    byte[] call = callOf(root, SUBMISSION);
    sent(bob, "agent", call, BECOME_ROOT);
    SOON.until("the child has sent it", () -> owners().size() == 2);
    assertTrue(owners().contains(nameOf(bob.user())), owners().toString());
  }

  @Test
  void nobodyShowsATokenOfAnothers() throws IOException {
    ClusterKey key =
        ClusterKey.load(cluster.dir().resolve("dure.key"), CurrentProcess.effectiveUid());
    Instant soon = Instant.now().plusSeconds(60);
    byte[] good = greeting(AuthToken.forUser("root", 0, 0, "", soon, new SecureRandom()).sign(key));
    assertTrue(sent(root, "controller", good, "").isEmpty(), "the token is good");
    assertTrue(sent(bob, "controller", good, "").contains("may not act for other users"));
    assertTrue(sent(bob, "controller", greeting("v1.none"), "").contains("for other users"));
    // Of any other kind is a token of auth/jwt, which everybody may show.
    assertTrue(
        sent(bob, "controller", greeting("no token at all"), "").contains("token not valid"));
    assertTrue(sent(root, "controller", greeting("none"), "").contains("token not valid"));
    Instant longAgo = Instant.now().minusSeconds(3600);
    byte[] old =
        greeting(AuthToken.forUser("root", 0, 0, "", longAgo, new SecureRandom()).sign(key));
    assertTrue(sent(root, "controller", old, "").contains("token not valid"));
  }

  private static byte[] greeting(String token) {
    byte[] frame =
        WireCodecs.requests().strict().encode(new Request.Greeting(token, DureVersion.DURE, null));
    return ByteBuffer.allocate(8 + frame.length)
        .putInt(WireCodecs.AGENT_MAGIC)
        .putInt(frame.length)
        .put(frame)
        .array();
  }

  @Test
  void aSocketThatAnotherUserPlantedIsNotTrusted() throws IOException {
    User mallory = bob.user();
    Path dir = Files.createTempDirectory("dure-planted-");
    Files.setPosixFilePermissions(dir, PosixFilePermissions.fromString("rwxrwxrwx"));
    Path socket = dir.resolve("agent.sock");
    Process planted =
        new ProcessBuilder(
                "setpriv",
                "--reuid=" + mallory.uid(),
                "--clear-groups",
                "perl",
                "-e",
                "socket S,1,1,0 or die; bind S, pack('S Z*',1,$ARGV[0]) or die; listen S,9;"
                    + " $|=1; while (accept C, S) { print qq(heard\\n) if sysread C, $x, 1; }",
                socket.toString())
            .redirectOutput(dir.resolve("heard").toFile())
            .start();
    try {
      SOON.until("it listens", () -> Files.exists(socket));
      String said = root.with("DURE_AGENT", socket.toString()).run("sinfo", "-h").ok();
      assertTrue(said.contains("main"), said);
      assertEquals("", Files.readString(dir.resolve("heard")), "nothing was told to it");
    } finally {
      planted.destroyForcibly();
    }
  }
}
