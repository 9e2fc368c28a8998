package io.dure.model.reservation;

import io.dure.model.request.JobSpec;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Who may use a reservation. A job must fit each of these that names something. Names that begin
 * with a minus are kept out, and then all others may.
 *
 * @param users login names, empty where users do not matter
 * @param accounts accounts, empty where they do not matter
 * @param groups groups, empty where they do not matter
 * @param qos qualities of service, empty where they do not matter
 * @param partitions partitions in which jobs run, empty where they do not matter
 */
public record ReservationAccess(
    List<String> users,
    List<String> accounts,
    List<String> groups,
    List<String> qos,
    List<String> partitions) {
  /** Nothing is named. */
  public static final ReservationAccess NONE =
      new ReservationAccess(List.of(), List.of(), List.of(), List.of(), List.of());

  public ReservationAccess {
    // Before there were any, they were not written.
    qos = qos == null ? List.of() : List.copyOf(qos);
    partitions = partitions == null ? List.of() : List.copyOf(partitions);
  }

  /** Whether nothing is named. */
  public boolean isEmpty() {
    return users.isEmpty()
        && accounts.isEmpty()
        && groups.isEmpty()
        && qos.isEmpty()
        && partitions.isEmpty();
  }

  /**
   * Whether a user may use it, with jobs of some kind.
   *
   * @param account what the job is charged to, null for nothing
   * @param userGroups the groups that the user is in
   */
  public boolean permits(String user, @Nullable String account, List<String> userGroups) {
    boolean member = groups.isEmpty() || groups.stream().anyMatch(userGroups::contains);
    return member && permitsOwner(user, account);
  }

  private boolean permitsOwner(String user, @Nullable String account) {
    return allows(users, user)
        && allows(accounts, account == null ? "" : account.toLowerCase(Locale.ROOT));
  }

  /** Whether a job may use it that was let in with the groups that its owner was in. */
  public boolean permitsJob(String user, JobSpec spec) {
    return permitsOwner(user, spec.account()) && permitsKind(spec);
  }

  /** Whether such jobs may use it, whoever they belong to. */
  public boolean permitsKind(JobSpec spec) {
    return allows(qos, spec.qos() == null ? "" : spec.qos().toLowerCase(Locale.ROOT))
        && (partitions.isEmpty() || spec.partitions().stream().anyMatch(this::permitsPartition));
  }

  /** Whether jobs may use it that run in a partition. */
  public boolean permitsPartition(String partition) {
    return allows(partitions, partition);
  }

  private static boolean allows(List<String> names, String name) {
    if (names.isEmpty()) {
      return true;
    }
    boolean denies = names.getFirst().startsWith("-");
    return denies ? !names.contains("-" + name) : names.contains(name);
  }
}
