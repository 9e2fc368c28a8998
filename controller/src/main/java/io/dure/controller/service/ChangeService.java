package io.dure.controller.service;

import io.dure.cluster.ClusterState;
import io.dure.cluster.RequestId;
import io.dure.controller.accounting.SharedAccountsView;
import io.dure.controller.hook.HookVerdict;
import io.dure.controller.replica.NotCommittedException;
import io.dure.model.ErrorCode;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.CrontabChange;
import io.dure.model.command.KillFilter;
import io.dure.model.command.PendingVerdict;
import io.dure.model.command.Reply;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.slurmdbd.ClusterChange;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Changes to the cluster: has commands decided by the state loop, and waits until they are stored.
 */
public final class ChangeService {
  private static final String UNKNOWN = "the controller is stopping: this may be done or not";

  private final ServiceContext context;
  private final HeapGuard heap = new HeapGuard();

  private final @Nullable SharedAccountsView shared;

  /**
   * Changes of what that reads and writes.
   *
   * @param shared where the accounts are changed, null for this cluster itself
   */
  public ChangeService(ServiceContext context, @Nullable SharedAccountsView shared) {
    this.context = context;
    this.shared = shared;
  }

  /** Executes a change; returns once it is durable, or refused. */
  public Response submit(Request.Change change, Caller.User caller) throws InterruptedException {
    return submit(change, caller, false);
  }

  /** The same for a submission whose start the caller waits for next. */
  public Response submitToStart(Request.Change change, Caller.User caller)
      throws InterruptedException {
    return submit(change, caller, true);
  }

  private Response submit(Request.Change change, Caller.User caller, boolean awaitsStart)
      throws InterruptedException {
    return switch (RunAs.of(change.runAs(), caller, context.callers())) {
      case RunAs.User(Caller.User user) -> submitAs(change, user, awaitsStart);
      case RunAs.Denied(Response response) -> response;
    };
  }

  private Response submitAs(Request.Change change, Caller.User user, boolean awaitsStart)
      throws InterruptedException {
    Reply.Refused unbounded = RequestBounds.refusal(change, context.state().settings());
    if (unbounded != null) {
      return new Response.Decided(unbounded);
    }
    // Before the script is asked about each of the entries.
    String problem =
        change.command() instanceof Command.ChangeCrontab(var asked) ? asked.problem() : null;
    if (problem != null) {
      return new Response.Decided(new Reply.Refused(ErrorCode.BAD_INPUT, problem));
    }
    if (shared != null
        && change.command() instanceof Command.ChangeAccounting(long basis, var changes)) {
      String cluster = context.state().settings().controller().clusterName();
      return new Response.Decided(
          shared.change(List.of(new ClusterChange(cluster, basis, changes)), user));
    }
    if (context.callers().namesUnknownUser(change.command())) {
      return new Response.Decided(new Reply.Refused(ErrorCode.USER_ID_MISSING, ""));
    }
    boolean submits =
        change.command() instanceof Command.SubmitJob
            || change.command() instanceof Command.SubmitHetJob
            || change.command() instanceof Command.ChangeCrontab(var crontab)
                && !crontab.entries().isEmpty();
    if (submits && heap.full()) {
      return new Response.Decided(
          new Reply.Refused(ErrorCode.MAX_JOB_COUNT, "the controller has no memory for more jobs"));
    }
    // What is done has its answer already, whatever the script says by now.
    HookVerdict verdict =
        isAnswered(change, user.identity().uid())
            ? HookVerdict.unchanged(change.command())
            : context.judge(change.command(), user);
    Request.Change judged =
        new Request.Change(verdict.command(), change.runAs(), change.requestId());
    Reply.Refused refused = verdict.refusal();
    if (refused == null && !verdict.command().equals(change.command())) {
      refused = RequestBounds.refusal(judged, context.state().settings());
    }
    return verdict.advised(refused == null ? decide(judged, user, awaitsStart) : refused(refused));
  }

  /** Of a request that the script had no time for nothing is known, also not that it is refused. */
  private static Response refused(Reply.Refused refused) {
    return refused.code() == ErrorCode.RATE_LIMITED
        ? new Response.Failed(refused.code(), refused.detail())
        : new Response.Decided(refused);
  }

  /** Whether this is sent again that was decided before, here or at another leader. */
  private boolean isAnswered(Request.Change change, int uid) {
    ClusterState state = context.state();
    Command.UserCommand command = change.command();
    String submission =
        command instanceof Command.SubmitJob job
            ? job.requestId()
            : command instanceof Command.SubmitHetJob het ? het.requestId() : null;
    if (submission != null && state.requests().jobOf(submission, uid) != null) {
      return true;
    }
    RequestId id = change.requestId() == null ? null : RequestId.parse(change.requestId());
    return id != null && state.answers().reply(id, uid, command.kind()) != null;
  }

  private Response decide(Request.Change change, Caller.User user, boolean awaitsStart)
      throws InterruptedException {
    Command.UserCommand command = withWhatIsKnownHere(change.command());
    Command named =
        change.requestId() == null ? command : new Command.Named(change.requestId(), command);
    try {
      Reply reply = context.loop().submit(named, user, awaitsStart).get();
      // The loop replies so to commands that it had no time to decide, or to store.
      return reply instanceof Reply.Refused refused && refused.code() == ErrorCode.IN_STANDBY
          ? new Response.Failed(refused.code(), UNKNOWN, true)
          : new Response.Decided(reply);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof NotCommittedException) {
        // Another controller leads, or will: repeated there, the command has its outcome told.
        return new Response.Failed(ErrorCode.IN_STANDBY, UNKNOWN, true);
      }
      return new Response.Failed(ErrorCode.CANNOT_STORE, String.valueOf(e.getCause()));
    }
  }

  /**
   * With what the scheduler last said of jobs that are to be killed, and this clock's time zone.
   */
  private Command.UserCommand withWhatIsKnownHere(Command.UserCommand command) {
    if (command instanceof Command.ChangeCrontab(CrontabChange crontab)) {
      return new Command.ChangeCrontab(crontab.in(ZoneId.systemDefault().getId()));
    }
    if (command instanceof Command.KillJob kill) {
      return kill.waitingFor(pendingReason(kill.job().jobId()));
    }
    return command instanceof Command.KillJobs kill ? kill.waitingFor(waits(kill)) : command;
  }

  private List<Command.WaitReason> waits(Command.KillJobs kill) {
    List<Command.WaitReason> waits = new ArrayList<>();
    KillFilter filter = kill.filter();
    if (filter == null) {
      kill.jobs().forEach(job -> addWait(waits, job.jobId()));
    } else {
      context
          .state()
          .pending()
          .values()
          .forEach(job -> {
            if (job.id() > kill.after() && filter.accepts(job)) {
              addWait(waits, job.id());
            }
          });
    }
    return waits;
  }

  private void addWait(List<Command.WaitReason> waits, int jobId) {
    String reason = pendingReason(jobId);
    if (reason != null) {
      waits.add(new Command.WaitReason(jobId, reason));
    }
  }

  /** The scheduler's reason for a pending job or the pending tasks of an array, null for none. */
  private @Nullable String pendingReason(int jobId) {
    PendingVerdict verdict = context.verdicts().byJob().get(jobId);
    return verdict == null ? null : verdict.reason();
  }
}
