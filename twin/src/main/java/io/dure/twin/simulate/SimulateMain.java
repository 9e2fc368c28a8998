package io.dure.twin.simulate;

import java.nio.file.Path;
import java.util.List;

/** {@code ./dure simulate}. */
public final class SimulateMain {
  /** Set by the launcher where standard error is a terminal. */
  private static final String WATCHED = "dure.watched";

  private SimulateMain() {}

  /** Exit code 0, 1 if the trace or the machine cannot be had, 2 for wrong usage. */
  public static void main(String[] arguments) {
    boolean watched = Boolean.getBoolean(WATCHED);
    Path here = Path.of("").toAbsolutePath();
    int code =
        new SimulateCommand(System.out, System.err, here, System::nanoTime, watched)
            .run(List.of(arguments));
    System.out.flush();
    System.exit(code);
  }
}
