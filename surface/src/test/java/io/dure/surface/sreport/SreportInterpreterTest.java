package io.dure.surface.sreport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.accounting.Account;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.AdminLevel;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.InvalidAccountingException;
import io.dure.protocol.Response;
import io.dure.protocol.accounting.ReservationUse;
import io.dure.protocol.accounting.UsageQuery;
import io.dure.protocol.accounting.UsageReport;
import io.dure.surface.accounts.AccountingTable;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.value.WallClock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Reports of use of a small cluster, and what is said of wrong words. */
@Tag("pure")
class SreportInterpreterTest {
  private static final Instant NOW = Instant.parse("2026-03-11T12:34:56Z");

  private final Books books = new Books();

  /** Books of a cluster where alice and bob used science, and its accounts. */
  private static final class Books implements ReportPort {
    private final StringBuilder out = new StringBuilder();
    private final List<String> errors = new ArrayList<>();
    private final List<UsageQuery> asked = new ArrayList<>();
    private final Deque<String> lines = new ArrayDeque<>();

    @Override
    public UsageReport usage(UsageQuery query) {
      asked.add(query);
      List<UsageReport.OwnerUse> owners =
          List.of(
              new UsageReport.OwnerUse("physics", "alice", "", "cpu", 36_000),
              new UsageReport.OwnerUse("bio", "bob", "w1", "cpu", 18_000),
              new UsageReport.OwnerUse("bio", "alice", "", "cpu", 5400),
              new UsageReport.OwnerUse("bio", "alice", "", "gres/gpu", 60),
              new UsageReport.OwnerUse("", "carol", "", "cpu", 60));
      List<UsageReport.ClusterUse> cluster =
          List.of(
              new UsageReport.ClusterUse("cpu", 8, 59_460, 6000, 600, 100_000, 6740, 0, 172_800),
              new UsageReport.ClusterUse("gres/gpu", 2, 60, 0, 0, 59_940, 0, 0, 60_000));
      List<UsageReport.JobSize> sizes =
          List.of(
              new UsageReport.JobSize("physics", "alice", "", 300, 2, 36_000),
              new UsageReport.JobSize("bio", "bob", "w1", 4, 3, 18_000),
              new UsageReport.JobSize("bio", "alice", "", 2, 1, 5400));
      return new UsageReport(
          "lab",
          owners.stream().filter(row -> meant(query, row.tres())).toList(),
          query.part() == UsageQuery.Part.CLUSTER
              ? cluster.stream().filter(row -> meant(query, row.tres())).toList()
              : List.of(),
          query.part() == UsageQuery.Part.JOB_SIZES ? sizes : List.of(),
          List.of("gres/gpu"),
          query.part() == UsageQuery.Part.RESERVATIONS ? reservations() : List.of());
    }

    private static List<ReservationUse> reservations() {
      Instant begin = Instant.parse("2026-03-10T00:32:28Z");
      return List.of(
          new ReservationUse(
              1,
              "resvA",
              begin,
              begin.plusSeconds(2400),
              2400,
              "n[1-2]",
              "SPEC_NODES",
              "alice",
              "",
              List.of(
                  new ReservationUse.Amount("cpu", 16, 2400),
                  new ReservationUse.Amount("gres/gpu", 2, 60))),
          new ReservationUse(
              2,
              "resvM",
              begin,
              begin.plusSeconds(1800),
              1800,
              "n3",
              "MAINT,SPEC_NODES",
              "",
              "bio",
              List.of(new ReservationUse.Amount("cpu", 16, 0))));
    }

    private static boolean meant(UsageQuery query, String tres) {
      return query.tres().isEmpty() || query.tres().contains(tres);
    }

    @Override
    public Response.Accounts accounts() {
      try {
        AccountingTree tree =
            AccountingTree.initial()
                .with(
                    List.of(
                            account("science", "root", 3),
                            account("bio", "science", 4),
                            account("physics", "science", 5),
                            user("bio", "alice", 6),
                            user("bio", "bob", 7),
                            user("physics", "alice", 8))
                        .stream()
                        .flatMap(List::stream)
                        .toList());
        return new Response.Accounts("lab", "ctl", 6817, tree.records(), "root", true, List.of());
      } catch (InvalidAccountingException e) {
        throw new AssertionError(e);
      }
    }

    private static List<AccountingChange> account(String name, String parent, int id) {
      return List.of(
          new AccountingChange.AccountSet(new Account(name, name, "lab", List.of())),
          new AccountingChange.AssociationSet(Association.ofAccount(id, name, parent)));
    }

    private static List<AccountingChange> user(String account, String name, int id) {
      return List.of(
          new AccountingChange.UserSet(new AccountUser(name, AdminLevel.NONE, account)),
          new AccountingChange.AssociationSet(Association.ofUser(id, account, name, null)));
    }

    @Override
    public String realName(String loginName) {
      return loginName.equals("alice") ? "Alice Liddell" : "";
    }

