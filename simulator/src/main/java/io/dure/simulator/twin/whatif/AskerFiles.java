package io.dure.simulator.twin.whatif;

import io.dure.cli.command.Caller;
import io.dure.cli.command.CommandContext;
import io.dure.cli.command.ControllerConnection;
import io.dure.cli.command.WallClock;
import io.dure.core.model.ResourceLimit;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;

/**
 * Whoever asks, with the files that he may read and nothing else: of his scripts the lines count.
 */
final class AskerFiles implements Caller {
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
        new AskerFiles(),
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

  @Override
  public int uid() {
    return 0;
  }

  @Override
  public int gid() {
    return 0;
  }

  @Override
  public int umask() {
    return 0;
  }

  @Override
  public int sessionId() {
    return 0;
  }

  @Override
  public String hostName() {
    return "twin";
  }

  @Override
  public boolean knowsUser(String name) {
    return true;
  }

  @Override
  public List<ResourceLimit> limits() {
    return List.of();
  }

  @Override
  public InputStream read(Path file) throws IOException {
    return Files.newInputStream(file);
  }

  @Override
  public OutputStream write(Path file) throws IOException {
    throw new IOException("what is only supposed writes no files");
  }

  @Override
  public boolean hasFile(Path file) {
    return Files.isRegularFile(file);
  }

  @Override
  public String requestId() {
    return "";
  }
}
