package io.dure.cli.scontrol.show;

import io.dure.cli.scontrol.session.ScontrolSession;
import io.dure.model.HostList;
import io.dure.model.HostListException;
import io.dure.surface.message.CommandException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns names of hosts into an expression and back; no controller is asked. */
final class ShowHostNames {

  private static final int MAX_FILE_BYTES = 4 << 20;

  private final ScontrolSession session;

  ShowHostNames(ScontrolSession session) {
    this.session = session;
  }

  /** One name a line, of the expression or of the job that this runs in. */
  void expand(@Nullable String expression) throws CommandException {
    String list = expression;
    if (list == null) {
      list = session.context().environment().get("SLURM_NODELIST");
    }
    if (list == null || list.isEmpty()) {
      throw CommandException.error("SLURM_NODELIST environment variable not set");
    }
    StringBuilder text = new StringBuilder();
    for (String name : names(list)) {
      text.append(name).append('\n');
    }
    session.print(text.toString());
  }

  /** The expression of names, of the names in a file, or of those on standard input. */
  void compress(@Nullable String source, boolean sorted) throws CommandException {
    if (source == null) {
      throw CommandException.error("too few arguments for keyword:show hostlist");
    }
    List<String> names = names(read(source));
    session.print((sorted ? HostList.compress(names) : HostList.compressInOrder(names)) + "\n");
  }

  private static List<String> names(String list) throws CommandException {
    try {
      return HostList.expand(list);
    } catch (HostListException e) {
      throw CommandException.error("Invalid hostlist: " + e.getMessage());
    }
  }

  private String read(String source) throws CommandException {
    if (source.equals("-")) {
      return contents(session.context().in(), "standard input");
    }
    if (source.indexOf('/') < 0) {
      return source;
    }
    Path file = session.context().directory().resolve(source);
    try (InputStream in = session.context().caller().read(file)) {
      return contents(in, source);
    } catch (IOException e) {
      throw CommandException.error("Could not open file " + source);
    }
  }

  private static String contents(InputStream in, String name) throws CommandException {
    try {
      byte[] bytes = in.readNBytes(MAX_FILE_BYTES + 1);
      if (bytes.length > MAX_FILE_BYTES) {
        throw CommandException.error(name + " is too long for a list of hosts");
      }
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw CommandException.error("Could not read " + name);
    }
  }
}
