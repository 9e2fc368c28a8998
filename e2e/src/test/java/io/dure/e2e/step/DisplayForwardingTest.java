package io.dure.e2e.step;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Processes;
import io.dure.e2e.cluster.Session;
import io.dure.e2e.cluster.User;
import io.dure.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@code --x11}: programs on nodes reach what serves as an X server where their user is. */
@Tag("cluster")
class DisplayForwardingTest {
  @RegisterExtension
  static final StepCluster RUNNING =
      StepCluster.of(() -> {
        User.assumeRoot();
        return Conf.nodes(2, 4).with("PrologFlags", "X11").with("TmpFS", "{dir}/cookies");
      });

  private static final Await SOON = Await.seconds(60);

  /** Sends so many bytes to the X server that DISPLAY names, and looks at what comes back. */
  private static final String CLIENT =
      """
      use strict; use warnings; use IO::Socket::INET;
      my $size = shift; alarm 60;
      my ($display) = ($ENV{DISPLAY} // '') =~ /^localhost:(\\d+)\\.0$/ or die "DISPLAY\\n";
      -s $ENV{XAUTHORITY} or die "XAUTHORITY\\n";
      my $server = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => 6000 + $display) or die "connect\\n";
      my $sent = join '', map { pack 'N', $_ } 1 .. 16; $sent = substr($sent x (1 + $size / 64), 0, $size);
      if (!fork) { print $server $sent; $server->flush; shutdown $server, 1; exit; }
      my $came = do { local $/; <$server> };
      print $came eq ~$sent ? "same\\n" : 'only ' . length($came) . "\\n";
      """;

  private static Cluster cluster;
  private static Path cookies;
  private static Session alice;

  private EchoingXServer server;

  @BeforeAll
  static void start() throws IOException {
    cluster = RUNNING.cluster();
    cookies = Files.createDirectories(cluster.dir().resolve("cookies"));
    assertTrue(cookies.toFile().setWritable(true, false));
    Session plain = cluster.as(User.named("dure-alice"));
    Path known = EchoingXServer.xauth(cluster.dir().resolve("xauth"), true);
    EchoingXServer.xauth(cluster.dir().resolve("empty"), false);
    Files.writeString(cluster.dir().resolve("client.pl"), CLIENT);
    alice =
        plain
            .with("CLIENT", "perl " + cluster.dir().resolve("client.pl"))
            .with("PATH", known + ":" + plain.environment().get("PATH"));
  }

  @BeforeEach
  void serve() throws IOException {
    server = new EchoingXServer();
  }

  @AfterEach
  void nothingStays() {
    RUNNING.shell().run("scancel", "-u", "dure-alice").whatever();
    SOON.until("the cookies go", () -> listed(cookies).isEmpty());
    SOON.until(
        "the displays end",
        () ->
            Processes.mentioning(cluster.dir().resolve("spool").toString()).stream()
                .noneMatch(process -> process.name().equals("display")));
    server.close();
  }

  private static List<Path> listed(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }

  private Session user() {
    return alice.with("DISPLAY", server.display());
  }

  @Test
  void tasksOfASrunReachIt() {
    assertEquals(
        "same\nsame\nsame\nsame",
        user().shell("srun --x11 --mem=200 -N2 -n4 $CLIENT 3000000").ok());
    assertEquals(4, server.connections.get());
  }

  @Test
  void allStepsOfAnAllocationReachIt() {
    assertEquals(
        "same\nsame\nsame\nsame\nsame",
        user()
            .shell(
                "salloc -Q --x11 -N2 sh -c 'srun $CLIENT 1000; srun -N2 $CLIENT 100000; srun -N1 $CLIENT 8'")
            .ok());
  }

  @Test
  void aStepOfAnAllocationMayHaveItsOwn() {
    assertEquals(
        "same\n" + server.display(),
        user().shell("salloc -Q -N1 sh -c 'srun --x11 $CLIENT 1000; srun printenv DISPLAY'").ok());
  }

  @Test
  void oneNodeMayBeChosen() {
    String line = "'echo $SLURMD_NODENAME ${DISPLAY%%:*}' | sort";
    assertEquals(
        "n1 127.0.0.1\nn2 localhost", user().shell("srun -N2 --x11=last sh -c " + line).ok());
    assertEquals(
        "n1 localhost\nn2 127.0.0.1", user().shell("srun -N2 --x11=first sh -c " + line).ok());
  }

  @Test
  void whatIsMissingIsSaidBeforeAnythingRuns() {
    alice
        .run("srun", "--x11", "true")
        .fails(255, "srun: error: No DISPLAY variable set, cannot setup x11 forwarding.");
    alice
        .with("DISPLAY", "bad")
        .run("srun", "--x11", "true")
        .fails(
            255,
            "srun: error: Error parsing DISPLAY environment variable. Cannot use X11 forwarding.");
    alice
        .with("DISPLAY", ":59000")
        .run("srun", "--x11", "true")
        .fails(255, "srun: error: Cannot stat() local X11 socket `/tmp/.X11-unix/X59000`");
    user()
        .with("PATH", cluster.dir().resolve("empty") + ":/usr/bin:/bin")
        .run("srun", "--x11", "true")
        .fails(
            255,
            "srun: error: x11_get_xauth: Could not retrieve magic cookie. Cannot use X11"
                + " forwarding.");
    user()
        .with("PATH", "/nowhere")
        .run("salloc", "--x11", "true")
        .fails(
            255,
            "salloc: error: Problem running xauth command. Cannot use X11 forwarding.",
            "salloc: error: xauth: No such file or directory");
    assertEquals("", RUNNING.shell().run("squeue", "-h").ok());
  }

  @Test
  void aDisplayEndsWithItsFrontEnd() throws Exception {
    Process front =
        user()
            .start("killed.out", "srun", "--x11", "sh", "-c", "$CLIENT 400; touch up; sleep 7771");
    SOON.until("it runs", () -> Files.exists(alice.directory().resolve("up")));
    assertEquals(1, listed(cookies).size());
    Processes.kill((int) front.pid(), "KILL");
    assertTrue(front.waitFor(60, TimeUnit.SECONDS));
    SOON.until("the cookie goes", () -> listed(cookies).isEmpty());
  }

  @Test
  void whatAKilledDisplayLeavesGoesWithTheJob() {
    String left =
        user()
            .shell(
                "salloc -Q --x11 -N1 sh -c 'srun true; pkill -KILL -x display; ls -A \"$0\"' "
                    + cookies)
            .ok();
    assertTrue(left.startsWith(".Xauthority-"), left);
  }
}
