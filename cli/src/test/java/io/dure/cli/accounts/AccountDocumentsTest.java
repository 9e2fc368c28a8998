package io.dure.cli.accounts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.captured.JsonLeaves;
import io.dure.cli.command.CliCommand;
import io.dure.cli.command.FakeContext;
import io.dure.cli.command.ScriptedController;
import io.dure.cli.sacctmgr.Sacctmgr;
import io.dure.cli.scontrol.ClusterFixture;
import io.dure.cli.sprio.Sprio;
import io.dure.cli.sshare.Sshare;
import io.dure.model.accounting.Account;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingLimits;
import io.dure.model.accounting.AccountingRecords;
import io.dure.model.accounting.AdminLevel;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.LimitKind;
import io.dure.model.accounting.PrioritySettings;
import io.dure.model.accounting.Qos;
import io.dure.model.accounting.TresAmounts;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.model.report.PriorityFactors;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.StatisticsInfo;
import io.dure.protocol.accounting.ClusterHistory;
import io.dure.protocol.slurmdbd.BookKeeper;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Documents of shares, priorities and accounts, and lists of what no database records. */
@Tag("pure")
class AccountDocumentsTest {
  private final FakeContext world = new FakeContext();
  private final ScriptedController controller = new ScriptedController();

  private String printed(CliCommand command, Response answer, String... words) {
    controller.answer(answer);
    return printed(command, words);
  }

  private String printed(CliCommand command, String... words) {
    world.out.reset();
    world.controller = controller;
    assertEquals(0, command.run(world.call(words)), world::errors);
    assertTrue(controller.isDone());
    return world.printed();
  }

  private static Response.Accounts accounts() {
    AccountingLimits limits =
        AccountingLimits.NONE
            .with(LimitKind.MAX_JOBS, null, 4L)
            .with(LimitKind.GRP_TRES, TresAmounts.CPU, 16L);
    Association bio = Association.ofAccount(3, "bio", "root").withQos(List.of("normal"));
    Association ann = Association.ofUser(4, "bio", "alice", null).withLimits(limits);
    AccountingRecords start = AccountingRecords.INITIAL;
    AccountingRecords records =
        new AccountingRecords(
            1,
            List.of(
                start.accounts().getFirst(),
                new Account("bio", "Biology", "lab", List.of("alice")),
                new Account("void", "nobody", "lab", List.of())),
            List.of(
                start.users().getFirst(),
                new AccountUser("alice", AdminLevel.NONE, "bio"),
                new AccountUser("zoe", AdminLevel.NONE, "bio")),
            List.of(
                start.associations().get(0),
                start.associations().get(1),
                bio,
                ann,
                Association.ofAccount(5, "void", "root"),
                Association.ofUser(6, "bio", "zoe", null)),
            List.of(Qos.plain(1, "normal", "usual")),
            7,
            2);
    return new Response.Accounts("lab", "ctl", 6817, records, "root", true, List.of());
  }

  private Map<String, String> sacctmgr(String... words) {
    return JsonLeaves.of(printed(new Sacctmgr(), accounts(), words));
  }

  @Test
  void sharesAreADocument() {
    Response.Share share =
        new Response.Share(
            Association.ofUser(4, "bio", "alice", null).withShares(10L),
            1,
            0.25,
            1758,
            0.093,
            0.2,
            Double.POSITIVE_INFINITY,
            0.6,
            TresAmounts.NONE.with("cpu", 3),
            TresAmounts.NONE.with("cpu", 2));
    Response.Shares shares = new Response.Shares("lab", List.of(share), true, "alice");
    Map<String, String> found =
        JsonLeaves.of(printed(new Sshare(), shares, "sshare", "-U", "--json"));
    assertEquals("alice", found.get("shares.shares[0].name"));
    assertEquals("bio", found.get("shares.shares[0].parent"));
    assertEquals("0.25", found.get("shares.shares[0].shares_normalized.number"));
    assertEquals("180", found.get("shares.shares[0].tres.run_seconds[0].value.number"));
    assertEquals("120.0", found.get("shares.shares[0].tres.usage[0].value"));
    assertEquals("true", found.get("shares.shares[0].fairshare.level.infinite"));
    assertEquals("0.6", found.get("shares.shares[0].fairshare.factor.number"));
    assertEquals("USER", found.get("shares.shares[0].type[0]"));
    assertEquals("sshare", found.get("meta.command[0]"));
    assertEquals("--json", found.get("meta.command[2]"));
    assertTrue(printed(new Sshare(), shares, "sshare", "--yaml").startsWith("%YAML 1.1\n"));
  }

