package io.dure.controller.replica;

import io.dure.controller.replica.raft.ControllerGroupSettings;
import io.dure.controller.replica.raft.ControllerGroupStatus;
import io.dure.controller.replica.raft.GroupMemberId;
import io.dure.controller.replica.raft.RaftExecutor;
import io.dure.controller.replica.raft.RaftStoreRecord;
import io.dure.controller.replica.raft.ReplicatedStateMachine;
import io.dure.controller.replica.raft.RestoredLog;
import io.dure.journal.segment.SnapshotItems;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/**
 * Controllers that keep a log together, in one thread on virtual time: their network, disks and
 * lives are made of one seed. Checks what must hold after every step.
 */
final class SimulatedGroup {
  private final Random random;
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final Map<String, Host> hosts = new TreeMap<>();
  private final TreeMap<Long, List<Long>> truth = new TreeMap<>();
  private final TreeSet<Long> acknowledged = new TreeSet<>();
  private final Map<Long, GroupMemberId> leaders = new TreeMap<>();
  private final Set<String> cut = new TreeSet<>();
  private List<String> configured;
  private long now = 1_000_000;
  private long sequence;
  private long nextId = 1;
  private long hash = 1;
  private double loss;
  private double doubling;
  private int slowMillis = 5;
  private AssertionError broken;
  int crashes;
  int wipes;
  int changes;
  int elections;
  long steps;
  int snapshotsFetched;
  private static final int NUMBERS_AN_ITEM = 100;

  int entriesASnapshot = 40;
  long bytesASnapshot = Long.MAX_VALUE;

