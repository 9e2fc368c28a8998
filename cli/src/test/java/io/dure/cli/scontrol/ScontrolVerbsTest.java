package io.dure.cli.scontrol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.cli.captured.JsonLeaves;
import io.dure.cli.command.FakeContext;
import io.dure.cli.command.ScriptedController;
import io.dure.model.ErrorCode;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.model.config.topology.Topology;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Verbs about nodes and the controller, and documents of what is printed as records. */
@Tag("pure")
class ScontrolVerbsTest {
  private final FakeContext world = new FakeContext();
  private final ScriptedController controller = new ScriptedController();

  private int scontrol(String... words) {
    world.controller = controller;
    world.out.reset();
    String[] all = new String[words.length + 1];
    all[0] = "scontrol";
    System.arraycopy(words, 0, all, 1, words.length);
    return new Scontrol().run(world.call(all));
  }

  private Map<String, String> document(String... words) {
    assertEquals(0, scontrol(words), world.errors());
    return JsonLeaves.of(world.printed());
  }

  @Test
  void addressesOfNodes() {
    Response.Cluster cluster = ClusterFixture.cluster();
    String address = cluster.nodes().getFirst().config().address();
    int port = cluster.nodes().getFirst().config().port();
    controller.answer(cluster).answer(cluster);
    assertEquals(0, scontrol("getaddrs", "n1"), world.errors());
    assertEquals("n1: " + address + ":" + port + "\n", world.printed());
    assertEquals(1, scontrol("getaddrs", "n1,nope"));
    assertEquals("scontrol: error: Invalid node name specified: nope\n", world.errors());
    assertEquals(0, scontrol("gethost", "127.0.0.1"));
    assertEquals("127.0.0.1 127.0.0.1\n", world.printed());
  }

  @Test
  void jobsAndStepsOfANode() {
    Response jobs =
        new Response.Jobs(
            List.of(CapturedJobs.gpu().info(), JobFixture.pending(9).info()), FakeContext.NOW);
    controller.answer(ClusterFixture.cluster()).answer(jobs);
    assertEquals(0, scontrol("listjobs", "n4"), world.errors());
    assertEquals("JOBID\n155\n", world.printed());
    controller.answer(ClusterFixture.cluster()).answer(jobs);
    assertEquals(0, scontrol("liststeps", "n4"), world.errors());
    assertEquals("JOBID      STEPID\n155        batch\n", world.printed());
    controller.answer(ClusterFixture.cluster()).answer(jobs);
    assertEquals(1, scontrol("listjobs", "n2"));
    assertEquals("No slurmstepd's found on this node\n", world.errors());
  }

  @Test
  void theLevelOfTheLogIsUpdated() {
    controller.answer(new Response.Decided(new Reply.Done()));
    assertEquals(0, scontrol("update", "SlurmctldDebug=debug2"), world.errors());
    assertEquals(new Request.SetLogLevel("debug2"), controller.requests.getLast());
    assertEquals(1, scontrol("update", "SlurmctldDebug=foo"));
    assertEquals("invalid debug level: foo\n", world.errors());
  }

  @Test
  void weightsAreNumbersFromZero() {
    assertEquals(1, scontrol("update", "node=n1", "weight=x"));
    assertEquals(1, scontrol("update", "node=n1", "weight=-1"));
    assertEquals(
        """
        scontrol: error: Weight value (x) is not a valid number
        No changes specified
        scontrol: error: Weight value (-1) is less than zero
        No changes specified
        """,
        world.errors());
  }

  @Test
  void wrongWordsGetSlurmsTexts() {
    assertEquals(1, scontrol("create"));
    assertEquals(1, scontrol("delete"));
    assertEquals(1, scontrol("write", "foo"));
    assertEquals(1, scontrol("setdebug", "foo"));
    assertEquals(1, scontrol("schedloglevel", "foo"));
    assertEquals(1, scontrol("show", "job", "abc"));
    assertEquals(1, scontrol("show", "step", "abc"));
    controller.answer(new Response.Jobs(List.of(), FakeContext.NOW));
    assertEquals(1, scontrol("show", "step", "99999.0"));
    assertEquals(
        """
        too few arguments for create keyword
        too few arguments for delete keyword
        invalid write argument:foo
        invalid debug level: foo
        invalid schedlog level: foo
        scontrol_print_job error: Invalid job id specified
        slurm_get_job_steps error: Invalid job id specified
        slurm_get_job_steps error: Invalid job id specified
        """,
        world.errors());
  }

