package io.dure.surface.sacctmgr;

import io.dure.model.ErrorCode;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingLimits;
import io.dure.model.accounting.AccountingRights;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.accounts.AccountingTable;
import io.dure.surface.accounts.TresNumbers;
import io.dure.surface.json.AccountingJson;
import io.dure.surface.json.DocumentFormat;
import io.dure.surface.json.JsonTarget;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.ResponseCheck;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.print.TerminalText;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One run of sacctmgr: how it prints, the accounts as last seen, what the user is asked. For one
 * thread.
 */
public final class SacctmgrSession {
  static final String ERROR = " Error with request: ";

  private static final String QUESTION =
      "Would you like to commit changes? (You have 30 seconds to decide)\n(N/y): ";

  private final AccountingPort port;
  private Response.@Nullable Accounts known;
  private AccountingTable.Style style = AccountingTable.Style.COLUMNS;
  private @Nullable DocumentFormat document;
  private @Nullable TresNumbers tracked;
  private boolean header = true;
  private boolean immediate;
  private boolean readOnly;
  private boolean quiet;
  private boolean withAssociations;
  private int exitCode;

  /** A run with these accounts and this user. */
  public SacctmgrSession(AccountingPort port) {
    this.port = port;
  }

  AccountingPort port() {
    return port;
  }

  AccountingTable table() {
    return new AccountingTable(style, header);
  }

  /** Lists are documents of that format from now on. */
  public void documents(DocumentFormat format) {
    document = format;
  }

  /** Where lists go as documents, null where they are tables. */
  @Nullable AccountingJson document() throws CommandException {
    return document == null
        ? null
        : new AccountingJson(port.document(document), tree(), cluster(), numbers());
  }

  /** The numbers of resources; only those of limits that not every cluster has are asked for. */
  TresNumbers numbers() throws CommandException {
    SortedSet<String> named = new TreeSet<>();
    AccountingTree tree = tree();
    tree.records().associations().forEach(one -> addNames(one.limits(), named));
    tree.qosByNumber().forEach(one -> addNames(one.limits(), named));
    named.removeAll(TresNumbers.USUAL.names());
    return named.isEmpty() ? TresNumbers.USUAL : tracked().and(List.copyOf(named));
  }

  /** The numbers of the resources that the configuration tracks. */
  TresNumbers tracked() throws CommandException {
    if (tracked == null) {
      tracked = TresNumbers.tracked(ask(new Request.ShowConfig(), Response.Text.class).lines());
    }
    return tracked;
  }

  private static void addNames(AccountingLimits limits, Set<String> names) {
    for (AccountingLimits.Bound bound : limits.bounds()) {
      if (bound.tres() != null) {
        names.add(bound.tres());
      }
    }
  }

  /** The place of such a document. */
  @Nullable JsonTarget documentTarget() {
    return document == null ? null : port.document(document);
  }

  /** Tables have this style from now on. */
  public void style(AccountingTable.Style next) {
    style = next;
  }

  /** Tables have no header from now on. */
  public void withoutHeader() {
    header = false;
  }

  /** Changes are made without asking from now on. */
  public void commitAtOnce() {
    immediate = true;
  }

  /** Nothing is changed from now on. */
  public void readOnly() {
    readOnly = true;
  }

  /** Less is said from now on. */
  public void quiet() {
    quiet = true;
  }

  boolean isQuiet() {
    return quiet;
  }

  /** Lists show associations from now on. */
  public void withAssociations() {
    withAssociations = true;
  }

  boolean isWithAssociations() {
    return withAssociations;
  }

  /** Prints what may hold words of other users, so without what a terminal would obey. */
  void print(String text) {
    port.print(TerminalText.of(text));
  }

  /** Says something on standard error, likewise. */
  void report(StderrMessage message) {
    port.report(new StderrMessage(message.kind(), TerminalText.of(message.text())));
  }

  /** A line for standard error. */
  void complain(String line) {
    report(StderrMessage.plain(line));
    exitCode = 1;
  }

