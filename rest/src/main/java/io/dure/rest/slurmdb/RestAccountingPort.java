package io.dure.rest.slurmdb;

import io.dure.model.ErrorCode;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.rest.RestCall;
import io.dure.rest.RestFailure;
import io.dure.surface.json.DocumentFormat;
import io.dure.surface.json.JsonTarget;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.ResponseCheck;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.print.TimestampFormat;
import io.dure.surface.sacctmgr.AccountingPort;
import io.dure.surface.sacctmgr.SacctmgrInterpreter;
import io.dure.surface.sacctmgr.SacctmgrSession;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Lines of {@code sacctmgr}, asked for by HTTP. For one call. */
final class RestAccountingPort implements AccountingPort {
  private final RestCall call;
  private final String source;
  private final List<String> said = new ArrayList<>();
  private @Nullable ErrorCode refused;

  /**
   * A port.
   *
   * @param source that errors name
   */
  RestAccountingPort(RestCall call, String source) {
    this.call = call;
    this.source = source;
  }

  /**
   * Runs a line whose records are the document of the answer.
   *
   * @throws RestFailure with what {@code sacctmgr} would have said
   */
  void show(List<String> words) throws RestFailure, IOException, InterruptedException {
    SacctmgrSession session = new SacctmgrSession(this);
    session.documents(call.target().format());
    run(session, words);
  }

  /**
   * Runs a line that changes something.
   *
   * @throws RestFailure with what {@code sacctmgr} would have said
   */
  void change(List<String> words) throws RestFailure, IOException, InterruptedException {
    SacctmgrSession session = new SacctmgrSession(this);
    session.commitAtOnce();
    run(session, words);
  }

  private void run(SacctmgrSession session, List<String> words)
      throws RestFailure, IOException, InterruptedException {
    try {
      new SacctmgrInterpreter(session).run(words);
    } catch (UncheckedIOException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      throw e.getCause();
    }
    if (session.exitCode() != 0) {
      ErrorCode code = refused == null ? ErrorCode.UNSPECIFIED : refused;
      String text = String.join(" ", said).strip();
      throw RestCall.failure(code, text.isEmpty() ? code.text() : text, source);
    }
  }

  @Override
  public Response.Accounts accounts() throws CommandException {
    Response told = ask(new Request.ShowAccounts());
    if (told instanceof Response.Accounts accounts) {
      return accounts;
    }
    Reply.Refused no = ResponseCheck.refusal(told);
    refused = no == null ? ErrorCode.UNSPECIFIED : no.code();
    throw CommandException.plain(refused.text());
  }

  @Override
  public Reply.@Nullable Refused change(Command.ChangeAccounting change) {
    Reply.Refused no = ResponseCheck.refusal(ask(new Request.Change(change, null)));
    refused = no == null ? refused : no.code();
    return no;
  }

  @Override
  public Response ask(Request question) {
    try {
      return call.session().ask(question);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(new IOException("the daemon is stopping", e));
    }
  }

  @Override
  public TimestampFormat times(Instant now) {
    return TimestampFormat.of(Map.of(), now, zone());
  }

  @Override
  public Instant now() {
    return call.clock().now();
  }

  @Override
  public String loginName(int uid) {
    return Integer.toUnsignedString(uid);
  }

  @Override
  public long micros() {
    return System.nanoTime() / 1000;
  }

  @Override
  public ZoneId zone() {
    return call.clock().zone();
  }

  /** Besides documents nothing is printed; what fails says so among what is printed, too. */
  @Override
  public void print(String text) {
    said.add(text.strip());
  }

  @Override
  public JsonTarget document(DocumentFormat format) {
    return call.target();
  }

  @Override
  public void report(StderrMessage message) {
    said.add(message.text().strip());
  }

  @Override
  public @Nullable String nextLine() {
    return null;
  }

  /** The controller knows more users than this machine, and says so itself. */
  @Override
  public boolean knowsUser(String name) {
    return true;
  }

  @Override
  public InputStream read(String file) throws IOException {
    throw new FileNotFoundException(file + ": files of the controller are not read");
  }

  @Override
  public OutputStream write(String file) throws IOException {
    throw new FileNotFoundException(file + ": files of the controller are not written");
  }
}
