package io.dure.testkit.cluster;

import io.dure.cluster.LateLaunches;
import io.dure.model.ExitStatus;
import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.model.command.RunReport;
import io.dure.model.command.StepEnd;
import io.dure.model.config.NodeConfig;
import io.dure.model.node.NodeFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A node and its daemon as the controller meets them: answers Launch and Terminate, keeps its runs
 * while the connection is gone, and lists them when it calls again.
 */
public final class FakeNode {
  private static final Duration EPILOG = Duration.ofSeconds(1);
  private static final Duration DEATH = Duration.ofSeconds(1);
  private static final int SIGTERM = 15;
  private static final int SIGKILL = 9;

  /** A run of a job. */
  record Key(int jobId, int run) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      return jobId == other.jobId
          ? Integer.compare(run, other.run)
          : Integer.compare(jobId, other.jobId);
    }
  }

  private final NodeConfig config;
  private final Duration killWait;
  private final BiConsumer<String, Command.NodeCommand> controller;
  private final TreeMap<Key, FakeRun> runs = new TreeMap<>();
  private final List<Effect> received = new ArrayList<>();
  private final List<Key> begun = new ArrayList<>();
  private boolean connected;
  private LateLaunches launches = new LateLaunches();
  private int boots = 1;
  private int cpus;
  private Instant now;

  FakeNode(
      NodeConfig config,
      Duration killWait,
      Instant now,
      BiConsumer<String, Command.NodeCommand> controller) {
    this.config = config;
    this.killWait = killWait;
    this.now = now;
    this.controller = controller;
    cpus = config.shape().cpus();
  }

  /** Its name. */
  public String name() {
    return config.name();
  }

  /** True while its daemon is connected. */
  public boolean connected() {
    return connected;
  }

  /** Signals and notices that came, in order. */
  public List<Effect> received() {
    return List.copyOf(received);
  }

  /** Runs that ever began here, in order. */
  List<Key> begun() {
    return begun;
  }

  /** How many runs it knows, of which some may have ended. */
  public int knownRuns() {
    return runs.size();
  }

  /** How many scripts run that nobody has asked to end. */
  public long livingRuns() {
    return runs.values().stream().filter(r -> r.lives() && !r.dying).count();
  }

  /** Runs it knows. */
  SortedMap<Key, FakeRun> runs() {
    return runs;
  }

  /** Registers with what it runs. */
  void connect() {
    connected = true;
    launches = new LateLaunches();
    send(new Command.RegisterNode(facts(), inventory(), null));
  }

  /** All runs it knows. */
  List<RunReport> inventory() {
    List<RunReport> reports = new ArrayList<>();
    runs.forEach((key, run) ->
        reports.add(
            new RunReport(
                key.jobId(), key.run(), run.end, run.clean, run.dying, run.suspended != null)));
    return reports;
  }

  /** Its spool is emptied, and what ran ends, unseen by the daemon. */
  public void loseSpool() {
    runs.clear();
  }

  /** What it should have launched since it last called. */
  LateLaunches launches() {
    return launches;
  }

  /** The machine has other hardware from now on. */
  public void shrinkTo(int fewerCpus) {
    cpus = fewerCpus;
  }

  private NodeFacts facts() {
    return config
        .asConfigured(TestCluster.START)
        .with()
        .cpus(cpus)
        .tmpDiskMib(1000)
        .bootId(name() + "-boot-" + boots)
        .confinement("cgroup/v2")
        .build();
  }

  /** The connection is gone; what runs here runs on. */
  void disconnect() {
    connected = false;
  }

  /**
   * The machine loses power and comes up again without a connection.
   *
   * @param spoolKept whether the daemon still knows what it ran
   */
  void reboot(boolean spoolKept) {
    connected = false;
    boots++;
    if (!spoolKept) {
      runs.clear();
    }
    for (FakeRun run : runs.values()) {
      if (run.lives()) {
        run.suspended = null;
        run.end = new StepEnd.Lost("the machine was booted");
        run.next = now.plus(EPILOG);
      }
    }
  }

  /**
   * Does what the controller wants.
   *
   * @param script what the job of a Launch runs; null for others
   */
  void perform(Effect.OnNode effect, @Nullable Script script) {
    Key key =
        switch (effect) {
          case Effect.Launch e -> new Key(e.jobId(), e.run());
          case Effect.Terminate e -> new Key(e.jobId(), e.run());
          case Effect.Signal e -> new Key(e.jobId(), e.run());
          case Effect.Suspend e -> new Key(e.jobId(), e.run());
          case Effect.Resume e -> new Key(e.jobId(), e.run());
          case Effect.Forget e -> new Key(e.jobId(), e.run());
          case Effect.TerminateStep e -> new Key(e.jobId(), e.run());
          case Effect.SignalStep e -> new Key(e.jobId(), e.run());
          case Effect.ForgetStep e -> new Key(e.jobId(), e.run());
          case Effect.ConfirmStepParts e -> new Key(e.jobId(), e.run());
          case Effect.Notify e -> new Key(e.jobId(), e.run());
        };
    FakeRun run = runs.get(key);
    switch (effect) {
      case Effect.Launch _ -> launch(key, run, script == null ? Script.MINUTE : script);
      case Effect.Terminate _ -> terminate(key, run);
      case Effect.Signal signal -> {
        received.add(signal);
        if (run != null && run.lives() && signal.signal() == SIGKILL && batch(signal)) {
          end(key, run, new StepEnd.Ran(new ExitStatus(0, SIGKILL), false));
        }
      }
      case Effect.Suspend _ -> {
        if (run != null && run.lives() && !run.dying && run.suspended == null) {
          run.suspended = now;
        }
      }
      case Effect.Resume _ -> {
        if (run != null) {
          run.goOn(now);
        }
      }
      case Effect.Forget _ -> {
        if (run != null && run.clean) {
          runs.remove(key);
        }
      }
      case Effect.TerminateStep _,
          Effect.SignalStep _,
          Effect.ForgetStep _,
          Effect.ConfirmStepParts _ ->
          received.add(effect);
      case Effect.Notify notice -> received.add(notice);
    }
  }

  private static boolean batch(Effect.Signal signal) {
    return signal.scope() != Effect.Scope.STEPS;
  }

  private void launch(Key key, @Nullable FakeRun known, Script script) {
    if (known != null) {
      if (known.lives()) {
        send(new Command.StepLaunched(key.jobId(), key.run()));
      } else {
        tell(key, known);
      }
      return;
    }
    FakeRun run = new FakeRun(script, now.plus(script.duration()));
    runs.put(key, run);
    if (script.starts()) {
      begun.add(key);
      send(new Command.StepLaunched(key.jobId(), key.run()));
    } else {
      end(key, run, script.stepEnd());
    }
  }

  private void terminate(Key key, @Nullable FakeRun run) {
    if (run == null) {
      send(new Command.NodeCleaned(key.jobId(), key.run(), null));
    } else if (run.clean) {
      tell(key, run);
    } else if (run.lives() && !run.dying) {
      run.goOn(now);
      run.dying = true;
      run.next = now.plus(run.script.stubborn() ? killWait : DEATH);
    }
  }

  private void tell(Key key, FakeRun run) {
    StepEnd end = run.end;
    if (end != null) {
      send(new Command.StepEnded(key.jobId(), key.run(), end, run.clean));
    }
  }

  private void end(Key key, FakeRun run, StepEnd end) {
    run.suspended = null;
    run.end = end;
    run.next = now.plus(EPILOG);
    tell(key, run);
  }

  /** When something happens here next, null if nothing is to come. */
  @Nullable Instant next() {
    Instant first = null;
    for (FakeRun run : runs.values()) {
      if (!run.clean && run.suspended == null && (first == null || run.next.isBefore(first))) {
        first = run.next;
      }
    }
    return first;
  }

  /** Time passes: scripts end, epilogs end. */
  void at(Instant time) {
    now = time;
    for (var entry : List.copyOf(runs.entrySet())) {
      FakeRun run = entry.getValue();
      Key key = entry.getKey();
      if (run.clean || run.suspended != null || run.next.isAfter(now)) {
        continue;
      }
      if (run.lives()) {
        int signal = run.script.stubborn() ? SIGKILL : SIGTERM;
        end(
            key,
            run,
            run.dying ? new StepEnd.Ran(new ExitStatus(0, signal), false) : run.script.stepEnd());
      } else {
        run.clean = true;
        String error = run.script.epilogFails() ? "epilog exited with 1" : null;
        send(new Command.NodeCleaned(key.jobId(), key.run(), error));
      }
    }
  }

  private void send(Command.NodeCommand message) {
    if (connected) {
      controller.accept(name(), message);
    }
  }
}