  @Test
  void theConfigurationIsWrittenToAFile(@TempDir Path directory) throws IOException {
    world.directory = directory;
    Response lines =
        new Response.Text(
            List.of(
                "Configuration data as of now",
                "ClusterName             = lab",
                "KillWait                = 30 sec",
                "MailDomain              = (null)",
                "SLURM_CONF              = /etc/slurm/slurm.conf",
                "SLURM_VERSION           = 26.05.3",
                "SlurmUser               = slurm(64030)"));
    controller.answer(lines).answer(ClusterFixture.cluster());
    assertEquals(0, scontrol("write", "config", "saved"), world.errors());
    String file = "saved.2026-11-20T16:01:34";
    assertEquals("Slurm config saved to " + file + "\n", world.printed());
    List<String> text = Files.readAllLines(directory.resolve(file));
    assertEquals(
        List.of("ClusterName=lab", "KillWait=30", "#MailDomain=", "SlurmUser=slurm"),
        text.subList(3, 7));
    assertEquals(4, text.stream().filter(line -> line.startsWith("NodeName=n")).count());
    assertEquals(1, text.stream().filter(line -> line.startsWith("PartitionName=")).count());
    controller.answer(lines).answer(ClusterFixture.cluster());
    assertEquals(1, scontrol("write", "config", "none/saved"));
    assertEquals(
        "Could not create file none/saved.2026-11-20T16:01:34: "
            + directory
            + "/none/saved"
            + ".2026-11-20T16:01:34\n",
        world.errors());
    assertEquals(1, scontrol("write", "config", "a", "b"));
  }

  @Test
  void filesAreHashedAsTheClusterDoes(@TempDir Path directory) throws IOException {
    world.directory = directory;
    Files.writeString(directory.resolve("empty"), "");
    Response sha3 = new Response.Text(List.of("HashPlugin              = hash/sha3"));
    controller
        .answer(new Response.Text(List.of("HashPlugin              = hash/k12")))
        .answer(sha3)
        .answer(sha3);
    assertEquals(0, scontrol("hash", "empty"), world.errors());
    assertEquals(
        "1ac2d450fc3b4205d19da7bfca1b37513c0803577ac7167f06fe2ce1f0ef39e5\n", world.printed());
    assertEquals(0, scontrol("hash_file", "empty"), world.errors());
    assertEquals(
        "a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a\n", world.printed());
    assertEquals(1, scontrol("hash", "gone"));
    assertEquals(
        "scontrol: error: Could not read file gone: " + directory.resolve("gone") + "\n",
        world.errors());
    assertEquals(1, scontrol("hash"));
  }

  @Test
  void whatThereIsNoneOf() {
    assertEquals(0, scontrol("show", "burstbuffer"), world.errors());
    assertEquals("", world.printed());
    assertEquals(0, scontrol("show", "bbstat", "x"), world.errors());
    assertEquals("", world.printed());
    assertEquals(0, scontrol("show", "resources"), world.errors());
    assertEquals("No resources configured in Slurm.\n", world.printed());
  }

  @Test
  void whatIsKnownOfANodeDaemon() {
    Response jobs = new Response.Jobs(List.of(CapturedJobs.gpu().info()), FakeContext.NOW);
    controller.answer(ClusterFixture.cluster()).answer(jobs);
    assertEquals(0, scontrol("show", "slurmd", "n4"), world.errors());
    List<String> lines = world.printed().lines().toList();
    assertEquals("Active Steps             = 155.batch", lines.getFirst());
    assertEquals("Hostname                 = n4", lines.get(9));
    controller.answer(ClusterFixture.cluster());
    assertEquals(1, scontrol("show", "slurmd", "n9"));
    assertEquals("slurm_slurmd_status error: Unable to contact slurmd on n9\n", world.errors());
  }

  @Test
  void theLogTellsMoreOrLess() {
    controller.answer(new Response.Decided(new Reply.Done()));
    assertEquals(0, scontrol("setdebug", "debug2"), world.errors());
    assertEquals(new Request.SetLogLevel("debug2"), controller.requests.getLast());
    controller.answer(new Response.Failed(ErrorCode.USER_ID_MISSING, ""));
    assertEquals(1, scontrol("setdebug", "3"));
    assertEquals("slurm_set_debug_level error: Invalid user id\n", world.errors());
  }

  @Test
  void theLogTellsMoreOrLessOfParts() {
    controller.answer(new Response.Decided(new Reply.Done()));
    assertEquals(0, scontrol("setdebugflags", "+TraceJobs", "-Steps"), world.errors());
    assertEquals(
        new Request.SetDebugFlags(List.of("+TraceJobs", "-Steps")), controller.requests.getLast());
    assertEquals(1, scontrol("setdebugflags", "TraceJobs"));
    assertEquals("invalid debug flag: TraceJobs\n", world.errors());
  }

  @Test
  void nodesAreBooted() {
    controller.answer(new Response.Decided(new Reply.Done()));
    assertEquals(
        0,
        scontrol("reboot", "ASAP", "nextstate=resume", "reason=new kernel", "n[1-2]"),
        world.errors());
    assertEquals(
        new Command.UpdateNodes(
            List.of("n1", "n2"),
            Map.of("state", "REBOOT_ASAP", "nextstate", "RESUME", "reason", "new kernel")),
        ((Request.Change) controller.requests.getLast()).command());
    assertEquals(1, scontrol("reboot", "nextstate=idle", "n1"));
    assertEquals("Invalid nextstate: IDLE, write RESUME or DOWN\n", world.errors());
  }