  private record Event(long at, long order, Runnable task) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      return at != other.at ? Long.compare(at, other.at) : Long.compare(order, other.order);
    }
  }

  SimulatedGroup(long seed, List<String> configured) {
    random = new Random(seed);
    this.configured = configured;
    for (String host : configured) {
      hosts.put(host, new Host(host));
    }
  }

  /** A controller's machine. */
  final class Host implements PeerTransport, RaftExecutor {
    final String name;
    SimulatedFile disk = new SimulatedFile();
    RaftReplicatedLog log;
    Model model;
    private int life;
    private int disks;
    private long pausedUntil;
    boolean lost;

    Host(String name) {
      this.name = name;
    }

    boolean isUp() {
      return log != null;
    }

    void start() {
      life++;
      model = new Model(this);
      GroupMemberId fresh = new GroupMemberId(name, "d" + disks);
      RestoredLog restored;
      try {
        restored = disk.read(new RaftStoreRecord.Self(fresh, lost));
      } catch (IOException e) {
        throw new UncheckedIOException(e); // it is in memory
      }
      log =
          new RaftReplicatedLog(
              new RaftReplicatedLog.RaftLogServices(
                  new Life(this, life), disk.open(), this, new Quiet()),
              restored,
              new ControllerGroupSettings(name, configured, 200, entriesASnapshot, bytesASnapshot),
              model);
      log.start();
    }

    void crash(boolean powerLoss) {
      if (isUp()) {
        crashes++;
        life++;
        log = null;
        model = null;
        disk.crash(powerLoss, random);
        if (random.nextBoolean()) {
          connectionsEnd();
        }
      }
    }

    /** Others learn that its connections have ended, be it dead or not. */
    void connectionsEnd() {
      for (Host other : hosts.values()) {
        if (other != this) {
          at(
              now + 1 + random.nextInt(20),
              () -> {
                if (other.isUp()) {
                  other.log.left(name);
                }
              });
        }
      }
    }

    void wipe() {
      crash(true);
      wipes++;
      disks++;
      disk = new SimulatedFile();
    }

    void pause(long millis) {
      pausedUntil = now + millis;
    }

    @Override
    public void send(String to, byte[] message) {
      hash = 31 * hash + Arrays.hashCode(message) + now;
      int copies = random.nextDouble() < doubling ? 2 : 1;
      for (int i = 0; i < copies; i++) {
        if (random.nextDouble() >= loss) {
          long delay =
              1L + random.nextInt(slowMillis) + (random.nextInt(50) == 0 ? random.nextInt(400) : 0);
          at(now + delay, () -> deliver(to, message));
        }
      }
    }

    private void deliver(String to, byte[] message) {
      Host target = hosts.get(to);
      if (target != null && target.isUp() && !cut.contains(name + ">" + to)) {
        target.log.receive(message);
      }
    }

    @Override
    public void next(Runnable task) {
      throw new IllegalStateException();
    }

    @Override
    public void later(Runnable task, long millis) {
      throw new IllegalStateException();
    }

    @Override
    public void beside(Runnable task) {
      throw new IllegalStateException();
    }

    @Override
    public long millis() {
      return now;
    }

    @Override
    public Random random() {
      return random;
    }

    @Override
    public void await(CompletableFuture<?> done) {}
  }

  /** The turns of one process; none after its end. */
  private final class Life implements RaftExecutor {
    private final Host host;
    private final int life;

    Life(Host host, int life) {
      this.host = host;
      this.life = life;
    }

    private void run(Runnable task) {
      if (host.life != life) {
        return;
      }
      if (host.pausedUntil > now) {
        at(host.pausedUntil, () -> run(task));
      } else {
        task.run();
      }
    }

    @Override
    public void next(Runnable task) {
      at(now, () -> run(task));
    }

    @Override
    public void later(Runnable task, long millis) {
      at(now + millis, () -> run(task));
    }

    @Override
    public void beside(Runnable task) {
      at(now + 1 + random.nextInt(100), () -> run(task));
    }

    @Override
    public long millis() {
      return now;
    }

    @Override
    public Random random() {
      return random;
    }

    @Override
    public void await(CompletableFuture<?> done) {}
  }

  private static final class Quiet implements AdminNotices {
    @Override
    public void info(String line) {}

    @Override
    public void error(String line) {}
  }

  /** The state that a controller makes of the log: all ids, in order. */
  final class Model implements ReplicatedStateMachine {
    private final Host host;
    private LinkedHashSet<Long> ids = new LinkedHashSet<>();
    private long place;
    boolean leads;

    Model(Host host) {
      this.host = host;
    }

    @Override
    public void restore(SnapshotItems snapshot) throws IOException {
      ids = new LinkedHashSet<>();
      place = 0;
      if (snapshot != null) {
        List<Long> numbers = new ArrayList<>();
        snapshot.into(item -> {
          for (ByteBuffer bytes = ByteBuffer.wrap(item); bytes.hasRemaining(); ) {
            numbers.add(bytes.getLong());
          }
        });
        place = numbers.removeFirst();
        ids.addAll(numbers);
        if (!new ArrayList<>(ids).equals(upTo(place))) {
          throw new AssertionError(host.name + ": the snapshot at " + place + " is another state");
        }
      }
    }

    @Override
    public void committed(long at, List<byte[]> records) {
      List<Long> batch = new ArrayList<>();
      for (byte[] record : records) {
        batch.add(ByteBuffer.wrap(record).getLong());
      }
      apply(at, batch);
    }

    void apply(long at, List<Long> batch) {
      if (at <= place) {
        throw new AssertionError(host.name + ": place " + at + " after " + place);
      }
      place = at;
      List<Long> known = truth.putIfAbsent(at, batch);
      if (known != null && !known.equals(batch)) {
        throw new AssertionError(host.name + ": at " + at + " " + batch + ", elsewhere " + known);
      }
      Long skipped = truth.lowerKey(at);
      if (skipped != null && !ids.containsAll(truth.get(skipped))) {
        throw new AssertionError(host.name + ": skipped " + skipped + " before " + at);
      }
      for (long id : batch) {
        if (!ids.add(id)) {
          throw new AssertionError(host.name + ": " + id + " twice");
        }
      }
    }

    @Override
    public void elected(long term) {
      GroupMemberId self = host.log.status().self();
      GroupMemberId other = leaders.putIfAbsent(term, self);
      if (other != null && !other.equals(self)) {
        throw new AssertionError("two leaders in term " + term + ": " + other + ", " + self);
      }
      if (!ids.containsAll(acknowledged)) {
        throw new AssertionError(host.name + " leads and lacks what was acknowledged");
      }
      leads = true;
      elections++;
    }

    @Override
    public void deposed() {
      leads = false;
    }

    @Override
    public SnapshotItems image() {
      List<Long> numbers = new ArrayList<>(List.of(place));
      numbers.addAll(ids);
      List<byte[]> items = new ArrayList<>();
      for (int from = 0; from < numbers.size(); from += NUMBERS_AN_ITEM) {
        List<Long> some = numbers.subList(from, Math.min(numbers.size(), from + NUMBERS_AN_ITEM));
        ByteBuffer bytes = ByteBuffer.allocate(8 * some.size());
        some.forEach(bytes::putLong);
        items.add(bytes.array());
      }
      return SnapshotItems.of(items);
    }

    @Override
    public void stopped(Throwable cause) {
      // MicroRaft swallows exceptions of what it calls.
      broken = new AssertionError(host.name + " stopped: " + cause, cause);
    }
  }

  private List<Long> upTo(long place) {
    return truth.headMap(place, true).values().stream().flatMap(List::stream).toList();
  }

  private void at(long time, Runnable task) {
    events.add(new Event(time, sequence++, task));
  }

  /** Lets virtual time pass. */
  void run(long millis) {
    long end = now + millis;
    while (!events.isEmpty() && events.peek().at() <= end) {
      Event event = events.remove();
      now = event.at();
      steps++;
      event.task().run();
      if (broken != null) {
        throw broken;
      }
    }
    now = end;
  }

  void startAll() {
    hosts.values().forEach(Host::start);
  }

  /** Appends at whoever believes that he leads. */
  void append() {
    for (Host host : hosts.values()) {
      if (host.isUp() && host.model.leads && host.log.accepting()) {
        List<Long> batch = new ArrayList<>();
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
          batch.add(nextId++);
        }
        List<byte[]> records =
            batch.stream().map(id -> ByteBuffer.allocate(8).putLong(id).array()).toList();
        Model model = host.model;
        RaftReplicatedLog log = host.log;
        log.append(
            log.epoch(),
            records,
            failure -> {
              if (failure == null) {
                model.apply(log.place(), batch);
                acknowledged.addAll(batch);
              } else if (!(failure instanceof NotCommittedException)) {
                throw new AssertionError(host.name + ": a batch failed", failure);
              }
            });
      }
    }
  }

  Host any() {
    List<Host> all = List.copyOf(hosts.values());
    return all.get(random.nextInt(all.size()));
  }

  Host host(String name) {
    return hosts.get(name);
  }

  Host leader() {
    return hosts.values().stream().filter(h -> h.isUp() && h.model.leads).findFirst().orElse(null);
  }

  /** Whether one leads and all configured hosts have a vote and everything. */
  boolean isWhole() {
    Host leader = leader();
    if (leader == null) {
      return false;
    }
    ControllerGroupStatus status = leader.log.status();
    Set<String> voters = new TreeSet<>();
    for (ControllerGroupStatus.MemberStatus member : status.members()) {
      if (!member.voting() || member.lag() != 0) {
        return false;
      }
      voters.add(member.member().host());
      Host host = hosts.get(member.member().host());
      if (!host.isUp() || !host.log.status().self().equals(member.member())) {
        return false;
      }
    }
    return voters.equals(new TreeSet<>(configured));
  }

  void network(double lossNow, double doublingNow, int slow) {
    loss = lossNow;
    doubling = doublingNow;
    slowMillis = slow;
  }

  void cut(String from, String to) {
    cut.add(from + ">" + to);
  }

  void healNetwork() {
    cut.clear();
    network(0, 0, 5);
  }

  /** Cuts some from the others, one way or both. */
  void partition() {
    cut.clear();
    boolean oneWay = random.nextInt(3) == 0;
    Set<String> side = new TreeSet<>();
    hosts
        .keySet()
        .forEach(h -> {
          if (random.nextBoolean()) {
            side.add(h);
          }
        });
    for (String a : hosts.keySet()) {
      for (String b : hosts.keySet()) {
        if (side.contains(a) && !side.contains(b)) {
          cut(a, b);
          if (!oneWay) {
            cut(b, a);
          }
        }
      }
    }
  }

  void configure(List<String> wanted) {
    changes++;
    configured = List.copyOf(wanted);
    for (String name : wanted) {
      if (!hosts.containsKey(name)) {
        Host host = new Host(name);
        hosts.put(name, host);
        host.start();
      }
    }
    hosts.values().stream().filter(Host::isUp).forEach(h -> h.log.configure(configured));
  }

  /** A machine leaves for good; its name may come back with another disk. */
  void forget(String name) {
    Host host = hosts.remove(name);
    if (host != null) {
      host.crash(false);
    }
  }

  List<String> configured() {
    return configured;
  }

  List<String> names() {
    return List.copyOf(hosts.keySet());
  }

  Random random() {
    return random;
  }

  long hash() {
    return hash;
  }

  int acknowledged() {
    return acknowledged.size();
  }

  /** Nobody lacks anything, and all are the same. */
  void checkEqual() {
    List<Long> all = upTo(Long.MAX_VALUE);
    for (String name : configured) {
      Host host = hosts.get(name);
      if (!host.isUp() || !new ArrayList<>(host.model.ids).equals(all)) {
        throw new AssertionError(
            name + " has " + host.model.ids.size() + " of " + all.size() + ": " + status());
      }
    }
    if (!new TreeSet<>(all).containsAll(acknowledged)) {
      throw new AssertionError("lost");
    }
  }

  String status() {
    StringBuilder text =
        new StringBuilder(
            "configured " + configured + " leader " + (leader() == null ? null : leader().name));
    hosts
        .values()
        .forEach(h ->
            text.append('\n')
                .append(h.name)
                .append(": ")
                .append(h.isUp() ? h.log.status() : "down"));
    return text.toString();
  }
}
