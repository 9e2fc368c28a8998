package io.dure.cli.request;

import io.dure.cli.command.CallerProcess;
import io.dure.model.command.Command;
import io.dure.protocol.Request;
import io.dure.protocol.WireCodecs;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Names for the changes that one call of a command asks for: made of the call's own name, of what
 * is asked for, and of how often it was before. So the same change has the same name also where the
 * call is run a second time, in place of one whose agent ended. For one thread.
 */
public final class ChangeIdGenerator {
  private static final int DIGITS = 32;

  private final CallerProcess caller;
  private final Map<String, Integer> times = new TreeMap<>();

  /** Names within the call of that process. */
  public ChangeIdGenerator(CallerProcess caller) {
    this.caller = caller;
  }

  /**
   * A change with a name that no other has.
   *
   * @param runAs user name or number to act as, null for oneself
   */
  public Request.Change named(Command.UserCommand command, @Nullable String runAs) {
    byte[] asked = WireCodecs.requests().encode(new Request.Change(command, runAs));
    String first = name(caller.requestId(), asked);
    int before = times.merge(first, 1, Integer::sum) - 1;
    String name = before == 0 ? first : name(first + before, asked);
    return new Request.Change(command, runAs, name);
  }

  private static String name(String call, byte[] asked) {
    MessageDigest digest = sha256();
    digest.update(call.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(digest.digest(asked)).substring(0, DIGITS);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