  @Test
  void prioritiesAreADocument() {
    PrioritySettings settings =
        PrioritySettings.USUAL
            .with()
            .weights(new PrioritySettings.Weights(1000, 0, 0, 0, 0, 0, Map.of()))
            .build();
    PriorityFactors factors = new PriorityFactors(0.5, 0, 0, 0, 0, 0, Map.of(), 0, 7, 493, false);
    Response.Priorities queue =
        new Response.Priorities(
            true,
            settings,
            List.of(new Response.JobPriority(9, "alice", "bio", "normal", "debug", factors)));
    Map<String, String> found = JsonLeaves.of(printed(new Sprio(), queue, "sprio", "--json"));
    assertEquals("9", found.get("jobs[0].job_id"));
    assertEquals("493", found.get("jobs[0].priority.number"));
    assertEquals("500.0", found.get("jobs[0].factors.age"));
    assertEquals("7", found.get("jobs[0].factors.nice"));
  }

  @Test
  void accountsAreDocuments() {
    Map<String, String> found = sacctmgr("sacctmgr", "--json", "show", "assoc", "user=alice");
    assertEquals("1", found.get("associations.length"));
    assertEquals("bio", found.get("associations[0].account"));
    assertEquals("true", found.get("associations[0].is_default"));
    assertEquals("4", found.get("associations[0].max.jobs.active.number"));
    assertEquals("true", found.get("associations[0].max.jobs.total.infinite"));
    assertEquals("16", found.get("associations[0].max.tres.total[0].count"));
    assertEquals("normal", found.get("associations[0].qos[0]"));
    found = sacctmgr("sacctmgr", "--json", "show", "account", "bio");
    assertEquals("Biology", found.get("accounts[0].description"));
    assertEquals("alice", found.get("accounts[0].coordinators[0].name"));
    assertEquals("3", found.get("accounts[0].associations.length"));
    found = sacctmgr("sacctmgr", "show", "user", "alice", "--json");
    assertEquals("None", found.get("users[0].administrator_level[0]"));
    assertEquals("bio", found.get("users[0].default.account"));
    found = sacctmgr("sacctmgr", "show", "user", "account=bio", "withassoc", "--json");
    assertEquals("bio", found.get("users[0].associations[0].account"));
    assertEquals("1", found.get("users[0].associations.length"));
    found = sacctmgr("sacctmgr", "show", "user", "account=nope", "--json");
    assertEquals("0", found.get("users.length"));
    found = sacctmgr("sacctmgr", "--json", "show", "cluster", "names=other");
    assertEquals("0", found.get("clusters.length"));
    found = sacctmgr("sacctmgr", "list", "qos", "--json");
    assertEquals("normal", found.get("qos[0].name"));
    assertEquals("true", found.get("qos[0].limits.max.wall_clock.per.job.infinite"));
    controller.answer(history());
    found = sacctmgr("sacctmgr", "list", "events", "--json");
    assertEquals("2", found.get("events.length"));
    assertEquals("DOWN*", found.get("events[1].state"));
  }