    @Override
    public WallClock clock() {
      return new WallClock.Fixed(NOW, ZoneOffset.UTC);
    }

    @Override
    public void print(String text) {
      out.append(text);
    }

    @Override
    public void report(StderrMessage message) {
      errors.add(message.text());
    }

    @Override
    public @Nullable String nextLine() {
      return lines.poll();
    }
  }

  private int run(ReportSettings settings, String line) {
    books.out.setLength(0);
    SreportInterpreter reports = new SreportInterpreter(books, settings);
    reports.run(List.of(line.split(" ")));
    return reports.exitCode();
  }

  private String report(ReportSettings settings, String line) {
    assertEquals(0, run(settings, line), () -> String.valueOf(books.errors));
    return books.out.toString();
  }

  private String bars(String line) {
    return report(ReportSettings.USUAL.withoutHeader().withStyle(AccountingTable.Style.BARS), line);
  }

  @Test
  void licencesAreResourcesToo() throws CommandException {
    ReportSettings settings = ReportSettings.USUAL.withTres(List.of("license/Matlab@flex"));
    report(settings, "cluster utilization");
    assertEquals(List.of("license/Matlab@flex"), books.asked.getLast().tres());
    assertThrows(
        CommandException.class, () -> ReportSettings.USUAL.withTres(List.of("licence/matlab")));
  }

  /** The lines of a Slurm 22.05.8 for the same reservations. */
  @Test
  void reservationsAreReportedAsBySlurm() {
    assertEquals(
        """
        --------------------------------------------------------------------------------
        Reservation Utilization 2026-03-10T00:00:00 - 2026-03-10T23:59:59
        Usage reported in TRES Seconds
        --------------------------------------------------------------------------------
          Cluster      Name               Start                 End      TRES Name            Allocated                 Idle\s
        --------- --------- ------------------- ------------------- -------------- -------------------- --------------------\s
              lab     resvA 2026-03-10T00:32:28 2026-03-10T01:12:28            cpu                 2400                36000\s
              lab     resvM 2026-03-10T00:32:28 2026-03-10T01:02:28            cpu                    0                28800\s
        """,
        report(ReportSettings.USUAL.withUnit(ReportUnit.SECONDS), "reservation utilization"));
    assertEquals(
        "40|alice|lab|16|10:40:00|2026-03-10T01:12:28|SPEC_NODES|600|resvA|n[1-2]|1|"
            + "2026-03-10T00:32:28|00:40:00\n",
        bars(
            "reservation util names=resvA format=Allocated,Associations,Cluster,Count,CPUTime,End,"
                + "Flags,Idle,Name,Nodes,ReservationId,Start,TotalTime"));
    assertEquals("resvM\n", bars("reservation utilization nodes=n[3-4] format=name"));
  }

  @Test
  void accountsAreSummedUpToTheRoot() {
    assertEquals(
        """
        --------------------------------------------------------------------------------
        Cluster/Account/User Utilization 2026-03-10T00:00:00 - 2026-03-10T23:59:59 (86400 secs)
        Usage reported in CPU Minutes
        --------------------------------------------------------------------------------
          Cluster         Account     Login     Proper Name     Used   Energy\s
        --------- --------------- --------- --------------- -------- --------\s
              lab            root                                990        0\s
              lab         science                                990        0\s
              lab             bio                                390        0\s
              lab             bio     alice   Alice Liddell       90        0\s
              lab             bio       bob                      300        0\s
              lab         physics                                600        0\s
              lab         physics     alice   Alice Liddell      600        0\s
        """,
        report(ReportSettings.USUAL, "cluster account"));
    UsageQuery query = books.asked.getFirst();
    assertEquals(List.of("cpu"), query.tres());
    assertEquals(Instant.parse("2026-03-10T00:00:00Z"), query.from());
    assertEquals(Instant.parse("2026-03-11T00:00:00Z"), query.until());
  }

  @Test
  void usersAndAccountsChooseRows() {
    assertEquals(
        "lab|bio|alice|Alice Liddell|90|0\nlab|physics|alice|Alice Liddell|600|0\n",
        bars("cluster AccountUtilizationByUser users=alice"));
    assertEquals(
        "lab|bob||bio|300|0\nlab|alice|Alice Liddell|bio|90|0\n", bars("user top accounts=bio"));
    assertEquals("bob|w1|300\n", bars("cluster userutilizationbyw format=login,wckey,used"));
    assertEquals("w1|bob|300\n", bars("cluster wckey format=wckey,login,used"));
  }

  @Test
  void theGreatestUsersComeFirst() {
    assertEquals(
        "alice|bio, physics|690\nbob|bio|300\n",
        bars("user TopUsage group topcount=2 format=login,account,used"));
    assertEquals("alice|physics|600\n", bars("user top topcount=1 format=login,account,used"));
  }

