package io.dure.core.scheduler;

import io.dure.core.collection.IntMap;
import io.dure.core.config.PartitionConfig;
import io.dure.core.model.Allocation;
import io.dure.core.model.ArrayPart;
import io.dure.core.model.Job;
import io.dure.core.model.NodeShare;
import io.dure.core.model.Sharing;
import io.dure.core.model.TaskIndices;
import io.dure.core.scheduler.Shapes.Shape;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** One scheduling pass; used once. */
final class Pass {
  private static final int MAX_BARRIERS = 63;

  private final SchedulerView view;
  private final Instant now;
  private final boolean backfill;
  private final Ledger ledger;
  private final Shapes shapes;
  private final List<Placement> starts = new ArrayList<>();
  private final Map<Integer, Verdict> verdicts = new TreeMap<>();
  private final List<Barrier> barriers = new ArrayList<>();

  /** Partitions of which a job waits for resources already. */
  private final TreeSet<String> headed = new TreeSet<>();

  /** Records of which all has started. */
  private final TreeSet<Integer> done = new TreeSet<>();

  private final TreeMap<Integer, TaskIndices> tasksLeft = new TreeMap<>();
  private final TreeMap<Integer, Integer> tasksRunning = new TreeMap<>();

  Pass(SchedulerView view, Instant now) {
    this.view = view;
    this.now = now;
    backfill = view.settings().scheduling().backfill();
    ledger = Ledger.loaded(view, now);
    shapes = new Shapes(view, usersMatter(view.pending()) || usersMatter(view.active()));
  }

  private static boolean usersMatter(IntMap<Job> jobs) {
    boolean[] found = {false};
    jobs.forEach((_, job) -> found[0] |= job.spec().resources().sharing() == Sharing.USER);
    return found[0];
  }

  Plan run(int depth) {
    int examined = 0;
    for (QueueEntry entry : queue()) {
      if (examined++ >= depth) {
        break;
      }
      if (!done.contains(entry.job().id())) {
        consider(entry);
      }
    }
    done.forEach(verdicts::remove);
    IntMap<Verdict> all = IntMap.empty();
    for (Map.Entry<Integer, Verdict> verdict : verdicts.entrySet()) {
      all = all.with(verdict.getKey(), verdict.getValue());
    }
    return new Plan(List.copyOf(starts), all);
  }

  private List<QueueEntry> queue() {
    TreeMap<String, PartitionConfig> partitions = new TreeMap<>();
    view.partitions().forEach(partition -> partitions.put(partition.name(), partition));
    List<QueueEntry> queue = new ArrayList<>(view.pending().size());
    view.pending()
        .forEach((_, job) -> {
          Verdict waits = Readiness.of(job, now);
          if (waits != null) {
            verdicts.put(job.id(), waits);
            return;
          }
          for (String name : job.spec().partitions()) {
            PartitionConfig partition = partitions.get(name);
            if (partition == null) {
              note(job, Verdict.of(Reason.PARTITION_CONFIG));
            } else {
              queue.add(new QueueEntry(job, partition));
            }
          }
        });
    queue.sort(QueueEntry.ORDER);
    return queue;
  }

  /** Keeps what is closest to a start of the verdicts of a job's partitions. */
  private void note(Job job, Verdict verdict) {
    verdicts.merge(
        job.id(),
        verdict,
        (old, next) -> Reason.distance(next.reason()) < Reason.distance(old.reason()) ? next : old);
  }

  private void consider(QueueEntry entry) {
    Job job = entry.job();
    PartitionConfig partition = entry.partition();
    String rule = PartitionRules.closed(partition);
    if (rule == null) {
      rule = PartitionRules.forbids(view.settings(), partition, job.spec());
    }
    if (rule != null) {
      note(job, Verdict.of(rule));
      return;
    }
    Shape shape = shapes.of(job, partition);
    if (shape.reason() != null) {
      note(job, Verdict.of(shape.reason()));
      return;
    }
    Instant end = PartitionRules.end(partition, job.spec(), now);
    while (!done.contains(job.id())) {
      if (throttled(job.array())) {
        note(job, Verdict.of(Reason.ARRAY_LIMIT));
        return;
      }
      List<NodeShare> shares = place(shape, end);
      if (shares == null) {
        note(job, blocked(entry, shape, end));
        return;
      }
      start(entry, shares, end);
    }
  }

  private long mask(@Nullable Instant end) {
    long mask = 0;
    for (int i = 0; i < barriers.size(); i++) {
      mask |= barriers.get(i).concerns(end) ? 1L << i : 0;
    }
    return mask;
  }

