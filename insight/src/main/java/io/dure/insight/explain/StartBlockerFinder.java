package io.dure.insight.explain;

import io.dure.cluster.ClusterState;
import io.dure.model.config.PartitionConfig;
import io.dure.model.job.Job;
import io.dure.model.report.RelatedJob;
import io.dure.model.report.StartBlocker;
import io.dure.model.report.WaitCause;
import io.dure.model.reservation.Reservation;
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
 * Finds the jobs that block a job: each candidate is taken away, alone and together, and the
 * scheduler is asked whether the job starts sooner then. One thread, used once.
 */
final class StartBlockerFinder {
  /** Jobs that are looked at one by one. */
  private static final int SINGLE = 6;

  /** Jobs that are named together at most. */
  private static final int TOGETHER = 40;

  private final ExplanationQuery question;
  private final StartTimeSimulator oracle;
  private final StartTimeSimulator.SimulatedStart course;
  private final List<StartBlocker> found = new ArrayList<>();

  /** All that was tried alone or with its like, by what it is. */
  private final Map<Object, Atom> tried = new LinkedHashMap<>();

  /** One thing that may be taken away: a cause, or else a job. */
  private record Atom(@Nullable Counterfactual lever, @Nullable Job job) {}

  StartBlockerFinder(
      ExplanationQuery question,
      StartTimeSimulator oracle,
      StartTimeSimulator.SimulatedStart course) {
    this.question = question;
    this.oracle = oracle;
    this.course = course;
  }

  /** The jobs that block it, those that block it longest first. */
  List<StartBlocker> find(List<WaitCause> causes) {
    for (WaitCause cause : causes) {
      Counterfactual lever = Counterfactuals.of(question, cause);
      if (lever != null) {
        tryOne(lever);
      }
      if (cause instanceof WaitCause.LimitReached(var breach, _, _, _)) {
        together(Blockers.chargedTo(question.state(), breach));
      } else if (cause instanceof WaitCause.LicensesTaken taken) {
        together(Blockers.holdingLicence(question.state(), taken.name()));
      }
    }
    boolean own = causes.stream().anyMatch(StartBlockerFinder::isOwn);
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
    List<StartBlocker> different = new ArrayList<>(new LinkedHashSet<>(found));
    different.sort(Comparator.comparing(StartBlocker::start));
    return List.copyOf(different);
  }

