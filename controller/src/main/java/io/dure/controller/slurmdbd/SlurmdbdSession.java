package io.dure.controller.slurmdbd;

import io.dure.accounting.JobHistory;
import io.dure.accounting.StalePositionException;
import io.dure.accounting.store.DatabaseStore;
import io.dure.accounting.store.RecordSink;
import io.dure.controller.accounting.upkeep.BookKeeping;
import io.dure.host.net.Connection;
import io.dure.model.ErrorCode;
import io.dure.model.accounting.AccountingRecords;
import io.dure.model.accounting.record.AccountingRecord;
import io.dure.model.command.Reply;
import io.dure.protocol.Response;
import io.dure.protocol.WireCodecs;
import io.dure.protocol.codec.MalformedMessageException;
import io.dure.protocol.codec.RecordCodec;
import io.dure.protocol.slurmdbd.ClusterAccounts;
import io.dure.protocol.slurmdbd.SlurmdbdReply;
import io.dure.protocol.slurmdbd.SlurmdbdRequest;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;

/** One connection of a controller: requests one after the other, each answered. One thread. */
final class SlurmdbdSession {
  private final RecordCodec<SlurmdbdRequest> requests = WireCodecs.slurmdbdRequests();
  private final RecordCodec<SlurmdbdReply> replies = WireCodecs.slurmdbdReplies();
  private final Connection connection;
  private final DatabaseStore books;
  private final SharedAccounts accounts;
  private final UsedWckeys wckeys;
  private final DirectReaders readers;
  private final UsageBoard usage;
  private final RunawayDesk runaways;
  private final BookKeeping keeping;
  private final Map<String, RecordSink> sinks = new HashMap<>();

  SlurmdbdSession(Connection connection, KeptBooks books, UsageBoard usage, RunawayDesk runaways) {
    this.connection = connection;
    this.books = books.records();
    accounts = books.accounts();
    wckeys = books.wckeys();
    readers = new DirectReaders(books.records(), books.accounts());
    keeping = books.keeping();
    this.usage = usage;
    this.runaways = runaways;
  }

  /** Answers until the controller hangs up. */
  void run() throws IOException, InterruptedException {
    byte[] asked = connection.receive(WireCodecs.MAX_RECORDS);
    while (asked != null) {
      SlurmdbdReply reply;
      try {
        reply = answer(requests.decode(asked));
      } catch (MalformedMessageException e) {
        reply = new SlurmdbdReply.Failed("the request is of another release: " + e.getMessage());
      } catch (JdbiException | IOException e) {
        reply = new SlurmdbdReply.Failed(String.valueOf(e.getMessage()));
      }
      connection.send(replies.encode(reply));
      asked = connection.receive(WireCodecs.MAX_RECORDS);
    }
  }

