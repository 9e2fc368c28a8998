package io.dure.cli.cost;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.command.FakeContext;
import io.dure.cli.command.ScriptedController;
import io.dure.cli.sacct.RunFixture;
import io.dure.model.accounting.AccountingRecords;
import io.dure.model.accounting.Association;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.accounting.JobHistoryQuery;
import io.dure.protocol.accounting.RecordedJob;
import io.dure.protocol.accounting.UsageReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What jobs cost, in exact numbers, from records made by hand. */
@Tag("pure")
class CostTest {
  @TempDir private Path directory;
  private final FakeContext world = new FakeContext();
  private final ScriptedController controller = new ScriptedController();
  private boolean operator = true;

  private int cost(String prices, String... words) throws IOException {
    world.controller = controller;
    world.directory = directory;
    Files.writeString(directory.resolve("p.conf"), prices);
    List<String> all = new ArrayList<>(List.of("dure-cost", "-f", "p.conf"));
    all.addAll(List.of(words));
    return new CostCommand().run(world.call(all.toArray(String[]::new)));
  }

  private static Association account(int id, String name, String parent) {
    return Association.ofAccount(id, name, parent);
  }

  private void accounts() {
    AccountingRecords initial = AccountingRecords.INITIAL;
    List<Association> tree = new ArrayList<>(initial.associations());
    tree.add(account(7, "physics", "root"));
    tree.add(account(8, "optics", "physics"));
    tree.add(account(9, "arts", "root"));
    AccountingRecords records =
        new AccountingRecords(
            5, initial.accounts(), initial.users(), tree, initial.qos(), 10, initial.nextQos());
    controller.answer(
        new Response.Accounts("lab", "vm", 6817, records, "root", operator, List.of()));
  }

  private void history(RecordedJob... jobs) {
    accounts();
    controller.answer(new Response.JobHistory("lab", List.of(jobs), null, List.of(), null));
  }

  private void sums(long cpuSeconds) {
    controller.answer(
        new Response.Usage(
            new UsageReport(
                "lab",
                List.of(new UsageReport.OwnerUse("physics", "alice", "", "cpu", cpuSeconds)),
                List.of(),
                List.of(),
                List.of())));
  }

  /** What all of these cost in a month. */
  private String costs(String prices, String month, RecordedJob... jobs) throws IOException {
    history(jobs);
    world.out.reset();
    assertEquals(0, cost(prices, "-m", month, "-A", "root", "--csv"), world.errors());
    List<String> lines = world.printed().lines().skip(1).toList();
    return lines.stream().map(line -> line.split(",", -1)[7]).reduce("", (a, b) -> a + " " + b);
  }

  private static RunFixture run(String from, long seconds, int cpus) {
    return RunFixture.of(12).ran(from, seconds).held(cpus, 4096);
  }

  private static RunFixture hour(int cpus) {
    return run("2026-11-10T10:00:00Z", 3600, cpus);
  }

  @Test
  void resourcesAreMultipliedByHours() throws IOException {
    String prices = "Currency=EUR\nPrice=cpu PerHour=0.02\nPrice=mem PerHour=0.004 # a GiB\n";
    assertEquals(" 0.18", costs(prices, "2026-11", hour(8).recorded()));
    assertEquals(" 0.35", costs(prices, "2026-11", hour(8).seconds(7200).recorded()));
    assertEquals(" 2.00", costs("Price=node PerHour=2", "2026-11", hour(8).recorded()));
  }

  @Test
  void theLastPriceThatAppliesCounts() throws IOException {
    String prices =
        """
        Price=cpu PerHour=1
        Price=CPU PerHour=0.5 Partitions=night,debug
        Price=cpu PerHour=0.25 Partitions=night
        """;
    assertEquals(" 4.00", costs(prices, "2026-11", hour(8).recorded()));
    assertEquals(" 2.00", costs(prices, "2026-11", hour(8).in("night").recorded()));
    assertEquals(" 8.00", costs(prices, "2026-11", hour(8).in("big").recorded()));
  }