  private @Nullable List<NodeShare> place(Shape shape, @Nullable Instant end) {
    long mask = mask(end);
    if (shape.knownToFail(mask)) {
      return null;
    }
    List<Ledger> promised = new ArrayList<>();
    for (int i = 0; i < barriers.size(); i++) {
      if ((mask & 1L << i) != 0) {
        promised.add(barriers.get(i).left());
      }
    }
    List<NodeShare> shares = Placer.place(shape.need(), ledger, shape.nodes(), promised);
    if (shares == null) {
      shape.fails(mask);
    }
    return shares;
  }

  /** The job does not fit: says why, and keeps what it waits for from those behind it. */
  private Verdict blocked(QueueEntry entry, Shape shape, @Nullable Instant end) {
    List<String> required = shape.need().request().requiredNodes();
    boolean ahead = headed.contains(entry.partition().name());
    if (ahead || barriers.size() >= MAX_BARRIERS) {
      return Verdict.of(Reason.PRIORITY);
    }
    boolean alone =
        !shape.knownToFail(0)
            && Placer.place(shape.need(), ledger, shape.nodes(), List.of()) != null;
    String reason = alone ? Reason.PRIORITY : Reason.RESOURCES;
    if (required.isEmpty()) {
      headed.add(entry.partition().name());
    }
    if (!backfill) {
      barriers.add(wall(entry.partition(), required));
      return Verdict.of(reason);
    }
    Ledger booked = ledger.copy();
    for (Barrier barrier : barriers) {
      barrier.planned().forEach(booked::hold);
    }
    Forecast forecast = Forecast.of(shape.need(), booked, shape.nodes());
    if (forecast == null) {
      barriers.add(wall(entry.partition(), required));
      return Verdict.of(reason);
    }
    barriers.add(barrier(entry, forecast, end));
    List<String> nodes = new ArrayList<>();
    forecast.shares().forEach(share -> nodes.add(share.node()));
    return new Verdict(reason, forecast.start(), List.copyOf(nodes));
  }

  /** Nobody behind the job gets any of the nodes. */
  private Barrier wall(PartitionConfig partition, List<String> required) {
    Ledger left = ledger.copy();
    if (required.isEmpty()) {
      for (int index : left.members(partition)) {
        left.slot(index).close();
      }
    } else {
      required.forEach(name -> left.slot(left.index(name)).close());
    }
    return new Barrier(now, true, left, List.of());
  }

  private Barrier barrier(QueueEntry entry, Forecast forecast, @Nullable Instant end) {
    Instant from = forecast.start();
    Instant until = from == null || end == null ? null : from.plus(Duration.between(now, end));
    List<Holding> planned = new ArrayList<>();
    for (NodeShare share : forecast.shares()) {
      planned.add(holding(entry, share, until));
    }
    planned.forEach(forecast.then()::hold);
    return new Barrier(from, false, forecast.then(), List.copyOf(planned));
  }

  private Holding holding(QueueEntry entry, NodeShare share, @Nullable Instant end) {
    Job job = entry.job();
    return new Holding(
        ledger.index(share.node()),
        share,
        job.owner().uid(),
        job.spec().resources().sharing() == Sharing.USER,
        entry.partition().name(),
        end);
  }

  private void start(QueueEntry entry, List<NodeShare> shares, @Nullable Instant end) {
    Job job = entry.job();
    for (NodeShare share : shares) {
      Holding holding = holding(entry, share, end);
      ledger.hold(holding);
      for (Barrier barrier : barriers) {
        if (barrier.concerns(end)) {
          barrier.left().hold(holding);
        }
      }
    }
    Integer task = null;
    if (job.array() instanceof ArrayPart.Waiting waiting) {
      TaskIndices left = tasksLeft.getOrDefault(job.id(), waiting.waiting());
      task = left.first();
      left = left.without(task);
      tasksLeft.put(job.id(), left);
      if (left.isEmpty()) {
        done.add(job.id());
      }
    } else {
      done.add(job.id());
    }
    if (job.array() != null) {
      tasksRunning.merge(job.baseId(), 1, Integer::sum);
    }
    starts.add(new Placement(job.id(), task, new Allocation(entry.partition().name(), shares)));
  }

  private boolean throttled(@Nullable ArrayPart array) {
    int throttle = Throttle.of(array);
    return array != null
        && throttle > 0
        && tasksRunning.computeIfAbsent(array.arrayJobId(), id -> Throttle.running(view, id))
            >= throttle;
  }
}
