package io.dure.cli.fairshare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.command.FakeContext;
import io.dure.cli.command.ScriptedController;
import io.dure.model.ErrorCode;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.PrioritySettings;
import io.dure.model.accounting.TresAmounts;
import io.dure.model.accounting.usage.UsageDecay;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.accounting.UsageReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How fair shares are explained, from a tree made by hand. */
@Tag("pure")
class FairShareScreenTest {
  private static final double INFINITE = Double.POSITIVE_INFINITY;

  private final FakeContext world = new FakeContext();
  private final ScriptedController controller = new ScriptedController();
  private final List<Response.Share> rows = new ArrayList<>();
  private boolean ranks = true;
  private PrioritySettings settings =
      PrioritySettings.USUAL
          .with()
          .weights(new PrioritySettings.Weights(0, 0, 10_000, 0, 0, 0, Map.of()))
          .build();

  private static Response.Share share(
      Association of, int depth, double[] figures, double factor, double raw) {
    return new Response.Share(
        of,
        depth,
        figures[0],
        raw,
        0,
        figures[1],
        figures[1] == 0 ? INFINITE : figures[0] / figures[1],
        factor,
        TresAmounts.NONE,
        TresAmounts.NONE);
  }

  private static double[] of(double share, double used) {
    return new double[] {share, used};
  }

  /** Arts has used less than its share, physics more; in physics bob has, alice has not. */
  private void tree() {
    rows.add(share(Association.ofAccount(1, "root", null).withShares(1L), 0, of(0, 1), 0, 4000));
    rows.add(
        share(
            Association.ofAccount(2, "arts", "root").withShares(20L),
            1,
            of(2 / 3.0, 0.25),
            0,
            1000));
    rows.add(share(Association.ofUser(3, "arts", "carol", null), 2, of(1, 1), 1, 1000));
    rows.add(
        share(
            Association.ofAccount(4, "physics", "root").withShares(10L),
            1,
            of(1 / 3.0, 0.75),
            0,
            3000));
    rows.add(share(Association.ofUser(5, "physics", "alice", null), 2, of(0.5, 0.2), 2 / 3.0, 600));
    rows.add(share(Association.ofUser(6, "physics", "bob", null), 2, of(0.5, 0.8), 1 / 3.0, 2400));
  }

  private int fairshare(int days, String... words) {
    world.controller = controller;
    controller.answer(new Response.Shares("lab", rows, ranks, "alice"));
    controller.answer(new Response.Priorities(true, settings, List.of()));
    controller.answer(
        new Response.Accounts(
            "lab", "vm", 6817, AccountingTree.initial().records(), "alice", false, List.of()));
    for (int i = 0; i < days; i++) {
      controller.answer(
          new Response.Usage(
              new UsageReport(
                  "lab",
                  List.of(
                      new UsageReport.OwnerUse("physics", "alice", "", "cpu", 36_000),
                      new UsageReport.OwnerUse("physics", "bob", "", "cpu", 72_000),
                      new UsageReport.OwnerUse("arts", "alice", "", "cpu", 7)),
                  List.of(),
                  List.of(),
                  List.of())));
    }
    List<String> all = new ArrayList<>(List.of("dure-fairshare", "-d", Integer.toString(days)));
    all.addAll(List.of(words));
    return new FairShareCommand().run(world.call(all.toArray(String[]::new)));
  }

  @Test
  void aUserIsComparedAtEachLevel() {
    tree();
    assertEquals(0, fairshare(2), world.errors());
    assertEquals(
        """
        User alice: root > physics > alice
        Factor 0.666667, by rank: 1 for the first of all users, less for each that comes before.
        It gives 6667 of the 10000 points of PriorityWeightFairshare.

        Below root, physics is compared with:
                   shares   share    used  share / used  used, faded
          arts         20  66.7 %  25.0 %          2.67         1000
        * physics      10  33.3 %  75.0 %          0.44         3000
          It comes behind 1 here: all that is below one with a larger ratio comes first.

        Below physics, alice is compared with:
                 shares   share    used  share / used  used, faded
        * alice       1  50.0 %  20.0 %          2.50          600
          bob         1  50.0 %  80.0 %          0.63         2400
          None has a larger ratio, so it comes first here.

        What was used counts half after 7-00:00:00 (PriorityDecayHalfLife).
        day         counts  CPU-hours  of which count    part
        2026-11-20  96.8 %       10.0             9.7  52.1 %
        2026-11-19  89.1 %       10.0             8.9  47.9 %
        CPU-hours of the books that you may see; the share is held against billing (used, faded).
        """,
        world.printed());
  }

