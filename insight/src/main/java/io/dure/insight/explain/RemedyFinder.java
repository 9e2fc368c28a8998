package io.dure.insight.explain;

import io.dure.cluster.ClusterState;
import io.dure.model.command.Command;
import io.dure.model.report.RemedyCaution;
import io.dure.model.report.StartRemedy;
import io.dure.model.report.WaitCause;
import io.dure.virtual.VirtualClusterView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds what would let a job start sooner: what its owner could change is changed in a cluster that
 * is not published, by the rules for such a change, and the scheduler is asked. One thread, used
 * once.
 */
final class RemedyFinder {
  private static final int MOST_SHOWN = 5;

  private final ExplanationQuery question;
  private final StartTimeSimulator oracle;
  private final StartTimeSimulator.SimulatedStart course;
  private final List<StartRemedy> found = new ArrayList<>();

  RemedyFinder(
      ExplanationQuery question,
      StartTimeSimulator oracle,
      StartTimeSimulator.SimulatedStart course) {
    this.question = question;
    this.oracle = oracle;
    this.course = course;
  }

  /** Whether nothing that it could ask for instead changes that. */
  private static boolean isItself(WaitCause cause) {
    return cause instanceof WaitCause.Held
        || cause instanceof WaitCause.DependsOn
        || cause instanceof WaitCause.BeginsLater
        || cause instanceof WaitCause.Throttled;
  }

  /** The best few. */
  List<StartRemedy> find(List<WaitCause> causes) {
    RemedyProposals proposals = new RemedyProposals(question.state(), question.job());
    for (StartRemedy one : proposals.own(question.now())) {
      attempt(one);
    }
    boolean itself = causes.stream().anyMatch(RemedyFinder::isItself);
    for (StartRemedy one : itself ? List.<StartRemedy>of() : proposals.without()) {
      attempt(one);
    }
    for (RemedyProposals.ReductionSteps scale :
        itself ? List.<RemedyProposals.ReductionSteps>of() : proposals.less()) {
      scale(scale);
    }
    found.sort(Comparator.comparing(StartRemedy::start).thenComparing(StartRemedy::kind));
    return List.copyOf(found.size() > MOST_SHOWN ? found.subList(0, MOST_SHOWN) : found);
  }

  /** A start before this is worth being told. */
  private Instant bound() {
    Instant start = course.start();
    if (start == null) {
      return course.never() ? Instant.ofEpochSecond(1L << 38) : course.seen().plusSeconds(1);
    }
    long wait = Duration.between(oracle.now(), start).toSeconds();
    return start.minusSeconds(Math.min(wait / 2, Math.max(60, wait / 10)));
  }

  private @Nullable VirtualClusterView changed(Command.UserCommand change) {
    ClusterState next =
        ProposedJobChange.after(question, question.state(), change, question.owner());
    return next == null || !next.pending().contains(question.job().id())
        ? null
        : VirtualClusterView.of(next);
  }

  private boolean attempt(StartRemedy remedy) {
    VirtualClusterView view = changed(remedy.change());
    Instant start = view == null ? null : oracle.before(view, bound());
    if (start != null) {
      RemedyCaution caution = RemedyCautions.of(question, remedy);
      found.add(remedy.at(start, start.equals(oracle.now()), caution));
    }
    return start != null;
  }

  private boolean isAtOnce(StartRemedy remedy) {
    VirtualClusterView view = changed(remedy.change());
    return view != null && oracle.atOnce(view);
  }

  /** The most that starts at once, else half of what is asked for, or little. */
  private void scale(RemedyProposals.ReductionSteps scale) {
    List<Long> amounts = scale.amounts();
    int least = -1;
    int low = 0;
    int high = amounts.size() - 1;
    if (!isAtOnce(scale.probe().apply(amounts.getFirst()))) {
      high = -1;
    } else {
      least = 0;
      low = 1;
    }
    while (low <= high) {
      int middle = (low + high) / 2;
      if (isAtOnce(scale.probe().apply(amounts.get(middle)))) {
        least = middle;
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    if (least >= 0) {
      attempt(scale.remedy().apply(amounts.get(least)));
      return;
    }
    int half = amounts.size() / 2;
    if (!attempt(scale.remedy().apply(amounts.get(half))) && half > 0) {
      attempt(scale.remedy().apply(amounts.getFirst()));
    }
  }
}
