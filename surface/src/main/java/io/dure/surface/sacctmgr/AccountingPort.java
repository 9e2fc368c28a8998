package io.dure.surface.sacctmgr;

import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.json.DocumentFormat;
import io.dure.surface.json.JsonTarget;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.print.TimestampFormat;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Instant;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/** The surroundings of a run of sacctmgr: the accounts, and the calling user. For one thread. */
public interface AccountingPort {

  /**
   * The accounts as they are now.
   *
   * @throws CommandException if they cannot be had
   */
  Response.Accounts accounts() throws CommandException;

  /**
   * Makes changes.
   *
   * @return why they were refused, null if they were made
   * @throws CommandException if there is no answer
   */
  Reply.@Nullable Refused change(Command.ChangeAccounting change) throws CommandException;

  /**
   * Asks the controller something else than accounts.
   *
   * @throws CommandException if there is no answer
   */
  Response ask(Request question) throws CommandException;

  /** How moments are written where the words were typed. */
  TimestampFormat times(Instant now);

  /** The present moment. */
  Instant now();

  /** The login name of a user of that number, the number if nobody knows it. */
  String loginName(int uid);

  /** Microseconds on a clock that only measures. */
  long micros();

  /** The time zone where the words were typed. */
  ZoneId zone();

  /** Writes to standard output. */
  void print(String text);

  /** Where a document goes that is written so. */
  JsonTarget document(DocumentFormat format);

  /** Writes to standard error, after all that was printed. */
  void report(StderrMessage message);

  /** The next line of standard input, null at its end. */
  @Nullable String nextLine() throws IOException;

  /** Whether the user's machine knows a login name. */
  boolean knowsUser(String name);

  /** Opens a file for reading; its name starts in the user's directory. */
  InputStream read(String file) throws IOException;

  /** Makes or empties a file and opens it for writing; its name starts in the user's directory. */
  OutputStream write(String file) throws IOException;
}
