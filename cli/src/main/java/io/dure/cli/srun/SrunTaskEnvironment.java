package io.dure.cli.srun;

import io.dure.cli.command.CallerProcess;
import io.dure.cli.command.CommandContext;
import io.dure.cli.command.ExportedEnvironment;
import io.dure.model.step.HetStep;
import io.dure.model.step.StepSpec;
import io.dure.surface.message.CommandException;
import io.dure.surface.srun.BindOption;
import io.dure.surface.srun.SrunOption;
import io.dure.surface.srun.SrunSettings;
import io.dure.surface.srun.TaskDistributionOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What tasks find in their environment of the call that started them; nodes add the rest. */
final class SrunTaskEnvironment {
  private static final int USUAL_DEBUG = 3;

  private final CommandContext context;
  private final SrunSettings settings;
  private final @Nullable HetStep het;
  private final @Nullable String libraries;
  private final Map<String, String> all;

  SrunTaskEnvironment(CommandContext context, StepCall call, @Nullable HetStep het) {
    this.het = het;
    this.context = context;
    this.settings = call.settings();
    this.libraries = ProgramBroadcast.libraries(call);
    Map<String, String> caller = new LinkedHashMap<>(context.environment());
    int debug = USUAL_DEBUG + settings.shared().verbosity() - settings.quietness();
    caller.put("SRUN_DEBUG", Integer.toString(Math.max(0, debug)));
    this.all =
        new LinkedHashMap<>(
            ExportedEnvironment.of(caller, settings.value(SrunOption.EXPORT)).variables());
  }

  /** The variables, as {@code NAME=VALUE}. */
  List<String> lines() throws CommandException {
    CallerProcess caller = context.caller();
    String digits = Integer.toOctalString(caller.umask());
    all.put("SLURM_UMASK", "0".repeat(Math.max(0, 4 - digits.length())) + digits);
    all.put("SLURM_PRIO_PROCESS", Integer.toString(caller.nice()));
    put("SLURM_JOB_NAME", settings.value(SrunOption.JOB_NAME));
    put("SLURM_NTASKS_PER_NODE", settings.value(SrunOption.NTASKS_PER_NODE));
    put("SLURM_CONTAINER", settings.value(SrunOption.CONTAINER));
    put("SLURM_CONTAINER_IMAGE", settings.value(SrunOption.CONTAINER_IMAGE));
    put("SLURM_CONTAINER_MOUNTS", settings.value(SrunOption.CONTAINER_MOUNTS));
    put("SLURM_CONTAINER_WORKDIR", settings.value(SrunOption.CONTAINER_WORKDIR));
    put("SLURM_MPI_TYPE", settings.value(SrunOption.MPI));
    put("SLURM_NTASKS_PER_CORE", settings.value(SrunOption.NTASKS_PER_CORE));
    String threads = settings.value(SrunOption.THREADS_PER_CORE);
    put("SLURM_THREADS_PER_CORE", settings.has(SrunOption.HINT) ? "1" : threads);
    put("SLURM_HET_SIZE", het == null ? null : Integer.toString(het.components()));
    if (libraries != null) {
      String before = all.get("LD_LIBRARY_PATH");
      boolean first = before == null || before.isEmpty();
      all.put("LD_LIBRARY_PATH", first ? libraries : libraries + ":" + before);
    }
    distribution();
    bindings();
    List<String> lines = new ArrayList<>(all.size());
    all.forEach((name, value) -> lines.add(name + "=" + value));
    return lines;
  }

  private void put(String name, @Nullable String value) {
    if (value != null) {
      all.put(name, value);
    }
  }

  /** What was asked for, for an srun that a task may run. */
  private void distribution() {
    String asked = settings.value(SrunOption.DISTRIBUTION);
    if (asked == null) {
      put(
          "SLURM_DISTRIBUTION",
          settings.has(SrunOption.JOBID) && !settings.has(SrunOption.INTERACTIVE) ? "block" : null);
      return;
    }
    TaskDistributionOption distribution = TaskDistributionOption.parse(asked);
    all.put("SLURM_DISTRIBUTION", distribution.text());
    if (distribution.nodes() == StepSpec.Distribution.PLANE) {
      all.put("SLURM_DIST_PLANESIZE", Integer.toString(distribution.plane()));
    }
  }

  private void bindings() throws CommandException {
    String cpu = settings.value(SrunOption.CPU_BIND);
    String memory = settings.value(SrunOption.MEM_BIND);
    if (cpu != null) {
      all.putAll(BindOption.cpu(cpu).variables("SLURM_CPU_BIND"));
    }
    if (memory != null) {
      all.putAll(BindOption.memory(memory).variables("SLURM_MEM_BIND"));
    }
  }
}
