package io.dure.twin.accounts;

import io.dure.model.ErrorCode;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.json.DocumentFormat;
import io.dure.surface.json.JsonTarget;
import io.dure.surface.message.ResponseCheck;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.print.TimestampFormat;
import io.dure.surface.sacctmgr.AccountingPort;
import io.dure.surface.sacctmgr.SacctmgrInterpreter;
import io.dure.surface.sacctmgr.SacctmgrSession;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Words of sacctmgr, done as root on accounts that no controller has. One thread. */
public final class OfflineSacctmgr implements AccountingPort {

  /** The accounts. */
  public interface Target {
    /** The cluster's name. */
    String cluster();

    /** The accounts as they are now. */
    AccountingTree tree();

    /** Changes them, or refuses to. */
    Reply change(Command.ChangeAccounting change);
  }

  private final Target target;
  private final @Nullable Path file;
  private final List<String> said = new ArrayList<>();

  private OfflineSacctmgr(Target target, @Nullable Path file) {
    this.target = target;
    this.file = file;
  }

  /**
   * Does what words say.
   *
   * @param file the only file that may be read, null for none
   * @return what was said of what went wrong, line by line; null if nothing did
   */
  public static @Nullable List<String> complaints(
      Target target, @Nullable Path file, List<String> words) {
    OfflineSacctmgr run = new OfflineSacctmgr(target, file);
    SacctmgrSession desk = new SacctmgrSession(run);
    desk.commitAtOnce();
    desk.quiet();
    new SacctmgrInterpreter(desk).run(words);
    return desk.exitCode() == 0 ? null : run.said;
  }

  @Override
  public Response.Accounts accounts() {
    return new Response.Accounts(
        target.cluster(), "twin", 0, target.tree().records(), "root", true, List.of());
  }

  @Override
  public Reply.@Nullable Refused change(Command.ChangeAccounting change) {
    return ResponseCheck.refusal(new Response.Decided(target.change(change)));
  }

  @Override
  public void print(String text) {}

  @Override
  public Response ask(Request question) {
    return new Response.Failed(ErrorCode.BAD_INPUT, "");
  }

  @Override
  public long micros() {
    return 0;
  }

  @Override
  public TimestampFormat times(Instant now) {
    return TimestampFormat.of(Map.of(), now, ZoneOffset.UTC);
  }

  @Override
  public ZoneId zone() {
    return ZoneOffset.UTC;
  }

  @Override
  public JsonTarget document(DocumentFormat format) {
    OutputStream nowhere = OutputStream.nullOutputStream();
    return JsonTarget.ofCommand(nowhere, Map.of(), List.of("sacctmgr"), format);
  }

  @Override
  public void report(StderrMessage message) {
    message.format("sacctmgr").lines().map(String::strip).forEach(said::add);
  }

  @Override
  public @Nullable String nextLine() {
    return null;
  }

  @Override
  public Instant now() {
    return Instant.EPOCH;
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
  public InputStream read(String name) throws IOException {
    Path asked = Path.of("/").resolve(name);
    if (!asked.equals(file)) {
      throw new IOException("only the accounts' own file is read: " + name);
    }
    return Files.newInputStream(asked);
  }

  @Override
  public OutputStream write(String name) throws IOException {
    throw new IOException("a twin writes no accounts: " + name);
  }
}
