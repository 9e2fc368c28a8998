package io.dure.core.explain;

import io.dure.core.config.PartitionConfig;
import io.dure.core.controller.ClusterState;
import io.dure.core.model.Job;
import io.dure.core.reservation.Reservation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds who holds a job: whatever may is taken away, alone and together, and the scheduler is asked
 * whether the job starts sooner then. One thread, used once.
 */
final class Holders {
  /** Jobs that are looked at one by one. */
  private static final int SINGLE = 6;

  /** Jobs that are named together at most: nobody can look at more. */
  private static final int TOGETHER = 40;

  private final Question question;
  private final Oracle oracle;
  private final Oracle.Outlook course;
  private final List<Finding> found = new ArrayList<>();
  private final List<Lever> tried = new ArrayList<>();

  Holders(Question question, Oracle oracle, Oracle.Outlook course) {
    this.question = question;
    this.oracle = oracle;
    this.course = course;
  }

  /** Who holds it, those that hold it longest first. */
  List<Finding> find(List<Cause> causes) {
    for (Cause cause : causes) {
      Lever lever = Levers.of(question, cause);
      if (lever != null) {
        tryOne(lever);
      }
      if (cause instanceof Cause.LimitReached(var breach, _, _, _)) {
        together(Levers.chargedTo(question.state(), breach));
      }
    }
    boolean own = causes.stream().anyMatch(Holders::isOwn);
    if (!own) {
      nodes(causes);
      reservations(causes);
      running();
      ahead(causes);
    }
    if (found.isEmpty()) {
      all();
    }
    List<Finding> different = new ArrayList<>(new LinkedHashSet<>(found));
    different.sort(Comparator.comparing(Finding::start));
    return List.copyOf(different);
  }

  /** Whether it would keep the job whatever others do. */
  private static boolean isOwn(Cause cause) {
    return switch (cause) {
      case Cause.Held _,
          Cause.DependsOn _,
          Cause.BeginsLater _,
          Cause.MissesDeadline _,
          Cause.Throttled _,
          Cause.PartitionClosed _,
          Cause.NotAllowed _,
          Cause.TooMuch _,
          Cause.OwnReservation _ ->
          true;
      case Cause.LimitReached _,
          Cause.LicensesTaken _,
          Cause.ReservedFor _,
          Cause.NodesClosed _,
          Cause.NoRoom _,
          Cause.Running _,
          Cause.Ahead _ ->
          false;
    };
  }

  /** Any start before this is sooner. */
  private Instant bound() {
    Instant start = course.start();
    if (start == null) {
      return course.never() ? Instant.ofEpochSecond(1L << 38) : course.seen();
    }
    long wait = Duration.between(oracle.now(), start).toSeconds();
    return start.minusSeconds(Math.clamp(wait / 20, 0, 60));
  }

  private @Nullable Finding test(List<Lever> levers) {
    Instant start = oracle.before(Lever.without(levers, question.state()), bound());
    return start == null
        ? null
        : new Finding(
            levers.stream().map(Lever::cause).toList(), start, start.equals(oracle.now()));
  }

  private boolean tryOne(Lever lever) {
    tried.add(lever);
    Finding finding = test(List.of(lever));
    if (finding != null) {
      found.add(finding);
    }
    return finding != null;
  }

  private void nodes(List<Cause> causes) {
    boolean told = causes.stream().anyMatch(Cause.NodesClosed.class::isInstance);
    List<Cause.ClosedNode> closed = new ArrayList<>();
    ClusterState state = question.state();
    for (String name : told ? List.<String>of() : question.job().spec().partitions()) {
      PartitionConfig partition = state.partition(name);
      if (partition != null) {
        Facts.closed(state, partition, question.job().spec()).stream()
            .map(Facts::closed)
            .filter(node -> !closed.contains(node))
            .forEach(closed::add);
      }
    }
    if (!closed.isEmpty()) {
      int named = Math.min(Facts.MOST_NAMED, closed.size());
      Cause cause = new Cause.NodesClosed(closed.subList(0, named), closed.size() - named);
      Lever lever = Levers.of(question, cause);
      if (lever != null) {
        tryOne(lever);
      }
    }
  }

