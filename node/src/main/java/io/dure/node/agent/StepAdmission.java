package io.dure.node.agent;

import io.dure.model.ErrorCode;
import io.dure.model.UserIdentity;
import io.dure.model.command.Command;
import io.dure.model.command.StepEnd;
import io.dure.model.jobtext.JobTexts;
import io.dure.model.request.SamplingInterval;
import io.dure.node.job.NodeFaultException;
import io.dure.node.noderun.RunId;
import io.dure.node.step.Spawner;
import io.dure.node.step.StepInquiry;
import io.dure.node.step.StepRequest;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Takes numbered steps in from front ends, and their questions. The loop's thread alone calls. */
final class StepAdmission {
  private final RunSupervisor keeper;
  private final StepSupervisor steps;
  private final Consumer<Command.NodeCommand> reports;
  private final Logger log;

  StepAdmission(RunSupervisor keeper, Consumer<Command.NodeCommand> reports, Logger log) {
    this.keeper = keeper;
    this.steps = keeper.steps();
    this.reports = reports;
    this.log = log;
  }

  /** A front end wants a numbered step started, and has shown that it may. */
  void ask(StepRequest request) {
    RunId id = new RunId(request.job().id(), request.job().run());
    if (!steps.mayStart(request, id)) {
      return;
    }
    if (isLookedAtTooSeldom(request)) {
      refuse(id, request, ErrorCode.INVALID_ACCOUNTING_FREQUENCY);
      return;
    }
    RunEntry known = keeper.find(id);
    RunEntry entry = known == null ? host(id, request) : known;
    if (entry == null) {
      return;
    }
    if (!entry.takesMore()) {
      steps.refuseDone(request);
      return;
    }
    steps.add(entry, request, keeper.setup().settings().steps().treeWidth());
    keeper.admit(entry);
  }

  /**
   * A front end wants to write or read a file of a run, and has shown that it may. Nothing else of
   * that run need be here; but what is known to be over gets no more.
   */
  void moveFile(Spawner.StepConnection connection, RunId id, UserIdentity owner) {
    RunEntry known = keeper.find(id);
    if (known == null ? steps.isRevoked(id) : !known.takesMore()) {
      ErrorCode done = ErrorCode.ALREADY_DONE;
      steps.works().refuse(connection, done.number(), done.text());
    } else {
      steps.works().moveFile(connection, id, owner);
    }
  }

  private boolean isLookedAtTooSeldom(StepRequest request) {
    return !SamplingInterval.mayHave(
        SamplingInterval.ofTasks(request.order().accountingFrequency()),
        keeper.setup().settings().steps().memory().every().toSeconds(),
        request.share().memoryMib() > 0);
  }

  private void refuse(RunId id, StepRequest request, ErrorCode code) {
    steps.works().refuse(request.connection(), code.number(), code.text());
    reports.accept(
        new Command.StepPartEnded(
            id.jobId(), id.run(), request.step().number(), new StepEnd.NotStarted(code.text())));
  }

  /** The run of a job of which nothing was here before; null if it cannot be begun. */
  private @Nullable RunEntry host(RunId id, StepRequest request) {
    try {
      return keeper.host(
          id,
          new RunSpool.StoredJob(
              request.job(), request.credential().clusterName(), JobTexts.NONE, List.of()));
    } catch (IOException e) {
      String text = "SlurmdSpoolDir: " + NodeFaultException.text(e);
      log.error("run " + id.text() + " cannot be stored: " + e);
      steps.works().refuse(request.connection(), 0, text);
      reports.accept(
          new Command.StepPartEnded(
              id.jobId(), id.run(), request.step().number(), new StepEnd.NodeFault(text)));
      return null;
    }
  }

  /** A program asks about steps that run. */
  void inquire(StepInquiry inquiry) {
    new StepInquiries(steps.works()).answer(inquiry, keeper.entries());
  }
}
