package io.dure.accounting.store;

import io.dure.accounting.JobHistory;
import io.dure.model.accounting.record.AttemptId;
import io.dure.protocol.accounting.ClusterHistory;
import io.dure.protocol.accounting.ClusterHistoryQuery;
import io.dure.protocol.accounting.JobHistoryQuery;
import io.dure.protocol.accounting.UsageQuery;
import io.dure.protocol.accounting.UsageReport;
import java.io.IOException;
import java.time.Instant;
import java.util.List;

/** The records of clusters. Any thread. */
public interface AccountingStore extends AutoCloseable {
  /** Where it is, for logs. */
  String name();

  /** Whether several controllers of a cluster share it. */
  boolean isShared();

  /** What of them is hidden from others, as slurmdbd.conf says it. */
  List<String> privateData();

  /**
   * What takes the records of a cluster, ready to take them.
   *
   * @param origin the name that the cluster's state got when it was made
   * @throws IOException if it does not answer, or cannot be used
   */
  RecordSink sink(String cluster, String origin) throws IOException;

  /**
   * Finds attempts of jobs.
   *
   * @throws IOException if it does not answer
   */
  JobHistory.Page find(String cluster, JobHistoryQuery query, Instant now) throws IOException;

  /**
   * What was used.
   *
   * @param tracked what the cluster counts beside the usual resources
   * @throws IOException if it does not answer
   */
  UsageReport usage(String cluster, UsageQuery query, Instant now, List<String> tracked)
      throws IOException;

  /**
   * Lines of a cluster's history.
   *
   * @throws IOException if it does not answer
   */
  ClusterHistory history(String cluster, ClusterHistoryQuery query) throws IOException;

  /**
   * Ends attempts of jobs that are not over, as those of a cluster that does not have them any
   * more: when they last were known to begin, be eligible or be submitted.
   *
   * @param actor login name of the user that asks for it
   * @throws IOException if it does not answer
   */
  void end(String cluster, List<AttemptId> attempts, String actor, Instant now) throws IOException;

  @Override
  void close();
}
