package io.dure.cli.sacctmgr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cli.command.FakeContext;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
class AssociationCommentTest {
  private final AccountsController controller = new AccountsController("root");

  private String run(String line) {
    FakeContext world = new FakeContext();
    world.controller = controller;
    List<String> words = new ArrayList<>(List.of("sacctmgr", "-i"));
    words.addAll(List.of(line.split(" ", -1)));
    assertEquals(0, new Sacctmgr().run(world.call(words.toArray(String[]::new))), world.errors());
    return world.printed();
  }

  @Test
  void anAssociationHasAComment() {
    run("add account phys");
    run("add user ann account=phys Comment=guest");
    run("modify account phys set Comment=closed");
    String shown = run("-nP show assoc account=phys format=account,user,comment");
    assertEquals("phys||closed\nphys|ann|guest\n", shown);
    assertTrue(run("--json show assoc account=phys").contains("\"comment\": \"guest\""));
    run("modify user ann set Comment=");
    shown = run("-nP show assoc account=phys format=account,user,comment");
    assertEquals("phys||closed\nphys|ann|\n", shown);
  }
}
