package io.dure.cli.sacctmgr;

import io.dure.cli.command.CommandContext;
import io.dure.cli.command.ControllerConnection;
import io.dure.cli.request.Answers;
import io.dure.cli.request.ChangeNames;
import io.dure.core.accounting.AccountingChange;
import io.dure.core.accounting.AccountingRights;
import io.dure.core.accounting.AccountingTree;
import io.dure.core.controller.Command;
import io.dure.core.controller.Reply;
import io.dure.core.model.ErrorCode;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.accounts.FieldTable;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.Message;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One run of the command: how it prints, the way to the controller, what the user is asked. For one
 * thread.
 */
final class Desk {
  private static final String QUESTION =
      "Would you like to commit changes? (You have 30 seconds to decide)\n(N/y): ";

  private final CommandContext context;
  private final ChangeNames names;
  private final BufferedReader in;
  private @Nullable ControllerConnection connection;
  private Response.@Nullable Accounts known;
  private FieldTable.Style style = FieldTable.Style.COLUMNS;
  private boolean header = true;
  private boolean immediate;
  private boolean readOnly;
  private boolean quiet;
  private boolean withAssociations;
  private int exitCode;

  Desk(CommandContext context) {
    this.context = context;
    names = new ChangeNames(context.caller());
    in = new BufferedReader(new InputStreamReader(context.in(), StandardCharsets.UTF_8));
  }

  CommandContext context() {
    return context;
  }

  FieldTable table() {
    return new FieldTable(style, header);
  }

  void style(FieldTable.Style next) {
    style = next;
  }

  void withoutHeader() {
    header = false;
  }

  void commitAtOnce() {
    immediate = true;
  }

  void readOnly() {
    readOnly = true;
  }

  void quiet() {
    quiet = true;
  }

  boolean isQuiet() {
    return quiet;
  }

  void withAssociations() {
    withAssociations = true;
  }

  boolean isWithAssociations() {
    return withAssociations;
  }

  void print(String text) {
    context.out().print(text);
  }

  /** A line for standard error. */
  void complain(String line) {
    context.out().flush();
    context.report(Message.plain(line));
    exitCode = 1;
  }

  /** A line for standard error with the program's name. */
  void error(String line) {
    context.out().flush();
    context.report(Message.error(line));
    exitCode = 1;
  }

  void exitCode(int code) {
    exitCode = code;
  }

  int exitCode() {
    return exitCode;
  }

  @Nullable String nextLine() throws IOException {
    context.out().flush();
    return in.readLine();
  }

  /** The accounts as they are now; asked for once between changes. */
  Response.Accounts known() throws CommandException {
    if (known == null) {
      if (!(ask(new Request.ShowAccounts()) instanceof Response.Accounts found)) {
        throw plain("Unexpected message received");
      }
      known = found;
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
      throw plain("Can't run this command in readonly mode.");
    }
  }

  /** Whether the caller may make these changes, as far as can be told before asking. */
  boolean mayChange(List<AccountingChange> changes) throws CommandException {
    Response.Accounts accounts = known();
    return AccountingRights.mayChange(tree(), accounts.userName(), accounts.operator(), changes);
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
    Command.FromUser command = new Command.ChangeAccounting(known().accounts().version(), changes);
    Response response = send(names.named(command, null));
    known = null;
    Reply.Refused refused = Answers.refusal(response);
    if (refused != null) {
      complain(prefix + refused.code().text());
      for (Message detail : Answers.details(refused)) {
        context.report(detail);
      }
    }
  }

  private Response ask(Request request) throws CommandException {
    Response response = send(request);
    Reply.Refused refused = Answers.refusal(response);
    if (refused != null) {
      throw plain(" Error with request: " + refused.code().text());
    }
    return response;
  }

  private Response send(Request request) throws CommandException {
    try {
      if (connection == null) {
        connection = context.controller().open();
      }
      return connection.ask(request);
    } catch (IOException e) {
      close();
      throw CommandException.error("Problem talking to the database: " + e.getMessage());
    }
  }

  static CommandException plain(String text) {
    return new CommandException(1, List.of(Message.plain(text)));
  }

  void close() {
    ControllerConnection open = connection;
    connection = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        // Everything that mattered was answered.
      }
    }
  }
}
