package io.dure.e2e.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dure.e2e.cluster.Cluster;
import io.dure.e2e.cluster.Conf;
import io.dure.e2e.cluster.Diagnosis;
import io.dure.e2e.cluster.Ran;
import io.dure.e2e.cluster.Session;
import io.dure.e2e.cluster.User;
import io.dure.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * OCI bundles ({@code --container}) by the runtimes that are installed and run one for an ordinary
 * user here.
 */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class ContainerTest {
  private static final Await SOON = Await.seconds(60);
  private static final Path BUSYBOX = Path.of("/bin/busybox");
  private static Cluster cluster;
  private static Session alice;
  private static Path bundle;
  private static Path state;

  @BeforeAll
  static void start() throws IOException {
    User.assumeRoot();
    assumeTrue(
        Files.isExecutable(BUSYBOX), "needs busybox; Debian: apt-get install busybox-static");
    cluster = Cluster.prepare(Conf.nodes(1, 4).with("DefMemPerCPU", 200));
    configure(true);
    state = Files.createDirectory(cluster.dir().resolve("state-of-runtimes"));
    Files.setPosixFilePermissions(state, PosixFilePermissions.fromString("rwxrwxrwx"));
    cluster.startAll();
    alice = cluster.as(User.named("dure-alice"));
    bundle = alice.directory().resolve("bundle");
    String make =
        """
        mkdir -p bundle/rootfs/bin; cp /bin/busybox bundle/rootfs/bin
        for name in sh ls echo cat sleep; do ln -s busybox bundle/rootfs/bin/$name; done
        """;
    alice.shell(make).okSilently();
    User user = alice.user();
    Files.writeString(
        bundle.resolve("config.json"),
        """
        {"ociVersion": "1.0.2", "hostname": "box", "root": {"path": "rootfs"},
         "process": {"user": {"uid": 0, "gid": 0}, "args": ["ls"], "cwd": "/", "terminal": true,
           "env": ["PATH=/bin", "OF_BUNDLE=a \\"b\\""]},
         "mounts": [{"destination": "/proc", "type": "proc", "source": "proc"},
           {"destination": "/dev", "type": "tmpfs", "source": "tmpfs"},
           {"destination": "/var", "type": "tmpfs", "source": "tmpfs"}],
         "linux": {"namespaces": [{"type": "pid"}, {"type": "mount"}, {"type": "user"}, {"type": "uts"}],
           "uidMappings": [{"containerID": 0, "hostID": %d, "size": 1}],
           "gidMappings": [{"containerID": 0, "hostID": %d, "size": 1}]}}
        """
            .formatted(user.uid(), user.gid()));
  }

  private static void configure(boolean there) throws IOException {
    Path file = cluster.confFile().resolveSibling("oci.conf");
    String text =
        """
        RunTimeRun="%1$s/runtime run --bundle %%b %%n.%%u.%%j.%%s.%%t"
        RunTimeQuery="%1$s/runtime state %%n.%%u.%%j.%%s.%%t"
        RunTimeKill="%1$s/runtime kill -a %%n.%%u.%%j.%%s.%%t"
        RunTimeDelete="%1$s/runtime delete --force %%n.%%u.%%j.%%s.%%t"
        EnvExclude="^(SLURM_CONF|SECRET)="
        CreateEnvFile=newline
        """
            .formatted(cluster.dir());
    Files.writeString(file, there ? text : "");
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  /** No state of a runtime, no process and no folder stays. */
  @AfterEach
  void nothingIsLeft() {
    cluster.admin().shell("scancel -u dure-alice").whatever();
    SOON.until("no job is left", () -> cluster.admin().run("squeue", "-h").ok().isEmpty());
    SOON.until("nothing is left", () -> left().isEmpty());
  }

  private static List<String> left() {
    List<String> left = new ArrayList<>();
    for (Path folder : List.of(state, cluster.dir().resolve("spool/n1"))) {
      try (Stream<Path> all = Files.list(folder)) {
        all.filter(path -> folder.equals(state) || path.toString().contains("/oci-job"))
            .map(Path::toString)
            .forEach(left::add);
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }
    return left;
  }

  /** Has nodes use that runtime, where it works. */
  private static void use(String runtime) throws IOException {
    Path program = cluster.dir().resolve("runtime");
    Files.writeString(
        program,
        "#!/bin/sh\nPATH=/usr/bin:/usr/sbin:/bin\nexec %s --rootless=true --root=%s \"$@\"\n"
            .formatted(runtime, state));
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    String config = Files.readString(bundle.resolve("config.json"));
    Path probe = Files.createDirectories(alice.directory().resolve("probe"));
    Files.writeString(
        probe.resolve("config.json"),
        config
            .replace("\"terminal\": true", "\"terminal\": false")
            .replace("\"rootfs\"", "\"" + bundle + "/rootfs\""));
    Ran tried = alice.run(program.toString(), "run", "--bundle", probe.toString(), "probe");
    assumeTrue(
        tried.whatever().startsWith("exit 0\n"),
        () ->
            runtime
                + " runs nothing for users here (Debian: apt-get install "
                + runtime
                + "): "
                + tried.whatever());
  }

  @ParameterizedTest
  @ValueSource(strings = {"crun", "runc"})
  void tasksOfAStepRunInIt(String runtime) throws IOException {
    use(runtime);
    String line =
        "echo $SLURM_PROCID $SLURM_CONTAINER $OF_BUNDLE $PATH .$SECRET. $MINE;"
            + " ls /; exit $((6 + SLURM_PROCID))";
    String said =
        alice
            .with("SECRET", "x")
            .with("MINE", "here")
            .run("srun", "-Q", "-l", "-n2", "--container=bundle", "sh", "-c", line)
            .whatever();
    assertTrue(said.startsWith("exit 7\n"), said);
    for (int rank = 0; rank < 2; rank++) {
      String task = rank + ": ";
      assertTrue(said.contains(task + rank + " bundle a \"b\" /bin .. here\n"), said);
      assertTrue(said.contains(task + "bin\n" + task + "dev\n" + task + "proc\n"), said);
    }
    assertEquals(
        "in",
        alice
            .runReading(alice.script("in", "in"), "srun", "-Q", "--container=" + bundle, "cat")
            .output());
  }

  @ParameterizedTest
  @ValueSource(strings = {"crun", "runc"})
  void aBatchScriptRunsInItAndEndsWithItsJob(String runtime) throws IOException {
    use(runtime);
    Path script = alice.script("job.sh", "#!/bin/sh\necho $0 $1; ls /; exit 3");
    int job = alice.submit("--container=" + bundle, "-o", "out", script.toString(), "word");
    cluster.await(job, "FAILED");
    assertEquals("3:0", cluster.job(job).get("ExitCode"));
    assertEquals(bundle.toString(), cluster.job(job).get("Container"));
    assertEquals("/var/run/slurm/startup word\nbin\ndev\nproc\nvar\n", alice.read("out"));
    int longer = alice.submit("--container=" + bundle, "-o", "up", "--wrap", "echo up; sleep 1000");
    SOON.until("it runs", () -> alice.read("up").equals("up\n"));
    assertTrue(!left().isEmpty(), "the runtime knows it");
    alice.run("scancel", "" + longer).okSilently();
    cluster.await(longer, "CANCELLED");
    SOON.until("its processes are gone", () -> cluster.processesOf(longer).isEmpty());
  }

  @Test
  void withoutABundleOrARuntimeTheReasonIsSaid() throws IOException {
    use("true");
    String said = alice.run("srun", "-Q", "--container=nothing", "true").whatever();
    assertTrue(said.contains("container: "), said);
    assertTrue(said.contains("/nothing/config.json cannot be read: No such file"), said);
    Files.delete(cluster.dir().resolve("runtime"));
    said = alice.run("srun", "-Q", "--container=" + bundle, "true").whatever();
    assertTrue(said.startsWith("exit 127\n") && said.contains("runtime: not found"), said);
    configure(false);
    try {
      cluster.admin().run("scontrol", "reconfigure").okSilently();
      SOON.until(
          "the node has read it",
          () ->
              alice
                  .run("srun", "-Q", "--container=" + bundle, "true")
                  .whatever()
                  .contains("Container is not configured"));
      int job = alice.submit("--container=" + bundle, "--wrap", "true");
      cluster.await(job, "FAILED");
    } finally {
      configure(true);
      cluster.admin().run("scontrol", "reconfigure").okSilently();
    }
  }
}