  @Test
  void anAccountHasPricesOfItsOwnAndHandsThemDown() throws IOException {
    String prices =
        """
        Price=cpu PerHour=1
        Price=cpu PerHour=0.5 Accounts=physics
        Price=cpu PerHour=0.25 Accounts=optics,nobody
        """;
    assertEquals(" 4.00", costs(prices, "2026-11", hour(8).account("physics").recorded()));
    assertEquals(" 2.00", costs(prices, "2026-11", hour(8).account("optics").recorded()));
    assertEquals(" 8.00", costs(prices, "2026-11", hour(8).account("arts").recorded()));
    assertEquals(" 8.00", costs(prices, "2026-11", hour(8).account(null).recorded()));
    String handed = "Price=cpu PerHour=1\nPrice=cpu PerHour=0.5 Accounts=physics\n";
    assertEquals(" 4.00", costs(handed, "2026-11", hour(8).account("optics").recorded()));
    String later = handed + "Price=cpu PerHour=2\n";
    assertEquals(" 16.00", costs(later, "2026-11", hour(8).account("optics").recorded()));
  }

  @Test
  void aTypeOfGpuTakesThePlaceOfItsKind() throws IOException {
    String prices = "Price=gres/gpu PerHour=1\nPrice=gres/gpu:a100 PerHour=2.5\n";
    assertEquals(" 5.00", costs(prices, "2026-11", hour(8).gpus(2, "a100").recorded()));
    assertEquals(" 2.00", costs(prices, "2026-11", hour(8).gpus(2, "v100").recorded()));
    assertEquals(" 2.00", costs(prices, "2026-11", hour(8).gpus(2, null).recorded()));
  }

  @Test
  void monthsEndAtMidnight() throws IOException {
    RecordedJob over = run("2026-10-31T23:00:00Z", 10800, 1).recorded();
    assertEquals(" 1.00", costs("Price=cpu PerHour=1", "2026-10", over));
    assertEquals(" 2.00", costs("Price=cpu PerHour=1", "2026-11", over));
    assertEquals(" 1.00 2.00", costs("Price=cpu PerHour=1", "2026-10..2026-11", over));
    String berlin = "TimeZone=Europe/Berlin\nPrice=cpu PerHour=1";
    assertEquals("", costs(berlin, "2026-10", over));
    assertEquals(" 3.00", costs(berlin, "2026-11", over));
    JobHistoryQuery asked =
        assertInstanceOf(Request.ListJobHistory.class, controller.requests.getLast()).query();
    assertEquals(Instant.parse("2026-10-31T23:00:00Z"), asked.from());
    assertEquals(Instant.parse("2026-11-30T23:00:00Z"), asked.until());
    assertTrue(asked.attempts());
  }

  @Test
  void pricesChangeWhileJobsRun() throws IOException {
    String prices = "Price=cpu PerHour=0.02\nPrice=cpu PerHour=0.05 From=2026-11-10\n";
    RecordedJob over = run("2026-11-09T22:00:00Z", 4 * 3600, 8).recorded();
    assertEquals(" 1.12", costs(prices, "2026-11", over));
  }

  @Test
  void nightsAndDaysHaveTheirPrices() throws IOException {
    String night = "Price=cpu PerHour=1\nPrice=cpu PerHour=0.1 Hours=22:00-06:00\n";
    // From 20:30 to 07:00: an hour and a half, eight hours, an hour.
    assertEquals(
        " 3.30", costs(night, "2026-11", run("2026-11-10T20:30:00Z", 37800, 1).recorded()));
    String weekend = "Price=cpu PerHour=1\nPrice=cpu PerHour=0.1 Days=Sat-Sun\n";
    // Friday 22:00 to Saturday 02:00.
    assertEquals(
        " 2.20", costs(weekend, "2026-11", run("2026-11-13T22:00:00Z", 14400, 1).recorded()));
    String late = "Price=cpu PerHour=1\nPrice=cpu PerHour=3 Hours=22:00-24:00\n";
    assertEquals(" 8.00", costs(late, "2026-11", run("2026-11-13T21:00:00Z", 14400, 1).recorded()));
  }

