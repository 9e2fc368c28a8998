package io.dure.simulator.emulated;

import io.dure.core.config.NodeConfig;
import io.dure.core.controller.Command;
import io.dure.core.controller.RunReport;
import io.dure.core.controller.StepEnd;
import io.dure.core.model.ExitStatus;
import io.dure.core.model.NodeFacts;
import io.dure.core.model.NodeLoad;
import io.dure.node.link.ControllerCaller;
import io.dure.protocol.FromNode;
import io.dure.protocol.ToNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A node daemon as the controller meets it, on its own connection: it says that what it was told to
 * launch runs, and runs nothing. Its connection's thread calls it, and a timer.
 */
final class EmulatedNode implements ControllerCaller.Listener {
  private static final int SIGTERM = 15;

  private final NodeConfig config;
  private final Instant boot;
  private final TreeSet<Run> runs = new TreeSet<>();
  private ControllerCaller.@Nullable Session session;
  private boolean welcome;

  private record Run(int jobId, int number) implements Comparable<Run> {
    @Override
    public int compareTo(Run other) {
      return jobId == other.jobId
          ? Integer.compare(number, other.number)
          : Integer.compare(jobId, other.jobId);
    }
  }

  EmulatedNode(NodeConfig config, Instant boot) {
    this.config = config;
    this.boot = boot;
  }

  @Override
  public synchronized void connected(ControllerCaller.Session next) {
    session = next;
    next.send(new FromNode.Report(new Command.RegisterNode(facts(), inventory(), null)));
  }

  @Override
  public synchronized void received(ControllerCaller.Session from, ToNode message) {
    switch (message) {
      case ToNode.Welcome _ -> welcome = true;
      case ToNode.Launch(var job, var _, var _, var _) -> {
        runs.add(new Run(job.id(), job.run()));
        say(from, new Command.StepLaunched(job.id(), job.run()));
      }
      case ToNode.Terminate(int jobId, int run, var _, var _, var _) -> {
        if (runs.remove(new Run(jobId, run))) {
          StepEnd end = new StepEnd.Ran(new ExitStatus(0, SIGTERM), false);
          say(from, new Command.StepEnded(jobId, run, end, true));
        }
        say(from, new Command.NodeCleaned(jobId, run, null));
      }
      case ToNode.Rejected _,
          ToNode.Signal _,
          ToNode.Suspend _,
          ToNode.Resume _,
          ToNode.Forget _,
          ToNode.Notify _,
          ToNode.Shutdown _,
          ToNode.Reconfigure _,
          ToNode.Beat _ -> {}
    }
  }

  private static void say(ControllerCaller.Session to, Command.FromNode command) {
    to.send(new FromNode.Report(command));
  }

  @Override
  public synchronized void disconnected(ControllerCaller.Session former) {
    session = null;
    welcome = false;
  }

  /** Whether the controller has taken it. */
  synchronized boolean isWelcome() {
    return welcome;
  }

  /** Says that it lives. */
  synchronized void beat() {
    ControllerCaller.Session to = session;
    if (to != null && welcome) {
      to.send(new FromNode.Heartbeat(new NodeLoad(0, config.realMemoryMib())));
      to.send(new FromNode.Inventory(inventory()));
    }
  }

  private List<RunReport> inventory() {
    List<RunReport> reports = new ArrayList<>();
    runs.forEach(run -> reports.add(new RunReport(run.jobId(), run.number(), null, false, false)));
    return reports;
  }

  private NodeFacts facts() {
    NodeConfig.Shape shape = config.shape();
    return new NodeFacts(
        "emulated",
        config.name(),
        null,
        "x86_64",
        "Linux",
        shape.cpus(),
        shape.sockets(),
        shape.coresPerSocket(),
        shape.threadsPerCore(),
        config.realMemoryMib(),
        1000,
        List.of(),
        boot,
        config.name() + "-emulated",
        boot,
        "none",
        List.of());
  }
}
