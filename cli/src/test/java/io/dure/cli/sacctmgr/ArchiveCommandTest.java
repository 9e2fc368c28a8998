package io.dure.cli.sacctmgr;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.cli.command.FakeContext;
import io.dure.cli.command.ScriptedController;
import io.dure.model.ErrorCode;
import io.dure.model.config.accounting.RecordKind;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.accounting.ArchiveOrder;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is told of records that were moved, and of those that were not. */
@Tag("pure")
class ArchiveCommandTest {
  private final ScriptedController controller = new ScriptedController();
  private String errors = "";
  private int code;

  private String run(String line, Response answer) {
    FakeContext world = new FakeContext();
    world.controller = controller;
    controller.answer(answer);
    code = new Sacctmgr().run(world.call(("sacctmgr -i archive " + line).split(" ")));
    errors = world.errors();
    return world.printed();
  }

  @Test
  void whatWentWhereIsTold() {
    assertEquals(
        " txn: 2 into /a\n txn: 1 into /b\n",
        run("dump txn", new Response.Text(List.of("txn: 2 into /a", "txn: 1 into /b"))));
    assertEquals(0, code, errors);
    assertEquals(
        new Request.ArchiveRecords(
            new ArchiveOrder(
                List.of(new ArchiveOrder.Kind(RecordKind.TRANSACTIONS, null, true)), null, null)),
        controller.requests.getLast());
    assertEquals(" Nothing was old enough\n", run("dump txn", new Response.Text(List.of())));
    assertEquals(0, code, errors);
  }

  @Test
  void whatStaysIsTold() {
    Response partly =
        new Response.Partly(List.of("txn: 2 into /a"), List.of("b: the disk is full", "not c"));
    assertEquals(" txn: 2 into /a\n", run("dump txn", partly));
    assertEquals(
        " Problem dumping archive: b: the disk is full\n Problem dumping archive: not c\n", errors);
    assertEquals(1, code);
    assertEquals("", run("dump txn", new Response.Partly(List.of(), List.of("not c"))));
    assertEquals(" Problem dumping archive: not c\n", errors);
    assertEquals(1, code);
    assertEquals("", run("dump txn", new Response.Failed(ErrorCode.ACCESS_DENIED, "")));
    assertEquals(" Problem dumping archive: Access/permission denied\n", errors);
    assertEquals(1, code);
  }

  @Test
  void whatWasLoadedIsTold() {
    assertEquals(" txn: 1 of 2\n", run("load file=/a", new Response.Text(List.of("txn: 1 of 2"))));
    assertEquals(0, code, errors);
    assertEquals(new Request.LoadRecords("/a"), controller.requests.getLast());
    run("load file=/a", new Response.Failed(ErrorCode.ACCESS_DENIED, "it is of b"));
    assertEquals(" Problem loading archive file: it is of b\n", errors);
    assertEquals(1, code);
  }
}
