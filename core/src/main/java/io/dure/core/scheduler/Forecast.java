package io.dure.core.scheduler;

import io.dure.core.model.NodeShare;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * When a job that does not fit now could start if every job ran to its limit and none came before.
 *
 * @param start when; null if jobs without a limit have to end first
 * @param shares what it would get then
 * @param then the free resources at that time, without the job
 */
record Forecast(@Nullable Instant start, List<NodeShare> shares, Ledger then) {

  /**
   * Looks for the earliest time by halving: more ends never leave less room.
   *
   * @return null if it would not fit on nodes that are all free either
   */
  static @Nullable Forecast of(Need need, Ledger ledger, int[] among) {
    List<List<Holding>> ends = groups(ledger.byEnd());
    int fails = -1;
    int fits = ends.size() - 1;
    Forecast best = fits < 0 ? null : after(need, ledger, among, ends, fits);
    if (best == null) {
      return null;
    }
    while (fits - fails > 1) {
      int middle = (fails + fits) >>> 1;
      Forecast earlier = after(need, ledger, among, ends, middle);
      if (earlier == null) {
        fails = middle;
      } else {
        fits = middle;
        best = earlier;
      }
    }
    return best;
  }

  private static @Nullable Forecast after(
      Need need, Ledger ledger, int[] among, List<List<Holding>> ends, int last) {
    Ledger then = ledger.copy();
    for (int i = 0; i <= last; i++) {
      ends.get(i).forEach(then::release);
    }
    List<NodeShare> shares = Placer.place(need, then, among, List.of());
    return shares == null ? null : new Forecast(ends.get(last).getFirst().end(), shares, then);
  }

  private static List<List<Holding>> groups(List<Holding> sorted) {
    List<List<Holding>> groups = new ArrayList<>();
    for (Holding holding : sorted) {
      if (groups.isEmpty() || !Objects.equals(groups.getLast().getFirst().end(), holding.end())) {
        groups.add(new ArrayList<>());
      }
      groups.getLast().add(holding);
    }
    return groups;
  }
}
