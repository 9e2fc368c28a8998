package io.dure.e2e.step;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
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
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What ordinary users can open of GPUs with {@code ConstrainDevices=yes}: copies of devices that
 * every machine has stand in for three GPUs, the last of which has two files.
 */
@ExtendWith(Diagnosis.class)
@Tag("cluster")
class DeviceIsolationTest {
  private static final Await SOON = Await.seconds(60);

  private static Cluster cluster;
  private static Session alice;
  private static Session bob;
  private static Path open;

  @BeforeAll
  static void start() throws Exception {
    User.assumeRoot();
    String mounts = Files.readString(Path.of("/proc/self/mounts"));
    assumeTrue(mounts.contains(" cgroup2 ") || mounts.contains(",devices"), "no control groups");
    cluster =
        Cluster.prepare(
            Conf.nodes(1, 8)
                .with("GresTypes", "gpu")
                .with("TaskPlugin", "task/cgroup")
                .with("NodeName", "DEFAULT Gres=gpu:3"));
    Path dir = cluster.dir();
    Path conf = cluster.confFile();
    Files.writeString(conf.resolveSibling("cgroup.conf"), "ConstrainDevices=yes\n");
    Files.writeString(
        conf.resolveSibling("gres.conf"),
        """
        Name=gpu File=%1$s/gpu[0-1]
        Name=gpu MultipleFiles=%1$s/gpu2,%1$s/caps2
        """
            .formatted(dir));
    device("gpu0", 7);
    device("gpu1", 5);
    device("gpu2", 8);
    device("caps2", 9);
    open = dir.resolve("open.sh");
    Files.writeString(
        open,
        """
        #!/bin/bash
        export LC_ALL=C
        said=
        for file in gpu0 gpu1 gpu2 caps2; do
          why=$( (: < %1$s/$file) 2>&1) && why=open
          case $why in
            open) said+="$file " ;;
            *'Operation not permitted') said+='- ' ;;
            *) said+="[$why] " ;;
          esac
        done
        echo "$said${CUDA_VISIBLE_DEVICES:-none} ${SLURM_STEP_GPUS:-${SLURM_JOB_GPUS:-none}}"
        """
            .formatted(dir));
    assertTrue(open.toFile().setExecutable(true, false));
    cluster.startAll();
    alice = cluster.as(User.named("dure-alice"));
    bob = cluster.as(User.named("dure-bob"));
  }

  private static void device(String name, int minor) throws Exception {
    Path file = cluster.dir().resolve(name);
    String line = "mknod -m 666 " + file + " c 1 " + minor;
    assertEquals(0, new ProcessBuilder("sh", "-c", line).inheritIO().start().waitFor(), line);
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  /** The next test's jobs get the same GPUs. */
  @AfterEach
  void freeThem() {
    cluster.admin().shell("scancel -u dure-alice; scancel -u dure-bob").whatever();
    SOON.until("no job is left", () -> cluster.admin().run("squeue", "-h").ok().isEmpty());
  }

  @Test
  void eachJobOpensItsOwnGpusAlone() throws IOException {
    Path go = cluster.dir().resolve("go");
    String hold = open + "; until [ -e " + go + " ]; do sleep 0.1; done";
    int hers = alice.submit("--gres=gpu:1", "-o", "hers", "--wrap", hold);
    SOON.until("it has told", () -> !alice.read("hers").isEmpty());
    assertEquals("gpu0 - - - 0 0\n", alice.read("hers"));
    int his = bob.submit("--gres=gpu:1", "-o", "his", "--wrap", hold);
    SOON.until("it has told", () -> !bob.read("his").isEmpty());
    assertEquals("- gpu1 - - 0 1\n", bob.read("his"));
    assertEquals("- - gpu2 caps2 0 2", bob.shell("srun -Q --gres=gpu:1 " + open).ok());
    assertEquals("- - - - none none", bob.shell("srun -Q " + open).ok());
    Files.writeString(go, "");
    cluster.await(hers, "COMPLETED");
    cluster.await(his, "COMPLETED");
    assertEquals(
        "gpu0 gpu1 gpu2 caps2 0,1,2 0,1,2", alice.shell("srun -Q --gres=gpu:3 " + open).ok());
  }

  @Test
  void eachStepOpensThoseOfItsOwnAlone() throws IOException {
    Path script = alice.directory().resolve("steps.sh");
    Files.writeString(
        script,
        """
        srun -n1 --exact --gres=gpu:1 bash -c 'touch up; until [ -e over ]; do sleep 0.1; done' &
        until [ -e up ]; do sleep 0.1; done
        srun -n1 --exact --gres=gpu:1 OPEN
        srun -n1 --exact --gres=none OPEN
        touch over; wait
        srun -n1 OPEN
        srun -n2 --gpus-per-task=1 OPEN | sort
        srun -n1 --gres=gpu:2 --gpu-bind=map_gpu:1 OPEN
        """
            .replace("OPEN", open.toString()));
    assertEquals(
        """
        - gpu1 - - 0 1
        - - - - none none
        gpu0 gpu1 gpu2 caps2 0,1,2 0,1,2
        gpu0 gpu1 - - 0 0
        gpu0 gpu1 - - 1 1
        gpu0 gpu1 - - 1 1\
        """,
        alice
            .shell("cd " + script.getParent() + "; salloc -Q -n2 --gres=gpu:3 bash steps.sh")
            .ok());
  }

  @Test
  void leavingSessionTreeAndEnvironmentOpensNoMore() throws IOException {
    Path out = bob.directory().resolve("escaped");
    String escape =
        """
        (env -i setsid bash -c '(setsid %1$s > %2$s.part; mv %2$s.part %2$s) &' &)
        until [ -e %2$s ]; do sleep 0.1; done
        cat %2$s
        for procs in /sys/fs/cgroup/cgroup.procs /sys/fs/cgroup/*/cgroup.procs; do
          { echo $$ > $procs; } 2> /dev/null && echo joined $procs
        done
        mknod own c 1 7 2> /dev/null && echo made one
        %1$s
        cat /proc/self/cgroup >&2
        """
            .formatted(open, out);
    Path script = bob.directory().resolve("escape.sh");
    Files.writeString(script, escape);
    assertEquals(
        "gpu0 - - - none none\ngpu0 - - - 0 0",
        bob.shell("cd " + script.getParent() + "; srun -Q --gres=gpu:1 bash escape.sh 2> groups")
            .ok());
    List<String> groups =
        bob.read("groups")
            .lines()
            .map(line -> line.substring(line.lastIndexOf(':') + 1))
            .filter(group -> group.startsWith("/dure/"))
            .toList();
    assertTrue(!groups.isEmpty(), "the step has groups");
    SOON.until(
        "its groups are gone",
        () -> {
          try (var mounts = Files.list(Path.of("/sys/fs/cgroup"))) {
            return mounts.noneMatch(mount ->
                groups.stream()
                    .anyMatch(group -> Files.exists(Path.of(mount + group).getParent())));
          }
        });
  }
}
