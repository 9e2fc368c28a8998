package io.dure.controller.service;

import io.dure.cluster.ClusterState;
import io.dure.cluster.NodeRecord;
import io.dure.controller.view.PendingVerdicts;
import io.dure.model.ErrorCode;
import io.dure.model.command.Caller;
import io.dure.model.command.PendingVerdict;
import io.dure.model.command.Reply;
import io.dure.model.job.Allocation;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.step.LaunchedStep;
import io.dure.model.step.RunSteps;
import io.dure.model.step.StepSpec;
import io.dure.placement.step.StepPlacer;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.protocol.StepCredential;
import io.dure.protocol.WireCodecs;
import io.dure.protocol.codec.RecordCodec;
import io.dure.protocol.step.FileCredential;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Steps: waiting until one may begin, and the credentials that nodes start them by. Any thread. */
public final class StepService {
  /** How long a step may be launched after it was created, as long as in Slurm. */
  public static final Duration CREDENTIAL_LIFETIME = Duration.ofMinutes(2);

  /** Of the socket in the spool directory of a node daemon. */
  private static final String SOCKET = "step.sock";

  private static final Duration SLICE = Duration.ofSeconds(1);

  private final Source source;
  private final StateWaiters waiters;
  private final StepQueue queue = new StepQueue();
  private final UnaryOperator<byte[]> signer;
  private final RecordCodec<StepCredential> credentials = WireCodecs.credentials();
  private final RecordCodec<FileCredential> files = WireCodecs.fileCredentials();

  /**
   * What it reads.
   *
   * @param state the newest durable state
   * @param verdicts what the last scheduling pass found
   */
  public record Source(
      Supplier<ClusterState> state, Supplier<PendingVerdicts> verdicts, InstantSource clock) {
    Instant now() {
      return clock.instant();
    }
  }

  /**
   * Steps of that state.
   *
   * @param signer gives the signature of a message
   */
  public StepService(Source source, StateWaiters waiters, UnaryOperator<byte[]> signer) {
    this.source = source;
    this.waiters = waiters;
    this.signer = signer;
  }

  /** Waits until a job has what it was submitted for, or is over; for a bounded time. */
  public Response awaitStart(Request.AwaitStart asked, Caller.User caller)
      throws InterruptedException {
    int jobId = asked.jobId();
    Response refusal = refusal(source.state().get().job(jobId), caller);
    if (refusal != null) {
      return refusal;
    }
    Job job =
        waiters.await(state -> begun(state, jobId), source.state(), longest(asked.longestMillis()));
    return job == null
        ? new Response.StillWaiting(reason(jobId))
        : new Response.StartedJob(
            job.withWorkload(job.workload().summary()),
            source.state().get().settings().controller().clusterName(),
            source.state().get().settings().steps().interactive());
  }

  private @Nullable String reason(int jobId) {
    PendingVerdict verdict = source.verdicts().get().byJob().get(jobId);
    return verdict == null ? null : verdict.reason();
  }

  private static @Nullable Job begun(ClusterState state, int jobId) {
    Job job = state.job(jobId);
    if (job == null) {
      return null;
    }
    return switch (job.state()) {
      case JobState.Pending _ -> null;
      case JobState.Running running ->
          running.configuring() || state.waitsForProlog(job) ? null : job;
      case JobState.Suspended _, JobState.Completing _, JobState.Ended _ -> job;
    };
  }

  /** Waits until a step could begin beside the others of its job; for a bounded time. */
  public Response awaitRoom(Request.AwaitStepRoom asked, Caller.User caller)
      throws InterruptedException {
    Response refusal = refusal(source.state().get().job(asked.jobId()), caller);
    if (refusal != null) {
      return refusal;
    }
    queue.join(asked.jobId(), asked.spec(), source.clock().instant());
    Boolean room = null;
    try {
      Duration left = longest(asked.longestMillis());
      do {
        // In slices: a step before this one may be given up without a change of the state.
        Duration slice = left.compareTo(SLICE) < 0 ? left : SLICE;
        room =
            waiters.await(
                state ->
                    queue.mayAsk(state, asked.jobId(), asked.spec(), source.clock().instant())
                        ? (Boolean) true
                        : null,
                source.state(),
                slice);
        left = left.minus(slice);
      } while (room == null && left.isPositive());
      return room == null
          ? new Response.StillWaiting(null)
          : new Response.Decided(new Reply.Done());
    } finally {
      queue.leave(asked.jobId(), asked.spec(), room != null, source.clock().instant());
    }
  }

