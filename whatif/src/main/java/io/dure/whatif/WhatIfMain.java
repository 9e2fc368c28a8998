package io.dure.whatif;

import io.dure.host.config.LocalConfigSource;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;

/** {@code ./dure whatif}. */
public final class WhatIfMain {
  /** Set by the launcher where standard error is a terminal. */
  private static final String WATCHED = "dure.watched";

  private WhatIfMain() {}

  /** Exit code 0, 1 if what it begins from cannot be had, 2 for wrong usage. */
  public static void main(String[] arguments) {
    WhatIfCommand.WhatIfEnvironment around =
        new WhatIfCommand.WhatIfEnvironment(
            Path.of("").toAbsolutePath(),
            LocalConfigSource.locate(System.getenv()),
            System.getProperty("user.name", ""),
            InstantSource.system(),
            ZoneId.systemDefault(),
            System::nanoTime,
            Boolean.getBoolean(WATCHED));
    int code = new WhatIfCommand(System.out, System.err, around).run(List.of(arguments));
    System.out.flush();
    System.exit(code);
  }
}
