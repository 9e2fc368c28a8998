package io.dure.cli.sacctmgr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.command.FakeContext;
import io.dure.cli.scontrol.Scontrol;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.LimitKind;
import io.dure.model.federation.Federations;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Federations, as a Slurm 22.05.8 with three clusters adds, changes, lists and deletes them; and of
 * a cluster that keeps its accounts itself.
 */
@Tag("pure")
class FederationCommandsTest {

  /**
   * A call at the Slurm.
   *
   * @param user who made it
   * @param typed what was typed at its questions
   * @param said standard output, then standard error behind {@code --}, then the exit code
   */
  private record Call(String user, List<String> words, String typed, String said) {}

  private static List<Call> calls() throws IOException {
    String text;
    try (InputStream in =
        FederationCommandsTest.class.getResourceAsStream("/captures/sacctmgr/federations.txt")) {
      text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    List<Call> calls = new ArrayList<>();
    StringBuilder out = new StringBuilder();
    StringBuilder err = new StringBuilder();
    String user = "";
    String command = "";
    for (String line : text.lines().toList()) {
      if (line.startsWith("$ ")) {
        int blank = line.indexOf(' ', 2);
        user = line.substring(2, blank);
        command = line.substring(blank + 1);
        out.setLength(0);
        err.setLength(0);
      } else if (line.startsWith("rc=")) {
        String[] parts = command.split(" <<< ", -1);
        calls.add(
            new Call(
                user,
                List.of(parts[0].split(" ", -1)),
                parts.length < 2 ? "" : parts[1].replace(' ', '\n') + "\n",
                out + "--\n" + err + line));
      } else if (line.startsWith("E|")) {
        err.append(line, 2, line.length()).append('\n');
      } else {
        // It puts a bar behind the last column of a cluster that is not its federation's first.
        out.append(line.replaceFirst("(\\|[A-Z+]+)\\|$", "$1")).append('\n');
      }
    }
    return calls;
  }

  private final SeveralClusters clusters = new SeveralClusters("labreal");
  private String errors = "";
  private int code;

  private String run(List<String> words, String typed) {
    FakeContext world = new FakeContext();
    world.controller = clusters;
    world.in = typed.getBytes(StandardCharsets.UTF_8);
    code = new Sacctmgr().run(world.call(words.toArray(String[]::new)));
    errors = world.errors();
    return world.printed();
  }

  private String run(String line) {
    return run(List.of(("sacctmgr -i " + line).split(" ", -1)), "");
  }

  @TestFactory
  Stream<DynamicTest> eachIsAsSlurmAnswersIt() throws IOException {
    List<Call> calls = calls();
    assertTrue(calls.size() > 150, () -> "calls: " + calls.size());
    SeveralClusters lab = new SeveralClusters("labreal");
    return calls.stream()
        .map(call ->
            DynamicTest.dynamicTest(
                call.user() + ": " + String.join(" ", call.words()) + " " + call.typed().strip(),
                () -> check(call, lab)));
  }

  private static void check(Call call, SeveralClusters lab) {
    FakeContext world = new FakeContext();
    world.controller = lab;
    lab.user = call.user();
    world.in = call.typed().getBytes(StandardCharsets.UTF_8);
    int found = new Sacctmgr().run(world.call(call.words().toArray(String[]::new)));
    assertEquals(call.said(), world.printed() + "--\n" + world.errors() + "rc=" + found);
    // Every cluster knows the same ones.
    Federations own = lab.trees.get("labreal").federations();
    lab.trees.forEach((name, tree) -> assertEquals(own, tree.federations(), name));
  }

  @Test
  void aClusterIsAddedWithItsLimits() {
    run("add cluster two fairshare=10 grpjobs=3");
    assertEquals(0, code, errors);
    Association root = clusters.trees.get("two").association("root", null, null);
    assertEquals(10L, root.shares());
    assertEquals(3L, root.limits().of(LimitKind.GRP_JOBS));
    run("add cluster three color=red");
    assertEquals(" Unknown option: color=red\n", errors);
  }

  @Test
  void theFederationOfTheClusterIsShown() {
    run("add cluster two");
    run("add federation f1 clusters=labreal,two");
    run("modify cluster two set features=b,a fedstate=DRAIN+REMOVE");
    FakeContext world = new FakeContext();
    world.controller = clusters;
    assertEquals(0, new Scontrol().run(world.call("scontrol", "show", "federation")));
    assertEquals(
        """
        Federation: f1
        Self:       labreal:127.0.0.1:15817 ID:1 FedState:ACTIVE Features:
        Sibling:    two::0 ID:2 FedState:DRAIN+REMOVE Features:a,b PersistConnSend/Recv:No/No Synced:No
        """,
        world.printed());
    run("delete federation f1");
    FakeContext again = new FakeContext();
    again.controller = clusters;
    assertEquals(0, new Scontrol().run(again.call("scontrol", "show", "federation")));
    assertEquals("", again.printed());
  }

  @Test
  void theNumberIsWiderWhereItIsAskedFor() {
    run("add federation pf clusters=labreal");
    assertEquals(
        """
        Federation     ID    Cluster\s
        ---------- ------ ----------\s
                pf      1    labreal\s
        """,
        run("show federation format=federation,id,cluster"));
    assertTrue(run("show federation").startsWith("Federation    Cluster ID  "));
  }

  @Test
  void theyAreToldAsDocuments() {
    run("add federation f1 clusters=labreal");
    String json = run("--json show federation");
    assertTrue(json.contains("\"federation\": \"f1\""), json);
    assertTrue(json.contains("\"cluster\": \"labreal\""), json);
  }

  @Test
  void aClusterThatIsAloneHasThemToo() {
    AccountsController alone = new AccountsController("root");
    FakeContext world = new FakeContext();
    world.controller = alone;
    assertEquals(
        0,
        new Sacctmgr()
            .run(world.call("sacctmgr", "-i", "add", "federation", "f1", "clusters=labreal")));
    FakeContext other = new FakeContext();
    other.controller = alone;
    new Sacctmgr()
        .run(
            other.call(
                "sacctmgr",
                "-i",
                "modify",
                "cluster",
                "labreal",
                "set",
                "features=big",
                "maxjobs=3"));
    assertEquals(
        """
         Setting
          Feature       = big
          Default Limits:
          MaxJobs       = 3
         Modified cluster...
          labreal
         Modified cluster defaults for associations...
          C = labreal    A = root
          C = labreal    A = root                 U = root    \s
        """,
        other.printed());
    FakeContext shown = new FakeContext();
    shown.controller = alone;
    new Sacctmgr().run(shown.call("sacctmgr", "-nP", "show", "federation"));
    assertEquals("f1|labreal|1|big|ACTIVE\n", shown.printed());
    FakeContext stranger = new FakeContext();
    stranger.controller = alone;
    assertEquals(
        1,
        new Sacctmgr()
            .run(stranger.call("sacctmgr", "-i", "add", "federation", "f2", "clusters=two")));
    assertEquals(" The cluster two doesn't exist. Please add first.\n", stranger.errors());
  }

  @Test
  void aFederationHasSixtyThreeClusters() {
    StringBuilder names = new StringBuilder("labreal");
    for (int i = 2; i <= 64; i++) {
      names.append(",c").append(i);
    }
    run("add cluster " + names.toString().replace("labreal,", ""));
    run("add federation full clusters=" + names);
    assertEquals("sacctmgr: error: federation full has 63 clusters, which are the most\n", errors);
    assertEquals(1, code);
    run("add federation full clusters=" + names.toString().replace(",c64", ""));
    assertEquals(0, code, errors);
    assertEquals(63, run("-n show federation").lines().count());
    assertEquals("", run("add cluster c65 federation=full"));
    assertEquals("sacctmgr: error: federation full has 63 clusters, which are the most\n", errors);
    assertEquals(1, code);
    assertFalse(clusters.trees.containsKey("c65"));
  }

  @Test
  void aClusterThatCannotBeAsWishedIsNotAdded() {
    run("add federation f1");
    assertEquals("", run("add cluster two federation=f1 features=a|b"));
    assertTrue(errors.contains("not a name for feature: 'a|b'"), errors);
    assertEquals(1, code);
    StringBuilder many = new StringBuilder("f0");
    for (int i = 1; i <= 256; i++) {
      many.append(",f").append(i);
    }
    assertEquals("", run("add cluster two features=" + many));
    assertEquals(
        "sacctmgr: error: cluster two would have 257 features, and 256 are the most\n", errors);
    assertFalse(clusters.trees.containsKey("two"));
    run("add cluster two federation=f1 features=" + many.toString().replace(",f256", ""));
    assertEquals(0, code, errors);
    clusters.contended = true;
    run("add cluster three federation=f1");
    assertEquals(1, code);
    assertTrue(errors.contains(" Added without these settings"), errors);
    assertTrue(errors.contains(": three\n"), errors);
  }
}
