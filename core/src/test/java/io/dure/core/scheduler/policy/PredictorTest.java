package io.dure.core.scheduler.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.core.history.Run;
import io.dure.core.history.RunBook;
import io.dure.core.history.RunKind;
import io.dure.core.scheduler.Times;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
class PredictorTest {
  private static final long HOUR = 3600;
  private static final int ANN = 1001;
  private static final int BEN = 1002;
  private static final RunKind TRAINING = new RunKind("train", "lab", 1, 8, 1, 10 * HOUR);
  private static final RunKind SWEEP = new RunKind("sweep-#", "lab", 1, 1, 0, 10 * HOUR);

  private static RunBook after(int uid, RunKind kind, long... seconds) {
    return after(RunBook.EMPTY, uid, kind, seconds);
  }

  private static RunBook after(RunBook before, int uid, RunKind kind, long... seconds) {
    RunBook book = before;
    for (long one : seconds) {
      book = book.ended(uid, kind, new Run(one, kind.limit()));
    }
    return book;
  }

  private static Prediction of(RunBook book, int uid, RunKind kind) {
    return new Predictor(book).of(uid, kind);
  }

  @Test
  void withoutAnyHistoryItIsTheLimit() {
    Prediction first = of(RunBook.EMPTY, ANN, TRAINING);
    assertEquals(Prediction.Basis.LIMIT, first.basis());
    assertEquals(10 * HOUR, first.seconds(), 1e-6);
    assertEquals(10 * HOUR, first.low());
  }

  @Test
  void aUsersFirstJobIsJudgedByThoseOfOthersUnderSuchALimit() {
    Prediction first = of(after(BEN, TRAINING, HOUR, HOUR, HOUR), ANN, SWEEP);
    assertEquals(Prediction.Basis.CLUSTER, first.basis());
    assertTrue(first.seconds() > HOUR && first.seconds() < 10 * HOUR, "between: " + first);
  }

  @Test
  void aFirstJobOfItsKindIsJudgedByTheOthersOfItsUser() {
    RunBook book = after(after(BEN, SWEEP, 9 * HOUR, 9 * HOUR), ANN, TRAINING, 60, 60);
    Prediction next = of(book, ANN, SWEEP);
    assertEquals(Prediction.Basis.USER, next.basis());
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
    RunBook book = RunBook.EMPTY.ended(ANN, SWEEP, new Run(99 * HOUR, 10 * HOUR));
    Prediction next = of(book, ANN, SWEEP);
    assertTrue(next.seconds() <= 10 * HOUR && next.high() <= 10 * HOUR, "within: " + next);
  }

  @Test
  void jobsWithoutALimitAreJudgedByTimesAlone() {
    RunKind free = new RunKind("sweep-#", "lab", 1, 1, 0, Times.UNLIMITED);
    assertTrue(of(RunBook.EMPTY, ANN, free).seconds() >= Times.NEVER, "nothing known");
    assertEquals(90, of(after(ANN, free, 60, 120), ANN, free).seconds(), 1e-6);
  }

  @Test
  void limitsThatAreAlwaysRunToAreBelieved() {
    RunKind exact = new RunKind("sim", null, 1, 1, 0, 500);
    RunBook book = after(ANN, exact, 500, 500, 500);
    assertEquals(500, of(book, ANN, exact).seconds(), 1e-6);
    RunKind longer = new RunKind("sim", null, 1, 1, 0, 5000);
    assertEquals(5000, of(book, ANN, longer).seconds(), 1e-6, "another limit of the same user");
  }

  @Test
  void nearlyEqualTimesAreOneLane() {
    assertEquals(10, Predicted.coarse(10));
    assertEquals(Predicted.coarse(3601), Predicted.coarse(3700));
    assertTrue(Predicted.coarse(3601) >= 3601 && Predicted.coarse(3601) < 3601 * 1.13);
    assertEquals(Times.UNLIMITED, Predicted.coarse(Times.UNLIMITED));
  }
}
