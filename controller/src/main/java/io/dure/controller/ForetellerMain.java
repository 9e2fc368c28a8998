package io.dure.controller;

import io.dure.controller.loop.Foreteller;
import java.io.IOException;
import java.io.PrintStream;

/** The process that a controller has forecasts made by. Not to be called by people. */
public final class ForetellerMain {
  private ForetellerMain() {}

  /** Answers what is read from standard input, until its end. */
  public static void main(String[] words) throws IOException, InterruptedException {
    PrintStream answers = System.out;
    // What anything prints would not be an answer.
    System.setOut(System.err);
    new Foreteller(System.in, answers, () -> Runtime.getRuntime().halt(0)).run();
  }
}
