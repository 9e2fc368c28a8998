package io.dure.node.agent;

import io.dure.model.ErrorCode;
import io.dure.node.launch.RunningStep;
import io.dure.node.step.Spawner;
import io.dure.node.step.StepInquiry;
import io.dure.node.usage.NamedStep;
import io.dure.protocol.step.StepAttachment;
import io.dure.protocol.step.StepQuestion;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Finds the steps that programs of this machine ask about. The loop's thread alone. */
final class StepInquiries {
  private final StepActions works;

  StepInquiries(StepActions works) {
    this.works = works;
  }

  void answer(StepInquiry inquiry, Collection<RunEntry> runs) {
    switch (inquiry) {
      case StepInquiry.Figures(var from, StepQuestion question) -> figures(from, question, runs);
      case StepInquiry.Attach(var from, StepAttachment step) -> attach(from, step, runs);
    }
  }

  private void figures(
      Spawner.StepConnection from, StepQuestion question, Collection<RunEntry> runs) {
    List<NamedStep> found = new ArrayList<>();
    boolean denied = false;
    for (RunEntry run : runs) {
      List<NamedStep> steps = run.running();
      steps.removeIf(step -> !isMeant(step, question));
      if (mayAsk(from, run)) {
        found.addAll(steps);
      } else {
        denied |= !steps.isEmpty() && question.jobId() != 0;
      }
    }
    works.tellFigures(from, question.pid(), denied, found);
  }

  private static boolean isMeant(NamedStep step, StepQuestion question) {
    return (question.jobId() == 0 || question.jobId() == step.jobId())
        && (question.step().isEmpty() || question.step().equals(step.name()));
  }

  private static boolean mayAsk(Spawner.StepConnection from, RunEntry run) {
    return from.uid() == 0 || from.uid() == run.job.job().owner().uid();
  }

  private void attach(
      Spawner.StepConnection from, StepAttachment wanted, Collection<RunEntry> runs) {
    ErrorCode refusal = ErrorCode.INVALID_JOB_ID;
    for (RunEntry run : runs) {
      StepEntry entry = run.id().jobId() == wanted.jobId() ? run.steps.get(wanted.step()) : null;
      RunningStep running = entry == null || entry.end != null ? null : entry.running;
      if (running != null && mayAsk(from, run)) {
        works.attach(from, running);
        return;
      }
      if (running != null) {
        refusal = ErrorCode.ACCESS_DENIED;
      }
    }
    works.refuse(from, refusal.number(), refusal.text());
  }
}
