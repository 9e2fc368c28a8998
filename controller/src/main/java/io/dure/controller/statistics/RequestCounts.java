package io.dure.controller.statistics;

import io.dure.protocol.Request;
import io.dure.protocol.StatisticsInfo;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * How often each kind of request came, from which users, and how long the answers took. Any thread;
 * none waits for another.
 */
public final class RequestCounts {
  private static final long NANOS_A_MICRO = 1000;

  private final LongAdder answering = new LongAdder();
  private volatile Table table = new Table();

  /** What was counted since the last reset. */
  private static final class Table {
    /** All of them from the beginning: it is read by all threads. */
    final Map<RpcMessageType, Count> types = new EnumMap<>(RpcMessageType.class);

    final Map<Integer, Count> users = new ConcurrentHashMap<>();
    final Count nodes = new Count();

    Table() {
      for (RpcMessageType type : RpcMessageType.values()) {
        types.put(type, new Count());
      }
    }

    Count of(RpcMessageType type) {
      return Objects.requireNonNull(types.get(type));
    }
  }

  private static final class Count {
    final LongAdder calls = new LongAdder();
    final LongAdder nanos = new LongAdder();

    void add(long took) {
      calls.increment();
      nanos.add(took);
    }
  }

  /** A request that is being answered; closed by the thread that began it. */
  public final class TimedCall implements AutoCloseable {
    private final @Nullable RpcMessageType type;
    private final int uid;
    private final boolean waits;
    private final long began = System.nanoTime();

    private TimedCall(Request request, int uid) {
      type = RpcMessageType.of(request);
      waits = RpcMessageType.waits(request);
      this.uid = uid;
    }

    /** The answer is known. */
    @Override
    public void close() {
      if (!waits) {
        answering.decrement();
      }
      if (type != null) {
        long took = waits ? 0 : System.nanoTime() - began;
        Table now = table;
        now.of(type).add(took);
        now.users.computeIfAbsent(uid, _ -> new Count()).add(took);
      }
    }
  }

  /** A request begins. */
  public TimedCall begin(Request request, int uid) {
    TimedCall call = new TimedCall(request, uid);
    if (!call.waits) {
      answering.increment();
    }
    return call;
  }

  /** A node daemon's report is taken up; it came at that value of the nanosecond clock. */
  public void reported(RpcMessageType type, long cameNanos) {
    long took = System.nanoTime() - cameNanos;
    Table now = table;
    now.of(type).add(took);
    now.nodes.add(took);
  }

  /** Counts from 0 again. */
  public void reset() {
    table = new Table();
  }

  /** Requests that are being answered. */
  int answering() {
    return Math.max(0, answering.intValue());
  }

  /** By kinds, those that came at all. */
  List<StatisticsInfo.Calls> types() {
    List<StatisticsInfo.Calls> found = new ArrayList<>();
    Table now = table;
    for (RpcMessageType type : RpcMessageType.values()) {
      Count count = now.of(type);
      if (count.calls.sum() > 0) {
        found.add(calls(type.name(), type.number(), count.calls.sum(), count.nanos.sum()));
      }
    }
    return found;
  }

  /**
   * By users, in the order of their numbers.
   *
   * @param names the name of each
   * @param daemonUid user number of node daemons
   */
  List<StatisticsInfo.Calls> users(IntFunction<String> names, int daemonUid) {
    Table now = table;
    List<Integer> uids = new ArrayList<>(now.users.keySet());
    if (now.nodes.calls.sum() > 0 && !uids.contains(daemonUid)) {
      uids.add(daemonUid);
    }
    uids.sort(Integer::compareUnsigned);
    List<StatisticsInfo.Calls> found = new ArrayList<>(uids.size());
    for (int uid : uids) {
      long calls = uid == daemonUid ? now.nodes.calls.sum() : 0;
      long nanos = uid == daemonUid ? now.nodes.nanos.sum() : 0;
      Count own = now.users.get(uid);
      if (own != null) {
        calls += own.calls.sum();
        nanos += own.nanos.sum();
      }
      found.add(calls(names.apply(uid), uid, calls, nanos));
    }
    return found;
  }

  private static StatisticsInfo.Calls calls(String name, int id, long count, long nanos) {
    return new StatisticsInfo.Calls(name, id, count, nanos / NANOS_A_MICRO);
  }
}
