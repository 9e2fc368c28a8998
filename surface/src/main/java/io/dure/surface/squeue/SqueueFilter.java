package io.dure.surface.squeue;

import io.dure.model.UserIdentity;
import io.dure.model.gres.License;
import io.dure.model.gres.LicenseRequest;
import io.dure.model.job.Allocation;
import io.dure.model.job.Job;
import io.dure.model.job.NodeShare;
import io.dure.protocol.JobInfo;
import io.dure.surface.facts.JobDetails;
import io.dure.surface.facts.SlurmJobState;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs are listed; a list or set that is null lets every job pass, an empty one none.
 *
 * @param picks jobs by number
 * @param states states, of which one must be what the job is or what is said instead
 * @param users login names or numbers
 * @param partitions partitions, of which the job must ask for one
 * @param accounts accounts
 * @param names job names
 * @param qos qualities of service
 * @param nodes node names, of which the job must hold one
 * @param licenses licences, of which the job must ask for one
 * @param hidden whether jobs of hidden partitions pass
 * @param reservations reservations, of which the job must name one or run in it
 */
public record SqueueFilter(
    @Nullable List<JobIdFilter> picks,
    @Nullable Set<SlurmJobState> states,
    @Nullable List<String> users,
    @Nullable List<String> partitions,
    @Nullable List<String> accounts,
    @Nullable List<String> names,
    @Nullable List<String> qos,
    @Nullable Set<String> nodes,
    @Nullable List<String> licenses,
    boolean hidden,
    @Nullable List<String> reservations) {

  /** The part of a job that is listed, or null if it is none. */
  public @Nullable JobDetails apply(JobInfo info, Instant now) {
    Job job = info.job();
    if (!mayShow(info) || !isWanted(job) || !usesLicense(job)) {
      return null;
    }
    Job part = picks == null ? job : JobIdFilter.part(picks, job);
    if (part == null) {
      return null;
    }
    JobDetails facts = new JobDetails(picks == null ? info : with(info, part), now);
    return hasState(facts) && isOnNodes(facts) && isReserved(facts) ? facts : null;
  }

  /** The same information about another record. */
  public static JobInfo with(JobInfo info, Job job) {
    return info.withJob(job);
  }

  private boolean usesLicense(Job job) {
    LicenseRequest asked = job.spec().resources().more().licenses();
    if (licenses == null || asked == null) {
      return licenses == null;
    }
    for (List<License> way : asked.ways()) {
      for (License one : way) {
        if (licenses.contains(one.name())) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean mayShow(JobInfo info) {
    return hidden || picks != null || !info.hidden();
  }

  private boolean isWanted(Job job) {
    return isUser(job.owner())
        && containsAny(partitions, job.spec().partitions())
        && contains(accounts, job.spec().account())
        && contains(qos, job.spec().qos())
        && (names == null || names.contains(job.spec().name()));
  }

  private boolean isUser(UserIdentity owner) {
    if (users == null) {
      return true;
    }
    return users.contains(owner.userName())
        || users.contains(Integer.toUnsignedString(owner.uid()));
  }

  private boolean hasState(JobDetails facts) {
    return states == null
        || states.contains(facts.base())
        || (facts.flag() != null && states.contains(facts.flag()));
  }

  private boolean isReserved(JobDetails facts) {
    String named = facts.reservation();
    return reservations == null
        || named != null && containsAny(reservations, List.of(named.split(",", -1)));
  }

  private boolean isOnNodes(JobDetails facts) {
    if (nodes == null) {
      return true;
    }
    Allocation allocation = facts.allocation();
    if (allocation == null) {
      return false;
    }
    for (NodeShare share : allocation.shares()) {
      if (nodes.contains(share.node())) {
        return true;
      }
    }
    return false;
  }

  private static boolean contains(@Nullable List<String> wanted, @Nullable String value) {
    if (wanted == null) {
      return true;
    }
    if (value == null) {
      return false;
    }
    for (String one : wanted) {
      if (one.equalsIgnoreCase(value)) {
        return true;
      }
    }
    return false;
  }

  private static boolean containsAny(@Nullable List<String> wanted, List<String> values) {
    if (wanted == null) {
      return true;
    }
    for (String value : values) {
      if (wanted.contains(value)) {
        return true;
      }
    }
    return false;
  }

  /** Whether jobs that are over may pass. */
  public boolean wantsEnded() {
    if (states == null) {
      return true;
    }
    for (SlurmJobState status : states) {
      if (status.isFinal()) {
        return true;
      }
    }
    return false;
  }
}
