package io.dure.rules.queueorder;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.model.history.RecordedRun;
import io.dure.model.history.RunHistory;
import io.dure.model.history.RunResources;
import io.dure.model.history.SimilarRunKey;
import io.dure.model.report.RunTimePrediction;
import io.dure.rules.PlannerTime;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
class RunTimePredictorTest {
  private static final long HOUR = 3600;
  private static final int ANN = 1001;
  private static final int BEN = 1002;
  private static final SimilarRunKey TRAINING =
      new SimilarRunKey("train", "lab", 1, 8, 1, 10 * HOUR);
  private static final SimilarRunKey SWEEP =
      new SimilarRunKey("sweep-#", "lab", 1, 1, 0, 10 * HOUR);

  private static RunHistory after(int uid, SimilarRunKey kind, long... seconds) {
    return after(RunHistory.EMPTY, uid, kind, seconds);
  }

  private static RunHistory after(RunHistory before, int uid, SimilarRunKey kind, long... seconds) {
    RunHistory book = before;
    for (long one : seconds) {
      book =
          book.ended(
              uid,
              kind,
              new RunResources(kind.cpus(), kind.cpus(), kind.gpus(), kind.gpus()),
              new RecordedRun(one, kind.limit()));
    }
    return book;
  }

  private static RunTimePrediction of(RunHistory book, int uid, SimilarRunKey kind) {
    return new RunTimePredictor(book).of(uid, kind);
  }

  @Test
  void withoutAnyHistoryItIsTheLimit() {
    RunTimePrediction first = of(RunHistory.EMPTY, ANN, TRAINING);
    assertEquals(RunTimePrediction.Basis.LIMIT, first.basis());
    assertEquals(10 * HOUR, first.seconds(), 1e-6);
    assertEquals(10 * HOUR, first.low());
  }

  @Test
  void aUsersFirstJobIsJudgedByThoseOfOthersUnderSuchALimit() {
    RunTimePrediction first = of(after(BEN, TRAINING, HOUR, HOUR, HOUR), ANN, SWEEP);
    assertEquals(RunTimePrediction.Basis.CLUSTER, first.basis());
    assertTrue(first.seconds() > HOUR && first.seconds() < 10 * HOUR, "between: " + first);
  }

  @Test
  void aFirstJobOfItsKindIsJudgedByTheOthersOfItsUser() {
    RunHistory book = after(after(BEN, SWEEP, 9 * HOUR, 9 * HOUR), ANN, TRAINING, 60, 60);
    RunTimePrediction next = of(book, ANN, SWEEP);
    assertEquals(RunTimePrediction.Basis.USER, next.basis());
    assertTrue(next.median() < HOUR, "as Ann's others: " + next);
  }

  @Test
  void whatIsKnownOfTheKindCountsMoreWithEachRun() {
    double one = of(after(ANN, SWEEP, 60), ANN, SWEEP).seconds();
    double five = of(after(ANN, SWEEP, 60, 60, 60, 60, 60), ANN, SWEEP).seconds();
    assertTrue(five < one, "surer of a minute: " + five + " after " + one);
  }

  @Test
  void itNeverExceedsTheLimit() {
    RunHistory book =
        RunHistory.EMPTY.ended(
            ANN,
            SWEEP,
            new RunResources(SWEEP.cpus(), SWEEP.cpus(), SWEEP.gpus(), SWEEP.gpus()),
            new RecordedRun(99 * HOUR, 10 * HOUR));
    RunTimePrediction next = of(book, ANN, SWEEP);
    assertTrue(next.seconds() <= 10 * HOUR && next.high() <= 10 * HOUR, "within: " + next);
  }

  @Test
  void jobsWithoutALimitAreJudgedByTimesAlone() {
    SimilarRunKey free = new SimilarRunKey("sweep-#", "lab", 1, 1, 0, PlannerTime.UNLIMITED);
    assertTrue(of(RunHistory.EMPTY, ANN, free).seconds() >= PlannerTime.NEVER, "nothing known");
    assertEquals(90, of(after(ANN, free, 60, 120), ANN, free).seconds(), 1e-6);
  }

  @Test
  void limitsThatAreAlwaysRunToAreBelieved() {
    SimilarRunKey exact = new SimilarRunKey("sim", null, 1, 1, 0, 500);
    RunHistory book = after(ANN, exact, 500, 500, 500);
    assertEquals(500, of(book, ANN, exact).seconds(), 1e-6);
    SimilarRunKey longer = new SimilarRunKey("sim", null, 1, 1, 0, 5000);
    assertEquals(5000, of(book, ANN, longer).seconds(), 1e-6, "another limit of the same user");
  }

  @Test
  void nearlyEqualTimesAreOneLane() {
    assertEquals(10, PredictedRunTimes.coarse(10));
    assertEquals(PredictedRunTimes.coarse(3601), PredictedRunTimes.coarse(3700));
    assertTrue(
        PredictedRunTimes.coarse(3601) >= 3601 && PredictedRunTimes.coarse(3601) < 3601 * 1.13);
    assertEquals(PlannerTime.UNLIMITED, PredictedRunTimes.coarse(PlannerTime.UNLIMITED));
  }
}
