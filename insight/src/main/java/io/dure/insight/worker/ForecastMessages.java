package io.dure.insight.worker;

import io.dure.cluster.StateSnapshot;
import io.dure.model.forecast.FirstForecast;
import io.dure.protocol.codec.RecordCodec;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Messages between a controller and its forecast worker, one frame each. */
final class ForecastMessages {
  static final RecordCodec<ForecastRequest> QUESTION =
      RecordCodec.of(ForecastRequest.class).sharing();
  static final RecordCodec<ForecastReply> ANSWER = RecordCodec.of(ForecastReply.class).sharing();

  /** Largest frame, in bytes. */
  static final int MOST_BYTES = 1 << 30;

  /** Asks for the starts of all jobs pending in this state. */
  record ForecastRequest(StateSnapshot state, Instant now) {}

  /**
   * The answer.
   *
   * @param bug stack trace of a bug that prevented it, null for none
   */
  record ForecastReply(List<FirstForecast> starts, @Nullable String bug) {}

  private ForecastMessages() {}
}
