package io.dure.cli.captured;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.command.CliCommand;
import io.dure.cli.command.FakeContext;
import io.dure.cli.command.ScriptedController;
import io.dure.cli.scontrol.JobFixture;
import io.dure.cli.scontrol.Scontrol;
import io.dure.cli.sinfo.Sinfo;
import io.dure.cli.squeue.Squeue;
import io.dure.model.job.NodeShare;
import io.dure.model.request.JobSpec;
import io.dure.model.request.KeptOptions;
import io.dure.model.request.ResourceRequest;
import io.dure.protocol.JobInfo;
import io.dure.protocol.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The documents of {@code --json}, read by a parser that knows nothing of how they were made. */
@Tag("pure")
class DocumentsTest {

  private static Map<String, String> ask(
      CliCommand command, List<Response> answers, String... words) {
    FakeContext world = new FakeContext();
    ScriptedController controller = new ScriptedController();
    answers.forEach(controller::answer);
    world.controller = controller;
    assertEquals(0, command.run(world.call(words)));
    assertEquals("", world.errors());
    assertTrue(controller.isDone());
    return JsonLeaves.of(world.printed());
  }

  private static Map<String, String> jobs(String... words) {
    List<String> all = new ArrayList<>(List.of("squeue", "--json"));
    all.addAll(List.of(words));
    return ask(
        new Squeue(),
        List.of(LabNodes.cluster(), new Response.Jobs(LabJobs.all(), FakeContext.NOW)),
        all.toArray(String[]::new));
  }

  @Test
  void jobThatRuns() {
    Map<String, String> found = jobs("-n", "bigrun");
    assertEquals("1", found.get("jobs.length"));
    assertEquals("154", found.get("jobs[0].job_id"));
    assertEquals("RUNNING", found.get("jobs[0].job_state[0]"));
    assertEquals("1", found.get("jobs[0].job_state.length"));
    assertEquals("n[3-4]", found.get("jobs[0].nodes"));
    assertEquals("20", found.get("jobs[0].cpus.number"));
    assertEquals("true", found.get("jobs[0].cpus.set"));
    assertEquals("120", found.get("jobs[0].time_limit.number"));
    assertEquals("1795190448", found.get("jobs[0].start_time.number"));
    assertEquals("cpu=20,mem=2000M,node=2,billing=20", found.get("jobs[0].tres_alloc_str"));
    assertEquals("n3", found.get("jobs[0].job_resources.nodes.allocation[0].name"));
    assertEquals("root", found.get("jobs[0].user_name"));
    assertEquals("SUCCESS", found.get("jobs[0].exit_code.status[0]"));
    assertEquals("/tmp/slurm-lab/jobs/cap/bigrun-154.out", found.get("jobs[0].stdout_expanded"));
  }

  @Test
  void arrayThatWaits() {
    Map<String, String> found = jobs("-j", "157_6,157_8");
    assertEquals("1", found.get("jobs.length"));
    assertEquals("PENDING", found.get("jobs[0].job_state[0]"));
    assertEquals("6,8", found.get("jobs[0].array_task_string"));
    assertEquals("3", found.get("jobs[0].array_max_tasks.number"));
    assertEquals("false", found.get("jobs[0].array_task_id.set"));
    assertEquals("JobArrayTaskLimit", found.get("jobs[0].state_reason"));
    assertEquals("PENDING", found.get("jobs[0].exit_code.status[0]"));
    assertEquals("100", found.get("jobs[0].memory_per_cpu.number"));
    assertEquals("false", found.get("jobs[0].memory_per_node.set"));
  }

  @Test
  void freeTextOfAReasonStandsBesideItsWord() {
    Map<String, String> found = jobs("-n", "hi");
    assertEquals("Resources", found.get("jobs[0].state_reason"));
    assertEquals(LabJobs.NODES_DOWN, found.get("jobs[0].state_description"));
  }

  @Test
  void recordsOfJobs() {
    Map<String, String> found =
        ask(
            new Scontrol(),
            List.of(new Response.Jobs(LabJobs.all(), FakeContext.NOW), LabNodes.cluster()),
            "scontrol",
            "--json",
            "show",
            "jobs");
    assertEquals("labreal", found.get("meta.slurm.cluster"));
    assertEquals("true", found.get("last_update.set"));
    assertTrue(Integer.parseInt(found.get("jobs.length")) > 10);
  }