  @Test
  void weightsAreThoseOfEvenUse() {
    UsageDecay week = UsageDecay.of(Duration.ofDays(7));
    double whole =
        DayUse.weight(
            week,
            FakeContext.NOW.minus(Duration.ofDays(7)),
            FakeContext.NOW.minus(Duration.ofDays(7)),
            FakeContext.NOW);
    assertEquals(0.5, whole, 0.001);
    // The mean of what fades from 1 to a half: 0.5 / ln 2.
    double even =
        DayUse.weight(
            week, FakeContext.NOW.minus(Duration.ofDays(7)), FakeContext.NOW, FakeContext.NOW);
    assertEquals(0.7213, even, 0.001);
    assertEquals(
        1,
        DayUse.weight(
            UsageDecay.NONE,
            FakeContext.NOW.minus(Duration.ofDays(7)),
            FakeContext.NOW,
            FakeContext.NOW));
  }

  @Test
  void anAccountIsThatOfAllBelow() {
    tree();
    settings = settings.withHalfLife(null);
    assertEquals(0, fairshare(1, "physics"), world.errors());
    assertTrue(world.printed().startsWith("Account physics: root > physics\n"), world.printed());
    assertTrue(world.printed().contains("An account has no factor of its own"), world.printed());
    assertTrue(world.printed().contains("does not fade"), world.printed());
    assertTrue(world.printed().contains("2026-11-20  100.0 %       30.0"), world.printed());
  }

  @Test
  void anAccountWithoutSharesIsPassed() {
    tree();
    rows.add(share(Association.ofAccount(7, "lent", "root").withShares(null), 1, of(0, 0), 0, 0));
    rows.add(share(Association.ofUser(8, "lent", "dave", null), 2, of(0, 0), 1, 0));
    assertEquals(0, fairshare(1, "dave"), world.errors());
    assertTrue(world.printed().startsWith("User dave: root > dave\n"), world.printed());
    assertTrue(world.printed().contains("unused"), world.printed());
  }

  @Test
  void classicSharesSayTheirFormula() {
    tree();
    ranks = false;
    settings = settings.withDampening(3);
    assertEquals(0, fairshare(1, "bob"), world.errors());
    assertTrue(
        world.printed().contains("2 to the power of -(use held against it / its share / 3)"),
        world.printed());
  }

  @Test
  void whoIsNotSeenHasNoShare() {
    tree();
    assertEquals(1, fairshare(1, "mallory"));
    assertTrue(world.errors().contains("'mallory' has no share that you may see"), world.errors());
  }

  @Test
  void aWordForBothIsAsked() {
    tree();
    rows.add(share(Association.ofUser(9, "arts", "physics", null), 2, of(0, 0), 1, 0));
    assertEquals(1, fairshare(1, "physics"));
    assertTrue(world.errors().contains("say --user=physics or --account=physics"), world.errors());
  }

  @Test
  void aClusterWithoutBooksSaysSo() {
    tree();
    world.controller = controller;
    controller.answer(new Response.Shares("lab", rows, ranks, "alice"));
    controller.answer(new Response.Priorities(true, settings, List.of()));
    controller.answer(
        new Response.Accounts(
            "lab", "vm", 6817, AccountingTree.initial().records(), "alice", false, List.of()));
    controller.answer(new Response.Failed(ErrorCode.NOT_SUPPORTED, ""));
    assertEquals(1, new FairShareCommand().run(world.call("dure-fairshare")));
    assertTrue(world.errors().contains("keeps no records of jobs"), world.errors());
  }

  @Test
  void eachDayIsAsked() {
    tree();
    assertEquals(0, fairshare(3, "--json"), world.errors());
    assertEquals(
        3, controller.requests.stream().filter(Request.ShowUsage.class::isInstance).count());
    assertTrue(world.printed().contains("\"before\": 1"), world.printed());
    assertEquals(1, new FairShareCommand().run(world.call("dure-fairshare", "-d", "0")));
    assertTrue(world.errors().contains("--days=0"), world.errors());
  }
}