  private SlurmdbdReply answer(SlurmdbdRequest request) throws IOException, InterruptedException {
    return switch (request) {
      case SlurmdbdRequest.OpenCluster asked -> open(asked);
      case SlurmdbdRequest.StoreRecords asked -> store(asked);
      case SlurmdbdRequest.FindJobs(var cluster, var query, var now) -> {
        JobHistory.Page page = books.find(cluster, query, now);
        yield new SlurmdbdReply.Jobs(page.jobs(), page.last(), page.texts());
      }
      case SlurmdbdRequest.FindUsage(var cluster, var query, var now, var tracked) ->
          new SlurmdbdReply.Usage(books.usage(cluster, query, now, tracked));
      case SlurmdbdRequest.FindHistory(var cluster, var query) ->
          new SlurmdbdReply.History(books.history(cluster, query));
      case SlurmdbdRequest.EndJobs(var cluster, var attempts, var actor, var now) -> {
        books.end(cluster, attempts, actor, now);
        yield new SlurmdbdReply.Done();
      }
      case SlurmdbdRequest.AwaitAccounts(var cluster, long version, var origin) -> {
        check(cluster, origin);
        yield accounts.await(cluster, version, WireCodecs.LONGEST_WAIT);
      }
      case SlurmdbdRequest.ShareUsage asked -> {
        check(asked.cluster(), asked.origin());
        yield usage.share(asked, accounts.all().stream().map(ClusterAccounts::cluster).toList());
      }
      case SlurmdbdRequest.ShowAccounts _ -> new SlurmdbdReply.AllAccounts(accounts.all());
      case SlurmdbdRequest.ChangeAccounts(var changes, var actor, boolean operator) ->
          decided(accounts.change(changes, actor, operator));
      case SlurmdbdRequest.AddCluster(var cluster, var actor, boolean operator) ->
          add(cluster, actor, operator);
      case SlurmdbdRequest.RemoveClusters(var from, var clusters, var actor, boolean operator) ->
          decided(accounts.remove(from, clusters, actor, operator));
      case SlurmdbdRequest.Archive(var order, var actor, boolean operator) ->
          said(keeping.archive(order, asker(actor, operator)));
      case SlurmdbdRequest.LoadArchive(var from, var actor, boolean operator) ->
          said(keeping.load(from, asker(actor, operator)));
      case SlurmdbdRequest.ShowConfiguration _ -> said(keeping.configuration());
      case SlurmdbdRequest.FindRunaways(var cluster, var actor, boolean operator) -> {
        Reply.Refused no = accounts.unmanaged(cluster, actor, operator);
        yield no == null ? runaways.ask(cluster, books.position(cluster)) : decided(no);
      }
      case SlurmdbdRequest.AwaitRunawayQuestion(var cluster, var origin) -> {
        check(cluster, origin);
        yield runaways.await(cluster, WireCodecs.LONGEST_WAIT);
      }
      case SlurmdbdRequest.TellRunaways told -> runaways.tell(told);
      case SlurmdbdRequest.ReadJobs read -> readers.jobs(read);
      case SlurmdbdRequest.ReadUsage read -> readers.usage(read);
      case SlurmdbdRequest.ReadHistory read -> readers.history(read);
      case SlurmdbdRequest.ReadAccounts read -> readers.accounts(read);
    };
  }

  /** A second cluster of a name neither follows the accounts of the first nor tells its usage. */
  private void check(String cluster, @Nullable String origin) throws IOException {
    if (origin != null) {
      books.check(cluster, origin);
    }
  }

  private static BookKeeping.Asker asker(@Nullable String actor, boolean operator) {
    return new BookKeeping.Asker(actor == null ? "" : actor, operator && actor != null);
  }

  private static SlurmdbdReply said(Response response) {
    return switch (response) {
      case Response.Text(var lines) -> new SlurmdbdReply.Lines(lines);
      case Response.Partly(var lines, var failures) -> new SlurmdbdReply.Partly(lines, failures);
      case Response.Failed(var code, var detail, _) -> decided(new Reply.Refused(code, detail));
      case Response other -> throw new IllegalStateException("no answer of books: " + other);
    };
  }

  private static SlurmdbdReply decided(Reply.@Nullable Refused refused) {
    return refused == null ? new SlurmdbdReply.Done() : new SlurmdbdReply.Denied(refused);
  }

  private SlurmdbdReply open(SlurmdbdRequest.OpenCluster asked) throws IOException {
    RecordSink sink = sink(asked.cluster(), asked.origin());
    long position = sink.position();
    accounts.open(asked.cluster(), asked.host(), asked.port(), asked.accounts());
    return new SlurmdbdReply.Position(position, books.privateData());
  }

  private RecordSink sink(String cluster, String origin) throws IOException {
    String key = cluster + ' ' + origin;
    RecordSink sink = sinks.get(key);
    if (sink == null) {
      books.check(cluster, origin);
      sink = books.sink(cluster, origin);
      sinks.put(key, sink);
    }
    return sink;
  }

  private SlurmdbdReply store(SlurmdbdRequest.StoreRecords asked)
      throws IOException, InterruptedException {
    List<AccountingRecord> records = wckeys.named(asked.cluster(), asked.records());
    RecordSink sink = sink(asked.cluster(), asked.origin());
    // Before the records: once these are stored they do not come again.
    wckeys.add(asked.cluster(), records);
    try {
      sink.store(asked.expected(), records, asked.position());
      return new SlurmdbdReply.Done();
    } catch (StalePositionException e) {
      return new SlurmdbdReply.Stale();
    }
  }

  private SlurmdbdReply add(String cluster, String actor, boolean operator) {
    if (!operator) {
      return decided(new Reply.Refused(ErrorCode.ACCESS_DENIED, actor));
    }
    accounts.open(cluster, "", 0, AccountingRecords.INITIAL);
    return new SlurmdbdReply.Done();
  }
}
