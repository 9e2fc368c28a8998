package io.dure.surface.sacctmgr;

import io.dure.model.ErrorCode;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingChange;
import io.dure.model.accounting.AccountingLimits;
import io.dure.model.accounting.AccountingRights;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.AdminLevel;
import io.dure.model.accounting.Association;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.model.federation.Federations;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.slurmdbd.ClusterAccounts;
import io.dure.protocol.slurmdbd.ClusterChange;
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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
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

  /** The cluster that the session is at, null for the controller's own. */
  private @Nullable ClusterAccounts at;

  /** Takes what is said and wanted, null where it is printed and done. */
  private @Nullable ClusterPlan plan;

  private final Map<String, Boolean> answers = new HashMap<>();
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

  /** Whether the configuration has workload keys tracked. */
  boolean tracksWckeys() throws CommandException {
    return ask(new Request.ShowConfig(), Response.Text.class).lines().stream()
        .anyMatch(
            line -> line.startsWith("TrackWCKey") && line.toLowerCase(Locale.ROOT).endsWith("yes"));
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

  boolean isImmediate() {
    return immediate;
  }

  /** Something was changed: the accounts are asked for anew. */
  void changed() {
    known = null;
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
    if (plan != null) {
      plan.print(text);
    } else {
      port.print(TerminalText.of(text));
    }
  }

  /** Says something on standard error, likewise. */
  void report(StderrMessage message) {
    if (plan != null) {
      plan.tell(message);
      return;
    }
    port.report(new StderrMessage(message.kind(), TerminalText.of(message.text())));
  }

  /** A line for standard error. */
  void complain(String line) {
    report(StderrMessage.plain(line));
    exitCode(1);
  }

  /** A line for standard error with the program's name. */
  void error(String line) {
    report(StderrMessage.error(line));
    exitCode(1);
  }

  void exitCode(int code) {
    if (plan != null) {
      plan.exitCode(code);
    } else {
      exitCode = code;
    }
  }

  boolean isDocument() {
    return document != null;
  }

  /** All clusters that share a slurmdbd, none where the cluster keeps its accounts itself. */
  List<ClusterAccounts> clusters() throws CommandException {
    if (known == null) {
      known = port.accounts();
    }
    // A controller of an older release does not tell them.
    return Objects.requireNonNullElse(known.clusters(), List.of());
  }

  /** Does something for a cluster; what it says and wants goes into a plan. */
  void at(ClusterAccounts cluster, ClusterPlan into, ClusterPlan.Action action)
      throws CommandException {
    at = cluster;
    plan = into;
    try {
      action.run();
    } finally {
      at = null;
      plan = null;
    }
  }

  /** Goes to a cluster for good; false if there is none of that name. */
  boolean goTo(String name) throws CommandException {
    if (name.equals(cluster())) {
      return true;
    }
    for (ClusterAccounts one : clusters()) {
      if (one.cluster().equals(name)) {
        at = one;
        return true;
      }
    }
    return false;
  }

  /** Whether the session is at the cluster of the controller that it asks. */
  boolean isAtOwnCluster() throws CommandException {
    clusters();
    return at == null || known != null && known.clusterName().equals(at.cluster());
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
    return expected(port.ask(question), type);
  }

  /** The answer if it is of a kind. */
  <R extends Response> R expected(Response answer, Class<R> type) throws CommandException {
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
    return at == null
        ? known
        : new Response.Accounts(
            at.cluster(),
            at.host(),
            at.port(),
            at.accounts(),
            known.userName(),
            known.operator(),
            clusters());
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

  /** Whether the caller is an operator at least. */
  boolean isOperator() throws CommandException {
    Response.Accounts accounts = known();
    AccountUser user = tree().user(accounts.userName());
    return accounts.operator() || user != null && user.adminLevel() != AdminLevel.NONE;
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
    Boolean before = plan == null ? null : answers.get(question);
    boolean answer = before == null ? asked(question) : before;
    if (plan != null) {
      answers.put(question, answer);
    }
    return answer;
  }

  private boolean asked(String question) throws CommandException {
    port.print(TerminalText.of(question));
    try {
      while (true) {
        String line = nextLine();
        port.print("\n");
        String answer = line == null ? "" : line.strip();
        if (answer.isEmpty() || answer.charAt(0) == 'n' || answer.charAt(0) == 'N') {
          return false;
        }
        if (answer.charAt(0) == 'y' || answer.charAt(0) == 'Y') {
          return true;
        }
        port.print("Y or N please\n(N/y): ");
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
    commit(new ClusterPlan.Wish(ERROR, report, changes, mayChange(changes)), here(changes));
  }

  /**
   * Makes the changes, if the user agrees.
   *
   * @param prefix what stands before the text of a refusal
   */
  void commit(String prefix, List<AccountingChange> changes) throws CommandException {
    commit(new ClusterPlan.Wish(prefix, null, changes, mayChange(changes)), here(changes));
  }

  private List<ClusterChange> here(List<AccountingChange> changes) throws CommandException {
    return List.of(new ClusterChange(cluster(), known().accounts().version(), changes));
  }

  /** Makes the same changes in the accounts of each cluster, if the user may and agrees. */
  void commitEverywhere(ClusterPlan.Wish wish) throws CommandException {
    commit(wish, everywhere(wish.changes()));
  }

  /** Sets the federations that each cluster has, after the user agreed; whether they were set. */
  boolean changeEverywhere(String prefix, Federations next) throws CommandException {
    return change(prefix, everywhere(List.of(new AccountingChange.FederationsSet(next))));
  }

  /** Changes what the whole trees of these clusters are given, after the user agreed. */
  void changeRoots(String prefix, List<String> names, UnaryOperator<Association> change)
      throws CommandException {
    List<ClusterChange> all = new ArrayList<>();
    for (ClusterAccounts one : clusters()) {
      Association root =
          AccountingTree.of(one.accounts()).association(AccountingTree.ROOT, null, null);
      if (root != null && names.contains(one.cluster())) {
        all.add(
            new ClusterChange(
                one.cluster(),
                one.accounts().version(),
                List.of(new AccountingChange.AssociationSet(change.apply(root)))));
      }
    }
    change(prefix, all);
  }

  private List<ClusterChange> everywhere(List<AccountingChange> changes) throws CommandException {
    List<ClusterChange> all =
        clusters().stream()
            .map(one -> new ClusterChange(one.cluster(), one.accounts().version(), changes))
            .toList();
    return all.isEmpty() ? here(changes) : all;
  }

  /** Makes what is wanted of several clusters, if the user may and agrees; or plans it. */
  void commit(ClusterPlan.Wish wish, List<ClusterChange> changes) throws CommandException {
    if (plan != null) {
      plan.wish(wish);
      return;
    }
    String report = wish.report();
    if (!wish.allowed()) {
      if (report != null) {
        error("Your user doesn't have privilege to perform this action");
      }
      complain(wish.prefix() + ErrorCode.ACCESS_DENIED.text());
      return;
    }
    if (report != null && immediate) {
      if (change(wish.prefix(), changes)) {
        print(report);
      }
      return;
    }
    print(report == null ? "" : report);
    if (agrees(QUESTION)) {
      change(wish.prefix(), changes);
    } else {
      print(" Changes Discarded\n");
    }
  }

  /** Whether the changes were made; why they were not is said. */
  private boolean change(String prefix, List<ClusterChange> changes) throws CommandException {
    boolean shared = !clusters().isEmpty();
    Reply.Refused refused =
        shared
            ? ResponseCheck.refusal(port.ask(new Request.ChangeClusters(changes)))
            : port.change(
                new Command.ChangeAccounting(
                    changes.getFirst().basis(), changes.getFirst().changes()));
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
