package io.dure.twin;

import io.dure.twin.policy.BackfillPolicy;
import io.dure.twin.policy.EstimateSource;
import io.dure.twin.policy.ReplayPolicy;
import io.dure.twin.trace.TraceJob;
import io.dure.twin.trace.TraceJobRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Replays jobs by counting free processors: no nodes, no memory between two moments, everything
 * worked out anew. Slow, short, and nothing of it is shared with what it is compared to.
 */
final class Oracle {
  private final ReplayPolicy policy;
  private final List<Item> items;
  private final PriorityQueue<Run> running =
      new PriorityQueue<>(Comparator.comparingLong(Run::end));
  private final List<Item> queue = new ArrayList<>();
  private final long[] starts;
  private int free;
  private long now;

  /** A job: what the scheduler believes it takes, and what it takes. */
  record Item(int index, long submit, long run, long believed, int processors) {
    /** A job of a trace that begins at zero. */
    static Item of(int index, TraceJob job, Instant zero, EstimateSource estimates) {
      TraceJobRequest.ProcessorRequest demand = (TraceJobRequest.ProcessorRequest) job.demand();
      long run = Math.min(job.run().toSeconds(), demand.limit().toSeconds());
      return new Item(
          index,
          Duration.between(zero, job.submit()).toSeconds(),
          run,
          estimates == EstimateSource.LIMIT ? demand.limit().toSeconds() : Math.max(1, run),
          demand.count());
    }
  }

  private record Run(Item item, long end, long believedEnd) {}

  private record Step(long time, long free) {}

  private Oracle(int processors, ReplayPolicy policy, List<Item> items) {
    this.policy = policy;
    this.items = items;
    starts = new long[items.size()];
    free = processors;
  }

  /**
   * When each job starts.
   *
   * @param items in the order of submission, by index; submissions count from the trace's start
   */
  static long[] starts(int processors, ReplayPolicy policy, List<Item> items) {
    return new Oracle(processors, policy, items).run();
  }

  private long[] run() {
    int next = 0;
    while (next < items.size() || !running.isEmpty()) {
      now = next < items.size() ? items.get(next).submit() : Long.MAX_VALUE;
      Run first = running.peek();
      now = first == null ? now : Math.min(now, first.end());
      while (!running.isEmpty() && running.peek().end() <= now) {
        free += running.remove().item().processors();
      }
      while (next < items.size() && items.get(next).submit() <= now) {
        queue.add(items.get(next++));
      }
      queue.sort(order());
      if (policy.backfill() == BackfillPolicy.CONSERVATIVE) {
        conservative();
      } else {
        easy();
      }
    }
    return starts;
  }

  private Comparator<Item> order() {
    return Comparator.comparing((Item item) -> !starves(item))
        .thenComparingDouble(item -> starves(item) ? 0 : score(item))
        .thenComparingLong(Item::submit)
        .thenComparingInt(Item::index);
  }

  private boolean starves(Item item) {
    return policy.starvationBound() != null
        && now - item.submit() > policy.starvationBound().toSeconds();
  }

  private double score(Item item) {
    double r = (double) item.believed();
    double n = item.processors();
    double s = (double) Math.max(1, item.submit());
    return switch (policy.order()) {
      case FCFS -> 0;
      case SJF -> r;
      case SAF -> r * n;
      case F1 -> Math.log10(r) * n + 870 * Math.log10(s);
      case F4 -> r * Math.sqrt(n) + 5.3e5 * Math.log10(s);
      case MULTIFACTOR, DURE -> throw new IllegalArgumentException("the oracle knows no accounts");
      case WFP3 -> -Math.pow((now - item.submit()) / r, 3) * n;
    };
  }

  private void start(Item item) {
    queue.remove(item);
    free -= item.processors();
    running.add(new Run(item, now + item.run(), now + item.believed()));
    starts[item.index()] = now;
  }

  private void easy() {
    while (!queue.isEmpty() && queue.getFirst().processors() <= free) {
      start(queue.getFirst());
    }
    if (queue.isEmpty() || policy.backfill() == BackfillPolicy.NONE) {
      return;
    }
    int wanted = queue.getFirst().processors();
    long shadow = now;
    int then = free;
    List<Run> byEnd = new ArrayList<>(running);
    byEnd.sort(Comparator.comparingLong(Run::believedEnd));
    for (int i = 0; i < byEnd.size() && then < wanted; ) {
      shadow = byEnd.get(i).believedEnd();
      while (i < byEnd.size() && byEnd.get(i).believedEnd() == shadow) {
        then += byEnd.get(i++).item().processors();
      }
    }
    int spare = then - wanted;
    List<Item> tail = new ArrayList<>(queue.subList(1, queue.size()));
    if (policy.backfill() == BackfillPolicy.SJBF) {
      tail.sort(Comparator.comparingLong(Item::believed));
    }
    for (Item item : tail) {
      boolean before = now + item.believed() <= shadow;
      if (item.processors() <= free && (before || item.processors() <= spare)) {
        spare -= before ? 0 : item.processors();
        start(item);
      }
    }
  }

  /** Everybody gets the earliest time that nobody before loses by; all anew each time. */
  private void conservative() {
    List<Step> profile = new ArrayList<>();
    profile.add(new Step(now, free));
    List<Run> byEnd = new ArrayList<>(running);
    byEnd.sort(Comparator.comparingLong(Run::believedEnd));
    long then = free;
    for (Run run : byEnd) {
      then += run.item().processors();
      if (profile.getLast().time() == run.believedEnd()) {
        profile.removeLast();
      }
      profile.add(new Step(run.believedEnd(), then));
    }
    for (Item item : List.copyOf(queue)) {
      int at = earliest(profile, item);
      if (profile.get(at).time() == now) {
        start(item);
      }
      book(profile, at, item);
    }
  }

  private static int earliest(List<Step> profile, Item item) {
    int at = 0;
    for (int i = 0;
        i < profile.size() && profile.get(i).time() < profile.get(at).time() + item.believed();
        i++) {
      if (profile.get(i).free() < item.processors()) {
        at = i + 1;
      }
    }
    return at;
  }

  private static void book(List<Step> profile, int at, Item item) {
    long end = profile.get(at).time() + item.believed();
    int i = at;
    Step before = profile.get(at);
    while (i < profile.size() && profile.get(i).time() < end) {
      before = profile.get(i);
      profile.set(i, new Step(before.time(), before.free() - item.processors()));
      i++;
    }
    if (i == profile.size() || profile.get(i).time() != end) {
      profile.add(i, new Step(end, before.free()));
    }
  }
}
