package io.dure.controller.slurmdbd;

import io.dure.accounting.JobHistory;
import io.dure.accounting.store.DatabaseStore;
import io.dure.controller.view.AccountVisibility;
import io.dure.controller.view.SeenBooks;
import io.dure.model.ErrorCode;
import io.dure.model.UserIdentity;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.command.Caller;
import io.dure.model.command.Reply;
import io.dure.model.privacy.CallerSight;
import io.dure.protocol.slurmdbd.BookReader;
import io.dure.protocol.slurmdbd.ClusterAccounts;
import io.dure.protocol.slurmdbd.SlurmdbdReply;
import io.dure.protocol.slurmdbd.SlurmdbdRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Users who read the books while the controller of their cluster does not answer: they see what it
 * would show them. Any thread.
 */
final class DirectReaders {
  private final DatabaseStore books;
  private final SharedAccounts accounts;

  DirectReaders(DatabaseStore books, SharedAccounts accounts) {
    this.books = books;
    this.accounts = accounts;
  }

  /** Attempts of jobs that a user may see. */
  SlurmdbdReply jobs(SlurmdbdRequest.ReadJobs asked) throws IOException {
    String home = asked.reader().home();
    AccountingTree own = accounts(home);
    if (own == null || accounts(asked.cluster()) == null) {
      return unknown(own == null ? home : asked.cluster());
    }
    JobHistory.Page seen =
        SeenBooks.jobs(
            books.find(asked.cluster(), asked.query(), asked.now()),
            asked.query(),
            sight(own, asked.reader()),
            caller(asked.reader()),
            asked.cluster().equals(home) ? own : null);
    return new SlurmdbdReply.Jobs(seen.jobs(), seen.last(), seen.texts());
  }

  /** What was used, of it what a user may see. */
  SlurmdbdReply usage(SlurmdbdRequest.ReadUsage asked) throws IOException {
    AccountingTree own = accounts(asked.reader().home());
    if (own == null || accounts(asked.cluster()) == null) {
      return unknown(own == null ? asked.reader().home() : asked.cluster());
    }
    CallerSight sight = sight(own, asked.reader());
    return SeenBooks.hides(asked.query(), sight)
        ? denied(ErrorCode.ACCESS_DENIED, "")
        : new SlurmdbdReply.Usage(
            SeenBooks.usage(
                books.usage(asked.cluster(), asked.query(), asked.now(), asked.tracked()),
                asked.query(),
                sight,
                caller(asked.reader())));
  }

  /** Lines of the history of a cluster, if the accounts of the user's own let it see them. */
  SlurmdbdReply history(SlurmdbdRequest.ReadHistory asked) throws IOException {
    String home = asked.reader().home();
    AccountingTree own = accounts(home);
    if (own == null) {
      return unknown(home);
    }
    CallerSight sight = sight(own, asked.reader());
    return SeenBooks.hides(asked.query(), sight)
        ? denied(ErrorCode.ACCESS_DENIED, "")
        : new SlurmdbdReply.History(
            SeenBooks.history(
                books.history(asked.cluster(), asked.query()), sight, caller(asked.reader())));
  }

  /** The accounts of all clusters, of them what a user may see. */
  SlurmdbdReply accounts(SlurmdbdRequest.ReadAccounts asked) {
    List<String> hidden = hidden(asked.reader());
    Caller.User caller = caller(asked.reader());
    return new SlurmdbdReply.AllAccounts(
        accounts.all().stream()
            .map(one ->
                new ClusterAccounts(
                    one.cluster(),
                    one.host(),
                    one.port(),
                    new AccountVisibility(AccountingTree.of(one.accounts()), hidden, caller)
                        .of(one.accounts())))
            .toList());
  }

  private static Caller.User caller(BookReader reader) {
    return new Caller.User(
        new UserIdentity(reader.uid(), reader.gid(), reader.userName(), ""),
        List.of(),
        reader.operator());
  }

  private CallerSight sight(AccountingTree own, BookReader reader) {
    return new CallerSight(own, hidden(reader), caller(reader));
  }

  private List<String> hidden(BookReader reader) {
    List<String> hidden = new ArrayList<>(reader.privateData());
    hidden.addAll(books.privateData());
    return hidden;
  }

  private static SlurmdbdReply unknown(String cluster) {
    return denied(ErrorCode.BAD_INPUT, "there is no cluster " + cluster);
  }

  private static SlurmdbdReply denied(ErrorCode code, String why) {
    return new SlurmdbdReply.Denied(new Reply.Refused(code, why));
  }

  private @Nullable AccountingTree accounts(String cluster) {
    for (ClusterAccounts one : accounts.all()) {
      if (one.cluster().equals(cluster)) {
        return AccountingTree.of(one.accounts());
      }
    }
    return null;
  }
}
