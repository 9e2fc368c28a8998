package io.dure.controller.loop;

import io.dure.core.controller.StateSnapshot;
import io.dure.core.history.forecast.Foretold;
import io.dure.protocol.codec.RecordCodec;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a controller and its process for forecasts say to each other, one frame each. */
final class ForecastTalk {
  static final RecordCodec<Question> QUESTION = RecordCodec.of(Question.class).sharing();
  static final RecordCodec<Answer> ANSWER = RecordCodec.of(Answer.class).sharing();

  /** Largest frame. */
  static final int MOST_BYTES = 1 << 30;

  /** When do they start that wait in this state? */
  record Question(StateSnapshot state, Instant now) {}

  /**
   * Then.
   *
   * @param bug why nothing can be said, null if that is not so
   */
  record Answer(List<Foretold> starts, @Nullable String bug) {}

  private ForecastTalk() {}
}
