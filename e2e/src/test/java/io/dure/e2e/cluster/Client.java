package io.dure.e2e.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The programs that may stand under the commands' names. */
public enum Client {
  /** The C client and the agent. */
  C,
  /** The perl client and the agent. */
  PERL,
  /** A JVM for each command, since there is no agent. */
  JVM;

  /** The directory with the commands. */
  public Path directory() {
    Path bin = Checkout.root().resolve("bin");
    if (this != PERL) {
      return bin;
    }
    return linked(bin, Checkout.root().resolve("target/client"));
  }

  /** Any thread. */
  private static synchronized Path linked(Path bin, Path built) {
    Path program = built.resolve("command.perl");
    Path own = built.resolve("perl");
    try (var commands = Files.list(bin)) {
      Files.createDirectories(own);
      for (Path command : commands.toList()) {
        Path link = own.resolve(command.getFileName());
        if (!Files.isSymbolicLink(link) || !Files.readSymbolicLink(link).equals(program)) {
          Files.deleteIfExists(link);
          Files.createSymbolicLink(link, program);
        }
      }
    } catch (IOException e) {
      throw new AssertionError("cannot link the perl client", e);
    }
    return own;
  }

  /** What it needs in the environment. */
  void prepare(Map<String, String> environment) {
    environment.put("PATH", directory() + ":/usr/local/bin:/usr/bin:/bin");
    if (this == JVM) {
      environment.put("DURE_AGENT", "");
    }
  }
}
