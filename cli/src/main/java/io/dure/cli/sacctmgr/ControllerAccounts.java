package io.dure.cli.sacctmgr;

import io.dure.cli.command.CommandContext;
import io.dure.cli.command.ControllerConnection;
import io.dure.cli.request.ChangeIdGenerator;
import io.dure.cli.request.Question;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.json.DocumentFormat;
import io.dure.surface.json.JsonTarget;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.ResponseCheck;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.print.TimestampFormat;
import io.dure.surface.sacctmgr.AccountingPort;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/** The controller's accounts, and the caller's streams and files. For one thread. */
final class ControllerAccounts implements AccountingPort, AutoCloseable {
  private final CommandContext context;
  private final ChangeIdGenerator names;
  private final BufferedReader in;
  private @Nullable ControllerConnection connection;

  ControllerAccounts(CommandContext context) {
    this.context = context;
    names = new ChangeIdGenerator(context.caller());
    in = new BufferedReader(new InputStreamReader(context.in(), StandardCharsets.UTF_8));
  }

  @Override
  public Response.Accounts accounts() throws CommandException {
    return Question.expected(
        Response.Accounts.class,
        send(new Request.ShowAccounts()),
        text -> CommandException.plain(" Error with request: " + text));
  }

  @Override
  public Reply.@Nullable Refused change(Command.ChangeAccounting change) throws CommandException {
    return ResponseCheck.refusal(send(names.named(change, null)));
  }

  @Override
  public Response ask(Request question) throws CommandException {
    return send(question);
  }

  @Override
  public TimestampFormat times(Instant now) {
    return TimestampFormat.of(context.environment(), now, context.clock().zone());
  }

  @Override
  public long micros() {
    return System.nanoTime() / 1000;
  }

  @Override
  public ZoneId zone() {
    return context.clock().zone();
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

  @Override
  public void print(String text) {
    context.out().print(text);
  }

  @Override
  public JsonTarget document(DocumentFormat format) {
    return context.document(format);
  }

  @Override
  public void report(StderrMessage message) {
    context.out().flush();
    context.report(message);
  }

  @Override
  public @Nullable String nextLine() throws IOException {
    context.out().flush();
    return in.readLine();
  }

  @Override
  public Instant now() {
    return context.clock().now();
  }

  @Override
  public String loginName(int uid) {
    return context.caller().loginName(uid);
  }

  @Override
  public boolean knowsUser(String name) {
    return context.caller().knowsUser(name);
  }

  @Override
  public InputStream read(String file) throws IOException {
    return context.caller().read(context.directory().resolve(file));
  }

  @Override
  public OutputStream write(String file) throws IOException {
    return context.caller().write(context.directory().resolve(file));
  }

  @Override
  public void close() {
    ControllerConnection open = connection;
    connection = null;
    if (open != null) {
      open.closeQuietly();
    }
  }
}
