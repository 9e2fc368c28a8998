package io.dure.cli.srun;

import io.dure.cli.command.CommandContext;
import io.dure.cli.command.ControllerConnection;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.step.TaskBinding;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.srun.BindOption;
import io.dure.surface.srun.SrunOption;
import io.dure.surface.srun.SrunSettings;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Tells a user who asks for bindings of a cluster that has none. */
final class BindSupport {
  private static final String KEY = "TaskPlugin ";

  /** How the tasks of a node can be given to its sockets. */
  private static final List<String> SOCKETS = List.of("block", "cyclic", "fcyclic");

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

  /** What nodes are told of it. */
  static TaskBinding binding(SrunSettings settings) throws CommandException {
    String cpu = settings.value(SrunOption.CPU_BIND);
    String memory = settings.value(SrunOption.MEM_BIND);
    String hint = settings.valueOr(SrunOption.HINT, "").toLowerCase(Locale.ROOT);
    String[] layout = settings.valueOr(SrunOption.DISTRIBUTION, "").split("[:,]", -1);
    String second = layout.length > 1 ? layout[1].toLowerCase(Locale.ROOT) : "";
    TaskBinding.Choice asked = choice(cpu == null ? null : BindOption.cpu(cpu));
    String byHint =
        switch (hint) {
          case "compute_bound", "memory_bound" -> "cores";
          case "multithread", "nomultithread" -> "threads";
          default -> "";
        };
    return new TaskBinding(
        asked.type().isEmpty() ? new TaskBinding.Choice(asked.verbose(), byHint, "", false) : asked,
        choice(memory == null ? null : BindOption.memory(memory)),
        settings.valueOr(SrunOption.GPU_BIND, ""),
        SOCKETS.contains(second) ? second : "",
        hint.isEmpty() || hint.equals("multithread")
            ? Math.max(0, settings.count(SrunOption.THREADS_PER_CORE, 0))
            : 1,
        Math.max(0, settings.count(SrunOption.NTASKS_PER_CORE, 0)),
        Math.max(0, settings.count(SrunOption.NTASKS_PER_SOCKET, 0)));
  }

  private static TaskBinding.Choice choice(@Nullable BindOption option) {
    return option == null
        ? TaskBinding.Choice.NONE
        : new TaskBinding.Choice(option.verbose(), option.type(), option.list(), option.prefers());
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
