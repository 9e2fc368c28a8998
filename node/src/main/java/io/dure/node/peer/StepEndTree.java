package io.dure.node.peer;

import io.dure.model.HostList;
import io.dure.model.HostListException;
import io.dure.model.command.Command;
import io.dure.model.command.StepEnd;
import io.dure.model.command.StepPartEnds;
import io.dure.model.step.StepConsumption;
import io.dure.node.noderun.RunId;
import io.dure.protocol.step.NodePeerMessage;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Collects how steps have ended on this node and on those below it, and passes that on to the node
 * above, or from the first node to the controller. So the controller hears of a step of many nodes
 * as often as of one of a few. What nobody has confirmed in time goes to the controller from where
 * it is: an end that is told twice does no harm. Of the daemon loop's thread.
 */
public final class StepEndTree {
  /** What comes within this time of the first is passed on together. */
  private static final Duration WINDOW = Duration.ofSeconds(1);

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration AGAIN = Duration.ofSeconds(30);

  /** After this node's own end those below it are waited for so long; later they are declined. */
  private static final Duration KEPT = Duration.ofMinutes(1);

  private final Peers peers;
  private final Consumer<Command.NodeCommand> reports;
  private final InstantSource clock;
  private final TreeMap<Key, Branch> branches = new TreeMap<>();
  private long lastBatch;

  /** Reports go to the controller, unless there is no connection to it: they are then repeated. */
  public StepEndTree(Peers peers, Consumer<Command.NodeCommand> reports, InstantSource clock) {
    this.peers = peers;
    this.reports = reports;
    this.clock = clock;
    // Batches of a daemon before this one must not be taken for its own.
    this.lastBatch = clock.millis() << Short.SIZE;
  }

