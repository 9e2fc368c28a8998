package io.dure.cli.sbatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.command.FakeContext;
import io.dure.cli.command.ScriptedController;
import io.dure.cli.fragmentation.FragmentationCommand;
import io.dure.cli.who.WhoCommand;
import io.dure.insight.holdings.HoldingsCensus;
import io.dure.model.ErrorCode;
import io.dure.model.UserIdentity;
import io.dure.model.command.Caller;
import io.dure.model.report.CapacitySummary;
import io.dure.model.report.ClusterHoldings;
import io.dure.model.report.ResourceAmounts;
import io.dure.model.report.ResourceHolder;
import io.dure.placement.AllocationLedger;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.language.LocalizedPhrases;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who holds the cluster, in each situation and for those who may not see everything. */
@Tag("pure")
class WhoScreensTest {
  private static final Caller.User ROOT = caller("root", true);

  private final FakeContext world = new FakeContext();

  static List<String> names() {
    return Situation.NAMES;
  }

  private static Caller.User caller(String name, boolean operator) {
    int uid = operator ? 0 : 4711;
    return new Caller.User(new UserIdentity(uid, uid, name, name), List.of(), operator);
  }

  @ParameterizedTest
  @MethodSource("names")
  void theScreenIsAsKept(String name) throws IOException {
    Situation situation = Situation.of(name);
    situation.keep("who", language -> screen(situation.site(), ROOT, language));
  }

  @ParameterizedTest
  @ValueSource(strings = {"crowd", "reserved-nodes", "shared-gpus", "levels"})
  void soAreThoseOfItsOwn(String name) throws IOException {
    Situation situation = Situation.of(name);
    situation.keep("who", language -> screen(situation.site(), ROOT, language));
  }

  @ParameterizedTest
  @MethodSource("names")
  void soIsTheScreenOfFragments(String name) throws IOException {
    Situation situation = Situation.of(name);
    situation.keep("fragmentation", language -> fragments(situation.site(), language));
  }

  @ParameterizedTest
  @MethodSource("names")
  void nothingIsLostAndNothingCountedTwice(String name) throws IOException {
    ClusterHoldings told = told(Situation.of(name).site(), ROOT, null);
    CapacitySummary supply = told.supply();
    ResourceAmounts parts =
        supply.inUse().plus(supply.free()).plus(supply.reserved()).plus(supply.closed());
    assertEquals(supply.all(), parts);
    ResourceAmounts held = ResourceAmounts.NONE;
    for (ResourceHolder one : told.holders()) {
      held = one.depth() == 0 ? held.plus(one.held()) : held;
    }
    assertEquals(supply.inUse(), held);
  }

  private static ClusterHoldings told(Site site, Caller.User caller, String partition) {
    return HoldingsCensus.of(
        site.state(),
        caller,
        partition == null ? null : site.state().partition(partition),
        false,
        site.now());
  }

  private String fragments(Site site, String language) {
    ScriptedController controller = new ScriptedController();
    controller.answer(
        new Response.Fragments("test", AllocationLedger.gpus(site.state()), site.now()));
    world.controller = controller;
    world.environment.put("LANG", language);
    world.out.reset();
    assertEquals(0, new FragmentationCommand().run(world.call("dure-fragmentation")));
    return world.printed();
  }

  private String screen(Site site, Caller.User caller, String language, String... options) {
    ScriptedController controller = new ScriptedController();
    List<String> words = new ArrayList<>(List.of("dure-who"));
    words.addAll(List.of(options));
    int at = words.indexOf("-p");
    ClusterHoldings told = told(site, caller, at < 0 ? null : words.get(at + 1));
    controller.answer(new Response.Holders("test", told, site.now()));
    world.controller = controller;
    world.environment.put("LANG", language);
    world.out.reset();
    assertEquals(0, new WhoCommand().run(world.call(words.toArray(String[]::new))), world.errors());
    return world.out.toString(StandardCharsets.UTF_8);
  }

  private Site site(String situation) throws IOException {
    return Situation.of(situation).site();
  }

  @Test
  void onlyThoseWhoWereAskedFor() throws IOException {
    String some = screen(site("account-limit"), ROOT, "C", "-u", "bob");
    assertTrue(some.contains("\nphysics") && some.contains("\n  bob"), some);
    assertFalse(some.contains("alice"), some);
    String below = screen(site("account-limit"), ROOT, "C", "-A", "physics");
    assertTrue(below.contains("alice") && below.contains("bob"), below);
    String nobody = screen(site("account-limit"), ROOT, "C", "--user=zoe");
    assertTrue(nobody.contains("None of those whom you asked for"), nobody);
  }