  /**
   * The steps that wait for room in their jobs, in the order in which they came. When something of
   * a job becomes free, the first of them that fits is the one to ask; until its step is there, or
   * it was not heard of for a while, those behind it wait. Any thread.
   */
  private static final class StepQueue {
    /** After an answer a caller that is alive asks again, or for its step, within so long. */
    private static final Duration GRACE = Duration.ofSeconds(2);

    /** A step that waits: how many calls do so for it now, and when the last of them left. */
    private static final class Place {
      private int calls;
      private Instant left = Instant.EPOCH;
      private boolean served;

      /** The number of the next step when it was served. */
      private int next;

      /** Whether it keeps its place. */
      boolean isAlive(Instant now) {
        return calls > 0 || now.isBefore(left.plus(GRACE));
      }

      /** Whether others wait for it: it waits, or was served and nothing has begun since. */
      boolean isFirst(RunSteps steps, Instant now) {
        return calls > 0 || served && next == steps.next() && isAlive(now);
      }
    }

    /** Steps of a job, and which of them is to ask. */
    private static final class Line {
      private final Map<StepSpec, Place> places = new LinkedHashMap<>();
      private @Nullable Job seen;
      private @Nullable StepSpec chosen;

      /** Without the steps of calls that are gone; whether that leaves none. */
      boolean purge(Instant now) {
        places.values().removeIf(place -> !place.isAlive(now));
        return places.isEmpty();
      }
    }

    private final Map<Integer, Line> lines = new HashMap<>();

    /** A call begins to wait for a step, at the end of the line unless the step has a place. */
    synchronized void join(int jobId, StepSpec spec, Instant now) {
      lines.values().removeIf(line -> line.purge(now));
      Line line = lines.computeIfAbsent(jobId, _ -> new Line());
      Place place = line.places.computeIfAbsent(spec, _ -> new Place());
      place.calls++;
      place.served = false;
      line.seen = line.chosen == null ? null : line.seen;
    }

    /** A call waits no longer; the step keeps its place for a moment. */
    synchronized void leave(int jobId, StepSpec spec, boolean served, Instant now) {
      Line line = lines.get(jobId);
      Place place = line == null ? null : line.places.get(spec);
      if (place != null) {
        place.calls--;
        place.left = now;
        place.served = served;
      }
    }

    /** Whether a step that waits should ask for what it needs now. */
    @SuppressWarnings("ReferenceEquality") // states share what did not change; comparing is slow
    synchronized boolean mayAsk(ClusterState state, int jobId, StepSpec spec, Instant now) {
      Job job = state.job(jobId);
      Line line = lines.get(jobId);
      if (line == null || job == null || !(job.state() instanceof JobState.Running running)) {
        return true; // it is told what has become of the job
      }
      RunSteps steps = job.runSteps();
      Place first = line.chosen == null ? null : line.places.get(line.chosen);
      boolean gone = line.chosen != null && (first == null || !first.isFirst(steps, now));
      if (line.seen != job || gone) {
        line.purge(now);
        line.seen = job;
        line.chosen = first(line, running.allocation(), steps, now);
      }
      Place own = line.places.get(spec);
      if (own != null) {
        own.next = steps.next();
      }
      return spec.equals(line.chosen);
    }

    private static @Nullable StepSpec first(
        Line line, Allocation held, RunSteps steps, Instant now) {
      for (Map.Entry<StepSpec, Place> one : line.places.entrySet()) {
        StepSpec spec = one.getKey();
        boolean begun = steps.live().stream().anyMatch(step -> step.spec().equals(spec));
        boolean waits = !begun && one.getValue().isFirst(steps, now);
        if (waits && !(StepPlacer.place(held, steps, spec) instanceof StepPlacer.Answer.Busy)) {
          return spec;
        }
      }
      return null;
    }
  }

