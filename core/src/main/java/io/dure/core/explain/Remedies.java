package io.dure.core.explain;

import io.dure.core.controller.ClusterState;
import io.dure.core.controller.Command;
import io.dure.core.rollout.Imagined;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds what would let a job start sooner: what its owner could change is changed in a cluster that
 * nobody sees, by the rules for such a change, and the scheduler is asked. One thread, used once.
 */
final class Remedies {
  private static final int MOST_SHOWN = 5;

  private final Question question;
  private final Oracle oracle;
  private final Oracle.Outlook course;
  private final List<Remedy> found = new ArrayList<>();

  Remedies(Question question, Oracle oracle, Oracle.Outlook course) {
    this.question = question;
    this.oracle = oracle;
    this.course = course;
  }

  /** Whether nothing that it could ask for instead changes that. */
  private static boolean isItself(Cause cause) {
    return cause instanceof Cause.Held
        || cause instanceof Cause.DependsOn
        || cause instanceof Cause.BeginsLater
        || cause instanceof Cause.Throttled;
  }

  /** The best few. */
  List<Remedy> find(List<Cause> causes) {
    Proposals proposals = new Proposals(question.state(), question.job());
    for (Remedy one : proposals.own(question.now())) {
      attempt(one);
    }
    boolean itself = causes.stream().anyMatch(Remedies::isItself);
    for (Remedy one : itself ? List.<Remedy>of() : proposals.without()) {
      attempt(one);
    }
    for (Proposals.Scale scale : itself ? List.<Proposals.Scale>of() : proposals.less()) {
      scale(scale);
    }
    found.sort(Comparator.comparing(Remedy::start).thenComparing(Remedy::kind));
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

  private @Nullable Imagined changed(Command.FromUser change) {
    ClusterState next = Changes.after(question.state(), change, question.owner(), question.now());
    return next == null || !next.pending().contains(question.job().id()) ? null : Imagined.of(next);
  }

  private boolean attempt(Remedy remedy) {
    Imagined view = changed(remedy.change());
    Instant start = view == null ? null : oracle.before(view, bound());
    if (start != null) {
      Caution caution = RemedyCautions.of(question, remedy);
      found.add(remedy.at(start, start.equals(oracle.now()), caution));
    }
    return start != null;
  }

  private boolean isAtOnce(Remedy remedy) {
    Imagined view = changed(remedy.change());
    return view != null && oracle.atOnce(view);
  }

  /** The most that starts at once, else half of what is asked for, or little. */
  private void scale(Proposals.Scale scale) {
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
