package io.dure.scheduler.timeline;

import io.dure.model.job.NodeShare;
import io.dure.placement.AllocationLedger;
import io.dure.placement.CandidateNodes;
import io.dure.placement.JobPlacer;
import io.dure.placement.NodeAllocation;
import io.dure.placement.NodeDemand;
import io.dure.placement.NodeLoad;
import io.dure.rules.PlannerTime;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds the earliest time from which on a job fits: a sweep over the times at which the room for it
 * changes on any node. Used once.
 */
public final class EarliestStartSearch {
  private static final int NODE_BITS = 22;

  private final PlanningTimeline outlook;
  private final RequestClass shape;
  private final NodeDemand need;
  private final @Nullable ReservationWindows doors;
  private final long seconds;

  /** Room of each of the shape's nodes at the time that the sweep has come to. */
  private final int[] rooms;

  /** Nodes without promises as the jobs leave them that have ended by then. */
  private final @Nullable NodeLoad[] later;

  /** Time and place among the changes, in one number to sort by. */
  private long[] changes = new long[64];

  private int[] places = new int[64];
  private int[] changed = new int[64];
  private int count;
  private int roomy;

  /** How often a node was looked at, which is what the search costs. */
  private long looks;

  private long tasks;

  /**
   * What was found.
   *
   * @param start seconds since 1970
   * @param shares what the job gets then
   */
  public record EarliestFit(long start, List<NodeShare> shares) {}

  private EarliestStartSearch(PlanningTimeline outlook, RequestClass shape, long seconds) {
    this.outlook = outlook;
    this.shape = shape;
    this.need = shape.need();
    this.doors = shape.doors();
    this.seconds = seconds;
    rooms = new int[shape.nodes().length];
    later = new @Nullable NodeLoad[rooms.length];
  }

  /**
   * The earliest start.
   *
   * @param seconds how long the job runs
   * @param last the last start that is of interest
   * @return null if it does not fit until then
   */
  public static @Nullable EarliestFit find(
      PlanningTimeline outlook, RequestClass shape, long seconds, long last) {
    return find(outlook, shape, seconds, outlook.now(), last);
  }

  /** The same where it is known that nothing starts before that time. */
  public static @Nullable EarliestFit find(
      PlanningTimeline outlook, RequestClass shape, long seconds, long first, long last) {
    ReservationWindows doors = shape.doors();
    long from = doors == null ? first : doors.licensed(first, seconds, outlook.now());
    while (true) {
      EarliestStartSearch search = new EarliestStartSearch(outlook, shape, seconds);
      EarliestFit found = search.sweep(from, last);
      outlook.looked(search.looks);
      if (found == null || doors == null) {
        return found;
      }
      from = doors.licensed(found.start(), seconds, outlook.now());
      if (from == found.start()) {
        return found;
      }
    }
  }

  private @Nullable EarliestFit sweep(long first, long last) {
    collect(last);
    EarliestFit now = first > outlook.now() ? null : attempt(outlook.now());
    if (now != null) {
      return now;
    }
    Arrays.sort(changes, 0, count);
    PlanningTimeline.MergedEnds ends = outlook.ends();
    int next = 0;
    boolean tried = first > outlook.now();
    boolean begun = !tried;
    while (true) {
      AllocationLedger.HeldAllocation held = ends.peek();
      long byPromise =
          next < count ? outlook.now() + (changes[next] >>> NODE_BITS) : Long.MAX_VALUE;
      long byEnd = held == null ? Long.MAX_VALUE : end(held.end());
      long time = Math.min(Math.min(byPromise, byEnd), begun ? Long.MAX_VALUE : first);
      begun |= time >= first;
      if (time > last) {
        return null;
      }
      boolean more = false;
      for (; held != null && end(held.end()) == time; held = ends.peek()) {
        more |= release(held);
        ends.advance();
      }
      for (; next < count && outlook.now() + (changes[next] >>> NODE_BITS) == time; next++) {
        int which = (int) (changes[next] & (1 << NODE_BITS) - 1);
        more |= changed[which] > rooms[places[which]] || need.gpusPerJob() > 0;
        set(places[which], changed[which]);
      }
      tried |= more;
      EarliestFit found = tried && time >= first ? attempt(time) : null;
      tried &= time < first;
      if (found != null) {
        return found;
      }
    }
  }

  /** A job ends; true if there is more room on a node then. */
  private boolean release(AllocationLedger.HeldAllocation held) {
    boolean more = false;
    for (NodeAllocation holding : held.holdings()) {
      int node = holding.node();
      int place = shape.place(node);
      if (place >= 0 && !isWatched(node) && outlook.isOpen(node)) {
        int room = release(place, node, holding);
        more |= room > rooms[place] || need.gpusPerJob() > 0;
        set(place, room);
      }
    }
    return more;
  }

  /** Room on a node once a job has ended there. */
  private int release(int place, int node, NodeAllocation holding) {
    looks++;
    NodeLoad slot = later[place];
    if (slot == null) {
      if (outlook.slot(node).holdings().size() == 1) {
        slot = shape.idle(node);
        later[place] = slot;
        return slot.taskCapacity(need);
      }
      slot = outlook.slot(node).copy();
      later[place] = slot;
    }
    slot.release(holding);
    return slot.taskCapacity(need);
  }

  /** When what ends then ends at the earliest: what is overdue may end at any moment. */
  private long end(long planned) {
    return Math.max(planned, outlook.now() + 1);
  }

  private void set(int place, int room) {
    roomy += (room > 0 ? 1 : 0) - (rooms[place] > 0 ? 1 : 0);
    tasks += room - rooms[place];
    rooms[place] = room;
  }