  private static Duration longest(int millis) {
    return Duration.ofMillis(Math.clamp(millis, 0, WireCodecs.LONGEST_WAIT.toMillis()));
  }

  /** Signs for a step. */
  public Response launch(Request.LaunchStep asked, Caller.User caller) {
    ClusterState state = source.state().get();
    Job job = state.job(asked.jobId());
    Response refusal = refusal(job, caller);
    if (job == null || refusal != null) {
      return refusal == null ? new Response.Failed(ErrorCode.INVALID_JOB_ID, "") : refusal;
    }
    LaunchedStep created = job.runSteps().step(asked.step());
    if (created == null || job.state().runningOrSuspended() == null) {
      return new Response.Failed(ErrorCode.ALREADY_DONE, "");
    }
    Instant now = source.now();
    // Each of its nodes reads all of it.
    LaunchedStep step = created.with().nodesLeft(List.of()).build();
    Job bare = job.withWorkload(job.workload().summary()).withLaunched(null);
    byte[] credential =
        credentials.encode(
            new StepCredential(
                state.settings().controller().clusterName(),
                bare,
                step,
                now,
                now.plus(CREDENTIAL_LIFETIME)));
    return new Response.StepLaunch(
        credential,
        signer.apply(credential),
        step,
        nodes(state, step.nodes()),
        (int) state.settings().jobs().killWait().toSeconds(),
        state.settings().steps().treeWidth(),
        state.settings().steps().srun());
  }

  /** Signs for files. */
  public Response grantFiles(Request.GrantFiles asked, Caller.User caller) {
    ClusterState state = source.state().get();
    Job job = state.job(asked.jobId());
    if (job == null) {
      return new Response.Failed(ErrorCode.INVALID_JOB_ID, "");
    }
    if (!caller.mayChange(job)) {
      return new Response.Failed(ErrorCode.USER_ID_MISSING, "");
    }
    JobState.Running running = job.state().runningOrSuspended();
    if (running == null) {
      return new Response.Failed(
          job.state() instanceof JobState.Pending ? ErrorCode.JOB_PENDING : ErrorCode.ALREADY_DONE,
          "");
    }
    Integer number = asked.step();
    LaunchedStep step = number == null ? null : job.runSteps().step(number);
    if (number != null && step == null) {
      return new Response.Failed(ErrorCode.INVALID_JOB_ID, "");
    }
    List<String> names = running.allocation().nodes();
    if (step != null) {
      // Those that the job has lost or given back may be another job's.
      names = step.nodes().stream().filter(Set.copyOf(names)::contains).toList();
    }
    Instant now = source.now();
    byte[] credential =
        files.encode(
            new FileCredential(
                job.id(), job.owner(), names, now, now.plus(CREDENTIAL_LIFETIME), job.run()));
    return new Response.FileGrant(
        credential, signer.apply(FileCredential.signed(credential)), nodes(state, names));
  }

  /** Where nodes are; all of them where none is named. */
  public Response locate(List<String> names) {
    ClusterState state = source.state().get();
    List<String> known = new ArrayList<>();
    for (NodeRecord node : state.nodes().values()) {
      if (names.isEmpty() || names.contains(node.name())) {
        known.add(node.name());
      }
    }
    return new Response.NodePlaces(nodes(state, known));
  }

  private static List<Response.StepNode> nodes(ClusterState state, List<String> names) {
    List<Response.StepNode> nodes = new ArrayList<>();
    for (String name : names) {
      NodeRecord node = state.node(name);
      String spool = state.settings().daemon().spoolDir();
      nodes.add(
          new Response.StepNode(
              name,
              node == null || node.facts() == null ? "" : node.facts().bootId(),
              Path.of(node == null ? spool : node.config().fill(spool)).resolve(SOCKET).toString(),
              node == null ? name : node.config().address(),
              node == null ? state.settings().daemon().port() : node.config().port()));
    }
    return List.copyOf(nodes);
  }

  private static @Nullable Response refusal(@Nullable Job job, Caller.User caller) {
    if (job == null) {
      return new Response.Failed(ErrorCode.INVALID_JOB_ID, "");
    }
    return caller.mayChange(job) ? null : new Response.Failed(ErrorCode.ACCESS_DENIED, "");
  }
}