  @Test
  void resourcesHaveRowsOfTheirOwn() throws Exception {
    CommandException none =
        assertThrows(CommandException.class, () -> ReportSettings.USUAL.withTres(List.of("bogus")));
    assertEquals("No valid TRES given", none.messages().getFirst().text());
    ReportSettings both =
        ReportSettings.USUAL
            .withoutHeader()
            .withStyle(AccountingTable.Style.BARS_AND_END)
            .withUnit(ReportUnit.SECONDS_PERCENT)
            .withTres(List.of("cpu", "gres/gpu"));
    assertEquals(
        """
        lab|cpu|59460(34.41%)|6000(3.47%)|600(0.35%)|100000(57.87%)|6740(3.90%)|172800(25.00%)|
        lab|gres/gpu|60(0.10%)|0(0.00%)|0(0.00%)|59940(99.90%)|0(0.00%)|60000(34.72%)|
        """,
        report(both, "cluster Utilization"));
    assertEquals(
        """
        lab|bio|alice|Alice Liddell|cpu|5400(3.12%)|
        lab|bio|alice|Alice Liddell|gres/gpu|60(0.10%)|
        """,
        report(both, "cluster acc users=alice accounts=bio"));
  }

  @Test
  void jobsAreGroupedBySize() {
    assertEquals("lab|root|390|0|600|0|0|100.00%\n", bars("job sizes"));
    assertEquals(
        "lab|bio|390|0|0|0|0|39.39%\nlab|physics|0|0|600|0|0|60.61%\n",
        bars("job sizesbyaccount flatview"));
    assertEquals(
        "lab|science|1|3|2|100.00%\n",
        bars("job sizesbyaccount acctasparent printjobcount grouping=individual"));
    assertEquals(
        "lab|bio|0|4|66.67%\nlab|physics|0|2|33.33%\n",
        bars("job sizesbyaccount flatview printjobcount grouping=1"));
    assertEquals("lab|w1|300|0|0|0|0|100.00%\n", bars("job sizesbyw"));
    assertEquals(
        """
        --------------------------------------------------------------------------------
        Job Sizes 2026-03-11T00:00:00 - 2026-03-11T12:59:59 (46800 secs)
        Time reported in Minutes
        --------------------------------------------------------------------------------
          Cluster   Account      0-1 CPUs      2-3 CPUs     >= 4 CPUs % of cluster\s
        --------- --------- ------------- ------------- ------------- ------------\s
              lab      root             0            90           900      100.00%\s
        """,
        report(ReportSettings.USUAL, "job sizes start=today end=tomorrow grouping=2,4"));
  }

  @Test
  void timesAreWholeHours() {
    report(ReportSettings.USUAL, "cluster util start=now-90minutes end=now");
    assertEquals(Instant.parse("2026-03-11T11:00:00Z"), books.asked.getLast().from());
    assertEquals(Instant.parse("2026-03-11T12:00:00Z"), books.asked.getLast().until());
    report(ReportSettings.USUAL, "cluster util start=now end=now");
    assertEquals(Instant.parse("2026-03-11T13:00:00Z"), books.asked.getLast().until());
  }

  @Test
  void wrongWordsAreNamed() {
    ReportSettings every =
        new ReportSettings(
            AccountingTable.Style.COLUMNS, true, ReportUnit.MINUTES, List.of(), true);
    assertEquals(1, run(every, "job sizes"));
    assertTrue(books.errors.removeFirst().startsWith(" Job report only supports a single"));
    assertEquals(1, run(ReportSettings.USUAL, "foo bar"));
    assertEquals("invalid keyword: foo", books.errors.removeFirst());
    assertEquals(1, run(ReportSettings.USUAL, "cluster foo"));
    assertTrue(
        books
            .errors
            .removeFirst()
            .startsWith(
                "Not valid report foo\nValid cluster reports are, \"AccountUtilizationByUser\", "));
    assertEquals(1, run(ReportSettings.USUAL, "cluster Utilization foo=bar"));
    assertTrue(books.errors.removeFirst().startsWith(" Unknown condition: foo=bar"));
    assertTrue(books.out.toString().contains("Cluster Utilization 2026"));
    assertEquals(1, run(ReportSettings.USUAL, "cluster Utilization format=foo"));
    assertEquals(" Unknown field 'foo'", books.errors.removeFirst());
    assertEquals(1, run(ReportSettings.USUAL, "user top topcount=x"));
    assertTrue(books.errors.removeFirst().contains("Invalid value for TopCount (x)"));
    assertEquals(0, run(ReportSettings.USUAL, "user top start=garbage"));
    assertEquals("Invalid time specification (pos=0): garbage", books.errors.removeFirst());
  }

  @Test
  void linesAreReadUntilOneEnds() throws Exception {
    books.lines.addAll(
        List.of(
            "parsable2", "noheader", "time hours", "cluster util format=idle", "!!", "quit", "x"));
    new SreportInterpreter(books, ReportSettings.USUAL).prompt();
    assertEquals("sreport: ".repeat(4) + "28\nsreport: 28\nsreport: ", books.out.toString());
    assertEquals(List.of("x"), List.copyOf(books.lines));
    assertEquals(List.of(), books.errors);
  }
}