  private record Key(RunId run, int step) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      int order = run.compareTo(other.run);
      return order != 0 ? order : Integer.compare(step, other.step);
    }
  }

  /** Who gets the answer for a batch: null stands for this node's own end. */
  private record Source(NodePeerLinks.@Nullable Caller caller, long batch) {}

  /** A batch on its way. */
  private static final class Sent {
    final List<StepPartEnds> parts;
    final List<Source> sources;
    final @Nullable StepConsumption used;
    boolean direct;
    Instant due;

    Sent(
        List<StepPartEnds> parts,
        List<Source> sources,
        @Nullable StepConsumption used,
        Instant due) {
      this.parts = parts;
      this.sources = sources;
      this.used = used;
      this.due = due;
    }
  }

  /** What is known of a step's ends from this node downwards. */
  private static final class Branch {
    final String node;
    final @Nullable String parent;
    int missing;
    final Map<StepEnd, List<String>> waiting = new LinkedHashMap<>();
    List<Source> sources = new ArrayList<>();

    /** What it used where it has ended and that is waiting. */
    @Nullable StepConsumption used;

    @Nullable Instant due;

    /** When nobody below is waited for any more, null before this node's own end. */
    @Nullable Instant over;

    final TreeMap<Long, Sent> sent = new TreeMap<>();

    Branch(String node, StepTreePosition position) {
      this.node = node;
      this.parent = position.parent();
      this.missing = position.size();
    }
  }

  /**
   * A step is about to start here.
   *
   * @param nodes its nodes, in order
   * @param self this node
   * @param width how many nodes report to each
   */
  public void begin(RunId run, int step, List<String> nodes, String self, int width) {
    int index = nodes.size() <= peers.mostDirect() ? -1 : nodes.indexOf(self);
    if (index >= 0) {
      branches.put(new Key(run, step), new Branch(self, StepTreePosition.of(nodes, index, width)));
    }
  }

  /**
   * A step has ended on this node.
   *
   * @return false if the caller is to tell the controller itself
   */
  public boolean ended(RunId run, int step, StepEnd end) {
    Key key = new Key(run, step);
    Branch branch = branches.get(key);
    if (branch == null) {
      return false;
    }
    branch.over = clock.instant().plus(KEPT);
    add(
        key,
        branch,
        new Source(null, 0),
        List.of(new StepPartEnds(branch.node, end.alone())),
        end.consumption());
    return true;
  }

  /** A node below this one has told of ends. */
  public void heard(NodePeerLinks.Caller from, NodePeerMessage.PartsEnded news) {
    Key key = new Key(new RunId(news.jobId(), news.run()), news.step());
    Branch branch = branches.get(key);
    boolean taken = branch != null;
    if (branch != null) {
      try {
        add(key, branch, new Source(from, news.batch()), news.parts(), news.used());
      } catch (HostListException _) {
        taken = false;
      }
    }
    if (!taken) {
      from.send(new NodePeerMessage.Declined(news.jobId(), news.run(), news.step(), news.batch()));
    }
  }

  private void add(
      Key key,
      Branch branch,
      Source source,
      List<StepPartEnds> parts,
      @Nullable StepConsumption used) {
    Map<StepEnd, List<String>> read = new LinkedHashMap<>();
    for (StepPartEnds part : parts) {
      read.computeIfAbsent(part.end(), _ -> new ArrayList<>())
          .addAll(HostList.expand(part.nodes()));
    }
    for (Map.Entry<StepEnd, List<String>> part : read.entrySet()) {
      branch.missing -= part.getValue().size();
      branch.waiting.computeIfAbsent(part.getKey(), _ -> new ArrayList<>()).addAll(part.getValue());
    }
    branch.sources.add(source);
    branch.used = StepConsumption.sum(branch.used, used);
    if (branch.due == null) {
      branch.due = clock.instant().plus(WINDOW);
    }
    if (branch.missing <= 0) {
      pass(key, branch);
    }
  }

  /** Passes on what has come. */
  private void pass(Key key, Branch branch) {
    List<StepPartEnds> parts = new ArrayList<>();
    branch.waiting.forEach(
        (end, nodes) -> parts.add(new StepPartEnds(HostList.compress(nodes), end)));
    Sent batch = new Sent(parts, branch.sources, branch.used, clock.instant().plus(PATIENCE));
    long number = ++lastBatch;
    branch.sent.put(number, batch);
    branch.waiting.clear();
    branch.sources = new ArrayList<>();
    branch.used = null;
    branch.due = null;
    String parent = branch.parent;
    boolean told =
        parent != null
            && peers
                .links()
                .send(
                    parent,
                    new NodePeerMessage.PartsEnded(
                        key.run.jobId(), key.run.run(), key.step, number, parts, batch.used));
    if (!told) {
      tellController(key, number, batch);
    }
  }

  private void tellController(Key key, long number, Sent batch) {
    batch.direct = true;
    batch.due = clock.instant().plus(AGAIN);
    reports.accept(
        new Command.StepPartsEnded(
            key.run.jobId(), key.run.run(), key.step, number, batch.parts, batch.used));
  }

  /**
   * A batch is on record.
   *
   * @return whether this node's own end was in it
   */
  public boolean confirmed(RunId run, int step, long number) {
    Key key = new Key(run, step);
    Branch branch = branches.get(key);
    Sent batch = branch == null ? null : branch.sent.remove(number);
    if (branch == null || batch == null) {
      return false;
    }
    boolean own = false;
    for (Source source : batch.sources) {
      NodePeerLinks.Caller caller = source.caller();
      if (caller == null) {
        own = true;
      } else {
        caller.send(new NodePeerMessage.Confirmed(run.jobId(), run.run(), step, source.batch()));
      }
    }
    if (branch.missing <= 0 && branch.sent.isEmpty() && branch.sources.isEmpty()) {
      branches.remove(key);
    }
    return own;
  }

  /** The node above does not collect that step's ends. */
  public void declined(RunId run, int step, long number) {
    Key key = new Key(run, step);
    Branch branch = branches.get(key);
    Sent batch = branch == null ? null : branch.sent.get(number);
    if (batch != null && !batch.direct) {
      tellController(key, number, batch);
    }
  }

  /** What that node has not confirmed goes to the controller. */
  public void lost(String node) {
    branches.forEach((key, branch) -> {
      if (node.equals(branch.parent)) {
        branch.sent.forEach((number, batch) -> {
          if (!batch.direct) {
            tellController(key, number, batch);
          }
        });
      }
    });
  }

  /** There is a connection to the controller: it is told again what goes to it. */
  public void connected() {
    branches.forEach((key, branch) ->
        branch.sent.forEach((number, batch) -> {
          if (batch.direct) {
            tellController(key, number, batch);
          }
        }));
  }

  /** A run is over: nothing of it is collected any more. */
  public void forget(RunId run) {
    branches.keySet().removeIf(key -> key.run.equals(run));
  }

  /** Time has passed. */
  public void tick() {
    Instant now = clock.instant();
    branches.forEach((key, branch) -> {
      if (branch.due != null && !now.isBefore(branch.due)) {
        pass(key, branch);
      }
      branch.sent.forEach((number, batch) -> {
        if (!now.isBefore(batch.due)) {
          tellController(key, number, batch);
        }
      });
    });
    branches
        .values()
        .removeIf(branch ->
            branch.over != null
                && !now.isBefore(branch.over)
                && branch.sent.isEmpty()
                && branch.sources.isEmpty());
  }

  /** When there is something to do unless something is told, null for never. */
  public @Nullable Instant nextWake() {
    Instant next = null;
    for (Branch branch : branches.values()) {
      next = earlier(next, branch.due);
      for (Sent batch : branch.sent.values()) {
        next = earlier(next, batch.due);
      }
    }
    return next;
  }

  private static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
    return one == null || other != null && other.isBefore(one) ? other : one;
  }
}