  @Test
  void recordsOfNodes() {
    Map<String, String> found =
        ask(
            new Scontrol(),
            List.of(LabNodes.cluster()),
            "scontrol",
            "show",
            "nodes",
            "n[1-2]",
            "--json=v0.0.44");
    assertEquals("2", found.get("nodes.length"));
    assertEquals("n1", found.get("nodes[0].name"));
    assertEquals("MIXED", found.get("nodes[0].state[0]"));
    assertEquals("lab", found.get("nodes[0].features[0]"));
    assertEquals("7", found.get("nodes[0].alloc_cpus"));
    assertEquals("9", found.get("nodes[0].alloc_idle_cpus"));
    assertEquals("22329", found.get("nodes[0].free_mem.number"));
    assertEquals("cpu=16,mem=32000M,billing=16", found.get("nodes[0].tres"));
    assertEquals("cpu=7,mem=700M", found.get("nodes[0].tres_used"));
  }

  @Test
  void recordsOfPartitionsAndOfTheController() {
    Map<String, String> found =
        ask(new Scontrol(), List.of(LabNodes.cluster()), "scontrol", "--json", "show", "part");
    assertEquals("debug", found.get("partitions[0].name"));
    assertEquals("UP", found.get("partitions[0].partition.state[0]"));
    Map<String, String> ping =
        ask(
            new Scontrol(),
            List.of(new Response.Pong("vm", "26.05.3", null)),
            "scontrol",
            "ping",
            "--json");
    assertEquals("UP", ping.get("pings[0].status"));
    assertEquals("vm", ping.get("pings[0].hostname"));
    Map<String, String> none =
        ask(new Scontrol(), List.of(LabNodes.cluster()), "scontrol", "show", "lic", "--json");
    assertEquals("0", none.get("licenses.length"));
  }

  @Test
  void envelope() {
    Map<String, String> found = jobs("-p", "nope");
    assertEquals("0", found.get("jobs.length"));
    assertEquals("0", found.get("errors.length"));
    assertEquals("0", found.get("warnings.length"));
    assertEquals("data_parser/v0.0.45", found.get("meta.plugin.data_parser"));
    assertEquals("26", found.get("meta.slurm.version.major"));
    assertEquals("labreal", found.get("meta.slurm.cluster"));
    assertEquals("squeue", found.get("meta.command[0]"));
    assertEquals("--json", found.get("meta.command[1]"));
    assertEquals("4", found.get("meta.command.length"));
    assertEquals("true", found.get("last_update.set"));
  }

  private static Map<String, String> versioned(String version) {
    return ask(
        new Squeue(),
        List.of(LabNodes.cluster(), new Response.Jobs(LabJobs.all(), FakeContext.NOW)),
        "squeue",
        "--json=" + version,
        "-n",
        "bigrun");
  }

  @Test
  void membersAreThoseOfTheVersion() {
    for (String version : List.of("v0.0.42", "v0.0.43", "data_parser/v0.0.44", "v0.0.45+fast")) {
      Map<String, String> found = versioned(version);
      int number = Integer.parseInt(version.replaceFirst(".*v0\\.0\\.(..).*", "$1"));
      assertEquals("data_parser/v0.0." + number, found.get("meta.plugin.data_parser"));
      assertEquals("154", found.get("jobs[0].job_id"));
      assertEquals(number > 42, found.containsKey("jobs[0].stdout_expanded"), version);
      assertEquals(number > 42, found.containsKey("jobs[0].licenses_allocated"), version);
      assertEquals(number > 42, found.containsKey("jobs[0].segment_size"), version);
      assertEquals(number > 43, found.containsKey("jobs[0].submit_line"), version);
    }
  }

  @Test
  void coresOfTheSocketsOfEachNode() {
    NodeShare first = new NodeShare("n1", List.of(1, 3, 8, 9), 4, 1400, 4);
    NodeShare second = new NodeShare("n2", List.of(0), 1, 600, 1);
    JobInfo job =
        JobFixture.running(49)
            .wckey("survey")
            .ran("2026-11-20T16:00:47Z", "2026-11-20T17:00:47Z", first, second)
            .info();
    Map<String, String> found =
        ask(
            new Squeue(),
            List.of(LabNodes.cluster(), new Response.Jobs(List.of(job), FakeContext.NOW)),
            "squeue",
            "--json");
    String held = "jobs[0].job_resources.";
    String nodes = held + "nodes.allocation";
    assertEquals("n[1-2]", found.get(held + "nodes.list"));
    assertEquals("2", found.get(held + "nodes.count"));
    assertEquals("5", found.get(held + "cpus"));
    assertEquals("1400", found.get(nodes + "[0].memory.allocated"));
    assertEquals("4", found.get(nodes + "[0].cpus.count"));
    assertEquals("2", found.get(nodes + "[0].sockets.length"));
    assertEquals("2", found.get(nodes + "[0].sockets[0].cores.length"));
    assertEquals("3", found.get(nodes + "[0].sockets[0].cores[1].index"));
    assertEquals("1", found.get(nodes + "[0].sockets[1].index"));
    assertEquals("0", found.get(nodes + "[0].sockets[1].cores[0].index"));
    assertEquals("ALLOCATED", found.get(nodes + "[0].sockets[1].cores[0].status[0]"));
    assertEquals("1", found.get(nodes + "[1].sockets.length"));
    assertEquals("survey", found.get("jobs[0].wckey"));
  }

