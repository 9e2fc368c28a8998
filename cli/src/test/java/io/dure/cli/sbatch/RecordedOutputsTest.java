package io.dure.cli.sbatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.dure.cli.command.CliCommand;
import io.dure.cli.command.ControllerConnection;
import io.dure.cli.command.FakeContext;
import io.dure.cli.sacctmgr.Sacctmgr;
import io.dure.cli.scontrol.Scontrol;
import io.dure.model.UserIdentity;
import io.dure.model.command.Caller;
import io.dure.model.command.Reply;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Command lines whose output a real Slurm 22.05 printed on a cluster of four nodes, against the
 * controller's own rules on the same cluster. Where 26.05 or Dure differs, the reason stands here.
 */
@Tag("pure")
class RecordedOutputsTest {
  private static final String NEWER = "26.05 ends with 1 where 22.05 ended with 255";

  private static final Map<String, String> DIFFERENT =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("errors/badopt_in_script", NEWER),
              Map.entry("errors/badtime_in_script", NEWER),
              Map.entry("errors/unknown_option", NEWER),
              Map.entry("errors/unknown_short", NEWER),
              Map.entry("errors/bad_mem", NEWER),
              Map.entry("errors/bad_time", NEWER),
              Map.entry("errors/bad_nodes", NEWER),
              Map.entry("errors/nodes_range", NEWER),
              Map.entry("errors/bad_begin", NEWER),
              Map.entry("errors/bad_mailtype", NEWER),
              Map.entry("errors/bad_signal", NEWER),
              Map.entry("errors/bad_distribution", NEWER),
              Map.entry("errors/bad_comment_arg", NEWER),
              Map.entry("errors/bad_cpu_freq", NEWER)));

  private static final String HEAD =
      """
      #!/bin/sh
      """;

  private static int agreed;
  private static int explained;
  private static int all;

  @TempDir Path directory;

  /**
   * A recorded call.
   *
   * @param name the capture
   * @param user who called
   * @param exitCode its exit code
   * @param words the command line
   */
  record Recorded(String name, String user, int exitCode, List<String> words) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Recorded> calls() throws IOException {
    return text("RECORDED.tsv")
        .lines()
        .map(line -> {
          String[] cells = line.split("\t", -1);
          List<String> words = List.of(cells[3].strip().split(" ", -1));
          return new Recorded(cells[0], cells[1], Integer.parseInt(cells[2]), words);
        });
  }

  private static String text(String name) throws IOException {
    try (InputStream in = RecordedOutputsTest.class.getResourceAsStream("/captures/" + name)) {
      return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static Site lab() {
    List<String> conf = new ArrayList<>();
    conf.add("SelectTypeParameters=CR_Core_Memory");
    conf.add("DefMemPerCPU=100");
    conf.add("GresTypes=gpu");
    conf.add("Licenses=matlab:10,ansys:2");
    conf.add("AccountingStorageEnforce=associations,limits,qos");
    for (int i = 1; i <= 4; i++) {
      conf.add(
          "NodeName=n"
              + i
              + " CPUs=16 Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=32000"
              + " Features=lab,f"
              + i % 2
              + (i == 4 ? " Gres=gpu:a100:2" : ""));
    }
    conf.add("PartitionName=debug Nodes=ALL Default=YES MaxTime=INFINITE DefaultTime=60");
    conf.add("PartitionName=short Nodes=ALL MaxTime=30 PriorityTier=2");
    conf.add("PartitionName=closed Nodes=n1 MaxTime=1-0 State=DOWN AllowGroups=root");
    conf.add("PartitionName=inact Nodes=n1 State=INACTIVE");
    conf.add("PartitionName=priv Nodes=n1 AllowAccounts=physics MaxNodes=1");
    Site site =
        new Site(conf, List.of("NodeName=n4 Name=gpu Type=a100 File=/dev/g[0-1]"), List.of());
    for (String words :
        List.of(
            "add qos high",
            "add qos low",
            "add account science fairshare=80",
            "add account physics parent=science fairshare=60",
            "add account bio parent=science fairshare=40",
            "add account ops fairshare=20",
            "add user alice account=physics fairshare=10 qos=normal,high,low defaultqos=normal",
            "add user alice account=bio fairshare=5",
            "add user bob account=bio fairshare=10 maxsubmitjobs=50 maxjobs=20 qos=normal,low",
            "add user root account=ops")) {
      site.sacctmgr(words);
    }
    site.scontrol(
        "create reservation reservationname=alicetest starttime=now+3hours duration=60 nodes=n1"
            + " users=alice partition=debug");
    site.scontrol(
        "create reservation reservationname=maint starttime=now+1day duration=120 nodes=n3"
            + " users=root flags=maint,ignore_jobs");
    return site;
  }

  /** The controller as one user meets it. */
  private static ControllerConnection controller(Site site, String user) {
    int uid = List.of("root", "alice", "bob", "carol").indexOf(user);
    UserIdentity who = new UserIdentity(uid == 0 ? 0 : 1000 + uid, 1000 + uid, user, user);
    boolean operator = user.equals("root");
    return new ControllerConnection() {
      @Override
      public Response ask(Request request) {
        if (request instanceof Request.ShowAccounts) {
          return new Response.Accounts(
              "labreal", "vm", 0, site.state().accounts().records(), user, operator, List.of());
        }
        if (request instanceof Request.ShowCluster) {
          return new Response.Cluster("labreal", List.of(), List.of(), FakeContext.NOW, List.of());
        }
        if (request instanceof Request.ShowConfig) {
          return new Response.Text(List.of());
        }
        Request.Change change = (Request.Change) request;
        Caller caller = new Caller.User(who, List.of(user), operator);
        Reply reply = site.decide(change.command(), caller).reply();
        return new Response.Decided(reply);
      }

      @Override
      public Response await(Request request) {
        return ask(request);
      }

      @Override
      public void close() {}
    };
  }

  private void scripts() throws IOException {
    Files.writeString(directory.resolve("noshebang.sh"), "echo hi\n");
    Files.writeString(directory.resolve("empty.sh"), "");
    Files.writeString(directory.resolve("dos.sh"), "#!/bin/sh\r\necho\r\n");
    Files.writeString(directory.resolve("badopt.sh"), HEAD + "#SBATCH --nonsense=1\n");
    Files.writeString(directory.resolve("badtime.sh"), HEAD + "#SBATCH -t abc\n");
    Files.writeString(directory.resolve("true"), "\u007fELF");
  }

  private static String numbered(String text) {
    return text.replaceAll("batch job \\d+", "batch job N");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("calls")
  void agrees(Recorded recorded) throws IOException {
    all++;
    scripts();
    Site site = lab();
    FakeContext world = new FakeContext();
    world.directory = directory;
    world.environment.put("PATH", "/nowhere:" + directory);
    world.uid = recorded.user().equals("root") ? 0 : 1001;
    world.controller = () -> controller(site, recorded.user());
    CliCommand command =
        switch (recorded.words().getFirst()) {
          case "sbatch" -> new Sbatch();
          case "scontrol" -> new Scontrol();
          default -> new Sacctmgr();
        };
    int code = command.run(world.call(recorded.words().toArray(String[]::new)));
    String found = numbered(world.printed()) + "--\n" + world.errors() + "rc=" + code;
    String expected =
        numbered(text(recorded.name() + ".out"))
            + "--\n"
            + text(recorded.name() + ".err")
            + "rc="
            + recorded.exitCode();
    @Nullable String reason = DIFFERENT.get(recorded.name());
    if (reason == null) {
      assertEquals(expected, found);
      agreed++;
    } else {
      assertNotEquals(expected, found, "there is no difference any more: " + reason);
      explained++;
    }
  }

  @AfterAll
  static void report() {
    System.out.println(
        "recorded outputs: "
            + agreed
            + " agree, "
            + explained
            + " differ for a listed reason, "
            + (all - agreed - explained)
            + " are wrong, of "
            + all);
  }
}
