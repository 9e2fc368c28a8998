package io.dure.controller.node;

import io.dure.cluster.ClusterState;
import io.dure.cluster.UnreadableTextException;
import io.dure.model.command.Effect;
import io.dure.model.job.Job;
import io.dure.model.node.NodeMetrics;
import io.dure.protocol.ControllerToNodeMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The connections of node daemons by node name. Effects for a node without a connection are
 * dropped: when it registers, what is still wanted is found again from the state. Any thread.
 */
public final class NodeLinks {
  /** Daemons beat each ten seconds or sooner. */
  private static final Duration DEAD_AFTER = Duration.ofSeconds(25);

  private final Set<NodeLink> open = Collections.synchronizedSet(new LinkedHashSet<>());
  private final Map<String, NodeLink> links = new ConcurrentHashMap<>();
  private final Map<String, NodeMetrics> loads = new ConcurrentHashMap<>();
  private final Map<String, NodeLink> claims = new ConcurrentHashMap<>();
  private final Map<String, NodeLink.Instance> refused = new ConcurrentHashMap<>();
  private volatile boolean closed;

  /**
   * A daemon has said Hello. After the end its connection is closed, and it calls another
   * controller.
   */
  void enter(NodeLink link) {
    open.add(link);
    // A link that is added after this check is closed by close().
    if (closed) {
      leave(link);
    }
  }

  private void leave(NodeLink link) {
    if (open.remove(link)) {
      link.close();
    }
  }

  /**
   * A daemon wants to be the node. Of two under one name the one that is there stays, as long as it
   * is heard of; a daemon that calls anew takes the place of its former connection.
   *
   * @return null if it may, else the daemon that is the node now
   */
  NodeLink.@Nullable Instance claim(NodeLink link, NodeLink.Instance daemon, Instant now) {
    link.identify(daemon);
    NodeLink holder =
        claims.compute(
            link.node(),
            (_, before) -> before != null && keeps(before, daemon, now) ? before : link);
    return holder == link ? null : holder.instance();
  }

  private static boolean keeps(NodeLink before, NodeLink.Instance daemon, Instant now) {
    return !before.isClosed()
        && !daemon.equals(before.instance())
        && now.isBefore(before.heard().plus(DEAD_AFTER));
  }

  /** True if this is the first time since another that this daemon is refused. */
  boolean isNews(String node, NodeLink.Instance daemon) {
    return !daemon.equals(refused.put(node, daemon));
  }

  /**
   * Makes a connection the node's one; an earlier one is closed.
   *
   * @return false if the connection has ended meanwhile: the node is not connected then
   */
  boolean attach(NodeLink link) {
    NodeLink former = links.put(link.node(), link);
    if (former != null && former != link) {
      former.close();
    }
    // Its session detached it before it was here, and it would not be detached again.
    return !(link.isClosed() && detach(link));
  }

  /** The node's connection, null if it has none. */
  @Nullable NodeLink of(String node) {
    return links.get(node);
  }

  /** Forgets a connection; true if it was the node's one. */
  boolean detach(NodeLink link) {
    open.remove(link);
    claims.remove(link.node(), link);
    return links.remove(link.node(), link);
  }

  void heard(String node, NodeMetrics load) {
    loads.put(node, load);
  }

  /** Load of a node as last told, null if never. */
  public @Nullable NodeMetrics load(String node) {
    return loads.get(node);
  }

  /**
   * What is on its way to node daemons.
   *
   * @param messages messages that wait to be written
   * @param nodes daemons that some wait for
   */
  public record SendBacklog(int messages, int nodes) {}

  /** What is on its way. */
  public SendBacklog backlog() {
    int messages = 0;
    int nodes = 0;
    for (NodeLink link : links.values()) {
      int waiting = link.waiting();
      messages += waiting;
      nodes += waiting > 0 ? 1 : 0;
    }
    return new SendBacklog(messages, nodes);
  }

  /** Tells all daemons that are connected. */
  public void tellAll(ControllerToNodeMessage message) {
    links.values().forEach(link -> link.send(message));
  }

