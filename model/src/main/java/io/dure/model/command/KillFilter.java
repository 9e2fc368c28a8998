package io.dure.model.command;

import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.job.PostRunAction;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs {@code scancel} means; null components and empty lists let every job through.
 *
 * @param account charged account
 * @param name job name
 * @param partition a partition of the job
 * @param qos quality of service
 * @param user owner's name or number
 * @param uid owner's number
 * @param phase where in its life the job is
 * @param nodes nodes of which the job holds at least one
 * @param wckey workload key
 * @param never true if something was asked for that no job has
 * @param reservation a reservation that the job asks for, or runs in
 */
public record KillFilter(
    @Nullable String account,
    @Nullable String name,
    @Nullable String partition,
    @Nullable String qos,
    @Nullable String user,
    @Nullable Integer uid,
    @Nullable Phase phase,
    List<String> nodes,
    @Nullable String wckey,
    boolean never,
    @Nullable String reservation) {

  /** The states that can be asked for. */
  public enum Phase {
    PENDING,
    RUNNING,
    SUSPENDED
  }

  /** Whether anything is asked for at all. */
  public boolean isSet() {
    return account != null
        || name != null
        || partition != null
        || qos != null
        || user != null
        || uid != null
        || phase != null
        || !nodes.isEmpty()
        || wckey != null
        || never
        || reservation != null;
  }

  /** Whether the job can still be cancelled. */
  public static boolean isAlive(Job job) {
    return phaseOf(job) != null;
  }

  /** Whether a job is meant that can still be cancelled. */
  public boolean accepts(Job job) {
    return !never
        && (account == null || account.equals(job.spec().account()))
        && (name == null || name.equals(job.spec().name()))
        && (qos == null || qos.equals(job.spec().qos()))
        && (wckey == null || wckey.equals(job.spec().wckey()))
        && (uid == null || uid == job.owner().uid())
        && (phase == null || phase == phaseOf(job))
        && ownedBy(job)
        && (reservation == null || reservationsOf(job).contains(reservation))
        && (partition == null || partitionsOf(job).contains(partition))
        && (nodes.isEmpty() || nodesOf(job).stream().anyMatch(nodes::contains));
  }

  private boolean ownedBy(Job job) {
    return user == null
        || user.equals(job.owner().userName())
        || user.equals(Integer.toUnsignedString(job.owner().uid()));
  }

  private static @Nullable Phase phaseOf(Job job) {
    return switch (job.state()) {
      case JobState.Pending _ -> Phase.PENDING;
      case JobState.Running _ -> Phase.RUNNING;
      case JobState.Suspended _ -> Phase.SUSPENDED;
      case JobState.Completing completing ->
          completing.afterwards() == PostRunAction.END ? null : Phase.PENDING;
      case JobState.Ended _ -> null;
    };
  }

  private static List<String> partitionsOf(Job job) {
    JobState.Running running = job.state().runningOrSuspended();
    return running == null ? job.spec().partitions() : List.of(running.allocation().partition());
  }

  /** That in which it runs, where it runs in one; else those that it asks for. */
  private static List<String> reservationsOf(Job job) {
    JobState.Running running = job.state().runningOrSuspended();
    String in = running == null ? null : running.allocation().reservation();
    return in == null ? job.spec().reservations() : List.of(in);
  }

  private static List<String> nodesOf(Job job) {
    JobState.Running running = job.state().runningOrSuspended();
    return running == null ? List.of() : running.allocation().nodes();
  }
}
