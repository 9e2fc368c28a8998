package io.dure.surface.squeue;

import io.dure.model.UserIdentity;
import io.dure.model.gres.LicenseRequest;
import io.dure.model.job.Allocation;
import io.dure.model.job.Job;
import io.dure.model.job.NodeShare;
import io.dure.protocol.JobCriteria;
import io.dure.surface.facts.JobDetails;
import io.dure.surface.facts.SlurmJobState;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Compares jobs with what is asked for. Any thread. */
public final class JobMatcher {
  private final JobCriteria criteria;
  private final @Nullable Set<SlurmJobState> states;
  private final @Nullable Set<String> users;
  private final @Nullable Set<String> partitions;
  private final @Nullable Set<String> accounts;
  private final @Nullable Set<String> names;
  private final @Nullable Set<String> qos;
  private final @Nullable Set<String> nodes;
  private final @Nullable Set<String> licenses;
  private final @Nullable Set<String> reservations;

  /** A matcher; states that are not known here match no job. */
  public JobMatcher(JobCriteria criteria) {
    this(criteria, false);
  }

  /**
   * A matcher of what came in a request, where a list that the command does not know yet reads as
   * empty: one that is empty lets every job pass, and the command leaves out the rest.
   */
  public static JobMatcher ofRequest(JobCriteria criteria) {
    return new JobMatcher(criteria, true);
  }

  private JobMatcher(JobCriteria criteria, boolean emptyPasses) {
    this.criteria = criteria;
    Set<String> words = set(criteria.states(), emptyPasses);
    states = words == null ? null : states(words);
    users = set(criteria.users(), emptyPasses);
    partitions = set(criteria.partitions(), emptyPasses);
    accounts = anyCase(set(criteria.accounts(), emptyPasses));
    names = set(criteria.names(), emptyPasses);
    qos = anyCase(set(criteria.qos(), emptyPasses));
    nodes = set(criteria.nodes(), emptyPasses);
    licenses = set(criteria.licenses(), emptyPasses);
    reservations = set(criteria.reservations(), emptyPasses);
  }

  private static @Nullable Set<String> set(@Nullable List<String> words, boolean emptyPasses) {
    return words == null || emptyPasses && words.isEmpty() ? null : new HashSet<>(words);
  }

  private static @Nullable Set<String> anyCase(@Nullable Set<String> words) {
    if (words == null) {
      return null;
    }
    Set<String> all = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    all.addAll(words);
    return all;
  }

  private static Set<SlurmJobState> states(Set<String> words) {
    Set<SlurmJobState> states = EnumSet.noneOf(SlurmJobState.class);
    for (String word : words) {
      SlurmJobState state = SlurmJobState.find(word);
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
        && containsAny(partitions, job.spec().partitions())
        && contains(accounts, job.spec().account())
        && contains(qos, job.spec().qos())
        && contains(names, job.spec().name())
        && usesLicense(job)
        && isOnNodes(job)
        && isReserved(job);
  }

  /** Whether jobs that are over may match. */
  public boolean wantsEnded() {
    return states == null || states.stream().anyMatch(SlurmJobState::isFinal);
  }

  private boolean usesLicense(Job job) {
    LicenseRequest asked = job.spec().resources().more().licenses();
    return licenses == null
        || asked != null
            && asked.ways().stream()
                .anyMatch(way -> way.stream().anyMatch(one -> licenses.contains(one.name())));
  }

  private boolean isUser(UserIdentity owner) {
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
    if (reservations == null) {
      return true;
    }
    Allocation allocation = JobDetails.allocation(job.state());
    String runsIn = allocation == null ? null : allocation.reservation();
    return runsIn == null
        ? containsAny(reservations, job.spec().reservations())
        : containsAny(reservations, List.of(runsIn.split(",", -1)));
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

  private static boolean contains(@Nullable Set<String> wanted, @Nullable String value) {
    return wanted == null || value != null && wanted.contains(value);
  }

  private static boolean containsAny(@Nullable Set<String> wanted, List<String> values) {
    return wanted == null || !Collections.disjoint(wanted, values);
  }
}
