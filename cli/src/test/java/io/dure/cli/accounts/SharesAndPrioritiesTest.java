package io.dure.cli.accounts;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.cli.command.CliCommand;
import io.dure.cli.command.FakeContext;
import io.dure.cli.command.ScriptedController;
import io.dure.cli.sprio.Sprio;
import io.dure.cli.sshare.Sshare;
import io.dure.model.accounting.Association;
import io.dure.model.accounting.PrioritySettings;
import io.dure.model.accounting.TresAmounts;
import io.dure.model.report.PriorityFactors;
import io.dure.protocol.Response;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a real Slurm 22.05.8 printed of shares and priorities, against ours. */
@Tag("pure")
class SharesAndPrioritiesTest {
  private static final double INF = Double.POSITIVE_INFINITY;

  private static String captured(String name) throws IOException {
    try (InputStream in =
        SharesAndPrioritiesTest.class.getResourceAsStream("/captures/misc/" + name + ".out")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String printed(CliCommand command, Response answer, String... words) {
    FakeContext world = new FakeContext();
    world.controller = new ScriptedController().answer(answer);
    assertEquals(0, command.run(world.call(words)), world::errors);
    return world.printed();
  }

  private static Response.Share share(
      Association of, int depth, double[] numbers, double factor, TresAmounts running) {
    return new Response.Share(
        of,
        depth,
        numbers[0],
        numbers[1],
        numbers[2],
        numbers[3],
        numbers[4],
        factor,
        running,
        TresAmounts.NONE);
  }

  private static double[] numbers(
      double shares, double raw, double norm, double eff, double level) {
    return new double[] {shares, raw, norm, eff, level};
  }

  private static Association account(String name, String parent, long shares) {
    return Association.ofAccount(1, name, parent).withShares(shares);
  }

  private static Association user(String account, String name, long shares) {
    return Association.ofUser(1, account, name, null).withShares(shares);
  }

  private static TresAmounts minutes(long cpu, long memory) {
    return TresAmounts.NONE.with("cpu", cpu).with("mem", memory);
  }

  private static Response.Shares lab(String user) {
    TresAmounts none = TresAmounts.NONE;
    TresAmounts bio = minutes(178, 17850);
    TresAmounts physics = minutes(246, 48908);
    return new Response.Shares(
        "labreal",
        List.of(
            share(
                account("root", null, 1),
                0,
                numbers(0, 18735.4, 1, 1, INF),
                0,
                minutes(2814, 305791)),
            share(
                user("root", "root", 1),
                1,
                numbers(1 / 101.0, 12119, .646849, .646849, .015307),
                .2,
                minutes(2390, 239033)),
            share(account("ops", "root", 20), 1, numbers(20 / 101.0, 0, 0, 0, INF), 0, none),
            share(user("ops", "root", 1), 2, numbers(1, 0, 0, 0, INF), 1, none),
            share(
                account("science", "root", 80),
                1,
                numbers(80 / 101.0, 6616, .353151, .353151, 2.242888),
                0,
                minutes(424, 66758)),
            share(
                account("bio", "science", 40),
                2,
                numbers(.4, 1758, .093874, .265818, 1.504788),
                0,
                bio),
            share(user("bio", "alice", 5), 3, numbers(1 / 3.0, 0, 0, 0, INF), .8, none),
            share(user("bio", "bob", 10), 3, numbers(2 / 3.0, 1758, .093874, 1, 2 / 3.0), .6, bio),
            share(
                account("physics", "science", 60),
                2,
                numbers(.6, 4857, .259277, .734182, .817236),
                0,
                physics),
            share(user("physics", "alice", 10), 3, numbers(1, 4857, .259277, 1, 1), .4, physics)),
        true,
        user);
  }

  @Test
  void sharesAreListedAsSlurmListsThem() throws IOException {
    assertEquals(captured("sshare"), printed(new Sshare(), lab("root"), "sshare"));
    assertEquals(captured("sshare_l"), printed(new Sshare(), lab("root"), "sshare", "-l"));
    assertEquals(captured("sshare_la"), printed(new Sshare(), lab("root"), "sshare", "-la"));
    assertEquals(captured("sshare_user"), printed(new Sshare(), lab("alice"), "sshare", "-U"));
  }

  @Test
  void programsReadSharesBetweenBars() {
    assertEquals(
        """
        root|
         ops|
         science|
          bio|
          physics|
        """,
        printed(new Sshare(), lab("nobody"), "sshare", "-n", "-P", "-o", "account,fairshare"));
    assertEquals(
        """
        bio|
         bio|bob
        """,
        printed(
            new Sshare(),
            lab("root"),
            "sshare",
            "-n",
            "-P",
            "-A",
            "bio",
            "-u",
            "bob",
            "-o",
            "account,user"));
  }

  private static final PrioritySettings.Weights WEIGHTS =
      new PrioritySettings.Weights(1000, 0, 100_000, 500, 10_000, 20_000, Map.of());

  private static Response.Priorities queue() {
    PrioritySettings usual = PrioritySettings.USUAL;
    PrioritySettings settings =
        usual.with().favorSmall(false).flags(List.of()).dampening(1).weights(WEIGHTS).build();
    List<Response.JobPriority> rows = new ArrayList<>();
    rows.add(job(163, "alice", "debug", new double[] {.0000479, .4, .1328125, 0, 0}));
    rows.add(job(173, "alice", "debug", new double[] {.0000479, .4, .53125, 0, 0}));
    rows.add(job(174, "alice", "debug", new double[] {.0000479, .4, .75, 1, 50}));
    rows.add(job(175, "alice", "debug", new double[] {.0000479, .4, .21875, .01, 0}));
    rows.add(job(176, "root", "debug", new double[] {.0000479, .2, .53125, 0, 0}));
    rows.add(job(177, "alice", "debug", new double[] {.0000463, .4, .25, 0, 0}));
    rows.add(job(178, "alice", "debug", new double[] {.0000463, .4, 1, 0, 0}));
    rows.add(job(179, "alice", "short", new double[] {.0000463, .4, .1328125, 0, 0}));
    rows.add(job(180, "alice", "short", new double[] {.0000463, .4, 1, 0, 0}));
    rows.add(job(180, "alice", "debug", new double[] {.0000463, .4, 1, 0, 0}));
    return new Response.Priorities(true, settings, rows);
  }

  /** Its factors are age, fair share, size and QOS; its nice stands behind them. */
  private static Response.JobPriority job(int id, String user, String partition, double[] f) {
    double age = f[0];
    double fair = f[1];
    double size = f[2];
    double qos = f[3];
    long nice = (long) f[4];
    double part = partition.equals("short") ? 1 : .5;
    double sum = 1000 * age + 100_000 * fair + 500 * size + 10_000 * part + 20_000 * qos - nice;
    PriorityFactors factors =
        new PriorityFactors(age, 0, fair, size, part, qos, Map.of(), 0, nice, (long) sum, false);
    return new Response.JobPriority(id, user, "physics", "normal", partition, factors);
  }

  @Test
  void prioritiesAreListedAsSlurmListsThem() throws IOException {
    assertEquals(captured("sprio"), printed(new Sprio(), queue(), "sprio"));
    assertEquals(captured("sprio_l"), older(printed(new Sprio(), queue(), "sprio", "-l")));
    assertEquals(captured("sprio_n"), printed(new Sprio(), queue(), "sprio", "-n"));
    assertEquals(captured("sprio_w"), printed(new Sprio(), queue(), "sprio", "-w"));
  }

  /** Without the columns of account and QOS, which newer releases show. */
  private static String older(String text) {
    StringBuilder older = new StringBuilder();
    for (String line : text.lines().toList()) {
      older.append(line, 0, 34).append(line, 43, 120).append(line.substring(131)).append('\n');
    }
    return older.toString();
  }

  @Test
  void theLongListNamesAccountAndQos() {
    List<String> lines = printed(new Sprio(), queue(), "sprio", "-l", "-j163").lines().toList();
    assertEquals(" ACCOUNT", lines.get(0).substring(35, 43));
    assertEquals(" physics", lines.get(1).substring(35, 43));
    assertEquals("   QOSNAME", lines.get(0).substring(121, 131));
    assertEquals("    normal", lines.get(1).substring(121, 131));
  }

  @Test
  void anUnknownJobIsSaidOnStandardOutput() {
    assertEquals(
        "Unable to find jobs matching user/id(s) specified\n",
        printed(new Sprio(), queue(), "sprio", "-j", "999999"));
  }

  @Test
  void formatsChooseColumns() {
    assertEquals(
        "JOBID|PRIORITY\n163|45066\n",
        printed(new Sprio(), queue(), "sprio", "-j163", "-o", "%i|%Y"));
  }

  @Test
  void whatIsNoColumnOrUserIsLeftOut() {
    assertEquals(
        "JOBID|PRIORITY\n163|45066\n",
        printed(new Sprio(), queue(), "sprio", "-j163", "-o", "%i|%z|%Y"));
    String head = printed(new Sprio(), queue(), "sprio", "-u", "nosuch", "-S", "z");
    assertEquals("          JOBID PARTITION     USER   PRIORITY", head.substring(0, 45));
  }
}