  /**
   * Tells all daemons that are connected, and nothing behind it. Waits until it is on its way: what
   * comes after may end this program.
   *
   * @param patience how long at most
   */
  public void tellLast(ControllerToNodeMessage message, Duration patience)
      throws InterruptedException {
    List<NodeLink> all = List.copyOf(links.values());
    all.forEach(link -> link.last(message));
    long end = System.nanoTime() + patience.toNanos();
    for (NodeLink link : all) {
      link.awaitSent(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
    }
  }

  /** Ends a node's connection: when its daemon registers anew, what is still wanted is sent. */
  public void disconnect(String node) {
    NodeLink link = links.get(node);
    if (link != null) {
      link.close();
    }
  }

  /**
   * Sends what an effect means to the node concerned. Does not block.
   *
   * @throws UnreadableTextException if a text of the job cannot be read; nothing was sent
   */
  public void perform(Effect.OnNode effect, ClusterState state) {
    NodeLink link = links.get(effect.node());
    if (link == null) {
      return;
    }
    Job job = state.job(jobOf(effect));
    switch (effect) {
      case Effect.Launch(_, _, int run) -> {
        if (job != null && job.run() == run) {
          String cluster = state.settings().controller().clusterName();
          List<Job> components =
              job.het() == null
                  ? List.of()
                  : state.records(job.id()).stream()
                      .map(one -> one.withWorkload(one.workload().summary()))
                      .toList();
          link.send(
              new ControllerToNodeMessage.Launch(job, cluster, state.texts().of(job), components));
        }
      }
      case Effect.Terminate(_, int jobId, int run, Effect.TerminationReason why) -> {
        int killWait = (int) state.settings().jobs().killWait().toSeconds();
        link.send(
            new ControllerToNodeMessage.Terminate(
                jobId,
                run,
                why,
                killWait,
                job == null ? null : job.withWorkload(job.workload().summary())));
      }
      case Effect.Signal(_, int jobId, int run, int signal, Effect.Scope scope) ->
          link.send(new ControllerToNodeMessage.Signal(jobId, run, signal, scope));
      case Effect.Suspend(_, int jobId, int run) ->
          link.send(new ControllerToNodeMessage.Suspend(jobId, run));
      case Effect.Resume(_, int jobId, int run) ->
          link.send(new ControllerToNodeMessage.Resume(jobId, run));
      case Effect.Forget(_, int jobId, int run) ->
          link.send(new ControllerToNodeMessage.Forget(jobId, run));
      case Effect.TerminateStep(_, int jobId, int run, int step, Effect.TerminationReason why) ->
          link.send(
              new ControllerToNodeMessage.TerminateStep(
                  jobId, run, step, why, (int) state.settings().jobs().killWait().toSeconds()));
      case Effect.SignalStep(_, int jobId, int run, int step, int signal) ->
          link.send(new ControllerToNodeMessage.SignalStep(jobId, run, step, signal));
      case Effect.ForgetStep(_, int jobId, int run, int step) ->
          link.send(new ControllerToNodeMessage.ForgetStep(jobId, run, step));
      case Effect.ConfirmStepParts(_, int jobId, int run, int step, long batch) ->
          link.send(new ControllerToNodeMessage.ConfirmStepParts(jobId, run, step, batch));
      case Effect.Notify(_, int jobId, int run, String text) ->
          link.send(new ControllerToNodeMessage.Notify(jobId, run, text));
    }
  }

  /** Has a node booted, if its daemon is connected. Does not block. */
  public void reboot(String node) {
    NodeLink link = links.get(node);
    if (link != null) {
      link.send(new ControllerToNodeMessage.Reboot());
    }
  }

  private static int jobOf(Effect.OnNode effect) {
    return switch (effect) {
      case Effect.Launch e -> e.jobId();
      case Effect.Terminate e -> e.jobId();
      case Effect.Signal e -> e.jobId();
      case Effect.Suspend e -> e.jobId();
      case Effect.Resume e -> e.jobId();
      case Effect.Forget e -> e.jobId();
      case Effect.TerminateStep e -> e.jobId();
      case Effect.SignalStep e -> e.jobId();
      case Effect.ForgetStep e -> e.jobId();
      case Effect.ConfirmStepParts e -> e.jobId();
      case Effect.Notify e -> e.jobId();
    };
  }

  /** Closes all connections, and all that are added later. Any thread; does not block. */
  public void close() {
    closed = true;
    List.copyOf(open).forEach(this::leave);
  }
}