  @Test
  void clocksThatChangeAreFollowed() throws IOException {
    String prices =
        "TimeZone=Europe/Berlin\nPrice=cpu PerHour=0.01\nPrice=cpu PerHour=1 Hours=02:00-03:00\n";
    // 25 October has the hour from two to three twice; 29 March has it not.
    assertEquals(
        " 2.05", costs(prices, "2026-10", run("2026-10-24T22:00:00Z", 7 * 3600, 1).recorded()));
    assertEquals(
        " 0.05", costs(prices, "2026-03", run("2026-03-28T23:00:00Z", 5 * 3600, 1).recorded()));
    String whole = "TimeZone=Europe/Berlin\nPrice=cpu PerHour=1\n";
    // October has an hour more than 31 days.
    assertEquals(
        " 745.00", costs(whole, "2026-10", run("2026-09-01T00:00:00Z", 70 * 86400, 1).recorded()));
  }

  @Test
  void onlyWhatRanCosts() throws IOException {
    String prices = "Price=cpu PerHour=1";
    RunFixture never = RunFixture.of(1).neverStarted();
    assertEquals("", costs(prices, "2026-11", never.recorded(), hour(8).seconds(0).recorded()));
    assertEquals(" 4.00", costs(prices, "2026-11", hour(8).paused(1800).recorded()));
    assertEquals("", costs(prices, "2026-11", hour(8).paused(3600).recorded()));
    // 8 CPUs for the 4000 seconds until now.
    assertEquals(" 8.89", costs(prices, "2026-11", RunFixture.of(2).ended(null).recorded()));
    assertEquals("", costs(prices, "2026-12", RunFixture.of(2).ended(null).recorded()));
  }

  @Test
  void eachAttemptCosts() throws IOException {
    history(hour(8).requeued().recorded(), hour(8).attempt(2).seconds(1800).recorded());
    assertEquals(0, cost("Price=cpu PerHour=1", "-m", "2026-11", "-A", "physics"), world.errors());
    assertEquals(
        """
        account    month  attempts  CPU-hours  GiB-hours  GPU-hours   cost
        physics  2026-11         2       12.0        6.0        0.0  12.00
        all                                                          12.00
        """,
        world.printed());
  }

  @Test
  void roundedRowsMakeUpTheTotal() throws IOException {
    history(
        hour(1).recorded(),
        hour(1).account("arts").recorded(),
        hour(1).account("optics").recorded());
    assertEquals(0, cost("Price=cpu PerHour=0.005", "-m", "2026-11", "-A", "root"));
    assertTrue(world.printed().contains("0.03\n"), world.printed());
  }

  @Test
  void rowsAreByUserPartitionOrJob() throws IOException {
    for (String by : List.of("user", "partition", "job")) {
      history(hour(2).recorded(), hour(1).owner("bob", 1002).in("big").recorded());
      world.out.reset();
      assertEquals(0, cost("Price=cpu PerHour=1", "-m", "2026-11", "-A", "root", "-b", by));
      String told = world.printed();
      switch (by) {
        case "user" -> assertTrue(told.contains("alice") && told.contains("bob"), told);
        case "partition" -> assertTrue(told.contains("debug") && told.contains("big"), told);
        default -> assertTrue(told.contains("12  2026-11         1"), told);
      }
    }
  }

  @Test
  void theSumsOfTheBooksAreCompared() throws IOException {
    history(hour(8).recorded());
    sums(28800);
    assertEquals(0, cost("Price=cpu PerHour=1"), world.errors());
    assertTrue(
        world.printed().contains("Agrees with the sums of the books: cpu 28800 of jobs, 28800"),
        world.printed());
    assertEquals("", world.errors());
    history(hour(8).recorded());
    sums(30000);
    assertEquals(0, cost("Price=cpu PerHour=1"));
    assertTrue(world.errors().contains("warning: DIFFERS from the sums"), world.errors());
  }

  @Test
  void usersAreToldThatTheyMayNotSeeAll() throws IOException {
    operator = false;
    history();
    sums(0);
    assertEquals(0, cost("Price=cpu PerHour=1"), world.errors());
    assertTrue(world.printed().contains("Counted are the jobs that you may see."));
    history();
    assertEquals(1, cost("Price=cpu PerHour=1", "--apply"));
    assertTrue(world.errors().contains("are for operators"), world.errors());
  }

