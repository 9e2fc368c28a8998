package io.dure.cli.sacctmgr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.command.FakeContext;
import io.dure.model.gres.License;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Licences of servers, as a Slurm 22.05.8 adds, changes, shows and deletes them. */
@Tag("pure")
class ResourceCommandsTest {
  private final AccountsController controller = new AccountsController("root");
  private int code;
  private String errors = "";

  private String run(String line) {
    FakeContext world = new FakeContext();
    world.controller = controller;
    List<String> words = new ArrayList<>(List.of("sacctmgr", "-i"));
    words.addAll(List.of(line.split(" ", -1)));
    code = new Sacctmgr().run(world.call(words.toArray(String[]::new)));
    errors = world.errors();
    return world.printed();
  }

  private void two() {
    run("add resource name=matlab count=50 server=flex_host servertype=flexlm type=license");
    run(
        "add resource name=ansys count=20 server=flex2 servertype=flexlm type=license"
            + " percentallowed=50 cluster=labreal");
  }

  @Test
  void theyAreAdded() {
    String words = "add resource name=matlab count=50 server=flex_host servertype=flexlm";
    assertEquals(
        """
         Adding Resource(s)
          matlab@flex_host
         Settings
          Name           = matlab
          Server         = flex_host
          Description    = matlab
          ServerType     = flexlm
          Count          = 50
          Type           = License
        """,
        run(words + " type=license"));
    assertEquals(" Nothing new added.\n", run(words + " type=license"));
    assertEquals(1, code);
    assertEquals(
        """
         Adding Resource(s)
          matlab@flex_host
           Cluster - labreal\t30%
         Settings
          Server         = flex_host
          Type           = License
        """,
        run("add resource name=matlab server=flex_host percentallowed=30 cluster=labreal"));
    assertEquals(List.of(new License("matlab@flex_host", 15)), controller.tree.licenses());
  }

  @Test
  void whatIsMissingOrWrongIsNamed() {
    run("add resource name=noserver count=20");
    assertEquals(" Need to designate a resource type to initially add 'noserver'.\n", errors);
    run("add resource count=5");
    assertEquals(" Need name of resource to add.\n", errors);
    run("add resource name=a server=s count=5 type=foo");
    assertEquals(" Unknown resource type: 'foo'  Valid resources is License.\n", errors);
    run("add resource name=a server=s count=abc type=license");
    assertTrue(errors.startsWith("sacctmgr: error: Invalid value for count (abc)\n"), errors);
    run("add resource name=a server=s count=4 percentallowed=100 cluster=nocluster");
    assertEquals(
        """
         This cluster 'nocluster' doesn't exist.
                Contact your admin to add it to accounting.
         Need a valid cluster name to add a cluster resource.
        """,
        errors);
    run("add resource name=a server=s count=4 bad=3");
    assertEquals(" Unknown option: bad=3\n Use keyword 'where' to modify condition\n", errors);
    assertEquals(1, code);
    for (String name : List.of("a\"b", "a|b", "x".repeat(10_000), "a\u0000b")) {
      run("add resource name=" + name + " server=s count=1 type=license");
      assertEquals(1, code, name);
    }
    assertEquals(0, controller.tree.resources().size());
  }

  @Test
  void theyAreListed() {
    two();
    assertEquals(
        """
        Name|Server|Type|Count|LastConsumed|Allocated|ServerType|Flags
        matlab|flex_host|License|50|0|0|flexlm|
        ansys|flex2|License|20|0|50|flexlm|
        """,
        run("-P show resource"));
    assertEquals(
        """
        Name|Server|Type|Count|LastConsumed|Allocated|ServerType|Cluster|Allowed|Flags
        ansys|flex2|License|20|0|50|flexlm|labreal|50|
        """,
        run("-P show resource withclusters"));
    assertEquals("ID|Name\n2|ansys\n", run("-P show resource ansys format=id,name"));
    assertEquals("Name\nmatlab\n", run("-P show resource server=flex_host format=name"));
    run("show resource bad=1");
    assertEquals(" Unknown condition: bad=1\n Use keyword 'set' to modify value\n", errors);
    String json = run("--json show resource");
    assertTrue(json.contains("\"server\": \"flex2\""), json);
  }

  @Test
  void theyAreChanged() {
    two();
    assertEquals(
        " Modified server resource ...\n  ansys@flex2\n  Cluster - labreal\t- ansys@flex2\n",
        run("modify resource name=ansys server=flex2 set count=60"));
    assertEquals(
        " Modified server resource ...\n  Cluster - labreal\t- ansys@flex2\n",
        run("modify resource name=ansys set percentallowed=60 where cluster=labreal"));
    assertEquals(List.of(new License("ansys@flex2", 36)), controller.tree.licenses());
    run("modify resource name=ansys server=flex2 cluster=labreal set percentallowed=160");
    assertEquals(
        """
        sacctmgr: error: You can not allocate more than 100% of a resource
         If change was accepted it would look like this...
          ansys@flex2
           Cluster - labreal\t 160%
           total\t\t160%
        """,
        errors);
    assertEquals(1, code);
    assertEquals(" Nothing modified\n", run("modify resource name=nope set count=3"));
    run("modify resource name=ansys");
    assertEquals(" You didn't give me anything to set\n", errors);
    run("modify resource name=ansys set foo=1");
    assertEquals(" Unknown option: foo=1\n Use keyword 'where' to modify condition\n", errors);
    run("modify resource set count=3");
    assertEquals(List.of(new License("ansys@flex2", 1)), controller.tree.licenses());
  }

  @Test
  void theyAreDeleted() {
    two();
    assertEquals(
        " Deleting resource(s)...\n  Cluster - labreal\t- ansys@flex2\n",
        run("delete resource name=ansys cluster=labreal"));
    assertEquals(List.of(), controller.tree.licenses());
    assertEquals(" Deleting resource(s)...\n  ansys@flex2\n", run("delete resource ansys"));
    assertEquals(" Nothing deleted\n", run("delete resource name=nope"));
    assertEquals(1, code);
    run("delete resource");
    assertEquals(" No conditions given to remove, not executing.\n", errors);
    assertEquals(1, controller.tree.resources().size());
  }
}
