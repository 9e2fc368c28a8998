package io.dure.cluster.decide.job;

import io.dure.cluster.DecisionBuilder;
import io.dure.cluster.Event;
import io.dure.model.ErrorCode;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.model.hetjob.HetComponent;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.jobtext.JobTexts;
import io.dure.model.jobtext.TextId;
import io.dure.model.request.JobSpec;
import io.dure.model.request.Workload;
import io.dure.placement.admission.AccountChecks;
import io.dure.placement.admission.Admission;
import io.dure.placement.admission.JobPriorityRules;
import io.dure.placement.admission.Refusal;
import io.dure.rules.dependency.DependencyResolver;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Accepting jobs: those that pass admission get ids. */
public final class SubmitRules {
  private SubmitRules() {}

  private static final int LONGEST_REQUEST_ID = 64;

  public static Reply submit(DecisionBuilder draft, Command.SubmitJob command, Caller.User caller) {
    Reply known = known(draft, command.requestId(), command.texts(), caller);
    if (known != null) {
      return known;
    }
    if (!isRun(command.workload())) {
      return noScript(draft);
    }
    return switch (Admission.check(draft.state(), command.spec(), caller, draft.now())) {
      case Admission.Answer.Refused(Refusal why) -> draft.refuse(why);
      case Admission.Answer.Admitted fit -> {
        int id = draft.state().nextJobId();
        Command.Component only = new Command.Component(fit.spec(), command.workload());
        accept(
            draft, only, command.texts(), caller, new Accepted(id, null, command.requestId(), fit));
        yield new Reply.Submitted(id);
      }
    };
  }

  /** All components or none: what one of them breaks, none of them may be accepted for. */
  public static Reply submit(
      DecisionBuilder draft, Command.SubmitHetJob command, Caller.User caller) {
    Reply known = known(draft, command.requestId(), command.texts(), caller);
    if (known != null) {
      return known;
    }
    int size = command.components().size();
    List<JobSpec> specs = command.components().stream().map(Command.Component::spec).toList();
    Refusal refusal = Admission.hetRefusal(draft.state(), specs);
    if (refusal != null) {
      return draft.refuse(refusal);
    }
    for (Command.Component one : command.components()) {
      if (!isRun(one.workload())) {
        return noScript(draft);
      }
    }
    int leader = draft.state().nextJobIds(size);
    List<JobSpec> admitted = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      Command.Component one = command.components().get(i);
      switch (Admission.check(draft.state(), one.spec(), caller, draft.now())) {
        case Admission.Answer.Refused(Refusal why) -> {
          return draft.refuse(why);
        }
        case Admission.Answer.Admitted fit -> {
          admitted.add(fit.spec());
          HetComponent part = new HetComponent(leader, i, size);
          String request = i == 0 ? command.requestId() : null;
          accept(draft, one, command.texts(), caller, new Accepted(leader + i, part, request, fit));
        }
      }
    }
    Refusal sum =
        AccountChecks.tooLargeTogether(
            draft.state(), admitted, caller.identity().userName(), draft.now());
    return sum == null ? new Reply.Submitted(leader) : draft.refuse(sum);
  }

  private static boolean isRun(Workload workload) {
    return workload instanceof Workload.BatchSpec
        || workload instanceof Workload.InteractiveAllocation;
  }

  private static Reply noScript(DecisionBuilder draft) {
    return draft.refuse(ErrorCode.NOT_SUPPORTED, "such jobs are not run yet");
  }

  /** The answer to a submission that came before, or that cannot be; null to go on. */
  private static @Nullable Reply known(
      DecisionBuilder draft, @Nullable String requestId, JobTexts texts, Caller.User caller) {
    if (requestId != null) {
      if (requestId.length() > LONGEST_REQUEST_ID) {
        return draft.refuse(ErrorCode.BAD_INPUT, "the request id is too long");
      }
      Integer known = draft.state().requests().jobOf(requestId, caller.identity().uid());
      if (known != null) {
        return new Reply.Submitted(known);
      }
    }
    Refusal refusal = Admission.scriptRefusal(draft.state(), texts.script());
    return refusal == null ? null : draft.refuse(refusal);
  }

  /** Under which id and name a request becomes a job. */
  private record Accepted(
      int id,
      @Nullable HetComponent het,
      @Nullable String requestId,
      Admission.Answer.Admitted fit) {}

  private static void accept(
      DecisionBuilder draft,
      Command.Component one,
      JobTexts texts,
      Caller.User caller,
      Accepted as) {
    JobSpec spec = JobRebootRules.allowed(draft, as.fit().spec(), caller);
    DependencyResolver.Resolved dependency = as.fit().dependency();
    Workload workload =
        one.workload().withTexts(stored(draft, texts.script()), stored(draft, texts.environment()));
    Hold hold = spec.priority() != null && spec.priority() == 0 ? Hold.USER : Hold.NONE;
    Job leader = as.het() == null ? null : draft.state().job(as.het().leader());
    draft.emit(
        new Event.JobSubmitted(
            as.id(),
            draft.now(),
            caller.identity(),
            spec,
            workload,
            hold == Hold.NONE ? JobPriorityRules.ofNew(draft.state(), spec, leader) : 0,
            hold,
            dependency.waitingFor(),
            as.requestId(),
            as.het()));
    if (dependency.failed()) {
      draft.emit(new Event.DependencyChanged(as.id(), dependency.waitingFor(), true));
    }
    EligibilityRules.eligibility(draft, as.id());
  }

  private static TextId stored(DecisionBuilder draft, String text) {
    TextId id = draft.state().texts().named(text);
    if (!draft.state().texts().contains(id)) {
      draft.emit(new Event.TextStored(id, text));
    }
    return id;
  }
}
