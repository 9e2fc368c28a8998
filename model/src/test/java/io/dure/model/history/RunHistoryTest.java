package io.dure.model.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
class RunHistoryTest {
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  private static final long HOUR = 3600;
  private static final RunResources AS_ASKED = new RunResources(4, 4, 0, 0);

  private static SimilarRunKey kind(String name, long limit) {
    return new SimilarRunKey(name, null, 1, 4, 0, limit);
  }

  @Test
  void theLastRunsOfAKindAreKeptAndTheOldestForgotten() {
    RunHistory book = RunHistory.EMPTY;
    for (int i = 1; i <= UserRunHistory.MOST_OF_KIND + 5; i++) {
      book = book.ended(7, kind("a", HOUR), AS_ASKED, new RecordedRun(i, HOUR));
    }
    List<RecordedRun> runs = book.of(7).of(kind("a", HOUR));
    assertEquals(UserRunHistory.MOST_OF_KIND, runs.size());
    assertEquals(UserRunHistory.MOST_OF_KIND + 5, runs.getFirst().seconds());
  }

  @Test
  void aUserHasABoundedNumberOfKindsAndLosesTheOneThatEndedFirst() {
    RunHistory book = RunHistory.EMPTY;
    for (int i = 0; i <= UserRunHistory.MOST_KINDS; i++) {
      book = book.ended(7, kind("k" + (char) ('a' + i), HOUR), AS_ASKED, new RecordedRun(60, HOUR));
    }
    assertEquals(UserRunHistory.MOST_KINDS, book.of(7).kinds().size());
    assertTrue(book.of(7).of(kind("ka", HOUR)).isEmpty());
  }

  @Test
  void usersWhoRanNothingForLongestAreForgottenFirst() {
    RunHistory book = RunHistory.EMPTY;
    for (int uid = 1; uid <= RunHistory.MOST_USERS; uid++) {
      book = book.ended(uid, kind("a", HOUR), AS_ASKED, new RecordedRun(60, HOUR));
    }
    book = book.ended(1, kind("a", HOUR), AS_ASKED, new RecordedRun(60, HOUR));
    book = book.ended(99_999, kind("a", HOUR), AS_ASKED, new RecordedRun(60, HOUR));
    assertTrue(book.users().size() <= RunHistory.MOST_USERS);
    assertTrue(book.users().contains(1), "who ran just now");
    assertTrue(book.users().contains(99_999), "who is new");
    assertTrue(!book.users().contains(2), "who ran before all others");
  }

  @Test
  void numbersInNamesDoNotMakeAnotherKind() {
    assertEquals("run-#", SimilarRunKey.plain("run-17"));
    assertEquals("run-#", SimilarRunKey.plain("run-18000"));
    assertEquals("#x#", SimilarRunKey.plain("1x2"));
    assertEquals(64, SimilarRunKey.plain("y".repeat(1000)).length());
  }

  @Test
  void aRunTellsOfAnotherLimitByItsPartOfIt() {
    assertEquals(2 * HOUR, new RecordedRun(HOUR, 2 * HOUR).under(4 * HOUR));
    assertEquals(
        HOUR, new RecordedRun(HOUR, RecordedRun.UNLIMITED).under(4 * HOUR), "no limit: the time");
    assertEquals(
        HOUR, new RecordedRun(HOUR, 2 * HOUR).under(RecordedRun.UNLIMITED), "no limit: the time");
    assertEquals(
        60, new RecordedRun(HOUR, RecordedRun.UNLIMITED).under(60), "never above the limit");
  }

  @Test
  void limitsOfAboutTheSameLengthStandTogether() {
    assertEquals(RunHistory.rung(3600), RunHistory.rung(4000));
    assertTrue(RunHistory.rung(3600) < RunHistory.rung(3600 * 2));
    assertTrue(RunHistory.rung(Long.MAX_VALUE / 4) > RunHistory.rung(RecordedRun.UNLIMITED - 1));
  }

  @Test
  void whatWaitedAtMostFades() {
    RunHistory book = RunHistory.EMPTY.withWaiting(1000).started(NOON).withWaiting(0);
    assertEquals(1000, book.cpus().peak(NOON));
    assertEquals(500, book.cpus().peak(NOON.plus(WorkBacklog.HALF_LIFE)), 1e-9);
    assertEquals(
        800, book.withWaiting(800).cpus().peak(NOON.plus(WorkBacklog.HALF_LIFE)), "what waits now");
  }

  @Test
  void aClockThatJumpsBackChangesNothing() {
    RunHistory book = RunHistory.EMPTY.withWaiting(1000).started(NOON).withWaiting(0);
    Instant before = NOON.minus(Duration.ofDays(900));
    assertEquals(1000, book.cpus().peak(before));
    assertEquals(NOON, book.started(before).since());
  }

  @Test
  void whatWaitsCountsAsJobsHaveRunLatelyOfWhatTheyAskedFor() {
    RunHistory book = RunHistory.EMPTY.withWaiting(1000);
    assertEquals(1000, book.cpus().peak(NOON), "nothing ran yet: the limits");
    for (int i = 0; i < 3; i++) {
      book = book.ended(7, kind("a", HOUR), AS_ASKED, new RecordedRun(HOUR / 4, HOUR));
    }
    assertEquals(250, book.cpus().peak(NOON), 1e-9, "a quarter of the limits");
    assertEquals(
        250, book.started(NOON).withWaiting(0).cpus().peak(NOON), 1e-9, "what was found stays");
  }

  @Test
  void whereJobsGetWholeNodesThatIsWhatWaits() {
    RunHistory book = RunHistory.EMPTY.withWaiting(1000);
    RunResources wholeNode = new RunResources(1, 64, 0, 0);
    book = book.ended(7, kind("a", HOUR), wholeNode, new RecordedRun(HOUR / 4, HOUR));
    assertEquals(16_000, book.cpus().peak(NOON), 1e-9, "64 CPUs for a quarter of the limit");
  }

  @Test
  void aPartOfAllWorkIsThatOfTheShortestJobs() {
    RunHistory book = RunHistory.EMPTY;
    assertEquals(0, book.spectrum().secondsAt(0.05));
    for (int i = 0; i < 100; i++) {
      book = book.ended(7, kind("a", 10 * HOUR), AS_ASKED, new RecordedRun(60, 10 * HOUR));
      book = book.ended(7, kind("b", 10 * HOUR), AS_ASKED, new RecordedRun(9 * HOUR, 10 * HOUR));
    }
    double most = book.spectrum().secondsAt(0.05);
    assertTrue(most > 60 && most < 9 * HOUR + 1, "between both: " + most);
    assertTrue(book.spectrum().secondsAt(0.001) < 80, "a thousandth is less than the short ones");
  }
}