  private void note(int place, long time, int room) {
    if (count == changes.length) {
      changes = Arrays.copyOf(changes, 2 * count);
      places = Arrays.copyOf(places, 2 * count);
      changed = Arrays.copyOf(changed, 2 * count);
    }
    changes[count] = time - outlook.now() << NODE_BITS | count;
    places[count] = place;
    changed[count++] = room;
  }

  private void collect(long last) {
    for (int node = shape.nextOpen(0); node >= 0; node = shape.nextOpen(node + 1)) {
      if (outlook.isOpen(node) && !isWatched(node) && !outlook.ledger().lacksCpusFor(node, need)) {
        looks++;
        set(shape.place(node), outlook.slot(node).taskCapacity(need));
      }
    }
    for (int node : outlook.promised()) {
      look(node, last);
    }
    if (doors != null) {
      for (int node : doors.nodes()) {
        if (!outlook.isPromised(node)) {
          look(node, last);
        }
      }
    }
  }

  private void look(int node, long last) {
    int place = shape.place(node);
    if (place >= 0 && outlook.isOpen(node)) {
      profile(place, node, last);
    }
  }

  /** Whether more than the ends of jobs decides what is free on the node. */
  private boolean isWatched(int node) {
    return outlook.isPromised(node) || doors != null && doors.of(node) != null;
  }

  private @Nullable NodeTimeline profile(int node) {
    return isWatched(node) ? outlook.wholeProfile(node) : null;
  }

  /** The room on a node on which something is promised: the least of all the job's time there. */
  private void profile(int place, int node, long last) {
    NodeTimeline profile = outlook.wholeProfile(node);
    looks += profile.count();
    int[] each = profile.rooms(need);
    long[] times = times(node, profile, last);
    int before = 0;
    BitSet reserved = null;
    int[] its = each;
    for (long time : times) {
      BitSet closed = shape.closed(node, time, PlannerTime.after(time, seconds), outlook);
      if (!Objects.equals(closed, reserved)) {
        its = closed == null ? each : profile.without(closed).rooms(need);
        reserved = closed;
      }
      int room = isDoorOpen(node, time) ? least(profile, its, time) : 0;
      if (time == outlook.now()) {
        set(place, room);
      } else if (room != before || need.gpusPerJob() > 0) {
        note(place, time, room);
      }
      before = room;
    }
  }

  /** Starts at which a stretch comes into the job's time or leaves it. */
  private long[] times(int node, NodeTimeline profile, long last) {
    List<ReservationWindows.ClosedWindow> closures = doors == null ? null : doors.of(node);
    int most = profile.count() + (closures == null ? 0 : closures.size());
    long[] times = new long[2 * most];
    int found = 0;
    times[found++] = outlook.now();
    for (int i = 1; i < profile.count(); i++) {
      found = add(times, found, profile.from(i), last);
      found = add(times, found, enters(profile.from(i)), last);
    }
    if (closures != null) {
      for (ReservationWindows.ClosedWindow closure : closures) {
        found = add(times, found, closure.until(outlook.now()), last);
        found = add(times, found, enters(closure.from(outlook.now())), last);
      }
    }
    Arrays.sort(times, 0, found);
    int different = 1;
    for (int i = 1; i < found; i++) {
      if (times[i] != times[i - 1]) {
        times[different++] = times[i];
      }
    }
    return Arrays.copyOf(times, different);
  }

  private int add(long[] times, int found, long time, long last) {
    if (time <= outlook.now() || time > last) {
      return found;
    }
    times[found] = time;
    return found + 1;
  }

  /** The first start from which on what begins then comes into the job's time. */
  private long enters(long begin) {
    return seconds < PlannerTime.UNLIMITED ? begin - seconds + 1 : outlook.now();
  }

  private boolean isDoorOpen(int node, long start) {
    return doors == null
        || doors.isOpen(node, start, PlannerTime.after(start, seconds), outlook.now());
  }

  private int least(NodeTimeline profile, int[] each, long start) {
    long end = PlannerTime.after(start, seconds);
    int room = Integer.MAX_VALUE;
    for (int i = 0; i < each.length && room > 0; i++) {
      boolean over = i + 1 < each.length && profile.from(i + 1) <= start;
      if (!over && (profile.from(i) < end || profile.from(i) <= start)) {
        room = Math.min(room, each[i]);
      }
    }
    return room;
  }

  private @Nullable EarliestFit attempt(long start) {
    if (roomy < need.minNodes() || tasks < need.request().tasks()) {
      return null;
    }
    CandidateNodes candidates = new CandidateNodes();
    looks += roomy;
    int[] nodes = shape.nodes();
    for (int place = 0; place < nodes.length; place++) {
      if (rooms[place] > 0) {
        candidates.add(nodes[place], rooms[place], rooms[place], gpus(nodes[place], start));
      }
    }
    List<NodeShare> shares =
        JobPlacer.place(need, outlook.ledger(), candidates, node -> at(node, start));
    return shares == null ? null : new EarliestFit(start, shares);
  }

  private long gpus(int node, long start) {
    if (need.gpusPerJob() == 0) {
      return 0;
    }
    NodeTimeline profile = profile(node);
    if (profile == null) {
      return at(node, start).gpuCapacity(need, 1);
    }
    long end = PlannerTime.after(start, seconds);
    BitSet closed = shape.closed(node, start, end, outlook);
    return (closed == null ? profile : profile.without(closed)).gpus(need, start, end);
  }

  private NodeLoad at(int node, long time) {
    NodeTimeline profile = profile(node);
    if (profile != null) {
      BitSet closed = shape.closed(node, time, PlannerTime.after(time, seconds), outlook);
      return closed == null ? profile.at(time) : profile.at(time).without(closed);
    }
    NodeLoad slot = later[shape.place(node)];
    return slot == null ? outlook.slot(node) : slot;
  }
}
