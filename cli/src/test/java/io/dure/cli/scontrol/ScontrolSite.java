package io.dure.cli.scontrol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dure.cli.command.FakeContext;
import io.dure.cli.command.ScriptedController;
import io.dure.model.ErrorCode;
import io.dure.model.command.Command;
import io.dure.model.command.JobChange;
import io.dure.model.command.Reply;
import io.dure.protocol.JobInfo;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import java.util.List;
import java.util.stream.Stream;

/** A call of the administrator's command, and a controller that answers as it is told. */
abstract class ScontrolSite {

  final FakeContext world = new FakeContext();
  final ScriptedController controller = new ScriptedController();

  int scontrol(String... words) {
    world.controller = controller;
    String[] all = new String[words.length + 1];
    all[0] = "scontrol";
    System.arraycopy(words, 0, all, 1, words.length);
    return new Scontrol().run(world.call(all));
  }

  static Response done() {
    return new Response.Decided(new Reply.Done());
  }

  static Response refused(ErrorCode code) {
    return new Response.Decided(new Reply.Refused(code, ""));
  }

  static Response jobs(JobFixture... jobs) {
    List<JobInfo> infos = Stream.of(jobs).map(JobFixture::info).toList();
    return new Response.Jobs(infos, FakeContext.NOW);
  }

  List<Command> changes() {
    return controller.requests.stream()
        .filter(Request.Change.class::isInstance)
        .map(request -> (Command) ((Request.Change) request).command())
        .toList();
  }

  JobChange jobChange(String... words) {
    controller.answer(done());
    assertEquals(0, scontrol(words), world.errors());
    return ((Command.UpdateJob) changes().getLast()).change();
  }
}