  @Test
  void budgetsWarnAndEnd() throws IOException {
    String prices = "Currency=EUR\nPrice=cpu PerHour=1\nBudget=physics Amount=10 Warn=50,80\n";
    RecordedJob below = hour(8).account("optics").recorded();
    history(below);
    sums(28800);
    assertEquals(3, cost(prices));
    assertTrue(
        world
            .errors()
            .contains("Budget of physics in 2026-11: 8.00 of 10.00 EUR spent (80.0 %) (warned"),
        world.errors());
    history(below, hour(2).account("physics").recorded(), hour(4).account("arts").recorded());
    sums(28800);
    assertEquals(4, cost(prices, "--csv"));
    history(hour(4).account("physics").recorded());
    sums(14400);
    world.err.reset();
    assertEquals(0, cost(prices));
    assertEquals("", world.errors());
    history(below);
    sums(28800);
    String more = prices + "Budget=physics Amount=100 Month=2026-11\n";
    assertEquals(0, cost(more), world.errors());
  }

  @Test
  void documentsSayTheSame() throws IOException {
    history(hour(8).account("=cmd").recorded());
    assertEquals(0, cost("Price=cpu PerHour=1", "-A", "root", "--csv"));
    assertEquals(
        """
        account,account,month,attempts,cpu_hours,gib_hours,gpu_hours,cost,currency
        '=cmd,'=cmd,2026-11,1,8.000000,4.000000,0.000000,8.00,
        """,
        world.printed());
    world.out.reset();
    history(hour(8).recorded());
    sums(28800);
    assertEquals(3, cost("Price=cpu PerHour=1\nBudget=physics Amount=9", "--json"));
    assertTrue(world.printed().contains("\"total\": \"8.00\""), world.printed());
    assertTrue(world.printed().contains("\"warning_percent\": 80"), world.printed());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Price=cpu PerHour=abc            | p.conf:2: PerHour=abc is no amount
          Price=cpu PerHour=-1             | p.conf:2: PerHour=-1 is no amount
          Price=cpu PerHour=1.2.3          | p.conf:2: PerHour=1.2.3 is no amount
          Price=cpu                        | p.conf:2: 'PerHour=0.02' is missing
          Price=cpu PerHour = 1            | p.conf:2: 'PerHour' is no KEY=VALUE
          Price=cpu PerHour=1 PerHour=2    | p.conf:2: 'perhour' stands twice
          Price=cpus PerHour=1             | p.conf:2: 'cpus' is no resource that is priced
          Price=billing PerHour=1          | p.conf:2: billing has no price of its own
          Price=cpu PerHour=1 Days=Funday  | p.conf:2: Days=Funday are no days
          Price=cpu PerHour=1 Hours=8-20   | p.conf:2: Hours=8-20 are no hours
          Price=cpu PerHour=1 From=July    | p.conf:2: From=July is no day
          Price=cpu PerHour=1 Colour=red   | p.conf:2: 'colour' is no key of such a line
          Cost=cpu PerHour=1               | p.conf:2: a line cannot begin with 'cost'
          Budget=physics                   | p.conf:2: 'Amount=1000' is missing
          Budget=a Amount=1 Month=13       | p.conf:2: Month=13 is no month
          Budget=a Amount=1 Warn=0,80      | p.conf:2: Warn=0,80 are no percentages
          TimeZone=Mars/Olympus            | p.conf:2: there is no time zone 'Mars/Olympus'
          """)
  void aMistakeIsNamedWithItsLine(String line, String message) throws IOException {
    assertEquals(1, cost("# prices\n" + line + "\n"));
    assertTrue(world.errors().contains(message), world.errors());
    assertTrue(world.errors().contains("; "), "a remedy: " + world.errors());
    assertTrue(controller.requests.isEmpty());
  }

  @Test
  void aListWithoutPricesOrNoListIsRefused() throws IOException {
    assertEquals(1, cost("Currency=EUR\n"));
    assertTrue(world.errors().contains("p.conf has no price"), world.errors());
    world.err.reset();
    assertEquals(1, cost("Price=cpu PerHour=1", "-f", "none.conf"));
    assertTrue(world.errors().contains("cannot read the price list"), world.errors());
    assertFalse(world.errors().contains("null"), world.errors());
  }

  @Test
  void monthsThatAreNoneAreRefused() throws IOException {
    for (String month : List.of("2026", "2026-13", "2026-11..2026-10", "1900-01..2026-01")) {
      world.err.reset();
      assertEquals(1, cost("Price=cpu PerHour=1", "-m", month));
      assertTrue(world.errors().contains("--month=" + month), world.errors());
    }
  }
}
