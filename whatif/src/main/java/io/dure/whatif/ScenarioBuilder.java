package io.dure.whatif;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.controller.loop.InMemoryController;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.slurmconf.ConfigDiagnostic;
import io.dure.model.config.slurmconf.ParsedConfig;
import io.dure.model.config.slurmconf.SlurmConfParser;
import io.dure.model.request.ArrayRequest;
import io.dure.surface.message.CommandException;
import io.dure.surface.sbatch.CallerFiles;
import io.dure.surface.sbatch.RecordedSubmission;
import io.dure.surface.sbatch.ScriptPlace;
import io.dure.surface.value.LineTokenizer;
import io.dure.twin.policy.QueueOrderPolicy;
import io.dure.twin.simulate.SimulateUsageException;
import io.dure.twin.trace.TraceJob;
import io.dure.twin.trace.TraceJobRequest;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What a supposition makes of a cluster. Used once. */
final class ScenarioBuilder {
  private static final int MOST_TASKS = 10_000;

  /** The number of submissions that nobody waits for, and that nothing in a log has. */
  private static final int FIRST_NUMBER = 1_900_000_000;

  private static final List<String> LINES =
      List.of("nodename", "partitionname", "nodeset", "downnodes", "include");

  private final Instant at;
  private final ScriptPlace scripts;
  private final InMemoryController controller;
  private final ScenarioUpdatePort updates;
  private final String user;
  private final List<TraceJob> submitted = new ArrayList<>();
  private @Nullable QueueOrderPolicy order;

  /**
   * Begins with the cluster as it is.
   *
   * @param user whose jobs are that are submitted, where they do not say
   * @param directory from which their scripts are named
   */
  ScenarioBuilder(ClusterState state, Instant at, ZoneId zone, String user, Path directory) {
    this.at = at;
    scripts = new ScriptPlace(directory, Map.of(), InputStream.nullInputStream(), CallerFiles.OWN);
    this.user = user;
    controller = new InMemoryController(state, at);
    updates = new ScenarioUpdatePort(controller, zone);
  }

  /** The cluster after all changes so far. */
  ClusterState state() {
    return controller.state();
  }

  /** The jobs that are submitted. */
  List<TraceJob> submitted() {
    return List.copyOf(submitted);
  }

  /** The order that was asked for, null for that of the cluster. */
  @Nullable QueueOrderPolicy order() {
    return order;
  }

  /**
   * Makes changes: settings first, all at once, as some go together only.
   *
   * @throws SimulateUsageException saying what is wrong with one
   */
  void make(List<WhatIfChange> changes) throws SimulateUsageException {
    List<String> lines = new ArrayList<>();
    for (WhatIfChange change : changes) {
      if (change instanceof WhatIfChange.SettingChange(String line)) {
        lines.add(line);
      }
    }
    if (!lines.isEmpty()) {
      set(lines);
    }
    for (WhatIfChange change : changes) {
      make(change);
    }
  }

  private void make(WhatIfChange change) throws SimulateUsageException {
    switch (change) {
      case WhatIfChange.CommandChange called -> call(called);
      case WhatIfChange.SettingChange _ -> {}
      case WhatIfChange.EntitlementChange entitled -> {
        SacctmgrLimitChange line = new SacctmgrLimitChange(entitled, controller.state().accounts());
        run("--" + entitled.entity() + " " + line.asked(), "sacctmgr", line.words());
      }
      case WhatIfChange.NodeCountChange more ->
          controller.replaceState(ClusterExpansion.of(controller.state(), more, at));
      case WhatIfChange.OrderChange ordered -> order = ordered.order();
      case WhatIfChange.SubmitChange one -> submit(one);
    }
  }

  private void call(WhatIfChange.CommandChange called) throws SimulateUsageException {
    String asked = called.option() + " " + called.value();
    if (!called.option().equals("--partition")) {
      run(asked, called.program(), called.words());
      return;
    }
    List<String> words = new ArrayList<>(LineTokenizer.of(called.value()));
    String name = "";
    for (String word : words) {
      if (word.toLowerCase(Locale.ROOT).startsWith("partitionname=")) {
        name = word.substring("partitionname=".length());
      }
    }
    if (name.isEmpty()) {
      throw new SimulateUsageException(
          asked + ": name the partition, such as PartitionName=debug MaxTime=2:00:00");
    }
    words.addFirst(controller.state().partition(name) == null ? "create" : "update");
    run(asked, "scontrol", words);
  }

  private void run(String asked, String program, List<String> words) throws SimulateUsageException {
    String said = updates.call(program, words);
    if (!said.isEmpty()) {
      throw new SimulateUsageException(asked + ": " + said);
    }
  }

