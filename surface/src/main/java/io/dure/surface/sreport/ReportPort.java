package io.dure.surface.sreport;

import io.dure.protocol.Response;
import io.dure.protocol.accounting.UsageQuery;
import io.dure.protocol.accounting.UsageReport;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.value.WallClock;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The surroundings of a run of sreport. For one thread. */
public interface ReportPort {

  /**
   * What was used.
   *
   * @throws CommandException if it cannot be had
   */
  UsageReport usage(UsageQuery query) throws CommandException;

  /**
   * The accounts as they are now.
   *
   * @throws CommandException if they cannot be had
   */
  Response.Accounts accounts() throws CommandException;

  /** The name of the person with a login name, empty if it is not known. */
  String realName(String loginName);

  /** The time where the words were typed. */
  WallClock clock();

  /** Writes to standard output. */
  void print(String text);

  /** Writes to standard error, after all that was printed. */
  void report(StderrMessage message);

  /** The next line of standard input, null at its end. */
  @Nullable String nextLine() throws IOException;
}
