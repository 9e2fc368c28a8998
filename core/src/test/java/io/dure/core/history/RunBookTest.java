package io.dure.core.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunBookTest {
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  private static final long HOUR = 3600;

  private static RunKind kind(String name, long limit) {
    return new RunKind(name, null, 1, 4, 0, limit);
  }

  @Test
  void theLastRunsOfAKindAreKeptAndTheOldestForgotten() {
    RunBook book = RunBook.EMPTY;
    for (int i = 1; i <= UserRuns.MOST_OF_KIND + 5; i++) {
      book = book.ended(7, kind("a", HOUR), new Run(i, HOUR));
    }
    List<Run> runs = book.of(7).of(kind("a", HOUR));
    assertEquals(UserRuns.MOST_OF_KIND, runs.size());
    assertEquals(UserRuns.MOST_OF_KIND + 5, runs.getFirst().seconds());
  }

  @Test
  void aUserHasABoundedNumberOfKindsAndLosesTheOneThatEndedFirst() {
    RunBook book = RunBook.EMPTY;
    for (int i = 0; i <= UserRuns.MOST_KINDS; i++) {
      book = book.ended(7, kind("k" + (char) ('a' + i), HOUR), new Run(60, HOUR));
    }
    assertEquals(UserRuns.MOST_KINDS, book.of(7).kinds().size());
    assertTrue(book.of(7).of(kind("ka", HOUR)).isEmpty());
  }

  @Test
  void usersWhoRanNothingForLongestAreForgottenFirst() {
    RunBook book = RunBook.EMPTY;
    for (int uid = 1; uid <= RunBook.MOST_USERS; uid++) {
      book = book.ended(uid, kind("a", HOUR), new Run(60, HOUR));
    }
    book = book.ended(1, kind("a", HOUR), new Run(60, HOUR));
    book = book.ended(99_999, kind("a", HOUR), new Run(60, HOUR));
    assertTrue(book.users().size() <= RunBook.MOST_USERS);
    assertTrue(book.users().contains(1), "who ran just now");
    assertTrue(book.users().contains(99_999), "who is new");
    assertTrue(!book.users().contains(2), "who ran before all others");
  }

  @Test
  void numbersInNamesDoNotMakeAnotherKind() {
    assertEquals("run-#", RunKind.plain("run-17"));
    assertEquals("run-#", RunKind.plain("run-18000"));
    assertEquals("#x#", RunKind.plain("1x2"));
    assertEquals(64, RunKind.plain("y".repeat(1000)).length());
  }

  @Test
  void aRunTellsOfAnotherLimitByItsPartOfIt() {
    assertEquals(2 * HOUR, new Run(HOUR, 2 * HOUR).under(4 * HOUR));
    assertEquals(HOUR, new Run(HOUR, Run.UNLIMITED).under(4 * HOUR), "no limit: the time");
    assertEquals(HOUR, new Run(HOUR, 2 * HOUR).under(Run.UNLIMITED), "no limit: the time");
    assertEquals(60, new Run(HOUR, Run.UNLIMITED).under(60), "never above the limit");
  }

  @Test
  void limitsOfAboutTheSameLengthStandTogether() {
    assertEquals(RunBook.rung(3600), RunBook.rung(4000));
    assertTrue(RunBook.rung(3600) < RunBook.rung(3600 * 2));
    assertTrue(RunBook.rung(Long.MAX_VALUE / 4) > RunBook.rung(Run.UNLIMITED - 1));
  }

  @Test
  void whatWaitedAtMostFades() {
    RunBook book = RunBook.EMPTY.withWaiting(1000).started(NOON).withWaiting(0);
    assertEquals(1000, book.peak(NOON));
    assertEquals(500, book.peak(NOON.plus(RunBook.HALF_LIFE)), 1e-9);
    assertEquals(800, book.withWaiting(800).peak(NOON.plus(RunBook.HALF_LIFE)), "what waits now");
  }

  @Test
  void aClockThatJumpsBackChangesNothing() {
    RunBook book = RunBook.EMPTY.withWaiting(1000).started(NOON).withWaiting(0);
    Instant before = NOON.minus(Duration.ofDays(900));
    assertEquals(1000, book.peak(before));
    assertEquals(NOON, book.started(before).since());
  }
}
