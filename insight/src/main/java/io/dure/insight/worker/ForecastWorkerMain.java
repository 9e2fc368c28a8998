package io.dure.insight.worker;

import java.io.IOException;
import java.io.PrintStream;

/** The forecast worker's program, started by the controller only. */
public final class ForecastWorkerMain {
  private ForecastWorkerMain() {}

  /** Answers questions from standard input until its end. */
  public static void main(String[] words) throws IOException, InterruptedException {
    PrintStream answers = System.out;
    // Standard output carries answers only.
    System.setOut(System.err);
    new ForecastWorker(System.in, answers, () -> Runtime.getRuntime().halt(0)).run();
  }
}