  @Test
  void onlyGpus() throws IOException {
    String gpus = screen(site("gpu-type"), ROOT, "C", "--gpus");
    assertTrue(gpus.contains("GPUs a100") && gpus.contains("  t4"), gpus);
    assertFalse(gpus.contains("CPUs"), gpus);
    String none = screen(site("full-cluster"), ROOT, "C", "--gpus");
    assertEquals("This cluster has no GPUs.\n", none);
  }

  @Test
  void asADocument() throws IOException {
    String json = screen(site("gpu-type"), ROOT, "C", "--json");
    assertTrue(json.contains("\"holders\": ["), json);
    assertTrue(json.contains("\"of_no_use\""), json);
    assertTrue(json.contains("\"type\": \"a100\""), json);
  }

  @Test
  void aPartitionIsCountedByItself() {
    Site site =
        new Site(
            List.of(
                "NodeName=n[1-4] CPUs=8 RealMemory=8000",
                "PartitionName=left Nodes=n[1-2] Default=YES",
                "PartitionName=all Nodes=n[1-4]"),
            List.of(),
            List.of());
    site.submit("alice", "-p left -w n1 -c4 --mem=100");
    site.submit("bob", "-p all -w n2 -c2 --mem=100");
    String left = screen(site, ROOT, "C", "-p", "left");
    assertTrue(left.contains("CPUs   16       6    10"), left);
    assertTrue(left.contains("alice") && !left.contains("bob"), left);
    assertTrue(left.contains("Jobs of other partitions hold 2 CPUs"), left);
  }

  @Test
  void aPartitionThatIsNotThereIsSaidToBeNone() {
    ScriptedController controller = new ScriptedController();
    controller.answer(new Response.Failed(ErrorCode.INVALID_PARTITION_NAME, ""));
    world.controller = controller;
    assertEquals(1, new WhoCommand().run(world.call("dure-who", "-p", "nix")));
    assertEquals("dure-who: error: Invalid partition name specified: nix\n", world.errors());
    assertEquals(List.of(new Request.ShowHolders("nix", false)), controller.requests);
  }

  @Test
  void whatIsNoOptionIsRefused() {
    assertEquals(1, new WhoCommand().run(world.call("dure-who", "alice")));
    assertTrue(world.errors().contains("Invalid argument: alice"), world.errors());
  }

  private static Site hiding(String words) {
    Site site =
        new Site(
            List.of(
                "PrivateData=" + words,
                "AccountingStorageEnforce=associations",
                "NodeName=n[1-4] CPUs=8 RealMemory=8000"),
            List.of(),
            List.of());
    site.sacctmgr("add account physics,bio");
    site.sacctmgr("add user alice account=physics");
    site.sacctmgr("add user bob account=physics");
    site.sacctmgr("add user carol account=bio");
    site.submit("alice", "-c8 --mem=100");
    site.submit("bob", "-c4 --mem=100");
    site.submit("carol", "-c2 --mem=100");
    return site;
  }

  @Test
  void whoseJobsAreHiddenHasNoName() {
    String seen = screen(hiding("jobs"), caller("alice", false), "C");
    assertTrue(seen.contains("\n  alice") && seen.contains("\n  others"), seen);
    assertFalse(seen.contains("bob") || seen.contains("carol"), seen);
    String all = screen(hiding("jobs"), ROOT, "C");
    assertTrue(all.contains("bob") && all.contains("carol"), all);
  }

  @Test
  void accountsOfOthersHaveNoNameEither() {
    String seen = screen(hiding("accounts,users"), caller("alice", false), "C");
    assertTrue(seen.contains("physics") && seen.contains("\nothers"), seen);
    assertFalse(seen.contains("bio") || seen.contains("carol"), seen);
  }

  @Test
  void whatIsFreeIsNotToldWhereNodesAreHidden() {
    String seen = screen(hiding("nodes"), caller("alice", false), "C");
    assertTrue(seen.contains("What is free is not shown to you."), seen);
    assertFalse(seen.contains("FREE"), seen);
  }

  @Test
  void usageOfOthersIsNotTold() {
    ClusterHoldings told = told(hiding("usage"), caller("alice", false), null);
    List<String> shares = new ArrayList<>();
    told.holders().forEach(one -> shares.add(one.who() + " " + (one.share() != null)));
    assertTrue(shares.contains("User[name=alice, account=physics] true"), shares.toString());
    assertTrue(shares.contains("User[name=bob, account=physics] false"), shares.toString());
  }

  @Test
  void bothLanguagesHaveTheSamePhrases() {
    LocalizedPhrases english = LocalizedPhrases.of(WhoCommand.class, Map.of());
    LocalizedPhrases korean = LocalizedPhrases.of(WhoCommand.class, Map.of("LANG", "ko_KR.UTF-8"));
    assertEquals(english.names(), korean.names());
    for (String name : english.names()) {
      for (String value : List.of("{0}", "{1}", "{2}")) {
        assertEquals(english.text(name).contains(value), korean.text(name).contains(value), name);
      }
    }
  }
}