  /** A line for standard error with the program's name. */
  void error(String line) {
    report(StderrMessage.error(line));
    exitCode = 1;
  }

  void exitCode(int code) {
    exitCode = code;
  }

  /** The exit code so far. */
  public int exitCode() {
    return exitCode;
  }

  @Nullable String nextLine() throws IOException {
    return port.nextLine();
  }

  /** Asks the controller something else. */
  <R extends Response> R ask(Request question, Class<R> type) throws CommandException {
    Response answer = port.ask(question);
    Reply.Refused refused = ResponseCheck.refusal(answer);
    if (refused != null || !type.isInstance(answer)) {
      String text = refused == null ? "no answer" : refused.code().text();
      throw CommandException.plain(ERROR + text);
    }
    return type.cast(answer);
  }

  /** The accounts as they are now; asked for once between changes. */
  Response.Accounts known() throws CommandException {
    if (known == null) {
      known = port.accounts();
    }
    return known;
  }

  AccountingTree tree() throws CommandException {
    return AccountingTree.of(known().accounts());
  }

  String cluster() throws CommandException {
    return known().clusterName();
  }

  void refuseIfReadOnly() throws CommandException {
    if (readOnly) {
      throw CommandException.plain("Can't run this command in readonly mode.");
    }
  }

  /** Whether the caller may make these changes, as far as can be told before asking. */
  boolean mayChange(List<AccountingChange> changes) throws CommandException {
    Response.Accounts accounts = known();
    return AccountingRights.mayChange(tree(), accounts.userName(), accounts.operator(), changes);
  }

  /** Whether the caller is an administrator, who alone changes QOS. */
  boolean isAdministrator() throws CommandException {
    return mayChange(List.of(new AccountingChange.QosRemoved("")));
  }

  /** Whether the user says yes, or said so before. */
  boolean agrees(String question) throws CommandException {
    if (immediate) {
      return true;
    }
    print(question);
    try {
      while (true) {
        String line = nextLine();
        print("\n");
        String answer = line == null ? "" : line.strip();
        if (answer.isEmpty() || answer.charAt(0) == 'n' || answer.charAt(0) == 'N') {
          return false;
        }
        if (answer.charAt(0) == 'y' || answer.charAt(0) == 'Y') {
          return true;
        }
        print("Y or N please\n(N/y): ");
      }
    } catch (IOException e) {
      throw CommandException.error("Could not read standard input: " + e.getMessage());
    }
  }

  /**
   * Makes changes to what exists, if the user may and agrees.
   *
   * @param report what is printed before the question
   */
  void commitAllowed(String report, List<AccountingChange> changes) throws CommandException {
    if (!mayChange(changes)) {
      error("Your user doesn't have privilege to perform this action");
      complain(ERROR + "Access/permission denied");
      return;
    }
    if (!immediate) {
      print(report);
      commit(ERROR, changes);
    } else if (change(ERROR, changes)) {
      print(report);
    }
  }

  /**
   * Makes the changes, if the user agrees.
   *
   * @param prefix what stands before the text of a refusal
   */
  void commit(String prefix, List<AccountingChange> changes) throws CommandException {
    if (!mayChange(changes)) {
      complain(prefix + ErrorCode.ACCESS_DENIED.text());
      return;
    }
    if (!agrees(QUESTION)) {
      print(" Changes Discarded\n");
      return;
    }
    change(prefix, changes);
  }

  /** Whether the controller made the changes; why it did not is said. */
  private boolean change(String prefix, List<AccountingChange> changes) throws CommandException {
    Reply.Refused refused =
        port.change(new Command.ChangeAccounting(known().accounts().version(), changes));
    known = null;
    if (refused == null) {
      return true;
    }
    complain(prefix + refused.code().text());
    for (StderrMessage detail : ResponseCheck.details(refused)) {
      boolean list = refused.code() == ErrorCode.JOBS_ACTIVE_OF_ASSOCIATION;
      report(list ? StderrMessage.plain(detail.text()) : detail);
    }
    return false;
  }
}
