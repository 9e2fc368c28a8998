package io.dure.model.history;

import java.util.ArrayList;
import java.util.List;

/**
 * How long the jobs of one user ran: of each kind the last few, and the last few of all kinds.
 *
 * @param kinds the kinds, the one that ended last first; at most {@link #MOST_KINDS}
 * @param runs the last runs of any kind, the last first; at most {@link #MOST_RUNS}
 * @param used the number of the cluster's run that was its last
 */
public record UserRunHistory(List<UserRunHistory.OfKind> kinds, List<RecordedRun> runs, long used) {
  static final int MOST_KINDS = 64;
  static final int MOST_OF_KIND = 16;
  static final int MOST_RUNS = 2;

  static final UserRunHistory NONE = new UserRunHistory(List.of(), List.of(), 0);

  /**
   * The last runs of one kind.
   *
   * @param kind what they have in common
   * @param runs the last first; at most {@link UserRunHistory#MOST_OF_KIND}
   */
  public record OfKind(SimilarRunKey kind, List<RecordedRun> runs) {
    public OfKind {
      runs = List.copyOf(runs);
    }
  }

  public UserRunHistory {
    kinds = List.copyOf(kinds);
    runs = List.copyOf(runs);
  }

  /** The last runs of a kind, the last first. */
  public List<RecordedRun> of(SimilarRunKey kind) {
    for (OfKind one : kinds) {
      if (one.kind().equals(kind)) {
        return one.runs();
      }
    }
    return List.of();
  }

  /** The last few runs of any kind, the last first. */
  public List<RecordedRun> recent() {
    return runs;
  }

  /** With one more. */
  UserRunHistory with(SimilarRunKey kind, RecordedRun run, long number) {
    List<OfKind> next = new ArrayList<>(kinds.size() + 1);
    next.add(new OfKind(kind, before(of(kind), run, MOST_OF_KIND)));
    for (OfKind one : kinds) {
      if (next.size() < MOST_KINDS && !one.kind().equals(kind)) {
        next.add(one);
      }
    }
    return new UserRunHistory(next, before(runs, run, MOST_RUNS), number);
  }

  /** One in front of others, of which the oldest are forgotten. */
  static <T> List<T> before(List<T> others, T one, int most) {
    List<T> next = new ArrayList<>(Math.min(most, others.size() + 1));
    next.add(one);
    next.addAll(others.subList(0, Math.min(most - 1, others.size())));
    return List.copyOf(next);
  }
}