  @Test
  void linesOfTheClustersHistoryAreChosen() {
    Response lines = history();
    assertEquals(
        """
           Cluster NodeName                  TimeStart             TimeEnd  State                         Reason       User\s
        ---------- --------------- ------------------- ------------------- ------ ------------------------------ ----------\s
               lab                 2026-01-05T08:00:00             Unknown               Cluster Registered TRES           \s
               lab n2              2026-01-05T09:00:00 2026-01-05T09:00:10  DOWN*                 Not responding    root(0)\s
        """,
        printed(new Sacctmgr(), lines, "sacctmgr", "show", "events"));
    assertEquals(
        "n2|00:00:10|cpu=4\n",
        printed(
            new Sacctmgr(),
            lines,
            "sacctmgr",
            "-nP",
            "show",
            "event",
            "nodes=n[2-3]",
            "state=down",
            "all_time",
            "format=nodename,duration,tres"));
    assertEquals(
        "",
        printed(
            new Sacctmgr(),
            lines,
            "sacctmgr",
            "-nP",
            "show",
            "event",
            "event=node",
            "condflags=open"));
    assertEquals(
        """
        Time|Action|Actor|Where|Info
        2026-01-05T10:00:00|Add Users|alice|zoe|admin_level='none'
        """,
        printed(new Sacctmgr(), lines, "sacctmgr", "-P", "list", "transactions", "actor=alice"));
    world.out.reset();
    assertEquals(1, new Sacctmgr().run(world.call("sacctmgr", "show", "event", "mincpus=x")));
    assertTrue(world.errors().contains("Invalid value for MinCpus (x)"), world::errors);
    assertEquals(1, new Sacctmgr().run(world.call("sacctmgr", "show", "events", "nope=1")));
    assertTrue(world.errors().contains("Unknown condition: nope=1"), world::errors);
  }

  @Test
  void linesAreOfAccountsUsersAndNumbers() {
    Response lines = history();
    for (String about : List.of("account=bio", "id=6", "action=accounts")) {
      assertEquals(
          "Add Accounts||bio|lab\n",
          printed(
              new Sacctmgr(),
              lines,
              "sacctmgr",
              "-nP",
              "list",
              "txn",
              about,
              "format=action,user,account,cluster"),
          about);
    }
    assertEquals(
        "2026-01-05T10:00:00|Add Users|alice|zoe|admin_level='none'|zoe||lab\n",
        printed(new Sacctmgr(), lines, "sacctmgr", "-nP", "list", "txn", "user=zoe", "withassoc"));
    assertEquals("", printed(new Sacctmgr(), lines, "sacctmgr", "-nP", "list", "txn", "account=b"));
    for (String about : List.of("user=root", "user=0", "maxcpus=4")) {
      assertEquals(
          "n2\n",
          printed(new Sacctmgr(), lines, "sacctmgr", "-nP", "show", "event", about, "format=node"),
          about);
    }
    assertEquals(
        "lab|\n",
        printed(
            new Sacctmgr(),
            lines,
            "sacctmgr",
            "-nP",
            "show",
            "event",
            "mincpus=5",
            "cluster=lab",
            "format=cluster,node"));
    assertEquals("lab", ((Request.ShowClusterHistory) controller.requests.getLast()).cluster());
  }

  private static Response history() {
    Instant at = Instant.parse("2026-01-05T08:00:00Z");
    Instant down = at.plusSeconds(3600);
    return new Response.RecordedHistory(
        new ClusterHistory(
            "lab",
            List.of(
                new ClusterHistory.ClusterEvent(
                    null, "n[1-2]", at, null, "", "Cluster Registered TRES", null, "cpu=8"),
                new ClusterHistory.ClusterEvent(
                    "n2",
                    "n2",
                    down,
                    down.plusSeconds(10),
                    "DOWN*",
                    "Not responding",
                    0L,
                    "cpu=4")),
            List.of(
                new ClusterHistory.Transaction(
                    at, "root", "Add Accounts", "bio", "description='Biology'", 6L),
                new ClusterHistory.Transaction(
                    at.plusSeconds(7200), "alice", "Add Users", "zoe", "admin_level='none'", 7L))));
  }

  @Test
  void whatIsNotRecordedIsAnEmptyList() {
    assertEquals("", printed(new Sacctmgr(), accounts(), "sacctmgr", "-n", "show", "wckey"));
    assertEquals("", printed(new Sacctmgr(), accounts(), "sacctmgr", "-n", "show", "resource"));
  }

