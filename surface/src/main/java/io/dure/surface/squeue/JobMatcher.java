package io.dure.surface.squeue;

import io.dure.model.UserIdentity;
import io.dure.model.gres.LicenseRequest;
import io.dure.model.job.Allocation;
import io.dure.model.job.Job;
import io.dure.model.job.NodeShare;
import io.dure.protocol.JobCriteria;
import io.dure.surface.facts.JobDetails;
import io.dure.surface.facts.SlurmJobState;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Compares jobs with what is asked for. Any thread. */
public final class JobMatcher {
  private final JobCriteria criteria;
  private final @Nullable Set<SlurmJobState> states;
  private final @Nullable Set<String> nodes;

  /** A matcher; states that are not known here match no job. */
  public JobMatcher(JobCriteria criteria) {
    this.criteria = criteria;
    states = criteria.states() == null ? null : states(criteria.states());
    nodes = criteria.nodes() == null ? null : new TreeSet<>(criteria.nodes());
  }

  private static Set<SlurmJobState> states(List<String> names) {
    Set<SlurmJobState> states = EnumSet.noneOf(SlurmJobState.class);
    for (String name : names) {
      SlurmJobState state = SlurmJobState.find(name);
      if (state != null) {
        states.add(state);
      }
    }
    return states;
  }

  /** What is asked for. */
  public JobCriteria criteria() {
    return criteria;
  }

  /** Whether that holds for a job. */
  public boolean matches(Job job) {
    return isUser(job.owner())
        && hasState(job)
        && containsAny(criteria.partitions(), job.spec().partitions())
        && contains(criteria.accounts(), job.spec().account())
        && contains(criteria.qos(), job.spec().qos())
        && (criteria.names() == null || criteria.names().contains(job.spec().name()))
        && usesLicense(job)
        && isOnNodes(job)
        && isReserved(job);
  }

  /** Whether jobs that are over may match. */
  public boolean wantsEnded() {
    return states == null || states.stream().anyMatch(SlurmJobState::isFinal);
  }

  private boolean usesLicense(Job job) {
    List<String> wanted = criteria.licenses();
    LicenseRequest asked = job.spec().resources().more().licenses();
    return wanted == null
        || asked != null
            && asked.ways().stream()
                .anyMatch(way -> way.stream().anyMatch(one -> wanted.contains(one.name())));
  }

  private boolean isUser(UserIdentity owner) {
    List<String> users = criteria.users();
    return users == null
        || users.contains(owner.userName())
        || users.contains(Integer.toUnsignedString(owner.uid()));
  }

  private boolean hasState(Job job) {
    if (states == null || states.contains(SlurmJobState.base(job.state()))) {
      return true;
    }
    SlurmJobState flag = SlurmJobState.flag(job.state());
    return flag != null && states.contains(flag);
  }

  private boolean isReserved(Job job) {
    List<String> wanted = criteria.reservations();
    if (wanted == null) {
      return true;
    }
    Allocation allocation = JobDetails.allocation(job.state());
    String runsIn = allocation == null ? null : allocation.reservation();
    return runsIn == null
        ? containsAny(wanted, job.spec().reservations())
        : containsAny(wanted, List.of(runsIn.split(",", -1)));
  }

  private boolean isOnNodes(Job job) {
    if (nodes == null) {
      return true;
    }
    Allocation allocation = JobDetails.allocation(job.state());
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
}
