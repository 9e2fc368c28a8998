package io.dure.e2e.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Session;
import io.dure.e2e.cluster.User;
import io.dure.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Images ({@code --container-image}) by a real podman, or the reason why there is none. */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class ImageTest {
  private static final Await SOON = Await.seconds(60);
  private static final Path PODMAN = Path.of("/usr/bin/podman");

  private static Cluster cluster;
  private static Session alice;

  @BeforeAll
  static void start() throws IOException {
    User.assumeRoot();
    cluster = Cluster.start(Conf.nodes(1, 4).with("DefMemPerCPU", 200));
    alice = cluster.as(User.named("dure-alice"));
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static boolean hasTool() {
    return Files.exists(PODMAN)
        || Files.exists(Path.of("/usr/bin/apptainer"))
        || Files.exists(Path.of("/usr/bin/enroot"));
  }

  @Test
  void withoutAToolTheReasonIsSaid() {
    assumeFalse(hasTool(), "a tool for images is installed");
    String said = alice.run("srun", "-Q", "--container-image=box", "true").whatever();
    assertTrue(said.contains("--container-image needs enroot, apptainer or podman"), said);
    int job = alice.submit("--container-image=box", "--wrap", "true");
    cluster.await(job, "FAILED");
  }

  /** A user's podman with an image of busybox; runc, because it runs on more machines. */
  private static Session withImage() throws IOException {
    assumeTrue(
        Files.isExecutable(PODMAN) && Files.isExecutable(Path.of("/usr/sbin/runc")),
        "needs podman and runc; Debian: apt-get install podman uidmap runc");
    Path home = alice.directory();
    Files.writeString(home.resolve("containers.conf"), "[engine]\nruntime = \"runc\"\n");
    Session user =
        alice
            .with("CONTAINERS_CONF", home.resolve("containers.conf").toString())
            .with("XDG_DATA_HOME", home.resolve("data").toString())
            .with("XDG_RUNTIME_DIR", home.resolve("run").toString());
    String make =
        """
        mkdir -p -m 700 root/bin run; cp /bin/busybox root/bin
        for name in sh ls echo cat pwd sleep; do ln -sf busybox root/bin/$name; done
        tar -C root -c . | podman import - dure-box
        """;
    String said = user.shell(make).whatever();
    assumeTrue(said.startsWith("exit 0\n"), () -> "podman imports nothing here: " + said);
    String probe =
        user.run("podman", "run", "--rm", "--network=host", "dure-box", "pwd").whatever();
    assumeTrue(probe.startsWith("exit 0\n"), () -> "podman runs nothing here: " + probe);
    return user;
  }

  @Test
  void podmanRunsStepsAndScriptsInIt() throws IOException {
    Session user = withImage();
    Path data = Files.createDirectory(alice.directory().resolve("some data"));
    Files.writeString(data.resolve("file"), "what is mounted");
    assertEquals(
        "1 dure-box here\n/etc\nwhat is mounted\n",
        user.with("MINE", "here")
            .run(
                "srun",
                "-Q",
                "-n1",
                "--container-image=dure-box",
                "--container-mounts=" + data + ":/data:ro",
                "--container-workdir=/etc",
                "sh",
                "-c",
                "echo $SLURM_NTASKS $SLURM_CONTAINER_IMAGE $MINE; pwd; cat /data/file; echo")
            .output());
    assertEquals(
        "/etc\n",
        user.run(
                "salloc",
                "-Q",
                "-n1",
                "--container-image=dure-box",
                "--container-workdir=/etc",
                "srun",
                "pwd")
            .output());
    Path script = alice.script("job.sh", "#!/bin/sh\necho $0 $1; ls /bin; exit 3");
    int job = user.submit("--container-image=dure-box", "-o", "out", script.toString(), "word");
    cluster.await(job, "FAILED");
    assertEquals("3:0", cluster.job(job).get("ExitCode"));
    assertEquals(
        "/var/run/slurm/startup word\nbusybox\ncat\necho\nls\npwd\nsh\nsleep\n", alice.read("out"));
    int longer =
        user.submit("--container-image=dure-box", "-o", "up", "--wrap", "echo up; sleep 1000");
    SOON.until("it runs", () -> alice.read("up").equals("up\n"));
    // Neither the task nor the monitor of its container lives to clean up: the node does.
    alice.shell("pkill -STOP -u $(id -u) -x conmon").okSilently();
    alice.run("scancel", "-f", "-s", "KILL", "" + longer).okSilently();
    cluster.await(longer, "FAILED");
    SOON.until("its processes are gone", () -> cluster.processesOf(longer).isEmpty());
    SOON.until("podman has none", () -> user.run("podman", "ps", "-aq").output().isEmpty());
  }
}
