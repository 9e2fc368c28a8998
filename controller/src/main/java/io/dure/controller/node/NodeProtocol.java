package io.dure.controller.node;

import io.dure.cluster.ClusterState;
import io.dure.cluster.LateLaunches;
import io.dure.cluster.NodeRecord;
import io.dure.cluster.RunReconciliation;
import io.dure.controller.loop.ReplyListener;
import io.dure.controller.loop.StateAccess;
import io.dure.controller.statistics.RequestCounts;
import io.dure.controller.statistics.RpcMessageType;
import io.dure.model.ErrorCode;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.LateLaunch;
import io.dure.model.command.Reply;
import io.dure.model.command.RunReport;
import io.dure.model.job.Job;
import io.dure.model.node.NodeFacts;
import io.dure.protocol.ControllerToNodeMessage;
import io.dure.protocol.NodeToControllerMessage;
import io.dure.protocol.codec.MalformedMessageException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/**
 * What a controller and a node daemon say to each other over one connection, from the daemon's
 * Hello to the end. One thread.
 */
public final class NodeProtocol {
  private final NodeServices wiring;
  private final NodeLink link;
  private final RunDifferences comparison = new RunDifferences();
  private final LateLaunches launches = new LateLaunches();

  /**
   * What dialogues need of the controller.
   *
   * @param counts counts what daemons report
   * @param nanos a monotonic time in nanoseconds
   * @param aside runs what may have to wait for the state's owner
   * @param credentialKey with what nodes check its credentials, none if it signs none
   */
  @SuppressWarnings("ArrayRecordComponent") // bytes are handed on, never compared
  public record NodeServices(
      StateAccess owner,
      NodeLinks links,
      RequestCounts counts,
      InstantSource clock,
      LongSupplier nanos,
      Executor aside,
      Logger log,
      byte[] credentialKey) {

    /** With counts that are not shown, of a controller that signs nothing. */
    public NodeServices(
        StateAccess owner, NodeLinks links, InstantSource clock, Executor aside, Logger log) {
      this(owner, links, new RequestCounts(), clock, System::nanoTime, aside, log, new byte[0]);
    }
  }

  NodeProtocol(NodeLink link, NodeServices wiring) {
    this.link = link;
    this.wiring = wiring;
    wiring.links().enter(link);
  }

  /** A dialogue with the daemon of that node, which has proved to be it. */
  public static NodeProtocol over(NodeChannel way, String node, NodeServices wiring) {
    return new NodeProtocol(new NodeLink(node, way, wiring.clock().instant()), wiring);
  }

  /** Takes up what the daemon said. */
  public void heard(NodeToControllerMessage message) throws InterruptedException {
    Caller caller = new Caller.NodeDaemon(link.node());
    link.hear(wiring.clock().instant());
    switch (message) {
      case NodeToControllerMessage.Heartbeat(var load) -> {
        wiring.links().heard(link.node(), load);
        link.send(new ControllerToNodeMessage.KeepAlive(null));
      }
      case NodeToControllerMessage.Inventory(var runs) -> compare(runs);
      case NodeToControllerMessage.Report(Command.RegisterNode command) -> {
        if (admit(NodeLink.Instance.of(command.facts()))) {
          wiring
              .owner()
              .submit(command, caller, counted(command, new Registration(command.facts())));
        }
      }
      case NodeToControllerMessage.Report(Command.NodeCommand command) ->
          wiring.owner().submit(command, caller, counted(command, new Silent()));
      case NodeToControllerMessage.JobsOfUser(int question, int uid) -> tellJobs(question, uid);
      case NodeToControllerMessage.Hello _ -> throw new MalformedMessageException("a second Hello");
    }
  }

  /** The same listener, with the report counted once it is decided. */
  private ReplyListener counted(Command.NodeCommand report, ReplyListener asker) {
    long came = System.nanoTime();
    return new ReplyListener() {
      @Override
      public void decided(Reply reply) {
        wiring.counts().reported(RpcMessageType.of(report), came);
        asker.decided(reply);
      }

      @Override
      public void failed(Throwable failure) {
        asker.failed(failure);
      }
    };
  }

  /** Lets a daemon be the node, unless another one is. */
  private boolean admit(NodeLink.Instance daemon) {
    NodeLink.Instance holder = wiring.links().claim(link, daemon, wiring.clock().instant());
    if (holder == null) {
      return true;
    }
    String there =
        "node "
            + link.node()
            + " is already registered by slurmd on "
            + holder.host()
            + ", started at "
            + holder.started();
    if (wiring.links().isNews(link.node(), daemon)) {
      wiring
          .log()
          .error(
              "slurmd on "
                  + daemon.host()
                  + ", started at "
                  + daemon.started()
                  + ", was rejected: "
                  + there
                  + "; give each slurmd its own NodeName");
    }
    link.send(new ControllerToNodeMessage.Rejected(there));
    return false;
  }

