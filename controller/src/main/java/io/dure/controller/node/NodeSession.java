package io.dure.controller.node;

import io.dure.controller.loop.StateLoop;
import io.dure.core.controller.Caller;
import io.dure.core.controller.ClusterState;
import io.dure.core.controller.Command;
import io.dure.core.controller.NodeRecord;
import io.dure.core.controller.Reply;
import io.dure.core.controller.RunComparison;
import io.dure.core.controller.RunReport;
import io.dure.core.model.Job;
import io.dure.core.model.NodeFacts;
import io.dure.host.log.Log;
import io.dure.host.net.Connection;
import io.dure.host.trust.ClusterKey;
import io.dure.host.trust.Token;
import io.dure.protocol.FromNode;
import io.dure.protocol.ToNode;
import io.dure.protocol.Wire;
import io.dure.protocol.codec.MalformedException;
import io.dure.protocol.codec.RecordCodec;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** One connection of a node daemon, from its Hello to its end. One thread. */
public final class NodeSession {
  private static final RecordCodec<FromNode> CODEC = Wire.fromNode().strict();
  private static final Duration SILENCE = Duration.ofSeconds(30);
  private static final Duration SKEW = Duration.ofMinutes(5);

  private final Connection connection;
  private final Wiring wiring;
  private final Doubts comparison = new Doubts();
  private volatile Instant registered = Instant.MAX;

  /** What sessions need of the controller. */
  public record Wiring(
      StateLoop loop, NodeLinks links, ClusterKey key, InstantSource clock, Log log) {}

  /** A session on an accepted connection whose first bytes have been read. */
  public NodeSession(Connection connection, Wiring wiring) {
    this.connection = connection;
    this.wiring = wiring;
  }

  /** Serves the connection until it ends. */
  public void run() throws InterruptedException {
    NodeLink link = null;
    try {
      String node = hello();
      if (node == null) {
        return;
      }
      link = new NodeLink(node, connection, wiring.clock().instant());
      connection.timeLimit(SILENCE);
      while (true) {
        byte[] frame = connection.receive();
        if (frame == null) {
          return;
        }
        heard(link, CODEC.decode(frame));
      }
    } catch (IOException | MalformedException e) {
      wiring.log().verbose("connection of a node ended: " + e.getMessage());
    } finally {
      end(link);
    }
  }

  private @org.jspecify.annotations.Nullable String hello() throws IOException {
    byte[] first = connection.receive(Wire.MAX_LOCAL);
    if (first == null || !(CODEC.decode(first) instanceof FromNode.Hello hello)) {
      return null;
    }
    Token.Verdict verdict =
        Token.verify(hello.token(), wiring.key(), wiring.clock().instant(), SKEW);
    if (verdict instanceof Token.Verdict.Valid(Token token) && token.kind() == Token.Kind.NODE) {
      return token.subject();
    }
    wiring.log().error("a node daemon was refused: its token is not valid (" + verdict + ")");
    connection.send(
        Wire.toNode()
            .encode(
                new ToNode.Rejected(
                    "the token is not valid: is this machine's dure.key the cluster's, and is its"
                        + " clock right?")));
    return null;
  }

  private void heard(NodeLink link, FromNode message) throws InterruptedException {
    Caller caller = new Caller.NodeDaemon(link.node());
    link.hear(wiring.clock().instant());
    switch (message) {
      case FromNode.Heartbeat(var load) -> {
        wiring.links().heard(link.node(), load);
        link.send(new ToNode.Beat(null));
      }
      case FromNode.Inventory(var runs) -> compare(link, runs);
      case FromNode.Report(Command.RegisterNode command) -> {
        if (admit(link, NodeLink.Instance.of(command.facts()))) {
          wiring.loop().submit(command, caller, new Registration(link, command.facts()));
        }
      }
      case FromNode.Report(Command.FromNode command) ->
          wiring.loop().submit(command, caller, new Silent());
      case FromNode.Hello _ -> throw new MalformedException("a second Hello");
    }
  }

  /** Lets a daemon be the node, unless another one is. */
  private boolean admit(NodeLink link, NodeLink.Instance daemon) {
    NodeLink.Instance holder = wiring.links().claim(link, daemon, wiring.clock().instant());
    if (holder == null) {
      return true;
    }
    String there =
        "another slurmd is "
            + link.node()
            + ": on "
            + holder.host()
            + ", started at "
            + holder.started();
    if (wiring.links().isNews(link.node(), daemon)) {
      wiring
          .log()
          .error(
              "a slurmd on "
                  + daemon.host()
                  + ", started at "
                  + daemon.started()
                  + ", was refused: "
                  + there
                  + "; each needs a node name of its own");
    }
    link.send(new ToNode.Rejected(there));
    return false;
  }

  private void compare(NodeLink link, List<RunReport> runs) throws InterruptedException {
    if (wiring.links().of(link.node()) != link) {
      return;
    }
    ClusterState state = wiring.loop().published();
    if (comparison.hasLasted(RunComparison.doubts(state, link.node(), runs))) {
      wiring.log().info("node " + link.node() + " and the controller differ in what runs there");
      wiring
          .loop()
          .submit(
              new Command.CompareRuns(link.node(), runs, registered),
              new Caller.Self(),
              new Silent());
    }
  }

  private void end(@org.jspecify.annotations.Nullable NodeLink link) {
    if (link == null) {
      try {
        connection.close();
      } catch (IOException e) {
        // it is gone either way
      }
      return;
    }
    link.close();
    if (wiring.links().detach(link)) {
      wiring.log().info("node " + link.node() + " is not connected any more");
      disconnected(link.node());
    }
  }

  private void disconnected(String node) {
    try {
      wiring.loop().submit(new Command.NodeDisconnected(node), new Caller.Self(), new Gone(node));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * The node counts as not connected. Should it have registered anew just before that was decided,
   * nothing would ever correct it: it has to come once more.
   */
  private final class Gone implements StateLoop.Asker {
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
  private final class Registration implements StateLoop.Asker {
    private final NodeLink link;
    private final NodeFacts facts;

    Registration(NodeLink link, NodeFacts facts) {
      this.link = link;
      this.facts = facts;
    }

    @Override
    public void decided(Reply reply) {
      switch (reply) {
        case Reply.Refused(var code, String detail) -> {
          wiring.log().error("node " + link.node() + " was refused: " + code.text() + " " + detail);
          link.send(new ToNode.Rejected(detail.isEmpty() ? code.text() : detail));
        }
        case Reply.Done _, Reply.Submitted _ -> {
          wiring.log().info("node " + link.node() + " registered from " + facts.hostName());
          registered = wiring.clock().instant();
          link.send(new ToNode.Welcome(wanted(wiring.loop().published(), link.node())));
          if (!wiring.links().attach(link)) {
            Thread.ofVirtual().name("gone-" + link.node()).start(() -> disconnected(link.node()));
          }
        }
      }
    }

    @Override
    public void failed(Throwable failure) {
      link.close();
    }

    private static List<ToNode.Run> wanted(ClusterState state, String name) {
      List<ToNode.Run> runs = new ArrayList<>();
      NodeRecord node = state.node(name);
      if (node != null) {
        for (int jobId : node.shares().keys()) {
          Job job = state.active().get(jobId);
          if (job != null) {
            runs.add(new ToNode.Run(jobId, job.run()));
          }
        }
      }
      return runs;
    }
  }

  /** Nobody waits: the node repeats its news until it is told to forget the run. */
  private static final class Silent implements StateLoop.Asker {
    @Override
    public void decided(Reply reply) {}

    @Override
    public void failed(Throwable failure) {}
  }
}
