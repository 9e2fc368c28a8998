package io.dure.core.scheduler;

import io.dure.core.collection.IntMap;
import io.dure.core.config.PartitionConfig;
import io.dure.core.model.Allocation;
import io.dure.core.model.ArrayPart;
import io.dure.core.model.Dependency;
import io.dure.core.model.DependencyType;
import io.dure.core.model.Job;
import io.dure.core.model.NodeShare;
import io.dure.core.model.Sharing;
import io.dure.core.model.TaskIndices;
import io.dure.core.model.gres.License;
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
  /** One for each partition that has more to do than it can, and some for named nodes. */
  private static final int MAX_BARRIERS = 63;

  private static final int MAX_NODE_BARRIERS = 16;

  private final SchedulerView view;
  private final Instant now;
  private final TaskGate gate;
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
  private List<License> licensesInUse;

  /**
   * What a job that has to wait keeps from jobs behind it: whoever runs beyond {@code from} must
   * fit into what the job leaves over.
   *
   * @param from when the waiting job will start; null if jobs without a limit have to end first
   * @param always true if even jobs that end before must fit
   * @param left the resources left over from then on; jobs let through are booked here
   * @param planned what the waiting job will hold
   */
  private record Barrier(
      @Nullable Instant from, boolean always, Ledger left, List<Holding> planned) {

    /** Whether it concerns a job that ends then (null for never). */
    boolean concerns(@Nullable Instant end) {
      return always || end == null || from != null && end.isAfter(from);
    }
  }

  Pass(SchedulerView view, Instant now, TaskGate gate) {
    this.view = view;
    this.now = now;
    this.gate = gate;
    licensesInUse = view.licensesInUse();
    backfill = view.settings().scheduling().backfill();
    Ledger idle = Ledger.idle(view);
    ledger = idle.load(now);
    shapes = new Shapes(view, idle, usersMatter(view.pending()) || usersMatter(view.active()));
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
      Integer task = nextTask(job);
      if (task == null && job.array() instanceof ArrayPart.Waiting) {
        note(job, Verdict.of(Reason.DEPENDENCY));
        return;
      }
      List<License> licenses = licenses(job);
      if (licenses == null) {
        note(job, Verdict.of(Reason.LICENSES));
        return;
      }
      List<NodeShare> shares = place(shape, end);
      if (shares == null) {
        note(job, blocked(entry, shape, end));
        return;
      }
      book(entry, shares, end);
      licensesInUse = License.sum(licensesInUse, licenses, 1);
      starts.add(new Placement(job.id(), task, new Allocation(partition.name(), shares)));
      started(job, task);
    }
  }

  /** The licences that the job would get, null where too few are free. */
  private @Nullable List<License> licenses(Job job) {
    String asked = job.spec().resources().more().licenses();
    return asked == null ? List.of() : License.free(asked, view.licenses(), licensesInUse);
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
    String partition = entry.partition().name();
    List<String> required = shape.need().request().requiredNodes();
    if (headed.contains(partition)) {
      return Verdict.of(Reason.PRIORITY);
    }
    String reason = fitsAlone(shape) ? Reason.PRIORITY : Reason.RESOURCES;
    if (barriers.size() >= (required.isEmpty() ? MAX_BARRIERS : MAX_NODE_BARRIERS)) {
      return Verdict.of(reason);
    }
    if (required.isEmpty()) {
      headed.add(partition);
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

  private boolean fitsAlone(Shape shape) {
    return !shape.knownToFail(0)
        && Placer.place(shape.need(), ledger, shape.nodes(), List.of()) != null;
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

  private void book(QueueEntry entry, List<NodeShare> shares, @Nullable Instant end) {
    for (NodeShare share : shares) {
      Holding holding = holding(entry, share, end);
      ledger.hold(holding);
      for (Barrier barrier : barriers) {
        if (barrier.concerns(end)) {
          barrier.left().hold(holding);
        }
      }
    }
  }

  private void started(Job job, @Nullable Integer task) {
    boolean all = true;
    if (task != null && job.array() instanceof ArrayPart.Waiting waiting) {
      TaskIndices left = tasksLeft.getOrDefault(job.id(), waiting.waiting()).without(task);
      tasksLeft.put(job.id(), left);
      all = left.isEmpty();
    }
    if (all) {
      done.add(job.id());
    }
    if (job.array() != null) {
      tasksRunning.merge(job.baseId(), 1, Integer::sum);
    }
  }

  /** The lowest waiting task that may start; null if none may, or the record is one job. */
  private @Nullable Integer nextTask(Job job) {
    if (!(job.array() instanceof ArrayPart.Waiting waiting)) {
      return null;
    }
    TaskIndices left = tasksLeft.getOrDefault(job.id(), waiting.waiting());
    if (!eachTaskDepends(job)) {
      return left.first();
    }
    for (int index : left.toList()) {
      if (gate.mayStart(job, index)) {
        return index;
      }
    }
    return null;
  }

  private static boolean eachTaskDepends(Job job) {
    for (Dependency condition : job.spec().dependency().conditions()) {
      if (condition.type() == DependencyType.AFTER_CORR) {
        return true;
      }
    }
    return false;
  }

  private boolean throttled(@Nullable ArrayPart array) {
    int throttle = Throttle.of(array);
    return array != null
        && throttle > 0
        && tasksRunning.computeIfAbsent(array.arrayJobId(), id -> Throttle.running(view, id))
            >= throttle;
  }
}
