package io.dure.controller;

import io.dure.cluster.ClusterState;
import io.dure.controller.loop.LatestValue;
import io.dure.controller.loop.ReplicatedEventStore;
import io.dure.controller.loop.StalledLogWatchdog;
import io.dure.controller.replica.RaftGroupMember;
import io.dure.controller.replica.ReplicatedLog;
import io.dure.controller.replica.raft.ControllerGroupStatus;
import io.dure.controller.replica.raft.LostRecordsException;
import io.dure.controller.replica.raft.ReplicatedStateMachine;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.ClusterSettings;
import io.dure.protocol.Response;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** One controller of several leads while the others have elected it. */
final class ReplicatedRole implements ControllerRole {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Longer than any member that lives says nothing to one that leads or would. */
  private static final Duration SILENT = Duration.ofSeconds(5);

  private final LeaderServices.Ground ground;
  private final Consumer<Throwable> stopped;
  private final Logger log;
  private final RaftGroupMember member;
  private final ReplicatedLog replicas;

  /** Begins and ends leadership, one after the other: both wait, and the log's thread must not. */
  private final ExecutorService transitions =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().name("leadership").factory());

  private final LatestValue<ClusterConfig> config;
  private final Supplier<@Nullable ClusterConfig> file;

  /** Written by the leadership thread. */
  private final LatestValue<Tenure> tenure = new LatestValue<>(Tenure.EMPTY);

  /**
   * The epoch in which this controller leads, 0 for none: a term may have several. Written by the
   * log's thread.
   */
  private final LatestValue<Long> epoch = new LatestValue<>(0L);

  /** The latest epoch that was given up while the log stood still. Written by the watch. */
  private final LatestValue<Long> abandoned = new LatestValue<>(0L);

  private final StalledLogWatchdog watch;
  private Command.Recovery recovery = Command.Recovery.START;

  /** Whether this controller has led since its start. Of the leadership thread. */
  private boolean configured;

  /**
   * A leadership and the epoch for which it was made.
   *
   * @param ready whether it has begun
   */
  private record Tenure(long epoch, @Nullable LeaderServices leadership, boolean ready) {
    static final Tenure EMPTY = new Tenure(0, null, false);
  }

  /** Opens the share of a log that is kept for a replica. */
  interface Opener {
    RaftGroupMember open(ReplicatedStateMachine replica) throws IOException;
  }

  /**
   * Opens its share of the log, and lets nothing happen yet.
   *
   * @param file reads the configuration anew, since another may have led for long; null if it
   *     cannot
   * @param stopped told when the log cannot go on
   */
  ReplicatedRole(
      LeaderServices.Ground ground,
      ClusterConfig config,
      Supplier<@Nullable ClusterConfig> file,
      Opener opener,
      Consumer<Throwable> stopped)
      throws IOException {
    this.ground = ground;
    this.config = new LatestValue<>(config);
    this.file = file;
    this.stopped = stopped;
    this.log = ground.log();
    member =
        opener.open(
            new StandbyReplay(
                ground.stateDirectory(),
                config,
                new RoleListener(),
                ground::texts,
                ground.follower()));
    replicas = member.log();
    watch =
        new StalledLogWatchdog(
            replicas::stillMillis,
            this::abandon,
            bug -> {
              log.error(
                  "watchdog of the replicated log failed, a bug in Dure: slurmctld exits", bug);
              stopped.accept(bug);
            });
  }

  @Override
  public void start(ClusterConfig first, Command.Recovery recovery) {
    var _ = config.set(first);
    this.recovery = recovery;
    member.start();
    watch.start();
  }

  @Override
  public void configure(ClusterConfig next) throws InterruptedException, ExecutionException {
    var _ = config.set(next);
    replicas.configure(names(next));
    LeaderServices now = leadership();
    if (now != null) {
      var _ =
          now.loop()
              .submit(new Command.Configure(next, Command.Recovery.RECONFIGURE), new Caller.Self())
              .get();
    }
  }

  @Override
  public @Nullable LeaderServices leadership() {
    Tenure now = tenure.get();
    // A process that was stopped goes on with what it was asked meanwhile before it hears that
    // another leads.
    boolean turns = replicas.stillMillis() <= StalledLogWatchdog.LIMIT.toMillis();
    return turns && now.ready() && holds(now) && now.epoch() != abandoned.get()
        ? now.leadership()
        : null;
  }

  /** Whether it is the tenure of the present epoch. */
  private boolean holds(Tenure now) {
    return now.epoch() == epoch.get();
  }

  /** The log stands still. The watch's thread. */
  private void abandon(long stillMillis) {
    Tenure now = tenure.get();
    LeaderServices leading = now.leadership();
    if (leading != null && holds(now) && now.epoch() != abandoned.get()) {
      var _ = abandoned.set(now.epoch());
      replicas.abandon(now.epoch());
      leading.close();
      log.error(
          "replicated log has stalled for "
              + stillMillis
              + " ms, StateSaveLocation may not respond: this controller stops leading until the"
              + " log advances");
    }
  }

  /** Its share in the log. */
  RaftGroupMember member() {
    return member;
  }

  @Override
  public Response.Replicas replicas() {
    ControllerGroupStatus status = replicas.status();
    if (replicas.stillMillis() > StalledLogWatchdog.LIMIT.toMillis()) {
      status = status.stalled();
    }
    List<Response.Replica> seen = new ArrayList<>();
    LeaderServices now = leadership();
    for (String host : names(now == null ? config.get() : now.loop().published().config())) {
      seen.add(seen(host, status));
    }
    return new Response.Replicas(seen, status.trouble());
  }

  private static Response.Replica seen(String host, ControllerGroupStatus status) {
    boolean own = host.equals(status.self().host());
    for (ControllerGroupStatus.MemberStatus member : status.members()) {
      if (member.member().host().equals(host)) {
        long silent =
            own || member.silentMillis() < SILENT.toMillis() ? 0 : member.silentMillis() / 1000;
        String role =
            own
                ? status.role().name()
                : host.equals(status.leader())
                    ? "LEADER"
                    : silent > 0 ? "UNKNOWN" : member.voting() ? "FOLLOWER" : "LEARNER";
        return new Response.Replica(
            host, role, status.term(), member.voting(), member.lag(), silent);
      }
    }
    return new Response.Replica(host, own ? status.role().name() : "UNKNOWN", 0, false, -1, 0);
  }

  @Override
  public @Nullable String handOver(String host) throws InterruptedException {
    try {
      var _ = replicas.handOver(host).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      return null;
    } catch (TimeoutException e) {
      return "the controllers have not answered for " + PATIENCE.toSeconds() + " seconds";
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      return String.valueOf((cause == null ? e : cause).getMessage());
    }
  }

  private void inOrder(Runnable task) {
    try {
      transitions.execute(task);
    } catch (RejectedExecutionException e) {
      // the controller ends
    }
  }

  /** On the leadership thread. */
  private void begin(ClusterState state, long elected, boolean takesOver) {
    if (elected != epoch.get()) {
      return;
    }
    try {
      LeaderServices next =
          new LeaderServices(ground, state, new ReplicatedEventStore(replicas, elected));
      var _ = tenure.set(new Tenure(elected, next, false));
      boolean keeps = takesOver || configured;
      configured |= next.start(keeps ? takeOver(state) : configure());
      var _ = tenure.set(new Tenure(elected, next, true));
      if (keeps) {
        // Beside: where the file lies may not answer, and nothing depends on it.
        Thread.ofPlatform().daemon().name("slurm.conf").start(() -> compare(state.config()));
      }
    } catch (IOException e) {
      log.error("cannot become the leader: " + e.getMessage() + "; slurmctld exits", e);
      stopped.accept(e);
    } catch (ExecutionException e) {
      log.info("leadership was lost before it took effect: " + e.getCause());
    } catch (RuntimeException | Error bug) {
      // The others elect another leader, which one that does not serve would prevent.
      log.error("cannot become the leader, a bug in Dure: slurmctld exits", bug);
      stopped.accept(bug);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The first since all controllers were started, as a lone one after its start. */
  private Command.InternalCommand configure() {
    ClusterConfig fresh = file.get();
    return new Command.Configure(fresh == null ? config.get() : fresh, recovery);
  }

  /**
   * What is in force stays, be the file what it may: the files of two machines may differ, and a
   * leader's death must not take nodes away from jobs.
   */
  private Command.InternalCommand takeOver(ClusterState state) {
    replicas.configure(names(state.config()));
    return new Command.TakeOver();
  }

  private void compare(ClusterConfig inForce) {
    ClusterConfig fresh = file.get();
    if (fresh != null && differs(fresh, inForce)) {
      log.info(
          "local slurm.conf differs from the active configuration; still using the active one;"
              + " scontrol reconfigure activates the file");
    }
  }

  private static List<String> names(ClusterConfig config) {
    return config.settings().controller().hosts().stream().map(ClusterSettings.Host::name).toList();
  }

  /** Whether they differ in more than a machine's own paths. */
  private static boolean differs(ClusterConfig one, ClusterConfig other) {
    return !names(one).equals(names(other))
        || !one.nodes().equals(other.nodes())
        || !one.partitions().equals(other.partitions())
        || !one.settings().jobs().equals(other.settings().jobs())
        || !one.settings().scheduling().equals(other.settings().scheduling());
  }

  /** On the leadership thread. */
  private void end() {
    LeaderServices last = tenure.get().leadership();
    var _ = tenure.set(Tenure.EMPTY);
    if (last != null) {
      last.close();
    }
  }

  /** Does not wait long for a log that stands still. */
  @Override
  public void close() throws IOException {
    watch.close();
    inOrder(this::end);
    transitions.shutdown();
    LeaderServices last = tenure.get().leadership();
    if (last != null) {
      last.close();
    }
    try {
      if (!transitions.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        log.error("leadership did not stop in time, exiting nevertheless");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    member.close();
  }

  /** What the log tells of. On its thread. */
  private final class RoleListener implements StandbyReplay.RoleListener {
    @Override
    public void elected(ClusterState state, long told) {
      long elected = replicas.epoch();
      var _ = epoch.set(elected);
      boolean takesOver = told > member.found() || (told > 0 && replicas.followed());
      inOrder(() -> begin(state, elected, takesOver));
    }

    @Override
    public @Nullable ClusterState deposed() {
      ClusterState last = published();
      var _ = epoch.set(0L);
      inOrder(ReplicatedRole.this::end);
      return last;
    }

    @Override
    public @Nullable ClusterState published() {
      Tenure now = tenure.get();
      LeaderServices leading = holds(now) ? now.leadership() : null;
      return leading == null ? null : leading.loop().published();
    }

    @Override
    public void stopped(Throwable cause) {
      if (cause instanceof LostRecordsException) {
        log.error(cause.getMessage());
      } else {
        log.error(
            "replicated log failed on this controller, a bug in Dure or its disk: slurmctld exits",
            cause);
      }
      stopped.accept(cause);
    }
  }
}
