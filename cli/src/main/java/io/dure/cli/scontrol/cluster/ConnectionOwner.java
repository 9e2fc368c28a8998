package io.dure.cli.scontrol.cluster;

import io.dure.model.ErrorCode;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.ErrorTexts;
import io.dure.surface.message.StderrMessage;
import java.net.Inet6Address;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The job at the other end of a connection, {@code callerid}: the words are checked as in Slurm,
 * and no node can be asked for it.
 */
public final class ConnectionOwner {
  private static final String BYTE = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
  private static final String IPV4 = BYTE + "(\\." + BYTE + "){3}";

  private ConnectionOwner() {}

  /**
   * Fails with Slurm's text.
   *
   * @param words address and port of the source, those of the destination, and perhaps 4 or 6
   */
  public static void find(List<String> words) throws CommandException {
    String wrong = problem(words);
    if (wrong != null) {
      throw failure(StderrMessage.error(wrong), "No error");
    }
    throw failure(
        StderrMessage.plain(
            "slurm_network_callerid: unable to retrieve callerid data from remote slurmd"),
        ErrorCode.NOT_SUPPORTED.text());
  }

  private static CommandException failure(StderrMessage first, String text) {
    return new CommandException(
        1, List.of(first, StderrMessage.plain("callerid failure: " + text)));
  }

  private static @Nullable String problem(List<String> words) {
    String family = words.size() > 4 ? words.get(4) : "4";
    Integer number = ErrorTexts.number(family);
    if (number == null) {
      return "Address family not an integer";
    }
    if (number != 4 && number != 6) {
      return "Invalid address family: " + number;
    }
    boolean six = number == 6;
    if (!isAddress(words.get(0), six)) {
      return "inet_pton failed for '" + words.get(0) + "'";
    }
    if (ErrorTexts.number(words.get(1)) == null) {
      return "Source port not an integer";
    }
    if (!isAddress(words.get(2), six)) {
      return "scontrol_callerid: inet_pton failed for '" + words.get(2) + "'";
    }
    return ErrorTexts.number(words.get(3)) == null ? "Destination port not an integer" : null;
  }

  private static boolean isAddress(String word, boolean six) {
    if (!six) {
      return word.matches(IPV4);
    }
    try {
      return word.matches("[0-9a-fA-F:.]+") && Inet6Address.ofLiteral(word) != null;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
