package io.dure.faults.accounts;

import io.dure.model.ErrorCode;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.accounting.ClusterHistory;
import io.dure.surface.json.DocumentFormat;
import io.dure.surface.json.JsonTarget;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.ResponseCheck;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.print.TimestampFormat;
import io.dure.surface.sacctmgr.AccountingPort;
import io.dure.surface.sacctmgr.SacctmgrInterpreter;
import io.dure.surface.sacctmgr.SacctmgrSession;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One caller's run of sacctmgr, without sockets. For one thread. */
final class SacctmgrPort implements AccountingPort {
  private final Map<String, byte[]> files;
  private final Function<Command.ChangeAccounting, Reply> controller;
  private final Supplier<Response> shown;
  private final StringBuilder printed = new StringBuilder();
  private final StringBuilder errors = new StringBuilder();
  private final ByteArrayOutputStream documents = new ByteArrayOutputStream();
  private int accepted;
  private Reply.@Nullable Refused refusal;

  /**
   * A run.
   *
   * @param files that the caller may read and write, by name
   * @param controller takes the changes
   * @param shown the accounts as the caller sees them
   */
  SacctmgrPort(
      Map<String, byte[]> files,
      Function<Command.ChangeAccounting, Reply> controller,
      Supplier<Response> shown) {
    this.files = files;
    this.controller = controller;
    this.shown = shown;
  }

  /**
   * What one command line did.
   *
   * @param exitCode of the command
   * @param printed its standard output
   * @param errors its standard error
   * @param accepted how many changes the controller made for it
   * @param refusal the last refusal of the controller, null for none
   */
  record Outcome(
      int exitCode, String printed, String errors, int accepted, Reply.@Nullable Refused refusal) {
    /** Both streams, one behind the other. */
    String said() {
      return printed + errors;
    }
  }

  /** Carries out words, with all questions answered by yes. */
  Outcome run(List<String> words) {
    SacctmgrSession session = new SacctmgrSession(this);
    session.commitAtOnce();
    new SacctmgrInterpreter(session).run(words);
    return outcome(session.exitCode());
  }

  private Outcome outcome(int exitCode) {
    return new Outcome(
        exitCode,
        printed + documents.toString(StandardCharsets.UTF_8),
        errors.toString(),
        accepted,
        refusal);
  }

  @Override
  public Response.Accounts accounts() {
    return (Response.Accounts) shown.get();
  }

  @Override
  public Reply.@Nullable Refused change(Command.ChangeAccounting change) {
    Reply.Refused refused = ResponseCheck.refusal(new Response.Decided(controller.apply(change)));
    if (refused == null) {
      accepted++;
    } else {
      refusal = refused;
    }
    return refused;
  }

  @Override
  public Response ask(Request question) throws CommandException {
    if (question instanceof Request.ShowClusterHistory(_, String of)) {
      return new Response.RecordedHistory(
          new ClusterHistory(String.valueOf(of), List.of(), List.of()));
    }
    return question instanceof Request.ShowConfig
        ? new Response.Text(List.of())
        : new Response.Failed(ErrorCode.BAD_INPUT, "");
  }

  @Override
  public TimestampFormat times(Instant now) {
    return TimestampFormat.of(Map.of(), now, ZoneOffset.UTC);
  }

  @Override
  public long micros() {
    return 0;
  }

  @Override
  public ZoneId zone() {
    return ZoneOffset.UTC;
  }

  @Override
  public void print(String text) {
    printed.append(text);
  }

  @Override
  public JsonTarget document(DocumentFormat format) {
    return JsonTarget.ofCommand(documents, Map.of(), List.of("sacctmgr"), format);
  }

  @Override
  public void report(StderrMessage message) {
    errors.append(message.format("sacctmgr"));
  }

  @Override
  public @Nullable String nextLine() {
    return null;
  }

  @Override
  public Instant now() {
    return Instant.parse("2026-03-01T12:00:00Z");
  }

  @Override
  public String loginName(int uid) {
    return Integer.toUnsignedString(uid);
  }

  @Override
  public boolean knowsUser(String name) {
    return true;
  }

  @Override
  public InputStream read(String file) throws IOException {
    byte[] bytes = files.get(file);
    if (bytes == null) {
      throw new IOException("no file " + file);
    }
    return new ByteArrayInputStream(bytes);
  }

  @Override
  public OutputStream write(String file) {
    return new ByteArrayOutputStream() {
      @Override
      public void close() {
        files.put(file, toByteArray());
      }
    };
  }
}