  @Test
  void whatIsKeptWithAJobIsShown() {
    JobInfo plain = JobFixture.running(49).info();
    JobSpec spec = plain.job().spec();
    KeptOptions kept =
        KeptOptions.NONE
            .with()
            .tresBind("gres/gpu:closest")
            .gpuFrequency("high")
            .profile("energy,filesystem")
            .delayBoot(Duration.ofMinutes(2))
            .build();
    ResourceRequest asked =
        spec.resources().withFurther(ResourceRequest.RareOptions.NONE.withKept(kept));
    JobInfo job = plain.withJob(plain.job().withSpec(spec.withResources(asked)));
    Map<String, String> found =
        ask(
            new Squeue(),
            List.of(LabNodes.cluster(), new Response.Jobs(List.of(job, plain), FakeContext.NOW)),
            "squeue",
            "--json");
    assertEquals("gres/gpu:closest", found.get("jobs[0].tres_bind"));
    assertEquals("gpu:high", found.get("jobs[0].tres_freq"));
    assertEquals("ENERGY", found.get("jobs[0].profile[0]"));
    assertEquals("LUSTRE", found.get("jobs[0].profile[1]"));
    assertEquals("120", found.get("jobs[0].delay_boot.number"));
    assertEquals("", found.get("jobs[1].tres_bind"));
    assertEquals("NOT_SET", found.get("jobs[1].profile[0]"));
    assertEquals("0", found.get("jobs[1].delay_boot.number"));
  }

  /** What the lines of a YAML document say, by their paths as {@link JsonLeaves} has them. */
  private static Map<String, String> yaml(List<String> lines) {
    return new YamlLines(lines).leaves();
  }

  @Test
  void yamlSaysWhatJsonSays() {
    for (String[] call :
        List.of(
            new String[] {"squeue", "", "-t", "all"},
            new String[] {"squeue", "", "-p", "nope"},
            new String[] {"squeue", "=v0.0.43", "-n", "bigrun"})) {
      List<Map<String, String>> both = new ArrayList<>();
      for (String notation : List.of("--json", "--yaml")) {
        FakeContext world = new FakeContext();
        ScriptedController controller = new ScriptedController();
        controller.answer(LabNodes.cluster());
        controller.answer(new Response.Jobs(LabJobs.all(), FakeContext.NOW));
        world.controller = controller;
        assertEquals(
            0, new Squeue().run(world.call(call[0], notation + call[1], call[2], call[3])));
        String text = world.printed();
        both.add(notation.equals("--json") ? JsonLeaves.of(text) : yaml(text.lines().toList()));
        both.getLast().keySet().removeIf(key -> key.startsWith("meta.command"));
      }
      assertEquals(both.get(0), both.get(1));
    }
  }

  @Test
  void yamlOfNodes() {
    FakeContext world = new FakeContext();
    world.controller = new ScriptedController().answer(LabNodes.cluster());
    assertEquals(0, new Sinfo().run(world.call("sinfo", "--yaml")));
    String text = world.printed();
    assertTrue(text.startsWith("%YAML 1.1\n--- !!map\n!!str sinfo: !!seq\n- !!map\n"), text);
    assertTrue(
        text.contains("\n  !!str command: !!seq\n  - !!str sinfo\n  - !!str '--yaml'\n"), text);
    assertTrue(text.endsWith("\n!!str errors: !!seq []\n!!str warnings: !!seq []\n...\n"), text);
  }

  @Test
  void rowsOfNodes() {
    Map<String, String> found =
        ask(new Sinfo(), List.of(LabNodes.cluster()), "sinfo", "-N", "--json", "-p", "debug");
    assertEquals("4", found.get("sinfo.length"));
    assertEquals("n1", found.get("sinfo[0].nodes.nodes[0]"));
    assertEquals("MIXED", found.get("sinfo[0].node.state[0]"));
    assertEquals("7", found.get("sinfo[0].cpus.allocated"));
    assertEquals("139", found.get("sinfo[0].cpus.load.minimum"));
    assertEquals("22329", found.get("sinfo[0].memory.free.minimum.number"));
    assertEquals("debug", found.get("sinfo[0].partition.name"));
    assertEquals("n[1-4]", found.get("sinfo[0].partition.nodes.configured"));
    assertEquals("true", found.get("sinfo[0].partition.maximums.time.infinite"));
    assertEquals("60", found.get("sinfo[0].partition.defaults.time.number"));
    assertEquals("PLANNED", found.get("sinfo[1].node.state[1]"));
    assertEquals("disk swap", found.get("sinfo[2].reason.description"));
    assertEquals("gpu:a100:2", found.get("sinfo[3].gres.total"));
  }
}