  private void compare(List<RunReport> runs) throws InterruptedException {
    if (wiring.links().of(link.node()) != link) {
      return;
    }
    ClusterState state = wiring.owner().published();
    List<LateLaunch> late = launches.heard(state, link.node(), runs, wiring.nanos().getAsLong());
    boolean lasts = comparison.hasLasted(RunReconciliation.doubts(state, link.node(), runs));
    if (lasts || !late.isEmpty()) {
      wiring
          .log()
          .info(
              "node "
                  + link.node()
                  + " reports other runs than the controller expects; comparing them");
      wiring
          .owner()
          .submit(
              new Command.CompareRuns(link.node(), runs, late), new Caller.Self(), new Silent());
    }
  }

  private void tellJobs(int question, int uid) {
    ClusterState state = wiring.owner().published();
    NodeRecord node = state.node(link.node());
    if (node == null || wiring.links().of(link.node()) != link) {
      return;
    }
    List<Job> jobs = new ArrayList<>();
    for (int jobId : node.shares().keys()) {
      Job job = state.active().get(jobId);
      if (job != null && job.owner().uid() == uid && job.state().runningOrSuspended() != null) {
        jobs.add(job.withWorkload(job.workload().summary()).withLaunched(null));
      }
    }
    String cluster = state.settings().controller().clusterName();
    link.send(new ControllerToNodeMessage.UserJobs(question, cluster, jobs));
  }

  /** The connection is gone, or is to be. */
  public void end() {
    link.close();
    if (wiring.links().detach(link)) {
      wiring.log().info("node " + link.node() + " disconnected");
      disconnected(link.node());
    }
  }

  private void disconnected(String node) {
    try {
      wiring.owner().submit(new Command.NodeDisconnected(node), new Caller.Self(), new Gone(node));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * The node counts as not connected. Should it have registered anew just before that was decided,
   * nothing would ever correct it: it has to come once more.
   */
  private final class Gone implements ReplyListener {
    private final String node;

    Gone(String node) {
      this.node = node;
    }

    @Override
    public void decided(Reply reply) {
      NodeLink link = wiring.links().of(node);
      if (link != null) {
        link.close();
      }
    }

    @Override
    public void failed(Throwable failure) {}
  }

  /** Answers a registration before the effects of the same decision are sent. */
  private final class Registration implements ReplyListener {
    private final NodeFacts facts;

    Registration(NodeFacts facts) {
      this.facts = facts;
    }

    @Override
    public void decided(Reply reply) {
      switch (reply) {
        // Another leads: the daemon is to call again, there.
        case Reply.Refused(var code, String _, _) when code == ErrorCode.IN_STANDBY -> link.close();
        case Reply.Refused(var code, String detail, _) -> {
          wiring
              .log()
              .error(
                  "node " + link.node() + " registration rejected: " + code.text() + " " + detail);
          link.send(new ControllerToNodeMessage.Rejected(detail.isEmpty() ? code.text() : detail));
        }
        case Reply.Done _,
            Reply.Submitted _,
            Reply.StepCreated _,
            Reply.Reserved _,
            Reply.Killed _ -> {
          wiring.log().info("node " + link.node() + " registered from " + facts.hostName());
          link.send(
              new ControllerToNodeMessage.Welcome(
                  wanted(wiring.owner().published(), link.node()), wiring.credentialKey()));
          if (!wiring.links().attach(link)) {
            wiring.aside().execute(() -> disconnected(link.node()));
          }
        }
      }
    }

    @Override
    public void failed(Throwable failure) {
      link.close();
    }

    private static List<ControllerToNodeMessage.Run> wanted(ClusterState state, String name) {
      List<ControllerToNodeMessage.Run> runs = new ArrayList<>();
      NodeRecord node = state.node(name);
      if (node != null) {
        for (int jobId : node.shares().keys()) {
          Job job = state.active().get(jobId);
          if (job != null) {
            runs.add(new ControllerToNodeMessage.Run(jobId, job.run()));
          }
        }
      }
      return runs;
    }
  }

  /** No reply is needed: the node repeats its report until it is told to forget the run. */
  private static final class Silent implements ReplyListener {
    @Override
    public void decided(Reply reply) {}

    @Override
    public void failed(Throwable failure) {}
  }
}
