package io.dure.controller.loop;

import io.dure.core.history.forecast.Foretold;
import io.dure.host.net.Frames;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * The process that a controller has forecasts made by: it reads states and answers with the starts
 * of those that wait, until whoever asks has gone.
 */
public final class Foreteller {
  private final InputStream in;
  private final OutputStream out;
  private final Runnable gone;
  private final LinkedBlockingQueue<byte[]> questions = new LinkedBlockingQueue<>();
  private final ForecasterSeer seer = new ForecasterSeer();

  /**
   * One that has not been asked anything.
   *
   * @param gone ends the process in the middle of its work
   */
  public Foreteller(InputStream in, OutputStream out, Runnable gone) {
    this.in = in;
    this.out = out;
    this.gone = gone;
  }

  /** Answers, for ever. */
  public void run() throws IOException, InterruptedException {
    Thread.ofPlatform().daemon().name("questions").start(this::read);
    while (true) {
      byte[] answer = ForecastTalk.ANSWER.encode(answer(questions.take()));
      Frames.write(out, answer, ForecastTalk.MOST_BYTES);
    }
  }

  /** Who asks is heard to go also in the middle of a long answer. */
  private void read() {
    try {
      for (byte[] question = next(); question != null; question = next()) {
        questions.add(question);
      }
    } catch (IOException e) {
      // He has gone as well.
    }
    gone.run();
  }

  private byte @Nullable [] next() throws IOException {
    return Frames.read(in, ForecastTalk.MOST_BYTES);
  }

  private ForecastTalk.Answer answer(byte[] asked) throws InterruptedException {
    try {
      ForecastTalk.Question question = ForecastTalk.QUESTION.decode(asked);
      List<Foretold> starts = new ArrayList<>();
      seer.see(question.state().restore(), question.now())
          .starts()
          .forEach((job, forecast) -> starts.add(new Foretold(job, forecast)));
      return new ForecastTalk.Answer(starts, null);
    } catch (RuntimeException bug) {
      return new ForecastTalk.Answer(List.of(), trace(bug));
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
