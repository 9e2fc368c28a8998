package io.dure.accounting;

import io.dure.model.accounting.TresAmounts;
import io.dure.model.accounting.record.AttemptId;
import java.util.List;

/**
 * When an attempt of a job waited and ran, and what it held; times in seconds, {@link
 * SqlDialect#NEVER} for what has not come.
 *
 * @param owner to whom it counts
 * @param suspended how long it was suspended, together
 * @param held what it held
 * @param asked the CPUs that it asked for: what waits is reported of them alone
 */
record AttemptUse(
    AttemptId attempt,
    Owner owner,
    long eligible,
    long start,
    long end,
    long suspended,
    TresAmounts held,
    TresAmounts asked) {

  /** To whom use counts; empty for what a job does not have. */
  record Owner(String account, String user, String wckey) implements Comparable<Owner> {
    @Override
    public int compareTo(Owner other) {
      int byAccount = account.compareTo(other.account);
      int byUser = byAccount != 0 ? byAccount : user.compareTo(other.user);
      return byUser != 0 ? byUser : wckey.compareTo(other.wckey);
    }
  }

  /** A time, its end outside. */
  record Interval(long from, long to) {}

  /** What takes the intervals of an attempt. */
  interface Sink {
    /** A job holds or asks for these between the times. */
    void add(long from, long to, TresAmounts amounts);
  }

  boolean over() {
    return end != SqlDialect.NEVER;
  }

  /** When it waited for resources, between the times. */
  void waited(long from, long to, Sink sink) {
    if (eligible != SqlDialect.NEVER) {
      clip(eligible, Math.min(start, end), from, to, asked, sink);
    }
  }

  /** When it held resources and was not suspended, between the times. */
  void ran(List<Interval> pauses, long from, long to, Sink sink) {
    if (start == SqlDialect.NEVER) {
      return;
    }
    long begin = start;
    for (Interval pause : pauses) {
      clip(begin, Math.min(pause.from(), end), from, to, held, sink);
      begin = Math.max(begin, Math.max(pause.from(), pause.to())); // the clock may go back
    }
    clip(begin, end, from, to, held, sink);
  }

  private static void clip(
      long begin, long end, long from, long to, TresAmounts amounts, Sink sink) {
    long first = Math.max(begin, from);
    long last = Math.min(end, to);
    if (first < last) {
      sink.add(first, last, amounts);
    }
  }
}
