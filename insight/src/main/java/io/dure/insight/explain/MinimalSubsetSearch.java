package io.dure.insight.explain;

import java.util.ArrayList;
import java.util.List;

/**
 * Finds among many the few that it takes. What is asked may be costly, so many are left out at a
 * time first, then fewer. All functions are pure.
 */
final class MinimalSubsetSearch {
  private MinimalSubsetSearch() {}

  /**
   * What is left.
   *
   * @param kept those that it takes
   * @param least whether each of them was found to be needed; if not, there was no more effort for
   *     that
   */
  record MinimalSubset<T>(List<T> kept, boolean least) {
    MinimalSubset {
      kept = List.copyOf(kept);
    }
  }

  /** The answer to a question that may be too costly to ask. */
  enum Answer {
    YES,
    NO,
    NOT_ASKED
  }

  /** What answers. */
  interface SufficiencyTest<T> {
    /** Whether those are enough. */
    Answer enough(List<T> these);
  }

  /**
   * The fewest of them that are still enough, as far as leaving out some at a time finds them.
   *
   * @param all are enough together
   */
  static <T> MinimalSubset<T> of(List<T> all, SufficiencyTest<T> asked) {
    List<T> kept = new ArrayList<>(all);
    int chunk = kept.size() / 2;
    while (chunk >= 1 && kept.size() > 1) {
      boolean fewer = false;
      int from = kept.size();
      // From the end: those that matter most come first.
      while (from > 0) {
        int to = from;
        from = Math.max(0, from - chunk);
        List<T> without = new ArrayList<>(kept.subList(0, from));
        without.addAll(kept.subList(to, kept.size()));
        switch (without.isEmpty() ? Answer.NO : asked.enough(without)) {
          case YES -> {
            kept = without;
            fewer = true;
          }
          case NO -> {}
          case NOT_ASKED -> {
            return new MinimalSubset<>(kept, false);
          }
        }
      }
      // Those that were needed beside others may not be without them: once more, to be sure.
      chunk = chunk > 1 ? chunk / 2 : fewer ? 1 : 0;
    }
    return new MinimalSubset<>(kept, true);
  }
}