  /** Whether it would keep the job whatever others do. */
  private static boolean isOwn(WaitCause cause) {
    return switch (cause) {
      case WaitCause.Held _,
          WaitCause.DependsOn _,
          WaitCause.BeginsLater _,
          WaitCause.MissesDeadline _,
          WaitCause.Throttled _,
          WaitCause.PartitionClosed _,
          WaitCause.NotAllowed _,
          WaitCause.TooMuch _,
          WaitCause.OwnReservation _ ->
          true;
      case WaitCause.LimitReached _,
          WaitCause.LicensesTaken _,
          WaitCause.ReservedFor _,
          WaitCause.NodesClosed _,
          WaitCause.NoRoom _,
          WaitCause.Running _,
          WaitCause.Ahead _,
          WaitCause.Queue _ ->
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
  private @Nullable Instant test(List<Counterfactual> levers) {
    return oracle.before(Counterfactual.without(levers, question.state()), bound());
  }

  private StartBlocker finding(List<Counterfactual> levers, Instant start, boolean least) {
    List<WaitCause> causes = levers.stream().map(Counterfactual::cause).toList();
    return new StartBlocker(causes, start, start.equals(oracle.now()), !least);
  }

  private boolean tryOne(Counterfactual lever) {
    tried.put(lever.cause(), new Atom(lever, null));
    Instant start = test(List.of(lever));
    if (start != null) {
      found.add(finding(List.of(lever), start, true));
    }
    return start != null;
  }

  /** The fewest of these without which it still starts by then. */
  private <T> MinimalSubsetSearch.MinimalSubset<T> fewest(
      List<T> all, Instant start, Function<List<T>, List<Counterfactual>> levers) {
    return MinimalSubsetSearch.of(
        all,
        some ->
            oracle.startsBy(Counterfactual.without(levers.apply(some), question.state()), start));
  }

  private void nodes(List<WaitCause> causes) {
    boolean told = causes.stream().anyMatch(WaitCause.NodesClosed.class::isInstance);
    List<WaitCause.ClosedNode> closed = new ArrayList<>();
    ClusterState state = question.state();
    for (String name : told ? List.<String>of() : question.job().spec().partitions()) {
      PartitionConfig partition = state.partition(name);
      if (partition != null) {
        Blockers.closed(state, partition, question.job().spec()).stream()
            .map(RuleCauseFinder::closed)
            .filter(node -> !closed.contains(node))
            .forEach(closed::add);
      }
    }
    if (!closed.isEmpty()) {
      int named = Math.min(RuleCauseFinder.MOST_NAMED, closed.size());
      WaitCause cause = new WaitCause.NodesClosed(closed.subList(0, named), closed.size() - named);
      Counterfactual lever = Counterfactuals.of(question, cause);
      if (lever != null) {
        tryOne(lever);
      }
    }
  }

  private void reservations(List<WaitCause> causes) {
    List<Counterfactual> all = new ArrayList<>();
    NavigableSet<String> names = new TreeSet<>();
    boolean some = false;
    for (String name : question.job().spec().partitions()) {
      PartitionConfig partition = question.state().partition(name);
      if (partition == null) {
        continue;
      }
      for (Reservation one :
          Blockers.closing(question.state(), question.job(), partition, question.now())) {
        WaitCause cause = Blockers.reserved(one, question.now());
        Counterfactual lever = Counterfactuals.of(question, cause);
        if (lever != null && names.add(one.name()) && names.size() <= SINGLE) {
          all.add(lever);
          some |= causes.contains(cause) ? hasFinding(cause) : tryOne(lever);
        }
      }
    }
    Instant start = some || all.size() < 2 ? null : test(all);
    if (start != null) {
      MinimalSubsetSearch.MinimalSubset<Counterfactual> rest = fewest(all, start, levers -> levers);
      found.add(finding(rest.kept(), start, rest.least()));
    }
  }

  private boolean hasFinding(WaitCause cause) {
    return found.stream().anyMatch(one -> one.causes().contains(cause));
  }

  private void running() {
    List<String> nodes = course.nodes();
    if (!nodes.isEmpty()) {
      together(Blockers.holding(question.state(), nodes));
    }
  }

  private void ahead(List<WaitCause> causes) {
    NavigableSet<String> nodes = new TreeSet<>(course.nodes());
    boolean limited = causes.stream().anyMatch(WaitCause.LimitReached.class::isInstance);
    boolean licensed = causes.stream().anyMatch(WaitCause.LicensesTaken.class::isInstance);
    List<Job> ahead = new ArrayList<>();
    List<StartTimeSimulator.EarlierStart> before = new ArrayList<>(course.before());
    Collections.reverse(before);
    for (StartTimeSimulator.EarlierStart one : before) {
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
      List<Counterfactual> lever = levers(List.of(new Atom(null, job)));
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
    MinimalSubsetSearch.MinimalSubset<Atom> rest =
        fewest(atoms, start, StartBlockerFinder.this::levers);
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
  private List<Counterfactual> levers(List<Atom> atoms) {
    List<Counterfactual> levers = new ArrayList<>();
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
      levers.add(ending(new WaitCause.Running(facts(running)), running));
    }
    if (!ahead.isEmpty()) {
      levers.add(ending(new WaitCause.Ahead(facts(ahead)), ahead));
    }
    return levers;
  }

  private List<RelatedJob> facts(List<Job> jobs) {
    return jobs.stream().map(question::fact).toList();
  }

  private Counterfactual ending(WaitCause cause, List<Job> jobs) {
    return Counterfactual.ending(question, cause, jobs.stream().map(Job::id).toList());
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
    List<Job> jobs =
        new ArrayList<>(asNamed(Blockers.holding(question.state(), List.copyOf(nodes))));
    for (StartTimeSimulator.EarlierStart one : course.before()) {
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

  /** Far back in a long queue no single job matters, but all jobs of an owner do. */
  private void queue() {
    JobsAhead line = JobsAhead.of(question.state(), question.job(), question.now());
    if (line == null || line.ahead().isEmpty()) {
      return;
    }
    List<JobsAhead.OwnerJobs> crowds = line.crowds();
    Instant start = test(List.of(line.without(question, crowds)));
    if (start != null) {
      MinimalSubsetSearch.MinimalSubset<JobsAhead.OwnerJobs> rest =
          fewest(crowds, start, some -> List.of(line.without(question, some)));
      Counterfactual lever = line.without(question, rest.kept());
      found.add(finding(List.of(lever), start, rest.least()));
    }
  }
}
