package io.dure.node.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dure.node.cgroup.CgroupMounts;
import io.dure.node.cgroup.Cgroups;
import io.dure.node.cgroup.StepCgroup;
import io.dure.node.cgroup.StepConfinement;
import io.dure.testkit.Await;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Steps in real control groups. */
@Tag("process")
class ConfinedStepTest {
  private final String node = "test" + ProcessHandle.current().pid();
  private Bench bench;
  private Cgroups cgroups;
  private StepCgroup group;

  @BeforeEach
  void open() throws Exception {
    bench = new Bench();
    cgroups = CgroupMounts.detect(node);
    assumeTrue(cgroups.version() != Cgroups.Version.NONE, cgroups.shortcomings());
  }

  @AfterEach
  void close() throws Exception {
    if (group != null) {
      group.kill();
      assertTrue(group.remove());
    }
    cgroups.leave();
    bench.close();
  }

  private Bench.Draft confined(Bench.Draft step, StepConfinement confinement) throws Exception {
    group = cgroups.create(step.jobId, "batch", confinement);
    step.cgroups = group.directories();
    return step;
  }

  @Test
  void aStepSeesOnlyItsCpus() throws Exception {
    assumeTrue(!cgroups.shortcomings().contains("cpuset"), cgroups.shortcomings());
    var step =
        confined(
            bench.step("grep Cpus_allowed_list /proc/self/status; nproc"),
            new StepConfinement(List.of(0), null));
    assertEquals("0:0", step.run().exitCode());
    assertEquals("Cpus_allowed_list:\t0\n1\n", step.output());
  }

  @Test
  void affinityIsSetWithoutControlGroupsToo() throws Exception {
    var step = bench.step("grep Cpus_allowed_list /proc/self/status");
    step.cpus = List.of(0);
    step.run();
    assertEquals("Cpus_allowed_list:\t0\n", step.output());
  }

  @Test
  void tooMuchMemoryIsAnOutOfMemoryKillThatCanBeTold() throws Exception {
    assumeTrue(!cgroups.shortcomings().contains("memory"), cgroups.shortcomings());
    var step =
        confined(
            // One process alone takes memory: of two the kernel may pick the shell as a second
            // victim.
            bench.step("dd if=/dev/zero of=/dev/null bs=200M count=1; exit $?"),
            new StepConfinement(List.of(), 32L));
    assertEquals("137:0", step.run().exitCode());
    assertTrue(group.oomKills() >= 1);
  }

  @Test
  void aStepMakesNoMoreProcessesThanItMay() throws Exception {
    assumeTrue(!cgroups.shortcomings().contains("pids"), cgroups.shortcomings());
    var step = confined(bench.step(), new StepConfinement(List.of(), null, 20L));
    // This shell ends when it cannot fork; bash tries again for a while.
    step.script = "#!/bin/sh\nfor i in $(seq 60); do sleep 1000 & echo $i; done 2>/dev/null\n";
    assertEquals("2:0", step.run().exitCode());
    assertEquals(19, step.output().lines().count());
  }

  @Test
  void theGroupFindsEveryProcessOfALostStep() throws Exception {
    // Its own session, no environment, no parent: only the group still knows whose it is.
    var step =
        confined(
            bench.step("(env -i setsid sleep 1000 &)", "echo ready", "sleep 1000"),
            new StepConfinement(List.of(), null));
    RunningStep running = step.start();
    step.awaitOutput("ready");
    Await.seconds(20).until("all three are there", () -> group.processes().size() == 3);
    assertEquals(3, running.processes().size());
    KillSystemCall.send(running.directory().shepherd(), KillSystemCall.SIGKILL);
    assertEquals(0, assertInstanceOf(StepExit.Lost.class, Bench.end(running)).survivors());
    assertEquals(List.of(), group.processes());
  }

  @Test
  void killReachesAForkBomb() throws Exception {
    var step =
        confined(
            bench.step(
                "f() { while :; do sleep 0.01 & done; }", "ulimit -u 200", "echo ready", "f"),
            new StepConfinement(List.of(), null));
    RunningStep running = step.start();
    step.awaitOutput("ready");
    Await.seconds(20).until("it forks", () -> group.processes().size() > 10);
    group.kill();
    assertEquals("0:9", Bench.end(running).exitCode());
    assertEquals(List.of(), group.processes());
  }
}
