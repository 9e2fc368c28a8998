package io.dure.cli.sbatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.command.CliCommand;
import io.dure.cli.command.FakeContext;
import io.dure.cli.command.ScriptedController;
import io.dure.cli.scontrol.Scontrol;
import io.dure.cli.sinfo.Sinfo;
import io.dure.cli.squeue.Squeue;
import io.dure.cluster.ClusterState;
import io.dure.cluster.NodeRecord;
import io.dure.model.config.preempt.PreemptMode;
import io.dure.model.gres.GresShare;
import io.dure.model.job.Job;
import io.dure.protocol.JobInfo;
import io.dure.protocol.NodeInfo;
import io.dure.protocol.Response;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Generic resources in what the commands print. */
@Tag("pure")
class GresOutputTest {
  private static final List<String> CONF =
      List.of(
          "AccountingStorageTRES=gres/gpu,gres/gpu:a100",
          "NodeName=n1 Sockets=2 CoresPerSocket=4 RealMemory=1000 Gres=gpu:a100:4,shard:8");
  private static final List<String> GRES =
      List.of(
          "Name=gpu Type=a100 File=/dev/nvidia[0-1] Cores=0-3",
          "Name=gpu Type=a100 File=/dev/nvidia[2-3] Cores=4-7");

  private final Site site = new Site(CONF, GRES, List.of());

  private Response.Cluster cluster() {
    ClusterState state = site.state();
    List<NodeInfo> nodes = new ArrayList<>();
    for (NodeRecord node : state.nodes().values()) {
      List<GresShare> held = new ArrayList<>();
      node.shares().forEach((_, share) -> held.addAll(share.gres()));
      nodes.add(
          new NodeInfo(
              node.config(),
              node.condition(),
              node.facts(),
              true,
              null,
              node.usedCpus(),
              node.usedMemoryMib(),
              false,
              null,
              List.of("debug"),
              "",
              false,
              held,
              state.settings().resources().trackedTres(),
              null,
              false));
    }
    return new Response.Cluster(
        "test",
        nodes,
        state.partitions(),
        FakeContext.NOW,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        PreemptMode.OFF,
        List.of(),
        false,
        List.of());
  }

  private Response.Jobs jobs() {
    List<JobInfo> jobs = new ArrayList<>();
    for (Job job : site.state().jobs()) {
      List<String> tracked = site.state().settings().resources().trackedTres();
      jobs.add(
          new JobInfo(job, "None", null, List.of(), null, true, "", false, tracked, null, null));
    }
    return new Response.Jobs(jobs, FakeContext.NOW);
  }

  private static String printed(CliCommand command, Response answer, String... words) {
    FakeContext world = new FakeContext();
    world.controller = new ScriptedController().answer(answer);
    assertEquals(0, command.run(world.call(words)), world.errors());
    return world.printed();
  }

  private String job(String options, String... words) {
    site.submit("alice", options);
    return printed(new Scontrol(), jobs(), words);
  }

  private static void has(String text, String... lines) {
    for (String line : lines) {
      assertTrue(text.lines().anyMatch(l -> l.strip().equals(line)), line + " is not in\n" + text);
    }
  }

  @Test
  void aJobsRecordTellsWhatItAskedForAndWhatItGot() {
    String text =
        job(
            "-n2 --gpus-per-node=a100:2 --mem-per-gpu=100 --cpus-per-gpu=2",
            "scontrol",
            "-d",
            "show",
            "job",
            "1");
    has(
        text,
        "ReqTRES=cpu=4,mem=200M,node=1,billing=4,gres/gpu=2,gres/gpu:a100=2",
        "AllocTRES=cpu=4,mem=200M,node=1,billing=4,gres/gpu=2,gres/gpu:a100=2",
        "JOB_GRES=gpu:a100:2",
        "Nodes=n1 CPU_IDs=0-3 Mem=200 GRES=gpu:a100:2(IDX:0-1)",
        "CpusPerTres=gres/gpu:2",
        "MemPerTres=gres/gpu:100",
        "TresPerNode=gres/gpu:a100:2");
  }

  @Test
  void gpusOfTheJobAndOfTasksHaveLinesOfTheirOwn() {
    String text = job("--gpus=2 --gpus-per-task=1 --mem=10", "scontrol", "show", "job", "1");
    has(text, "TresPerJob=gres/gpu:2", "TresPerTask=gres/gpu=1");
  }

  @Test
  void aNodesRecordTellsWhatItHasAndWhatIsInUse() {
    site.submit("alice", "--gres=gpu:a100:2 --mem=10");
    site.submit("alice", "--gres=shard:1 --mem=10");
    has(
        printed(new Scontrol(), cluster(), "scontrol", "-d", "show", "node", "n1"),
        "Gres=gpu:a100:4(S:0-1),shard:8",
        "GresUsed=gpu:a100:2(IDX:0-1),shard:1(0/2,0/2,1/2,0/2)",
        "CfgTRES=cpu=8,mem=1000M,billing=8,gres/gpu=4,gres/gpu:a100=4",
        "AllocTRES=cpu=2,mem=20M,gres/gpu=2,gres/gpu:a100=2");
  }

  @Test
  void anIdleNodeUsesNone() {
    has(
        printed(new Scontrol(), cluster(), "scontrol", "-d", "show", "node", "n1"),
        "GresUsed=gpu:a100:0(IDX:N/A),shard:0(0/2,0/2,0/2,0/2)",
        "AllocTRES=");
  }

  @Test
  void theListingsHaveColumnsForThem() {
    site.submit("alice", "--gres=gpu:a100:1 --mem=10");
    assertEquals("gres/gpu:a100:1\n", printed(new Squeue(), jobs(), "squeue", "-h", "-o", "%b"));
    assertEquals(
        "cpu=1,mem=10M,node=1,billing=1,gres/gpu=1,gres/gpu:a100=1\n",
        printed(new Squeue(), jobs(), "squeue", "-h", "-O", "tres-alloc:"));
    assertEquals(
        "gpu:a100:4(S:0-1),shard:8\n", printed(new Sinfo(), cluster(), "sinfo", "-h", "-o", "%G"));
    assertEquals(
        "gpu:a100:1(IDX:0),shard:0(0/2,0/2,0/2,0/2)\n",
        printed(new Sinfo(), cluster(), "sinfo", "-h", "-N", "-O", "GresUsed:"));
  }

  @Test
  void whereNoneIsAskedForTheColumnSaysSo() {
    site.submit("alice", "--mem=10");
    assertEquals("N/A\n", printed(new Squeue(), jobs(), "squeue", "-h", "-o", "%b"));
  }
}
