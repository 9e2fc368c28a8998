package io.dure.protocol.slurmdbd;

import io.dure.model.accounting.AccountingRecords;
import io.dure.model.accounting.record.AccountingRecord;
import io.dure.model.accounting.record.AttemptId;
import io.dure.model.accounting.usage.ClusterUsage;
import io.dure.protocol.accounting.ArchiveOrder;
import io.dure.protocol.accounting.ClusterHistoryQuery;
import io.dure.protocol.accounting.JobHistoryQuery;
import io.dure.protocol.accounting.UsageQuery;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a controller asks slurmdbd. A holder of the daemon's key speaks for any user. */
public sealed interface SlurmdbdRequest {

  /**
   * A cluster is there, and wants to know up to which position the books have its records.
   *
   * @param origin the name that the cluster's state got when it was made
   * @param host where its controller is
   * @param port at which it listens
   * @param accounts its accounts, which are taken over if the books have none of that cluster
   */
  record OpenCluster(
      String cluster, String origin, String host, int port, AccountingRecords accounts)
      implements SlurmdbdRequest {
    static final String TAG = "OpenCluster";
  }

  /**
   * Store further records, all or none.
   *
   * @param expected the position after the last ones
   * @param position of the last of these
   */
  record StoreRecords(
      String cluster, String origin, long expected, List<AccountingRecord> records, long position)
      implements SlurmdbdRequest {
    static final String TAG = "StoreRecords";
  }

  /** Attempts of jobs. */
  record FindJobs(String cluster, JobHistoryQuery query, Instant now) implements SlurmdbdRequest {
    static final String TAG = "FindJobs";
  }

  /**
   * What was used.
   *
   * @param tracked what the cluster counts beside the usual resources
   */
  record FindUsage(String cluster, UsageQuery query, Instant now, List<String> tracked)
      implements SlurmdbdRequest {
    static final String TAG = "FindUsage";
  }

  /** Lines of a cluster's history. */
  record FindHistory(String cluster, ClusterHistoryQuery query) implements SlurmdbdRequest {
    static final String TAG = "FindHistory";
  }

  /**
   * What became of the accounts of a cluster since a version; the answer waits for a change.
   *
   * @param version that the controller has, -1 for none that counts
   * @param origin the name that the cluster's state got when it was made, null where that is not
   *     said
   */
  record AwaitAccounts(String cluster, long version, @Nullable String origin)
      implements SlurmdbdRequest {
    static final String TAG = "AwaitAccounts";
  }

  /** The accounts of all clusters. */
  record ShowAccounts() implements SlurmdbdRequest {
    static final String TAG = "ShowAccounts";
  }

  /**
   * Change accounts, of all these clusters or of none.
   *
   * @param actor login name of the user that asks for it
   * @param operator whether that is root or SlurmUser
   */
  record ChangeAccounts(List<ClusterChange> changes, String actor, boolean operator)
      implements SlurmdbdRequest {
    static final String TAG = "ChangeAccounts";
  }

  /**
   * Tell what is used on a cluster, and hear what is used on others.
   *
   * @param board of which daemon's memory the cluster heard last
   * @param version up to where it heard
   * @param whole whether these are all users that used something
   * @param users what cannot be worked out from what was told of them before
   * @param teller names the one that tells: one leader of the cluster
   * @param count of the state's events, which is greater for a later leader
   * @param origin the name that the cluster's state got when it was made, null where that is not
   *     said
   */
  record ShareUsage(
      String cluster,
      String board,
      long version,
      boolean whole,
      List<ClusterUsage.OfUser> users,
      String teller,
      long count,
      @Nullable String origin)
      implements SlurmdbdRequest {
    static final String TAG = "ShareUsage";
  }

  /**
   * End attempts of jobs that the cluster's controller does not have, where they are not over.
   *
   * @param actor login name of the user that asks for it
   */
  record EndJobs(String cluster, List<AttemptId> attempts, String actor, Instant now)
      implements SlurmdbdRequest {
    static final String TAG = "EndJobs";
  }

  /**
   * Keep no accounts any more for these clusters, if they have no jobs.
   *
   * @param from the cluster whose controller asks
   */
  record RemoveClusters(String from, List<String> clusters, String actor, boolean operator)
      implements SlurmdbdRequest {
    static final String TAG = "RemoveClusters";
  }

  /** Add a cluster whose controller has not come yet. */
  record AddCluster(String cluster, String actor, boolean operator) implements SlurmdbdRequest {
    static final String TAG = "AddCluster";
  }

  /**
   * Take old records out of all clusters that the user administers, as sacctmgr archive dump.
   *
   * @param actor login name of the user that asks for it; null, which may nothing, from a
   *     controller that does not say it
   * @param operator whether that is root or SlurmUser
   */
  record Archive(ArchiveOrder order, @Nullable String actor, boolean operator)
      implements SlurmdbdRequest {
    static final String TAG = "Archive";
  }

  /**
   * Put an archive back.
   *
   * @param file on slurmdbd's machine
   * @param actor login name of the user that asks for it; null, which may nothing, from a
   *     controller that does not say it
   * @param operator whether that is root or SlurmUser
   */
  record LoadArchive(String file, @Nullable String actor, boolean operator)
      implements SlurmdbdRequest {
    static final String TAG = "LoadArchive";
  }

  /** How the records are kept. */
  record ShowConfiguration() implements SlurmdbdRequest {
    static final String TAG = "ShowConfiguration";
  }

  /**
   * Attempts of jobs that are not over in the books and that the controller of their cluster does
   * not have: it is asked.
   *
   * @param actor login name of the user that asks for it
   * @param operator whether that is root or SlurmUser
   */
  record FindRunaways(String cluster, String actor, boolean operator) implements SlurmdbdRequest {
    static final String TAG = "FindRunaways";
  }

  /** The controller of a cluster waits until it is asked for such attempts. */
  record AwaitRunawayQuestion(String cluster, @Nullable String origin) implements SlurmdbdRequest {
    static final String TAG = "AwaitRunawayQuestion";
  }

  /**
   * It tells them.
   *
   * @param question that it was asked
   * @param cluster whose jobs they are
   * @param trouble why it cannot tell, null if it can
   * @param position the count of its events: where the books have records of later ones, another
   *     controller leads the cluster; null from an older release
   */
  record TellRunaways(
      long question,
      String cluster,
      List<AttemptId> attempts,
      @Nullable String trouble,
      @Nullable Long position)
      implements SlurmdbdRequest {
    static final String TAG = "TellRunaways";
  }

  /** Attempts of jobs that a user may see whose controller does not answer. */
  record ReadJobs(String cluster, JobHistoryQuery query, Instant now, BookReader reader)
      implements SlurmdbdRequest {
    static final String TAG = "ReadJobs";
  }

  /**
   * What was used, as such a user may see it.
   *
   * @param tracked what the user's cluster counts beside the usual resources
   */
  record ReadUsage(
      String cluster, UsageQuery query, Instant now, List<String> tracked, BookReader reader)
      implements SlurmdbdRequest {
    static final String TAG = "ReadUsage";
  }

  /** Lines of the history of a cluster for such a user. */
  record ReadHistory(String cluster, ClusterHistoryQuery query, BookReader reader)
      implements SlurmdbdRequest {
    static final String TAG = "ReadHistory";
  }

  /** The accounts of all clusters, as such a user may see them. */
  record ReadAccounts(BookReader reader) implements SlurmdbdRequest {
    static final String TAG = "ReadAccounts";
  }
}
