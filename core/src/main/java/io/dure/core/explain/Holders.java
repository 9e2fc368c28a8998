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
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.Function;
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

  /** All that was tried alone or with its like, by what it is. */
  private final Map<Object, Atom> tried = new LinkedHashMap<>();

  /** One thing that may be taken away: a cause, or else a job. */
  private record Atom(@Nullable Lever lever, @Nullable Job job) {}

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
      } else if (cause instanceof Cause.LicensesTaken taken) {
        together(Levers.holdingLicence(question.state(), taken.name()));
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
    if (found.isEmpty() && !own) {
      partition();
    }
    if (found.isEmpty() && !own) {
      queue();
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
          Cause.Ahead _,
          Cause.Queue _ ->
          false;
    };
  }

  /** Any start before this is sooner. */
  private Instant bound() {
    Instant start = course.start();
    if (start == null) {
      return course.never() ? Instant.ofEpochSecond(1L << 38) : course.seen().plusSeconds(1);
    }
    long wait = Duration.between(oracle.now(), start).toSeconds();
    return start.minusSeconds(Math.clamp(wait / 20, 0, 60));
  }

  /** When it starts without all that, null if not sooner. */
  private @Nullable Instant test(List<Lever> levers) {
    return oracle.before(Lever.without(levers, question.state()), bound());
  }

  private Finding finding(List<Lever> levers, Instant start, boolean least) {
    List<Cause> causes = levers.stream().map(Lever::cause).toList();
    return new Finding(causes, start, start.equals(oracle.now()), !least);
  }

  private boolean tryOne(Lever lever) {
    tried.put(lever.cause(), new Atom(lever, null));
    Instant start = test(List.of(lever));
    if (start != null) {
      found.add(finding(List.of(lever), start, true));
    }
    return start != null;
  }

  /** The fewest of these without whom it still starts by then. */
  private <T> Shrinking.Rest<T> fewest(
      List<T> all, Instant start, Function<List<T>, List<Lever>> levers) {
    return Shrinking.of(
        all, some -> oracle.startsBy(Lever.without(levers.apply(some), question.state()), start));
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
    Instant start = some || all.size() < 2 ? null : test(all);
    if (start != null) {
      Shrinking.Rest<Lever> rest = fewest(all, start, levers -> levers);
      found.add(finding(rest.kept(), start, rest.least()));
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

  /** Some alone, and the fewest of all that matter together. */
  private void together(List<Job> all) {
    List<Job> some = asNamed(all);
    List<Instant> alone = new ArrayList<>();
    // Where few looks are left those matter most that say something of all.
    boolean each = oracle.mayLook(question.state(), some.size() + SINGLE);
    for (Job job : each ? some.subList(0, Math.min(SINGLE, some.size())) : List.<Job>of()) {
      List<Lever> lever = levers(List.of(new Atom(null, job)));
      Instant start = test(lever);
      if (start != null) {
        alone.add(start);
        found.add(finding(lever, start, true));
      }
    }
    List<Atom> atoms = some.stream().map(job -> new Atom(null, job)).toList();
    for (Job job : some) {
      tried.put(job.id(), new Atom(null, job));
    }
    Instant start = atoms.size() < 2 ? null : test(levers(atoms));
    if (start != null && alone.stream().noneMatch(one -> !one.isAfter(start))) {
      fewest(atoms, start);
    }
  }

  private void fewest(List<Atom> atoms, Instant start) {
    Shrinking.Rest<Atom> rest = fewest(atoms, start, Holders.this::levers);
    found.add(finding(levers(rest.kept()), start, rest.least()));
  }

  /** As many as can be named, one for all components of a heterogeneous job. */
  private List<Job> asNamed(List<Job> jobs) {
    List<Job> some = new ArrayList<>();
    TreeSet<Integer> seen = new TreeSet<>();
    Job own = question.job();
    for (Job job : jobs) {
      boolean itself = own.het() != null && job.het() != null && own.baseId() == job.baseId();
      if (!itself && seen.add(job.het() == null ? job.id() : job.het().leader())) {
        some.add(job);
      }
      if (some.size() == TOGETHER) {
        break;
      }
    }
    return some;
  }

  /** What takes all of this away, jobs together as one cause if they all run or all wait. */
  private List<Lever> levers(List<Atom> atoms) {
    List<Lever> levers = new ArrayList<>();
    List<Job> running = new ArrayList<>();
    List<Job> ahead = new ArrayList<>();
    for (Atom atom : atoms) {
      Job job = atom.job();
      if (atom.lever() != null) {
        levers.add(atom.lever());
      } else if (job != null) {
        (question.fact(job).runs() ? running : ahead).add(job);
      }
    }
    if (!running.isEmpty()) {
      levers.add(ending(new Cause.Running(facts(running)), running));
    }
    if (!ahead.isEmpty()) {
      levers.add(ending(new Cause.Ahead(facts(ahead)), ahead));
    }
    return levers;
  }

  private List<JobFact> facts(List<Job> jobs) {
    return jobs.stream().map(question::fact).toList();
  }

  private Lever ending(Cause cause, List<Job> jobs) {
    return Lever.ending(cause, jobs.stream().map(Job::id).toList(), question.now());
  }

  /** Nothing alone lets it start sooner: perhaps all of it together, or some of that. */
  private void all() {
    List<Atom> atoms = List.copyOf(tried.values());
    Instant start = atoms.size() < 2 ? null : test(levers(atoms));
    if (start != null) {
      fewest(atoms, start);
    }
  }

  /** Nor do those on its nodes: perhaps others of its partitions, with those before it. */
  private void partition() {
    NavigableSet<String> nodes = new TreeSet<>();
    for (String name : question.job().spec().partitions()) {
      PartitionConfig partition = question.state().partition(name);
      nodes.addAll(partition == null ? List.of() : partition.nodes());
    }
    List<Job> jobs = new ArrayList<>(asNamed(Levers.holding(question.state(), List.copyOf(nodes))));
    for (Oracle.Before one : course.before()) {
      Job job = question.state().pending().get(one.job());
      if (job != null && jobs.size() < 2 * TOGETHER) {
        jobs.add(job);
      }
    }
    Map<Object, Atom> all = new LinkedHashMap<>(tried);
    jobs.forEach(job -> all.putIfAbsent(job.id(), new Atom(null, job)));
    List<Atom> atoms = List.copyOf(all.values());
    Instant start = atoms.size() < 2 ? null : test(levers(atoms));
    if (start != null) {
      fewest(atoms, start);
    }
  }

  /** Far back in a long queue no single job matters: whose jobs do. */
  private void queue() {
    Line line = Line.of(question.state(), question.job(), question.now());
    if (line == null || line.ahead().isEmpty()) {
      return;
    }
    List<Line.Crowd> crowds = line.crowds();
    Instant start = test(List.of(line.without(crowds, question.now())));
    if (start != null) {
      Shrinking.Rest<Line.Crowd> rest =
          fewest(crowds, start, some -> List.of(line.without(some, question.now())));
      Lever lever = line.without(rest.kept(), question.now());
      found.add(finding(List.of(lever), start, rest.least()));
    }
  }
}
