package io.dure.insight.worker;

import io.dure.host.net.FrameStream;
import io.dure.model.forecast.FirstForecast;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * The forecast worker: reads states and answers with the forecast starts of their pending jobs,
 * until its input ends.
 */
public final class ForecastWorker {
  private final InputStream in;
  private final OutputStream out;
  private final Runnable gone;
  private final LinkedBlockingQueue<byte[]> questions = new LinkedBlockingQueue<>();
  private final PacedForecaster forecaster = new PacedForecaster();

  /**
   * A worker without questions.
   *
   * @param gone ends the process, also while it computes
   */
  public ForecastWorker(InputStream in, OutputStream out, Runnable gone) {
    this.in = in;
    this.out = out;
    this.gone = gone;
  }

  /** Answers questions until the process ends. */
  public void run() throws IOException, InterruptedException {
    Thread.ofPlatform().daemon().name("questions").start(this::read);
    while (true) {
      byte[] answer = ForecastMessages.ANSWER.encode(answer(questions.take()));
      FrameStream.write(out, answer, ForecastMessages.MOST_BYTES);
    }
  }

  /** Reads beside the computation, so that the end of the input is noticed at once. */
  private void read() {
    try {
      for (byte[] question = next(); question != null; question = next()) {
        questions.add(question);
      }
    } catch (IOException e) {
      // The controller has ended, too.
    }
    gone.run();
  }

  private byte @Nullable [] next() throws IOException {
    return FrameStream.read(in, ForecastMessages.MOST_BYTES);
  }

  private ForecastMessages.ForecastReply answer(byte[] asked) throws InterruptedException {
    try {
      ForecastMessages.ForecastRequest question = ForecastMessages.QUESTION.decode(asked);
      List<FirstForecast> starts = new ArrayList<>();
      forecaster
          .forecast(question.state().restore(), question.now())
          .starts()
          .forEach((job, forecast) -> starts.add(new FirstForecast(job, forecast)));
      return new ForecastMessages.ForecastReply(starts, null);
    } catch (RuntimeException bug) {
      return new ForecastMessages.ForecastReply(List.of(), trace(bug));
    }
  }

  private static String trace(RuntimeException bug) {
    StringBuilder trace = new StringBuilder(bug.toString());
    for (StackTraceElement at : bug.getStackTrace()) {
      trace.append("\n  at ").append(at);
    }
    return trace.toString();
  }
}
