package io.dure.simulator.twin.whatif;

import io.dure.cli.command.CommandContext;
import io.dure.cli.command.ControllerConnection;
import io.dure.cli.command.SupposedCaller;
import io.dure.cli.command.WallClock;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;

/** Commands of whoever asks, who has the files that he may read and nothing else. */
final class AskerFiles {
  private AskerFiles() {}

  /** A command of his, run in a directory at a time. */
  static CommandContext context(Path directory, Instant now, ZoneId zone) {
    PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
    return new CommandContext(
        "sbatch",
        List.of(),
        Map.of(),
        directory,
        InputStream.nullInputStream(),
        nowhere,
        nowhere,
        false,
        new SupposedCaller(_ -> true),
        new Then(now, zone),
        AskerFiles::nobody);
  }

  private static ControllerConnection nobody() throws IOException {
    throw new IOException("nothing is submitted");
  }

  /** A moment. */
  private record Then(Instant now, ZoneId zone) implements WallClock {
    @Override
    public void pause(Duration time) {
      throw new UnsupportedOperationException("a moment does not pass");
    }
  }
}