  @Test
  void aRebootIsTakenBackByAState() {
    controller.answer(new Response.Decided(new Reply.Done()));
    assertEquals(0, scontrol("cancel_reboot", "n[1-2]"), world.errors());
    assertEquals(
        new Command.UpdateNodes(List.of("n1", "n2"), Map.of("state", "CANCEL_REBOOT")),
        ((Request.Change) controller.requests.getLast()).command());
  }

  @Test
  void recordsBecomeDocuments() {
    controller
        .answer(new Response.Text(List.of("Configuration data as of x", "AuthType     = auth/d e")))
        .answer(new Response.Pong("vm", "26.05.3", null));
    Map<String, String> found = document("show", "config", "--json");
    assertEquals("1", found.get("config.length"));
    assertEquals("AuthType", found.get("config[0].name"));
    assertEquals("auth/d e", found.get("config[0].value"));
    controller.answer(
        new Response.NodeTopology(
            new Topology.Tree(
                List.of(
                    new Topology.Switch("s1", 1, 0, List.of("n1", "n2"), List.of()),
                    new Topology.Switch("s0", 1, 1, List.of(), List.of("s1")))),
            null));
    found = document("show", "topology", "--json");
    assertEquals("2", found.get("topology.length"));
    assertEquals("s1", found.get("topology[0].SwitchName"));
    assertEquals("n[1-2]", found.get("topology[0].Nodes"));
    assertEquals("s1", found.get("topology[1].Switches"));
    controller.answer(new Response.Jobs(List.of(CapturedJobs.gpu().info()), FakeContext.NOW));
    controller.answer(new Response.WaitingSteps(List.of()));
    found = document("show", "step", "--json");
    assertEquals("155.batch", found.get("step[0].StepId"));
    assertEquals("debug", found.get("step[0].Partition"));
    found = document("show", "hostnames", "a[1-2]", "--json");
    assertEquals("a2", found.get("host_names[1].name"));
  }

  @Test
  void tokensArePrintedAsAnAssignment() {
    controller.answer(new Response.Text(List.of("a.b.c"))).answer(new Response.Text(List.of("d")));
    assertEquals(0, scontrol("token"), world.errors());
    assertEquals("SLURM_JWT=a.b.c\n", world.printed());
    assertEquals(0, scontrol("tok", "LifeSpan=60", "USERNAME=Bob"), world.errors());
    assertEquals(
        List.of(new Request.MakeToken(null, 0), new Request.MakeToken("Bob", 60)),
        controller.requests);
  }

  @Test
  void lifespansOfTokens() {
    Response made = new Response.Text(List.of("t"));
    controller.answer(made).answer(made).answer(made);
    assertEquals(0, scontrol("token", "lifespan=infinite"));
    assertEquals(0, scontrol("token", "lifespan=2147483647"));
    assertEquals(0, scontrol("token", "lifespan=0"));
    assertEquals(
        List.of(Integer.MAX_VALUE, Integer.MAX_VALUE, 0),
        controller.requests.stream().map(r -> ((Request.MakeToken) r).seconds()).toList());
  }

  @Test
  void wordsThatAreNoneOfATokens() {
    String[] words = {
      "foo=bar",
      "lifespan",
      "lifespan=",
      "lifespan=abc",
      "lifespan=-5",
      "lifespan=60x",
      "lifespan=2147483648",
      "life=3",
      "user=bin",
      "username=",
      "1"
    };
    StringBuilder expected = new StringBuilder();
    for (String word : words) {
      assertEquals(1, scontrol("token", word), word);
      expected.append("Invalid option: `").append(word).append("`\n");
    }
    assertEquals(expected.toString(), world.errors());
    assertEquals(List.of(), controller.requests);
  }

  /** As Slurm 22.05 says it, to the letter. */
  @Test
  void tokensThatAreNotGiven() {
    controller
        .answer(new Response.Text(List.of()))
        .answer(new Response.Failed(ErrorCode.USER_ID_MISSING, ""))
        .answer(new Response.Failed(ErrorCode.ACCESS_DENIED, "in the log"))
        .answer(new Response.Failed(ErrorCode.INVALID_TIME_LIMIT, ""))
        .broken("Unable to contact slurm controller (connect failure)");
    for (int i = 0; i < 5; i++) {
      assertEquals(1, scontrol("token"));
      assertEquals("", world.printed());
    }
    assertEquals(
        """
        Error fetching token
        scontrol: error: slurm_fetch_token: error with request: Invalid user id
        Error fetching token
        scontrol: error: slurm_fetch_token: error with request: Access/permission denied
        Error fetching token
        scontrol: error: slurm_fetch_token: error with request: Requested time limit is invalid \
        (missing or exceeds some limit)
        Error fetching token
        scontrol: error: slurm_fetch_token: error receiving response: Unable to contact slurm \
        controller (connect failure)
        Error fetching token
        """,
        world.errors());
  }
}
