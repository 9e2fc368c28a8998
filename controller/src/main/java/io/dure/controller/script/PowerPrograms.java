package io.dure.controller.script;

import io.dure.cluster.ClusterState;
import io.dure.cluster.NodeRecord;
import io.dure.model.HostList;
import io.dure.model.command.Effect;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.power.PowerSettings;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Runs SuspendProgram, ResumeProgram and ResumeFailProgram. The second of them finds in the file
 * that SLURM_RESUME_FILE names which jobs wait for which nodes. Any thread may call; nothing
 * blocks.
 */
public final class PowerPrograms implements AutoCloseable {
  private static final int AT_A_TIME = 32;
  private static final int WAITING = 10_000;
  private static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

  private final BackgroundPrograms programs;
  private final Logger log;

  /** Runs nothing yet. */
  public PowerPrograms(Logger log) {
    this.log = log;
    programs = new BackgroundPrograms("power", AT_A_TIME, WAITING, log);
  }

  /** Runs the program for the nodes. */
  public void run(Effect.SwitchPower effect, ClusterState state) {
    PowerSettings power = state.settings().power();
    Map<String, String> environment = environment(state.config());
    String nodes = HostList.compress(effect.nodes());
    switch (effect.action()) {
      case SUSPEND ->
          run("SuspendProgram", power.suspendProgram(), nodes, environment, longest(power), null);
      case RESUME_FAILED ->
          run("ResumeFailProgram", power.resumeFailProgram(), nodes, environment, null, null);
      case RESUME -> {
        String text = ResumeFileText.of(effect.nodes(), waiting(effect.nodes(), state));
        run("ResumeProgram", power.resumeProgram(), nodes, environment, longest(power), text);
      }
    }
  }

  private static Duration longest(PowerSettings power) {
    Duration off = power.suspendTimeout();
    Duration on = power.resumeTimeout();
    return off.compareTo(on) > 0 ? off : on;
  }

  private void run(
      String title,
      String program,
      String nodes,
      Map<String, String> environment,
      @Nullable Duration timeout,
      @Nullable String resumes) {
    if (program.isEmpty()) {
      return;
    }
    BackgroundPrograms.Program run =
        new BackgroundPrograms.Program(title, program, List.of(nodes), environment, timeout);
    if (resumes == null) {
      programs.run(run);
    } else {
      programs.run(program + " " + nodes, () -> resume(run, resumes));
    }
  }

  private void resume(BackgroundPrograms.Program run, String text) {
    Path file = resumeFile(text);
    try {
      if (file != null) {
        run.environment().put("SLURM_RESUME_FILE", file.toString());
      }
      programs.perform(run);
    } finally {
      delete(file);
    }
  }

  private static Map<String, String> environment(ClusterConfig config) {
    Map<String, String> environment = new LinkedHashMap<>();
    environment.put("PATH", PATH);
    environment.put("SLURM_CONF", config.path());
    environment.put("SLURM_CLUSTER_NAME", config.settings().controller().clusterName());
    return environment;
  }

  /** The jobs that have got some of the nodes and wait for them. */
  private static List<Job> waiting(List<String> nodes, ClusterState state) {
    TreeSet<Integer> ids = new TreeSet<>();
    for (String name : nodes) {
      NodeRecord node = state.node(name);
      if (node != null) {
        ids.addAll(node.shares().keys());
      }
    }
    return ids.stream()
        .map(state.active()::get)
        .filter(job -> job != null && job.state() instanceof JobState.Running)
        .toList();
  }

  private @Nullable Path resumeFile(String text) {
    try {
      return Files.writeString(Files.createTempFile("dure-resume", ".json"), text);
    } catch (IOException e) {
      log.error("SLURM_RESUME_FILE could not be written; ResumeProgram runs without it: " + e);
      return null;
    }
  }

  private static void delete(@Nullable Path file) {
    try {
      if (file != null) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      // A small file more in the directory for temporary files.
      return;
    }
  }

  @Override
  public void close() {
    programs.close();
  }
}
