package io.dure.controller.service;

import io.dure.cluster.ClusterState;
import io.dure.cluster.NodeRecord;
import io.dure.cluster.RunReconciliation;
import io.dure.controller.view.PendingVerdicts;
import io.dure.model.ErrorCode;
import io.dure.model.command.Caller;
import io.dure.model.command.PendingVerdict;
import io.dure.model.command.Reply;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.privacy.CallerSight;
import io.dure.model.step.LaunchedStep;
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
import java.util.List;
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
    Response refusal = refusal(source.state().get(), jobId, caller);
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
          running.configuring() || RunReconciliation.waitsForProlog(state, job) ? null : job;
      case JobState.Suspended _, JobState.Completing _, JobState.Ended _ -> job;
    };
  }

  /** Waits until a step could begin beside the others of its job; for a bounded time. */
  public Response awaitRoom(Request.AwaitStepRoom asked, Caller.User caller)
      throws InterruptedException {
    ClusterState newest = source.state().get();
    Response refusal = refusal(newest, asked.jobId(), caller);
    if (refusal != null) {
      return refusal;
    }
    // What it asks for is kept while it waits, and so has the bounds of a step that is created.
    Reply.Refused unbounded = RequestBounds.refusal(asked, newest.settings());
    if (unbounded != null) {
      return new Response.Failed(unbounded.code(), unbounded.detail());
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

  private static Duration longest(int millis) {
    return Duration.ofMillis(Math.clamp(millis, 0, WireCodecs.LONGEST_WAIT.toMillis()));
  }

  /** The steps that wait for room, of all jobs or of these, as far as the caller may see jobs. */
  public Response waiting(List<Integer> jobIds, Caller.User caller) {
    ClusterState state = source.state().get();
    CallerSight sight = sight(state, caller);
    List<Response.WaitingStep> waiting = new ArrayList<>();
    for (Response.WaitingStep step : queue.waiting(state, jobIds, source.now())) {
      Job job = state.job(step.jobId());
      if (job != null && sight.ofJob(job)) {
        waiting.add(step);
      }
    }
    return new Response.WaitingSteps(List.copyOf(waiting));
  }

  /** Signs for a step. */
  public Response launch(Request.LaunchStep asked, Caller.User caller) {
    ClusterState state = source.state().get();
    Job job = state.job(asked.jobId());
    Response refusal = refusal(state, asked.jobId(), caller);
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
    ErrorCode refusal = sight(state, caller).ownersRefusal(job, ErrorCode.USER_ID_MISSING);
    if (job == null || refusal != null) {
      return new Response.Failed(refusal == null ? ErrorCode.INVALID_JOB_ID : refusal, "");
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

  private static CallerSight sight(ClusterState state, Caller.User caller) {
    return CallerSight.of(state.accounts(), state.settings(), caller);
  }

  private static @Nullable Response refusal(ClusterState state, int jobId, Caller.User caller) {
    ErrorCode no = sight(state, caller).ownersRefusal(state.job(jobId), ErrorCode.ACCESS_DENIED);
    return no == null ? null : new Response.Failed(no, "");
  }
}