  /** The configuration in force as text with some lines more, read anew. */
  private void set(List<String> lines) throws SimulateUsageException {
    ClusterState state = controller.state();
    ClusterConfig config = state.config();
    String asked = "--set " + String.join(" ", lines);
    Set<String> keys = keys(lines);
    StringBuilder text = new StringBuilder();
    for (Map.Entry<String, String> value : config.values().entrySet()) {
      if (!keys.contains(value.getKey().toLowerCase(Locale.ROOT))) {
        value
            .getValue()
            .lines()
            .filter(one -> !one.isEmpty())
            .forEach(one -> text.append(value.getKey()).append("=\"").append(one).append("\"\n"));
      }
    }
    ParsedConfig before = parsed(text.toString());
    ParsedConfig parsed = parsed(text + String.join("\n", lines) + "\n");
    for (ConfigDiagnostic one : parsed.diagnostics()) {
      boolean known =
          one.severity() == ConfigDiagnostic.Severity.INFO || isAmong(one, before.diagnostics());
      if (!known) {
        throw new SimulateUsageException(asked + ": " + one.message() + ". " + one.remedy());
      }
    }
    if (parsed.config().settings().equals(config.settings())) {
      throw new SimulateUsageException(asked + ": it is so already, nothing would change");
    }
    ClusterConfig next =
        new ClusterConfig(
            config.path(),
            parsed.config().settings(),
            parsed.config().values(),
            config.nodes(),
            state.partitions(),
            config.topology(),
            config.topologies());
    controller.apply(new Event.Configured(next, at));
  }

  /** The keys that lines set, in lower case. */
  private static Set<String> keys(List<String> lines) throws SimulateUsageException {
    Set<String> keys = new TreeSet<>();
    for (String line : lines) {
      int equals = line.indexOf('=');
      if (equals <= 0) {
        throw new SimulateUsageException(
            "--set " + line + ": write KEY=VALUE, a line of slurm.conf");
      }
      for (String word : LineTokenizer.of(line)) {
        int at = word.indexOf('=');
        keys.add((at < 0 ? word : word.substring(0, at)).strip().toLowerCase(Locale.ROOT));
      }
      String first = line.substring(0, equals).strip().toLowerCase(Locale.ROOT);
      if (LINES.contains(first)) {
        throw new SimulateUsageException(
            "--set "
                + line
                + ": a line of nodes or partitions is told by --partition, --add-nodes, --drain,"
                + " or --scontrol \"update ...\"");
      }
    }
    return keys;
  }

  private static ParsedConfig parsed(String text) {
    return SlurmConfParser.parse("/slurm.conf", file -> file.equals("/slurm.conf") ? text : null);
  }

  private static boolean isAmong(ConfigDiagnostic one, List<ConfigDiagnostic> others) {
    return others.stream()
        .anyMatch(other ->
            Objects.equals(other.key(), one.key()) && other.message().equals(one.message()));
  }

  private void submit(WhatIfChange.SubmitChange one) throws SimulateUsageException {
    String asked = "--submit \"" + one.line() + "\"";
    List<String> words = new ArrayList<>(LineTokenizer.of(one.line()));
    try {
      List<RecordedSubmission> all = RecordedSubmission.withScript(words, at, scripts);
      int number = FIRST_NUMBER + submitted.size();
      for (int i = 0; i < all.size(); i++) {
        TraceJob.Component place = all.size() == 1 ? null : new TraceJob.Component(i, all.size());
        RecordedSubmission job = all.get(i);
        String name = all.size() == 1 ? "submitted" : "submitted+" + i;
        name = submitted.isEmpty() || i > 0 ? name : name + "-" + (submitted.size() + 1);
        Duration runs = one.runTime() == null ? TraceJob.ENDLESS : one.runTime();
        TraceJob traced =
            new TraceJob(
                name,
                at,
                runs,
                job.user().isEmpty() ? user : job.user(),
                new TraceJobRequest.SbatchRequest(job.spec()),
                new TraceJob.Origin(number, null, 0, place));
        ArrayRequest tasks = job.spec().arrayTasks();
        if (tasks == null) {
          submitted.add(traced);
        } else {
          array(traced, tasks, number, asked);
        }
      }
    } catch (CommandException e) {
      throw new SimulateUsageException(asked + ": " + e.getMessage());
    }
  }

  private void array(TraceJob job, ArrayRequest tasks, int number, String asked)
      throws SimulateUsageException {
    try {
      ArrayRequest array = tasks.within(Integer.MAX_VALUE);
      if (array.indices().size() > MOST_TASKS) {
        throw new SimulateUsageException(
            asked + ": an array has at most " + MOST_TASKS + " tasks here");
      }
      for (int index : array.indices().toList()) {
        submitted.add(
            new TraceJob(
                job.name() + "_" + index,
                job.submit(),
                job.run(),
                job.user(),
                job.demand(),
                new TraceJob.Origin(number, index, array.throttle())));
      }
    } catch (ArrayRequest.InvalidArrayException e) {
      throw new SimulateUsageException(asked + ": " + e.getMessage());
    }
  }
}
