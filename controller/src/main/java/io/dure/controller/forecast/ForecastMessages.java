package io.dure.controller.forecast;

import io.dure.core.controller.StateSnapshot;
import io.dure.core.history.forecast.Foretold;
import io.dure.protocol.codec.RecordCodec;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Messages between a controller and its forecast worker, one frame each. */
final class ForecastMessages {
  static final RecordCodec<Question> QUESTION = RecordCodec.of(Question.class).sharing();
  static final RecordCodec<Answer> ANSWER = RecordCodec.of(Answer.class).sharing();

  /** Largest frame, in bytes. */
  static final int MOST_BYTES = 1 << 30;

  /** Asks for the starts of all jobs pending in this state. */
  record Question(StateSnapshot state, Instant now) {}

  /**
   * The answer.
   *
   * @param bug stack trace of a bug that prevented it, null for none
   */
  record Answer(List<Foretold> starts, @Nullable String bug) {}

  private ForecastMessages() {}
}
