package io.dure.cli.sreport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.command.FakeContext;
import io.dure.cli.command.ScriptedController;
import io.dure.model.accounting.AccountingTree;
import io.dure.protocol.Response;
import io.dure.protocol.accounting.UsageReport;
import io.dure.protocol.slurmdbd.ClusterAccounts;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Reports of two clusters that were used alike. */
@Tag("pure")
class ReportsOfClustersTest {
  private final FakeContext world = new FakeContext();
  private final ScriptedController controller = new ScriptedController();

  private static Response.Accounts accounts() {
    AccountingTree tree = AccountingTree.initial();
    return new Response.Accounts(
        "lab",
        "",
        0,
        tree.records(),
        "root",
        true,
        Stream.of("lab", "sea")
            .map(name -> new ClusterAccounts(name, "", 0, tree.records()))
            .toList());
  }

  private static Response.Usage usage(String cluster) {
    return new Response.Usage(
        new UsageReport(
            cluster,
            List.of(),
            List.of(new UsageReport.ClusterUse("cpu", 8, 6000, 0, 0, 1200, 0, 0, 7200)),
            List.of(),
            List.of(),
            List.of()));
  }

  private List<String> report(String... words) {
    world.controller = controller.answer(accounts()).answer(usage("lab")).answer(usage("sea"));
    assertEquals(0, new Sreport().run(world.call(words)), world::errors);
    assertTrue(controller.isDone());
    return world.printed().lines().toList();
  }

  @Test
  void rowsThatAreAlikeStandForBoth() {
    assertEquals(
        List.of("100", "100"),
        report(
            "sreport", "-n", "-P", "-M", "lab,sea", "cluster", "utilization", "format=allocated"));
  }

  @Test
  void bothStandUnderOneHeader() {
    List<String> lines =
        report("sreport", "-P", "-M", "all", "cluster", "utilization", "format=allocated");
    assertEquals(List.of("Allocated", "100", "100"), lines.subList(4, lines.size()));
  }
}
