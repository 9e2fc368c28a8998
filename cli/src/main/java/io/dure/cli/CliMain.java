package io.dure.cli;

import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.cli.connect.ClusterConnector;
import io.dure.cli.process.CurrentProcessCaller;
import io.dure.cli.process.ProcessArguments;
import io.dure.cli.process.StandardInput;
import io.dure.cli.process.StandardOutput;
import io.dure.cli.process.SystemWallClock;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Runs the command that the first argument names, as its own process. */
public final class CliMain {

  private static final int NO_SUCH_COMMAND = 127;
  private static final int OUTPUT_LOST = 1;

  /** Set by a client whose agent ended while it ran the same call. */
  private static final String REQUEST_ID = "DURE_REQUEST_ID";

  /** The launcher has Java use a signal that is never sent, so that USR2 ends a command. */
  private static final String SIGNAL_OF_JAVA = "_JAVA_SR_SIGNUM";

  private static final String UNUSED_SIGNAL = "64";

  private CliMain() {}

  /** Starts with the program's name and its arguments; ends the process with its exit code. */
  public static void main(String[] arguments) {
    PrintStream err = stream(FileDescriptor.err, 0);
    String name = arguments.length == 0 ? "" : arguments[0];
    CliCommand command = CommandRegistry.named(name);
    if (command == null) {
      err.print("dure: there is no command '" + name + "'\n");
      end(NO_SUCH_COMMAND);
      return;
    }
    Path self = Path.of("/proc/self");
    List<String> words = ProcessArguments.arguments(self, arguments.length - 1);
    Map<String, String> environment = ProcessArguments.environment(self);
    String requestId = environment.remove(REQUEST_ID);
    environment.remove(SIGNAL_OF_JAVA, UNUSED_SIGNAL);
    PrintStream out = stream(FileDescriptor.out, 1 << 16);
    int code =
        command.run(
            new CommandContext(
                name,
                words,
                environment,
                Path.of("").toAbsolutePath(),
                new BufferedInputStream(new StandardInput()),
                out,
                err,
                isTerminal(self.resolve("fd/1")),
                new CurrentProcessCaller(Path.of("/proc"), requestId),
                new SystemWallClock(System.getenv("TZ")),
                new ClusterConnector(environment)));
    out.flush();
    if (out.checkError() && code == 0) {
      code = OUTPUT_LOST;
    }
    end(code);
  }

  /** Nothing is left to close, and an orderly exit first loads the platform's logging. */
  private static void end(int code) {
    Runtime.getRuntime().halt(code);
  }

  private static PrintStream stream(FileDescriptor to, int buffer) {
    StandardOutput file = new StandardOutput(to, System.getProperty("dure.ignored", "0"));
    return buffer == 0
        ? new PrintStream(file, true, StandardCharsets.UTF_8)
        : new PrintStream(new BufferedOutputStream(file, buffer), false, StandardCharsets.UTF_8);
  }

  private static boolean isTerminal(Path descriptor) {
    try {
      String target = Files.readSymbolicLink(descriptor).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException e) {
      return false;
    }
  }
}
