package io.dure.agent;

import io.dure.cli.command.TerminalSize;
import io.dure.model.request.PropagatedRlimit;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a client says of its process. Nothing in it is trusted: the caller is identified by the
 * kernel.
 *
 * @param umask file creation mask, 0 to 0777
 * @param session session number
 * @param terminals bit 0, 1 and 2: whether standard input, output and error are terminals
 * @param window size of the terminal
 * @param limits soft limits of setrlimit(2), -1 for none
 * @param requestId names the call, 32 hexadecimal digits
 * @param directory working directory, empty where it has been removed
 * @param program the name under which it was called
 * @param arguments the words after it
 * @param environment the variables; of two settings of a name the first counts
 */
record ClientCall(
    int umask,
    int session,
    int terminals,
    TerminalSize window,
    List<PropagatedRlimit> limits,
    String requestId,
    String directory,
    String program,
    List<String> arguments,
    Map<String, String> environment) {

  private static final List<String> LIMITS =
      List.of("CPU", "FSIZE", "DATA", "STACK", "CORE", "RSS", "NPROC", "NOFILE", "MEMLOCK", "AS");
  private static final int FIXED = 12 + 8 + 80;
  private static final int ID_LENGTH = 32;
  private static final int USUAL_WORDS = 64;

  /**
   * Reads the payload of the first frame.
   *
   * @throws ProtocolException if it is no call
   */
  static ClientCall read(byte[] payload) throws ProtocolException {
    if (payload.length < FIXED) {
      throw new ProtocolException("a call of " + payload.length + " bytes");
    }
    ByteBuffer in = ByteBuffer.wrap(payload);
    int umask = in.getInt() & 0777;
    int session = in.getInt();
    int terminals = in.getInt();
    TerminalSize window = new TerminalSize(in.getInt(), in.getInt());
    List<PropagatedRlimit> limits = new ArrayList<>(LIMITS.size());
    for (String name : LIMITS) {
      limits.add(new PropagatedRlimit(name, in.getLong()));
    }
    String requestId = string(in);
    if (requestId.length() != ID_LENGTH) {
      throw new ProtocolException("a call without its id");
    }
    String directory = string(in);
    String program = string(in);
    int count = in.remaining() < 4 ? -1 : in.getInt();
    if (count < 0 || count > in.remaining()) {
      throw new ProtocolException("a call of " + count + " words");
    }
    List<String> arguments = new ArrayList<>(Math.min(count, USUAL_WORDS));
    for (int i = 0; i < count; i++) {
      arguments.add(string(in));
    }
    Map<String, String> environment = new LinkedHashMap<>();
    while (in.hasRemaining()) {
      String setting = string(in);
      int equals = setting.indexOf('=');
      if (equals > 0) {
        environment.putIfAbsent(setting.substring(0, equals), setting.substring(equals + 1));
      }
    }
    return new ClientCall(
        umask,
        session,
        terminals,
        window,
        List.copyOf(limits),
        requestId,
        directory,
        program,
        List.copyOf(arguments),
        environment);
  }

  /** Whether its standard input is a terminal. */
  boolean hasTerminal() {
    return (terminals & 1) != 0;
  }

  private static String string(ByteBuffer in) throws ProtocolException {
    int start = in.position();
    int end = start;
    while (end < in.limit() && in.get(end) != 0) {
      end++;
    }
    if (end == in.limit()) {
      throw new ProtocolException("a call with a string that does not end");
    }
    byte[] bytes = new byte[end - start];
    in.get(bytes).get();
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
