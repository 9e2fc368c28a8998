package io.dure.cli.sacctmgr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.command.FakeContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Workload keys of users, as a Slurm 22.05.8 adds, shows and deletes them. */
@Tag("pure")
class WckeyCommandsTest {
  @TempDir Path directory;

  private final AccountsController controller = new AccountsController("root");
  private int code;
  private String errors = "";

  private String run(String line) {
    return run(controller, List.of(line.split(" ", -1)));
  }

  private String run(AccountsController at, List<String> line) {
    FakeContext world = new FakeContext();
    world.controller = at;
    world.directory = directory;
    List<String> words = new ArrayList<>(List.of("sacctmgr", "-i"));
    words.addAll(line);
    code = new Sacctmgr().run(world.call(words.toArray(String[]::new)));
    errors = world.errors();
    return world.printed();
  }

  @BeforeEach
  void makeAccounts() {
    run("add account bio");
    run("add user alice account=bio");
  }

  private static final String HEAD = "     WCKey    Cluster       User \n";
  private static final String RULE = "---------- ---------- ---------- \n";

  @Test
  void theyAreGivenToUsers() {
    assertEquals(
        " WCKeys =\n  U = alice     W = proj1      C = labreal   \n",
        run("add user alice wckey=proj1"));
    assertEquals(" Nothing new added.\n", run("add user alice wckeys=proj1"));
    assertEquals(1, code);
    assertEquals(
        " WCKeys =\n  U = alice     W = proj2      C = labreal   \n Non Default Settings\n",
        run("add user alice account=bio wckeys=proj1,Proj2"));
    assertEquals(
        """
         Adding User(s)
          dave
         Settings =
          Default WCKey   = w2
         Associations =
          U = dave      A = bio        C = labreal  \s
         WCKeys =
          U = dave      W = w1         C = labreal  \s
          U = dave      W = w2         C = labreal  \s
         Non Default Settings
        """,
        run("add user dave account=bio wckeys=w1,w2 defaultwckey=w2"));
    assertEquals(
        """
         Adding User(s)
          zoe
         WCKeys =
          U = zoe       W = zz         C = labreal  \s
        """,
        run("add user zoe wckey=zz"));
    assertEquals(
        HEAD
            + RULE
            + """
                 proj1    labreal      alice\s
                 proj2    labreal      alice\s
                    w1    labreal       dave\s
                    w2    labreal       dave\s
                    zz    labreal        zoe\s
            """,
        run("show wckey"));
    assertEquals(
        "User|Def WCKey\nalice|proj1\ndave|w2\nroot|\nzoe|zz\n",
        run("-P show user format=user,defaultwckey"));
  }

  @Test
  void listsAreChosen() {
    run("add user alice wckeys=a,b");
    run("add user dave account=bio wckeys=b");
    assertEquals("ID|User\n2|alice\n3|dave\n", run("-P show wckey b format=id,user"));
    assertEquals("WCKey\na\nb\n", run("-P list wckeys user=alice format=wckey"));
    assertEquals("WCKey\nb\n", run("-P list wckeys id=3 format=wckey"));
    assertEquals("WCKey|User\na|alice\nb|dave\n", run("-P list wckeys onlydef format=wckey,user"));
    assertEquals("", run("list wckeys bad=1"));
    assertEquals(" Unknown condition: bad=1\n", errors);
    assertEquals("User\nalice\n", run("-P show user defaultwckey=a format=user"));
    String json = run("--json show wckey user=dave");
    assertTrue(json.contains("\"name\": \"b\"") && !json.contains("alice"), json);
    run("add wckey foo");
    assertEquals(1, code);
    assertTrue(errors.startsWith("No valid entity in add command\n"), errors);
    AccountsController ofAlice = new AccountsController("alice");
    ofAlice.tree = controller.tree;
    assertEquals("", run(ofAlice, List.of("show", "wckey")));
    assertEquals(
        """
        sacctmgr: error: Your user doesn't have privilege to perform this action
         Error with request: Access/permission denied
        """,
        errors);
  }

  @Test
  void theDefaultIsOneOfThem() {
    run("add user alice wckeys=proj1,proj2");
    assertEquals(" Modified users...\n  alice\n", run("modify user alice set defaultwckey=proj2"));
    for (String other : List.of("nope", "")) {
      assertEquals(
          " Can't modify because these users aren't associated with new default wckey '"
              + other
              + "'...\n  U = alice C = labreal\n",
          run("modify user alice set defaultwckey=" + other));
      assertEquals(1, code);
    }
    assertEquals(
        " Modified users...\n  alice\n",
        run("modify user where defaultwckey=proj2 set defaultwckey=proj1"));
  }

  @Test
  void theyAreTakenFromUsers() {
    run("add user alice wckeys=proj1,proj2");
    assertEquals(
        " Deleting user WCKeys...\n  C = labreal    W = proj1                U = alice    \n",
        run("delete user alice wckeys=proj1"));
    assertEquals("User|Def WCKey\nalice|\n", run("-P show user alice format=user,defaultwckey"));
    assertEquals(" Nothing deleted\n", run("delete user alice wckeys=proj1"));
    assertEquals(1, code);
    run("delete user alice");
    assertEquals("WCKey\n", run("-P show wckey format=wckey"));
  }

  @Test
  void aFileHasThem() throws Exception {
    run("add user alice wckeys=proj2,proj1 adminlevel=operator");
    run("dump labreal file=tree.cfg");
    String file = Files.readString(directory.resolve("tree.cfg"));
    assertTrue(
        file.contains(
            "User - 'alice':DefaultAccount='bio':DefaultWCKey='proj2':WCKeys='proj2,proj1':Fair"),
        file);
    var before = controller.tree.user("alice");
    run("delete user alice");
    assertTrue(
        run("load file=tree.cfg").contains(" Adding WCKey(s) 'proj2', 'proj1' for user 'alice'\n"));
    assertEquals(0, code, errors);
    assertEquals(before, controller.tree.user("alice"));
  }

  @Test
  void namesThatAreNoneAreRefused() {
    for (String name : List.of("a b", "a\"b", "a|b", "x".repeat(10_000), "a\u0000b", "a\u202eb")) {
      var before = controller.tree;
      run(controller, List.of("add", "user", "alice", "wckeys=" + name));
      assertEquals(before.user("alice"), controller.tree.user("alice"), name);
    }
    run("add user alice wckeys=두레");
    assertEquals("WCKey\n두레\n", run("-P show wckey format=wckey"));
  }
}
