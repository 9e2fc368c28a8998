package io.dure.cli.sacctmgr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.command.FakeContext;
import io.dure.protocol.accounting.ClusterHistory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Conditions and columns of listings, as a Slurm 22.05.8 answers them. */
@Tag("pure")
class ListingsTest {
  @TempDir Path directory;

  private final AccountsController controller = new AccountsController("root");
  private int code;
  private String errors = "";

  private String run(String line) {
    FakeContext world = new FakeContext();
    world.controller = controller;
    world.directory = directory;
    List<String> words = new ArrayList<>(List.of("sacctmgr", "-i", "-P"));
    words.addAll(List.of(line.split(" ", -1)));
    code = new Sacctmgr().run(world.call(words.toArray(String[]::new)));
    errors = world.errors();
    return world.printed();
  }

  @BeforeEach
  void makeAccounts() {
    run("add qos high");
    run("modify qos high set PreemptMode=cancel");
    run("add account phys fairshare=3 maxjobs=5");
    run("add account optics parent=phys qos=high,normal");
    run("add user ann account=optics");
    run("add user ann account=phys");
    run("add coordinator account=phys names=ann");
  }

  @Test
  void associationsAreChosenByQosThatWasHandedDown() {
    assertEquals(
        "Account|User\noptics|\noptics|ann\n",
        run("show assoc where qos=high format=account,user"));
  }

  @Test
  void qosAreChosenByTheirWayOfPreempting() {
    assertEquals("Name\nhigh\n", run("show qos preemptmode=cancel format=name"));
  }

  @Test
  void withoutParentsUsersComeFirstAndHaveWhatIsTheirOwn() {
    String shown = run("show assoc wopinfo format=account,user,parentname,maxjobs");
    assertEquals(
        List.of(
            "Account|User|ParentName|MaxJobs",
            "phys|ann||",
            "optics|ann||",
            "root|root||",
            "root|||",
            "phys|||5",
            "optics|||"),
        shown.lines().toList());
  }

  @Test
  void withoutLimitsTheListIsShort() {
    for (String word : List.of("wopl", "wolimits")) {
      assertEquals(
          "Cluster|Account|User|Partition\nlabreal|optics||\n",
          run("show assoc account=optics user= " + word).replaceFirst("labreal.*ann.*\n", ""));
    }
  }

  @Test
  void aWordAloneIsTheNumberOfAnAssociation() {
    assertEquals("Account\nphys\n", run("show assoc 3 format=account"));
    run("show assoc wsub");
    assertEquals(1, code);
    assertEquals("sacctmgr: error: Invalid value for AssocId (wsub)\n", errors);
  }

  @Test
  void whatIsNoConditionIsNamed() {
    run("show user where nosuch=3");
    assertEquals(" Unknown condition: nosuch=3\n Use keyword 'set' to modify value\n", errors);
    run("show assoc where nosuch=3");
    assertEquals(" Unknown condition: nosuch=3\n", errors);
  }

  @Test
  void coordinatorsStandWhereTheyAreAskedFor() {
    assertEquals(
        "User|Def Acct|Admin|Coord Accounts|Cluster|Account",
        run("show user ann withassoc withcoord").replaceFirst("\\|Partition(?s:.*)", ""));
    assertEquals("Coord Accounts\n\n\n\n", run("show account format=coordinators"));
    assertEquals(
        "Account|Coord Accounts\noptics|ann\nphys|ann\nroot|\n",
        run("show account withcoord format=account,coordinators"));
  }

  @Test
  void aClusterHasColumnsOfItsFederation() {
    assertEquals(
        "Cluster|Federation|ID|Features|FedState\nlabreal||0||NA\n",
        run("show cluster withfed")
            .replaceAll("(?m)^([^|]*)\\|.*?(\\|[^|]*\\|[^|]*\\|[^|]*\\|[^|]*)$", "$1$2"));
  }

  @Test
  void theHelpNamesEachOptionAndEntity() {
    String help = run("help");
    for (SacctmgrOption option : SacctmgrOption.values()) {
      String name = option.form().replaceFirst(".*--", "--").replaceFirst("\\[.*", "");
      assertTrue(help.contains(name), name);
    }
    String entities =
        "account association cluster configuration coordinator event federation job problem qos"
            + " reservation resource runawayjobs stats transaction tres user wckey";
    for (String entity : entities.split(" ", -1)) {
      assertTrue(help.contains('"' + entity + '"'), entity);
    }
    assertTrue(help.contains("archive dump") && help.contains("archive load"), help);
  }