  @Test
  void limitsChangeByAnAmount() {
    controller.answer(accounts()).answer(new Response.Decided(new Reply.Done()));
    printed(
        new Sacctmgr(),
        "sacctmgr",
        "-i",
        "modify",
        "user",
        "alice",
        "set",
        "grptres=cpu-=3,mem+=5,node=2");
    Command.ChangeAccounting change =
        (Command.ChangeAccounting) ((Request.Change) controller.requests.getLast()).command();
    String text = change.changes().toString();
    assertTrue(text.contains("tres=cpu, most=13"), text);
    assertTrue(text.contains("tres=node, most=2"), text);
    assertFalse(text.contains("tres=mem"), text);
  }

  @Test
  void problemsOfAccountsAndUsers() {
    assertEquals(
        "lab|void||Account has no users\n||zoe|User does not have a uid\n",
        printed(new Sacctmgr(), accounts(), "sacctmgr", "-nP", "show", "problem"));
    assertEquals(
        "||zoe|User does not have a uid\n",
        printed(new Sacctmgr(), accounts(), "sacctmgr", "-nP", "show", "problem", "user=zoe"));
    assertEquals(
        "||zoe|User does not have a uid\n",
        printed(new Sacctmgr(), accounts(), "sacctmgr", "-nP", "show", "problem", "account=bio"));
  }

