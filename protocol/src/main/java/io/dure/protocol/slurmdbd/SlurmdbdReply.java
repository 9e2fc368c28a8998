package io.dure.protocol.slurmdbd;

import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingRecords;
import io.dure.model.accounting.record.AttemptId;
import io.dure.model.accounting.usage.ClusterUsage;
import io.dure.model.command.Reply;
import io.dure.protocol.accounting.ClusterHistory;
import io.dure.protocol.accounting.RecordedJob;
import io.dure.protocol.accounting.RecordedText;
import io.dure.protocol.accounting.UsageReport;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What slurmdbd answers. */
public sealed interface SlurmdbdReply {

  /**
   * The books have the cluster's records up to there.
   *
   * @param privateData what of the books is hidden from others
   */
  record Position(long position, List<String> privateData) implements SlurmdbdReply {
    static final String TAG = "Position";
  }

  /** It is done. */
  record Done() implements SlurmdbdReply {
    static final String TAG = "Done";
  }

  /** The books are at another position. */
  record Stale() implements SlurmdbdReply {
    static final String TAG = "Stale";
  }

  /** It could not be done; the text says why. */
  record Failed(String text) implements SlurmdbdReply {
    static final String TAG = "Failed";
  }

  /** It is not done, as the rules are against it. */
  record Denied(Reply.Refused refused) implements SlurmdbdReply {
    static final String TAG = "Denied";
  }

  /**
   * Attempts of jobs.
   *
   * @param last the attempt that the next page begins behind, null if there is none
   */
  record Jobs(List<RecordedJob> jobs, @Nullable AttemptId last, List<RecordedText> texts)
      implements SlurmdbdReply {
    static final String TAG = "Jobs";
  }

  /** What was used. */
  record Usage(UsageReport report) implements SlurmdbdReply {
    static final String TAG = "Usage";
  }

  /** Lines of a cluster's history. */
  record History(ClusterHistory history) implements SlurmdbdReply {
    static final String TAG = "History";
  }

  /** Further changes of a cluster's accounts, in order; none if nothing happened. */
  record AccountsChanged(List<AccountsStep> steps) implements SlurmdbdReply {
    static final String TAG = "AccountsChanged";
  }

  /**
   * Changes that were made at once.
   *
   * @param basis the version of the tree that was changed
   * @param actor login name of the user that changed it
   */
  record AccountsStep(long basis, String actor, List<AccountingChange> changes) {}

  /**
   * What was used on other clusters.
   *
   * @param board names the daemon's memory
   * @param version up to where it is told
   * @param wantsAll whether it wants to hear of all users, and took nothing
   * @param changed of which users something else is known
   * @param clusters the other clusters that there are
   * @param whole those of which that is all that was used
   * @param privateData what of the books is hidden from others now; null for what was said before
   */
  record SharedUsage(
      String board,
      long version,
      boolean wantsAll,
      List<ClusterUsage> changed,
      List<String> clusters,
      List<String> whole,
      @Nullable List<String> privateData)
      implements SlurmdbdReply {
    static final String TAG = "SharedUsage";
  }

  /** The accounts of a cluster as they are. */
  record WholeAccounts(AccountingRecords accounts) implements SlurmdbdReply {
    static final String TAG = "WholeAccounts";
  }

  /** The accounts of all clusters, by name. */
  record AllAccounts(List<ClusterAccounts> clusters) implements SlurmdbdReply {
    static final String TAG = "AllAccounts";
  }

  /** Lines of text. */
  record Lines(List<String> lines) implements SlurmdbdReply {
    static final String TAG = "Lines";
  }

  /** The controller is to tell which jobs that are not over in the books it does not have. */
  record RunawaysWanted(long question) implements SlurmdbdReply {
    static final String TAG = "RunawaysWanted";
  }

  /** Attempts of jobs that are not over in the books and that their controller does not have. */
  record Runaways(List<AttemptId> attempts) implements SlurmdbdReply {
    static final String TAG = "Runaways";
  }

  /** Lines of what was done, and of what was not. */
  record Partly(List<String> lines, List<String> failures) implements SlurmdbdReply {
    static final String TAG = "Partly";
  }
}