  @Test
  void usersAreThoseOfAnAccountAlsoWithoutTheirPlaces() {
    run("add account empty");
    assertEquals("User\nann\n", run("show user account=phys format=user"));
    assertEquals("User\n", run("show user account=empty format=user"));
    assertEquals("Account\noptics\n", run("show account parent=phys format=account"));
  }

  @Test
  void associationsHaveTheirPlaceInTheTree() {
    assertEquals(
        "ID|ParentID|LFT|RGT\n4|3|5|8\n5|4|6|7\n",
        run("show assoc account=optics format=id,parentid,lft,rgt"));
    assertEquals(
        "ID|ParentID|LFT|RGT\n1|0|1|12\n2|1|10|11\n",
        run("show assoc account=root format=id,parentid,lft,rgt"));
  }

  @Test
  void aClusterHasColumnsOfItsLimits() {
    run("modify cluster set grptres=node=3,mem=5000 maxtresmins=cpu=7");
    assertEquals(
        "GrpTRESMins|GrpMem|GrpNodes|MaxTRESMins|MaxNodes\n|5000|3|cpu=7|\n",
        run("show cluster format=grptresmins,grpmemory,grpnodes,maxtresmins,maxnodes"));
  }

  @Test
  void resourcesAreChosenByNumberAndName() {
    assertEquals("Type|ID\ncpu|1\n", run("show tres id=1 format=type,id"));
    assertEquals("Type|ID\nfs|6\n", run("show tres name=disk withdeleted format=type,id"));
  }

  @Test
  void whatWasDeletedIsListedByTheLogOfChanges() {
    Instant at = Instant.parse("2026-01-05T08:00:00Z");
    controller.history =
        List.of(
            change(at, "Add Accounts", "old", "description='of yore', organization='lab'"),
            change(at, "Remove Accounts", "(name='old')", ""),
            change(at, "Remove Accounts", "(name='phys')", ""),
            change(at, "Remove Users", "(name='eve')", ""),
            change(at, "Remove QOS", "(name='urgent')", ""),
            change(at, "Remove Associations", "id_assoc=9", "acct='old', user='eve'"));
    assertEquals(
        "Account|Descr|Org\nold|of yore|lab\nphys|phys|phys\n",
        run("show account name=old,phys withdeleted"));
    assertEquals("Account\nphys\n", run("show account name=old,phys format=account"));
    assertEquals("User\nann\neve\nroot\n", run("show user withd format=user"));
    assertEquals("Name\nnormal\nhigh\nurgent\n", run("show qos withdeleted format=name"));
    assertEquals(
        "Account|User|ID\nold|eve|9\n",
        run("show assoc account=old withdeleted format=account,user,id"));
  }

  private static ClusterHistory.Transaction change(
      Instant at, String action, String where, String info) {
    return new ClusterHistory.Transaction(at, "root", action, where, info, 1L);
  }

  @Test
  void aFileIsToldAsItStands() throws Exception {
    Files.writeString(
        directory.resolve("tree.cfg"),
        """
        Cluster - 'labreal':Fairshare=1
        Parent - 'root'
        Account - 'zoo':Fairshare=3
        Account - 'art':Fairshare=4
        Parent - 'zoo'
        User - 'bob':Coordinator='zoo,art'
        """);
    String told = run("load file=tree.cfg");
    assertEquals(0, code, errors);
    assertEquals(
        "For cluster labreal\n Making User 'bob' coordinator for account(s) art,zoo\nAccounts\n",
        told.substring(0, told.indexOf("      Name")));
    assertEquals(3, told.split("zoo [^\n]*\n +art ", -1).length, told);
  }

  @Test
  void oneResourceOfALimitHasAColumn() {
    run("modify qos high set MaxTRESPerUser=cpu=12,node=3 MinTRESPerJob=cpu=2");
    assertEquals(
        "MaxCPUsPU|MaxNodesPU|MinCPUs\n12|3|2\n",
        run("show qos high format=maxcpuspu,maxnodesperuser,mincpus"));
  }
}
