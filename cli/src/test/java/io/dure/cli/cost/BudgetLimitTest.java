package io.dure.cli.cost;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.command.FakeContext;
import io.dure.cli.command.ScriptedController;
import io.dure.cli.sacct.RunFixture;
import io.dure.cli.scontrol.ClusterFixture;
import io.dure.model.ErrorCode;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingEnforcement;
import io.dure.model.accounting.AccountingRecords;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.LimitKind;
import io.dure.model.accounting.PrioritySettings;
import io.dure.model.accounting.TresAmounts;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.model.config.PartitionConfig;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.accounting.UsageReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The limits that hold budgets, in exact numbers. */
@Tag("pure")
class BudgetLimitTest {
  private static final Association PHYSICS = Association.ofAccount(7, "physics", "root");
  private static final String PRICES =
      "Price=cpu PerHour=0.02\nPrice=gres/gpu PerHour=1\nBudget=physics Amount=100\n";

  @TempDir private Path directory;
  private final FakeContext world = new FakeContext();
  private final ScriptedController controller = new ScriptedController();
  private Map<String, Double> weights = Map.of("cpu", 1.0, "gres/gpu", 50.0);
  private AccountingEnforcement enforced = new AccountingEnforcement(true, true, false, false);
  private PrioritySettings settings = PrioritySettings.USUAL.withHalfLife(null);

  private int limits(String prices, @Nullable Response reply, String option) throws IOException {
    world.controller = controller;
    world.directory = directory;
    Files.writeString(directory.resolve("p.conf"), prices);
    AccountingRecords initial = AccountingRecords.INITIAL;
    AccountingRecords records =
        new AccountingRecords(
            5,
            initial.accounts(),
            initial.users(),
            List.of(initial.associations().getFirst(), PHYSICS),
            initial.qos(),
            10,
            initial.nextQos());
    controller.answer(new Response.Accounts("lab", "vm", 6817, records, "root", true, List.of()));
    RunFixture run = RunFixture.of(1).ran("2026-11-10T10:00:00Z", 3600).held(8, 4096);
    controller.answer(
        new Response.JobHistory("lab", List.of(run.recorded()), null, List.of(), null));
    controller.answer(
        new Response.Usage(
            new UsageReport("lab", List.of(), List.of(), List.of(), List.of("gres/gpu"))));
    controller.answer(new Response.Priorities(true, settings.withEnforced(enforced), List.of()));
    TresAmounts used = TresAmounts.NONE.with(TresAmounts.BILLING, 480);
    controller.answer(
        new Response.Shares(
            "lab",
            List.of(new Response.Share(PHYSICS, 1, 1, 0, 0, 0, 1, 1, TresAmounts.NONE, used)),
            true,
            "root"));
    Response.Cluster cluster = ClusterFixture.cluster();
    PartitionConfig debug = cluster.partitions().getFirst().withBillingWeights(weights);
    controller.answer(cluster.withPartitions(List.of(debug)));
    if (reply != null) {
      controller.answer(reply);
    }
    return new CostCommand().run(world.call("dure-cost", "-f", "p.conf", option));
  }

  @Test
  void whatIsLeftBecomesBillingMinutes() throws IOException {
    // 0.16 of 100 are spent; a unit of billing costs 0.02 an hour: 99.84 / 0.02 * 60 = 299520.
    assertEquals(0, limits(PRICES, null, "--limits"), world.errors());
    assertEquals(
        """
        Budget of physics in 2026-11: 0.16 of 100.00 spent (0.2 %)
          would be set: GrpTRESMins=billing=300000 of account physics (was none; used 480, left 299520)
        """,
        world.printed());
    assertEquals("", world.errors());
    assertTrue(controller.isDone());
  }

  @Test
  void theLimitIsSet() throws IOException {
    Response done = new Response.Decided(new Reply.Done());
    assertEquals(0, limits(PRICES, done, "--apply"), world.errors());
    Request.Change change = assertInstanceOf(Request.Change.class, controller.requests.getLast());
    Command.ChangeAccounting command =
        assertInstanceOf(Command.ChangeAccounting.class, change.command());
    assertEquals(5, command.basis());
    AccountingChange.AssociationSet set =
        assertInstanceOf(AccountingChange.AssociationSet.class, command.changes().getFirst());
    assertEquals("physics", set.association().account());
    assertEquals(300000, set.association().limits().tres(LimitKind.GRP_TRES_MINS).of("billing"));
  }

  @Test
  void aRefusalIsNoLimit() throws IOException {
    Response refused = new Response.Failed(ErrorCode.ACCESS_DENIED, "");
    assertEquals(1, limits(PRICES, refused, "--apply"));
    assertTrue(world.errors().contains("the limits were not set"), world.errors());
    assertEquals("", world.printed());
  }

  @Test
  void theDearestPriceOfTheMonthCounts() throws IOException {
    // 0.16 cost so far; from the 25th on a CPU costs 0.04.
    String dearer = PRICES + "Price=cpu PerHour=0.04 From=2026-11-25\n";
    assertEquals(0, limits(dearer, null, "--limits"), world.errors());
    assertTrue(world.printed().contains("billing=150240 "), world.printed());
    String next = PRICES + "Price=cpu PerHour=0.04 From=2026-12-01\n";
    world.out.reset();
    assertEquals(0, limits(next, null, "--limits"), world.errors());
    assertTrue(world.printed().contains("billing=300000 "), world.printed());
  }

  @Test
  void ofTheGreatestResourceAUnitStandsForEach() throws IOException {
    settings = settings.withFlags(List.of(PrioritySettings.Flag.MAX_TRES));
    assertEquals(0, limits(PRICES, null, "--limits"), world.errors());
    assertTrue(world.printed().contains("billing=150240 "), world.printed());
  }

  @Test
  void aSpentBudgetLeavesNothing() throws IOException {
    String little = "Price=cpu PerHour=0.02\nBudget=physics Amount=0.1\n";
    assertEquals(0, limits(little, null, "--limits"), world.errors());
    assertTrue(world.printed().contains("billing=480 "), world.printed());
  }

  @Test
  void whatIsNotBilledIsNotHeld() throws IOException {
    weights = Map.of();
    assertEquals(1, limits(PRICES, null, "--limits"));
    assertTrue(
        world.errors().contains("'gres/gpu' has a price in partition debug and is not billed"),
        world.errors());
    assertTrue(world.errors().contains("TRESBillingWeights"), world.errors());
  }

  @Test
  void limitsThatDoNotBindAreRefused() throws IOException {
    enforced = AccountingEnforcement.NONE;
    assertEquals(1, limits(PRICES, null, "--limits"));
    assertTrue(world.errors().contains("AccountingStorageEnforce=limits"), world.errors());
  }

  @Test
  void runsThatAreNotEndedAreWarnedOf() throws IOException {
    enforced = new AccountingEnforcement(true, true, false, true);
    assertEquals(0, limits(PRICES, null, "--limits"), world.errors());
    assertTrue(world.errors().contains("may exceed the budget"), world.errors());
  }

  @Test
  void useThatFadesIsWarnedOf() throws IOException {
    settings = PrioritySettings.USUAL;
    assertEquals(0, limits(PRICES, null, "--limits"), world.errors());
    assertTrue(world.errors().contains("use fades by half in 168 hours"), world.errors());
  }

  @Test
  void aBudgetOfNoAccountIsRefused() throws IOException {
    assertEquals(1, limits(PRICES + "Budget=none Amount=1\n", null, "--limits"));
    assertTrue(world.errors().contains("budget of account 'none'"), world.errors());
  }
}