  private static StatisticsInfo counted() {
    StatisticsInfo.Calls calls = new StatisticsInfo.Calls("REQUEST_JOB_INFO", 2003, 4, 100);
    return new StatisticsInfo(
        FakeContext.NOW,
        FakeContext.NOW.minusSeconds(60),
        new StatisticsInfo.Load(0, 0, 0),
        new StatisticsInfo.Jobs(0, 0, 0, 0, 0, 0, 0),
        FakeContext.NOW,
        new StatisticsInfo.Main(0, 0, 0, 0, 0, 0),
        new StatisticsInfo.Backfill(0, 0, 0, null, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
        Duration.ZERO,
        List.of(calls),
        List.of());
  }

  @Test
  void statisticsAreThoseOfTheController() {
    StatisticsInfo counted = counted();
    String text =
        printed(new Sacctmgr(), new Response.Statistics(counted), "sacctmgr", "show", "stats");
    List<String> lines = text.lines().toList();
    assertEquals(
        "sacctmgr show stats output at Fri Nov 20 16:01:34 2026 (1795190494)", lines.get(1));
    assertTrue(
        lines.contains(
            "\tREQUEST_JOB_INFO         ( 2003) count:4      ave_time:25     total_time:100"),
        text);
  }

  private String ping(List<BookKeeper> daemons, Response... more) {
    controller.answer(new Response.BookKeepers(daemons));
    List.of(more).forEach(controller::answer);
    return printed(new Sacctmgr(), "sacctmgr", "ping");
  }

  @Test
  void theControllerIsTheDaemonOfAccounts() {
    assertEquals(
        "slurmdbd(primary) at vm is UP\n",
        ping(List.of(), new Response.Pong("vm", "26.05.3", null)));
    List<BookKeeper> two = List.of(new BookKeeper("b1", false, 3), new BookKeeper("b2", true, 4));
    assertEquals("slurmdbd(primary) at b1 is DOWN\nslurmdbd(backup) at b2 is UP\n", ping(two));
    controller.answer(new Response.BookKeepers(two.subList(0, 1)));
    assertEquals(1, new Sacctmgr().run(world.call("sacctmgr", "ping")));
    printed(new Sacctmgr(), new Response.Decided(new Reply.Done()), "sacctmgr", "clear", "stats");
    assertEquals(new Request.ResetStatistics(), controller.requests.getLast());
    controller
        .answer(
            new Response.Text(
                List.of(
                    "Configuration data as of now",
                    "AuthType                = auth/dure",
                    "BatchStartTimeout       = 10 sec",
                    "SLURM_VERSION           = 26.05.3")))
        .answer(new Response.Text(List.of("PurgeJobAfter          = NONE")));
    assertEquals(
        """
        Configuration data as of now
        AuthType                = auth/dure
        SLURM_VERSION           = 26.05.3

        SlurmDBD configuration:
        PurgeJobAfter          = NONE
        """,
        printed(new Sacctmgr(), "sacctmgr", "show", "config"));
  }

  private Map<String, String> document(List<Response> answers, String... words) {
    answers.forEach(controller::answer);
    return JsonLeaves.of(printed(new Sacctmgr(), words));
  }

  private static Response tracks(String more) {
    return new Response.Text(
        List.of(
            "AccountingStorageTRES   = cpu,mem,energy,node,billing,fs/disk,vmem,pages" + more,
            "AccountingStorageType   = (null)"));
  }

  @Test
  void theClusterSaysWhatItsNodesHaveTogether() {
    Map<String, String> found =
        document(
            List.of(accounts(), ClusterFixture.cluster()), "sacctmgr", "--json", "show", "cluster");
    assertEquals("ctl", found.get("clusters[0].controller.host"));
    assertEquals("n[1-4]", found.get("clusters[0].nodes"));
    assertEquals("cpu", found.get("clusters[0].tres[0].type"));
    assertEquals("64", found.get("clusters[0].tres[0].count"));
    assertEquals("4", found.get("clusters[0].tres[2].count"));
  }

  @Test
  void resourcesHaveTheirNumbers() {
    String[] words = {"sacctmgr", "--json", "show", "tres"};
    Map<String, String> found =
        document(List.of(tracks(",gres/gpu,license/matlab"), accounts()), words);
    assertEquals("disk", found.get("tres[5].name"));
    assertEquals("6", found.get("tres[5].id"));
    assertEquals("gpu", found.get("tres[8].name"));
    assertEquals("1001", found.get("tres[8].id"));
    assertEquals("1002", found.get("tres[9].id"));
    controller.answer(tracks(",gres/gpu"));
    assertEquals(
        "gres|gpu|1001\n", printed(new Sacctmgr(), "sacctmgr", "-nP", "show", "tres", "type=gres"));
  }

  @Test
  void limitsOfTrackedResourcesHaveTheNumbersOfTheConfiguration() {
    Response.Accounts accounts = accounts();
    AccountingRecords records = accounts.accounts();
    AccountingLimits limits = AccountingLimits.NONE.with(LimitKind.GRP_TRES, "gres/gpu", 2L);
    Response bounded =
        new Response.Accounts(
            accounts.clusterName(),
            accounts.host(),
            accounts.port(),
            new AccountingRecords(
                records.version(),
                records.accounts(),
                records.users(),
                records.associations(),
                List.of(records.qos().getFirst().withLimits(limits)),
                10,
                10),
            accounts.userName(),
            accounts.operator(),
            List.of());
    Map<String, String> found =
        document(
            List.of(bounded, tracks(",license/a,gres/gpu")), "sacctmgr", "--json", "show", "qos");
    assertEquals("gres", found.get("qos[0].limits.max.tres.total[0].type"));
    assertEquals("1002", found.get("qos[0].limits.max.tres.total[0].id"));
    assertEquals("2", found.get("qos[0].limits.max.tres.total[0].count"));
  }

  @Test
  void whatIsAskedOfTheControllerAreDocuments() {
    Map<String, String> found =
        document(
            List.of(new Response.Statistics(counted()), accounts()),
            "sacctmgr",
            "--json",
            "show",
            "stats");
    assertEquals("REQUEST_JOB_INFO", found.get("statistics.RPCs[0].rpc"));
    assertEquals("25", found.get("statistics.RPCs[0].time.average"));
    assertEquals("0", found.get("statistics.rollups.hourly.duration.max"));
    assertEquals("1795190434", found.get("statistics.time_start"));
    found =
        document(
            List.of(
                new Response.BookKeepers(List.of()),
                new Response.Pong("vm", "26.05.3", null),
                accounts()),
            "sacctmgr",
            "--json",
            "ping");
    assertEquals("vm", found.get("pings[0].hostname"));
    assertEquals("true", found.get("pings[0].responding"));
    found =
        document(
            List.of(tracks(""), new Response.Text(List.of())),
            "sacctmgr",
            "--json",
            "show",
            "config");
    assertEquals("2", found.get("config.length"));
    assertEquals("AccountingStorageType", found.get("config[1].name"));
    assertEquals("(null)", found.get("config[1].value"));
  }
}
