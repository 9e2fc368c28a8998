package io.dure.bench.emulatednodes;

import io.dure.model.ExitStatus;
import io.dure.model.command.Command;
import io.dure.model.command.RunReport;
import io.dure.model.command.StepEnd;
import io.dure.model.config.NodeConfig;
import io.dure.model.node.NodeFacts;
import io.dure.model.node.NodeMetrics;
import io.dure.node.link.ControllerLink;
import io.dure.protocol.ControllerToNodeMessage;
import io.dure.protocol.NodeToControllerMessage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A node daemon as the controller meets it, on its own connection: it says that what it was told to
 * launch runs, and runs nothing. Its connection's thread calls it, and a timer.
 */
final class EmulatedNode implements ControllerLink.Listener {
  private static final int SIGTERM = 15;

  private final NodeConfig config;
  private final Instant boot;
  private final TreeSet<Run> runs = new TreeSet<>();
  private ControllerLink.@Nullable Session session;
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
  public synchronized void connected(ControllerLink.Session next) {
    session = next;
    next.send(
        new NodeToControllerMessage.Report(new Command.RegisterNode(facts(), inventory(), null)));
  }

  @Override
  public synchronized void received(ControllerLink.Session from, ControllerToNodeMessage message) {
    switch (message) {
      case ControllerToNodeMessage.Welcome _ -> welcome = true;
      case ControllerToNodeMessage.Launch(var job, var _, var _, var _) -> {
        runs.add(new Run(job.id(), job.run()));
        say(from, new Command.StepLaunched(job.id(), job.run()));
      }
      case ControllerToNodeMessage.Terminate(int jobId, int run, var _, var _, var _) -> {
        if (runs.remove(new Run(jobId, run))) {
          StepEnd end = new StepEnd.Ran(new ExitStatus(0, SIGTERM), false);
          say(from, new Command.StepEnded(jobId, run, end, true));
        }
        say(from, new Command.NodeCleaned(jobId, run, null));
      }
      case ControllerToNodeMessage.Rejected _,
          ControllerToNodeMessage.Signal _,
          ControllerToNodeMessage.Suspend _,
          ControllerToNodeMessage.Resume _,
          ControllerToNodeMessage.Forget _,
          ControllerToNodeMessage.TerminateStep _,
          ControllerToNodeMessage.SignalStep _,
          ControllerToNodeMessage.ForgetStep _,
          ControllerToNodeMessage.ConfirmStepParts _,
          ControllerToNodeMessage.Notify _,
          ControllerToNodeMessage.Shutdown _,
          ControllerToNodeMessage.Reconfigure _,
          ControllerToNodeMessage.Reboot _,
          ControllerToNodeMessage.UserJobs _,
          ControllerToNodeMessage.KeepAlive _ -> {}
    }
  }

  private static void say(ControllerLink.Session to, Command.NodeCommand command) {
    to.send(new NodeToControllerMessage.Report(command));
  }

  @Override
  public synchronized void disconnected(ControllerLink.Session former) {
    session = null;
    welcome = false;
  }

  /** Whether the controller has taken it. */
  synchronized boolean isWelcome() {
    return welcome;
  }

  /** Says that it lives. */
  synchronized void beat() {
    ControllerLink.Session to = session;
    if (to != null && welcome) {
      to.send(new NodeToControllerMessage.Heartbeat(new NodeMetrics(0, config.realMemoryMib())));
      to.send(new NodeToControllerMessage.Inventory(inventory()));
    }
  }

  private List<RunReport> inventory() {
    List<RunReport> reports = new ArrayList<>();
    runs.forEach(run -> reports.add(new RunReport(run.jobId(), run.number(), null, false, false)));
    return reports;
  }

  private NodeFacts facts() {
    return config
        .asConfigured(boot)
        .with()
        .version("emulated")
        .tmpDiskMib(1000)
        .bootId(config.name() + "-emulated")
        .build();
  }
}
