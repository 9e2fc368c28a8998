package io.dure.cli.srun;

import io.dure.cli.command.CommandContext;
import io.dure.cli.command.ControllerConnection;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.srun.BindOption;
import io.dure.surface.srun.SrunOption;
import io.dure.surface.srun.SrunSettings;
import java.io.IOException;
import java.util.List;

/** Tells a user who asks for bindings of a cluster that has none. */
final class BindSupport {
  private static final String KEY = "TaskPlugin ";

  private BindSupport() {}

  /**
   * Looks at the options that bind tasks.
   *
   * @throws CommandException if one of them is wrong, or asks for help
   */
  static void check(CommandContext context, SrunSettings settings, ControllerConnection connection)
      throws IOException, CommandException {
    String cpu = settings.value(SrunOption.CPU_BIND);
    if (cpu == null && !settings.has(SrunOption.THREADS_PER_CORE)) {
      return;
    }
    boolean supported = isSupported(connection);
    if ("help".equals(cpu)) {
      context.out().print(supported ? BindHelp.CPU : BindHelp.NO_CPU);
      throw new CommandException(1, List.of());
    }
    if (!supported) {
      context.report(StderrMessage.info("cluster configuration lacks support for cpu binding"));
    }
    if (cpu != null) {
      BindOption.cpu(cpu);
    }
  }

  private static boolean isSupported(ControllerConnection connection) throws IOException {
    if (!(connection.ask(new Request.ShowConfig()) instanceof Response.Text text)) {
      return true; // what else is wrong is told by what is asked next
    }
    return text.lines().stream()
        .filter(line -> line.startsWith(KEY))
        .anyMatch(line -> line.contains("affinity") || line.contains("cgroup"));
  }
}