  private void reservations(List<Cause> causes) {
    List<Lever> all = new ArrayList<>();
    NavigableSet<String> names = new TreeSet<>();
    boolean some = false;
    for (String name : question.job().spec().partitions()) {
      PartitionConfig partition = question.state().partition(name);
      if (partition == null) {
        continue;
      }
      for (Reservation one :
          Levers.closing(question.state(), question.job(), partition, question.now())) {
        Cause cause = Levers.reserved(one, question.now());
        Lever lever = Levers.of(question, cause);
        if (lever != null && names.add(one.name()) && names.size() <= SINGLE) {
          all.add(lever);
          some |= causes.contains(cause) ? hasFinding(cause) : tryOne(lever);
        }
      }
    }
    Finding finding = some || all.size() < 2 ? null : test(all);
    if (finding != null) {
      found.add(finding);
    }
  }

  private boolean hasFinding(Cause cause) {
    return found.stream().anyMatch(one -> one.causes().contains(cause));
  }

  private void running() {
    List<String> nodes = course.nodes();
    if (!nodes.isEmpty()) {
      together(Levers.holding(question.state(), nodes));
    }
  }

  private void ahead(List<Cause> causes) {
    NavigableSet<String> nodes = new TreeSet<>(course.nodes());
    boolean limited = causes.stream().anyMatch(Cause.LimitReached.class::isInstance);
    boolean licensed = causes.stream().anyMatch(Cause.LicensesTaken.class::isInstance);
    List<Job> ahead = new ArrayList<>();
    List<Oracle.Before> before = new ArrayList<>(course.before());
    Collections.reverse(before);
    for (Oracle.Before one : before) {
      Job job = question.state().pending().get(one.job());
      boolean meets = one.nodes().stream().anyMatch(nodes::contains);
      if (job != null && !ahead.contains(job) && (meets || limited || licensed)) {
        ahead.add(job);
      }
    }
    together(ahead);
  }

  /** Some alone, and all of them. */
  private void together(List<Job> jobs) {
    List<Job> some = jobs.size() > TOGETHER ? jobs.subList(0, TOGETHER) : jobs;
    if (some.isEmpty()) {
      return;
    }
    List<Finding> singles = new ArrayList<>();
    for (Job job : some.size() > SINGLE ? some.subList(0, SINGLE) : some) {
      Finding finding = test(List.of(lever(List.of(job))));
      if (finding != null) {
        singles.add(finding);
      }
    }
    found.addAll(singles);
    if (some.size() > 1) {
      Lever all = lever(some);
      tried.add(all);
      Finding finding = test(List.of(all));
      boolean better =
          finding != null
              && singles.stream().noneMatch(one -> !one.start().isAfter(finding.start()));
      if (better) {
        found.add(finding);
      }
    } else {
      tried.add(lever(some));
    }
  }

  /** These jobs, which all run or all wait. */
  private Lever lever(List<Job> jobs) {
    List<JobFact> facts = jobs.stream().map(question::fact).toList();
    List<Integer> ids = jobs.stream().map(Job::id).toList();
    Cause cause = facts.getFirst().runs() ? new Cause.Running(facts) : new Cause.Ahead(facts);
    return Lever.cancelling(cause, ids, question.now());
  }

  /** Nothing alone lets it start sooner: perhaps all of it together, or some of that. */
  private void all() {
    List<Lever> left = new ArrayList<>(tried);
    Finding finding = left.size() < 2 ? null : test(left);
    if (finding == null) {
      return;
    }
    for (Lever lever : tried) {
      List<Lever> fewer = new ArrayList<>(left);
      fewer.remove(lever);
      Finding less = fewer.size() < 2 ? null : test(fewer);
      if (less != null) {
        left = fewer;
        finding = less;
      }
    }
    found.add(finding);
  }
}
