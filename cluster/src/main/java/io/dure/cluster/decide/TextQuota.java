package io.dure.cluster.decide;

import io.dure.cluster.DecisionBuilder;
import io.dure.cluster.Event;
import io.dure.model.ErrorCode;
import io.dure.model.UserIdentity;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.parameters.StoredTextLimits;
import io.dure.model.job.Job;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How much text the jobs of one user may keep in all: the controller has it in memory or on its
 * disk, and all users share both.
 */
final class TextQuota {
  private TextQuota() {}

  /** The reply, or a refusal of what would let a user's jobs keep more than they may. */
  static Reply within(DecisionBuilder draft, Command.UserCommand command, Reply reply) {
    Job touched = first(draft.state().records(jobId(draft, command, reply)));
    if (draft.isEmpty() || touched == null) {
      return reply;
    }
    return of(draft, touched.owner(), reply);
  }

  /** The same of this user. */
  static Reply of(DecisionBuilder draft, UserIdentity owner, Reply reply) {
    ClusterSettings settings = draft.state().settings();
    long most = settings.scheduling().textLimits().userBytes(settings.jobs().maxJobCount());
    long kept = draft.state().texts().keptFor(owner.uid());
    if (kept <= most || kept <= draft.before().texts().keptFor(owner.uid())) {
      return reply;
    }
    return draft.refuse(
        ErrorCode.ACCOUNTING_POLICY,
        "scripts, environments and other texts of the jobs of user "
            + owner.userName()
            + " would take "
            + kept
            + " bytes, at most "
            + most
            + " are kept for one user (SchedulerParameters="
            + StoredTextLimits.USER
            + "): wait until some of these jobs are over, or submit an array, or with less"
            + " environment (--export)");
  }

  /** A job of the user that the command gives more text; 0 for none. */
  private static int jobId(DecisionBuilder draft, Command.UserCommand command, Reply reply) {
    if (reply instanceof Reply.Submitted(int submitted)) {
      return submitted;
    }
    if (command instanceof Command.ChangeCrontab
        && !draft.isEmpty()
        && draft.events().getLast() instanceof Event.CrontabStored stored
        && !stored.crontab().jobs().isEmpty()) {
      return stored.crontab().jobs().getFirst().jobId();
    }
    return command instanceof Command.UpdateJob update ? update.job().jobId() : 0;
  }

  private static @Nullable Job first(List<Job> records) {
    return records.isEmpty() ? null : records.getFirst();
  }
}
