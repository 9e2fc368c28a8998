package io.dure.controller.accounting;

import io.dure.accounting.JobHistory;
import io.dure.accounting.StalePositionException;
import io.dure.accounting.store.AccountingStore;
import io.dure.accounting.store.RecordSink;
import io.dure.controller.accounting.upkeep.BookKeeping;
import io.dure.model.accounting.AccountingRecords;
import io.dure.model.accounting.record.AccountingRecord;
import io.dure.model.accounting.record.AttemptId;
import io.dure.model.command.Reply;
import io.dure.protocol.Response;
import io.dure.protocol.accounting.ArchiveOrder;
import io.dure.protocol.accounting.ClusterHistory;
import io.dure.protocol.accounting.ClusterHistoryQuery;
import io.dure.protocol.accounting.JobHistoryQuery;
import io.dure.protocol.accounting.UsageQuery;
import io.dure.protocol.accounting.UsageReport;
import io.dure.protocol.slurmdbd.SlurmdbdReply;
import io.dure.protocol.slurmdbd.SlurmdbdRequest;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;

/** Records at slurmdbd. Any thread. */
final class SlurmdbdStore implements AccountingStore, BookKeeping {
  /** A batch, or a question: as long as a statement may take there, and some more. */
  private static final Duration LIMIT = Duration.ofSeconds(40);

  /** Taking old records out, or putting them back: as many as there are. */
  private static final Duration LONG = Duration.ofHours(1);

  private final SlurmdbdClient client;
  private final Supplier<AccountingRecords> accounts;
  private final String host;
  private final int port;
  private final Logger log;

  /**
   * The store behind a client.
   *
   * @param accounts supplies the cluster's accounts, which slurmdbd takes over if it has none
   * @param host where this controller is
   * @param port at which it listens
   */
  SlurmdbdStore(
      SlurmdbdClient client,
      Supplier<AccountingRecords> accounts,
      String host,
      int port,
      Logger log) {
    this.client = client;
    this.accounts = accounts;
    this.host = host;
    this.port = port;
    this.log = log;
  }

  /** What speaks with the daemon. */
  SlurmdbdClient client() {
    return client;
  }

  @Override
  public String name() {
    return client.name();
  }

  @Override
  public boolean isShared() {
    return true;
  }

  @Override
  public List<String> privateData() {
    return client.privateData();
  }

  @Override
  public RecordSink sink(String cluster, String origin) {
    return new RecordSink() {
      @Override
      public long position() throws IOException {
        return client
            .ask(
                new SlurmdbdRequest.OpenCluster(cluster, origin, host, port, accounts.get()),
                SlurmdbdReply.Position.class,
                LIMIT)
            .position();
      }

      @Override
      public void store(long expected, List<AccountingRecord> records, long position)
          throws StalePositionException, IOException {
        SlurmdbdReply reply =
            client.ask(
                new SlurmdbdRequest.StoreRecords(cluster, origin, expected, records, position),
                LIMIT);
        if (reply instanceof SlurmdbdReply.Stale) {
          throw new StalePositionException(cluster, expected);
        }
        if (reply instanceof SlurmdbdReply.Failed(String text)) {
          throw new IOException(text);
        }
      }
    };
  }

  @Override
  public JobHistory.Page find(String cluster, JobHistoryQuery query, Instant now)
      throws IOException {
    SlurmdbdReply.Jobs found =
        client.ask(
            new SlurmdbdRequest.FindJobs(cluster, query, now), SlurmdbdReply.Jobs.class, LIMIT);
    return new JobHistory.Page(found.jobs(), found.last(), found.texts());
  }

  @Override
  public UsageReport usage(String cluster, UsageQuery query, Instant now, List<String> tracked)
      throws IOException {
    return client
        .ask(
            new SlurmdbdRequest.FindUsage(cluster, query, now, tracked),
            SlurmdbdReply.Usage.class,
            LIMIT)
        .report();
  }

  @Override
  public ClusterHistory history(String cluster, ClusterHistoryQuery query) throws IOException {
    return client
        .ask(new SlurmdbdRequest.FindHistory(cluster, query), SlurmdbdReply.History.class, LIMIT)
        .history();
  }

  @Override
  public void end(String cluster, List<AttemptId> attempts, String actor, Instant now)
      throws IOException {
    SlurmdbdReply reply =
        client.ask(new SlurmdbdRequest.EndJobs(cluster, attempts, actor, now), LIMIT);
    if (!(reply instanceof SlurmdbdReply.Done)) {
      throw new IOException(
          reply instanceof SlurmdbdReply.Failed(String text)
              ? text
              : client.name() + " is of another release");
    }
  }

  @Override
  public Response archive(ArchiveOrder order, Asker by) throws IOException {
    return said(new SlurmdbdRequest.Archive(order, by.user(), by.operator()), LONG);
  }

  @Override
  public Response load(String file, Asker by) throws IOException {
    return said(new SlurmdbdRequest.LoadArchive(file, by.user(), by.operator()), LONG);
  }

  @Override
  public Response configuration() throws IOException {
    return said(new SlurmdbdRequest.ShowConfiguration(), LIMIT);
  }

  private Response said(SlurmdbdRequest request, Duration limit) throws IOException {
    return switch (client.ask(request, limit)) {
      case SlurmdbdReply.Lines(List<String> lines) -> new Response.Text(lines);
      case SlurmdbdReply.Partly(List<String> lines, List<String> failures) ->
          new Response.Partly(lines, failures);
      case SlurmdbdReply.Denied(Reply.Refused refused) ->
          new Response.Failed(refused.code(), refused.detail());
      case SlurmdbdReply.Failed(String text) -> throw new IOException(text);
      case SlurmdbdReply other ->
          throw new IOException(client.name() + " is of another release: " + other);
    };
  }

  @Override
  public void close() {
    try {
      client.close();
    } catch (IOException e) {
      log.debug("a connection to slurmdbd was not closed: {}", e.getMessage());
    }
  }
}
