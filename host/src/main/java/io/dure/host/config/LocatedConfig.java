package io.dure.host.config;

import io.dure.host.process.CpuTopology;
import io.dure.host.process.MachineHardware;
import io.dure.model.config.slurmconf.ClusterLayout;
import io.dure.model.config.slurmconf.ConfigSource;
import io.dure.model.config.slurmconf.DefaultConfig;
import io.dure.model.config.slurmconf.HardwareFacts;
import io.dure.model.config.slurmconf.ParsedConfig;
import io.dure.model.config.slurmconf.SlurmConfParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The configuration in force and where it came from.
 *
 * @param file the file, which does not exist where the machine described itself
 * @param parsed what it says and what is wrong with it
 * @param files the texts that were read, by their names below the directory of the file, which is
 *     {@code slurm.conf} here whatever its name; in ISO 8859-1
 */
public record LocatedConfig(Path file, ParsedConfig parsed, Map<String, String> files) {
  /**
   * Reads the file of the option, else of {@code SLURM_CONF}, else the usual one; without any, this
   * machine is described as a cluster of one node.
   *
   * @param option value of {@code -f}, null where not given
   * @throws IOException if the file that was named cannot be read; the message names it
   */
  public static LocatedConfig load(@Nullable String option, Map<String, String> environment)
      throws IOException {
    String named = option == null ? environment.get("SLURM_CONF") : option;
    Path file =
        (named == null || named.isEmpty() ? LocalConfigSource.usual() : Path.of(named))
            .toAbsolutePath();
    if (Files.exists(file)) {
      if (!Files.isReadable(file)) {
        throw new IOException("cannot read " + file);
      }
      return of(file, null);
    }
    if (named != null && !named.isEmpty()) {
      throw new IOException("there is no configuration file " + file);
    }
    return of(file, ownText());
  }

  private static LocatedConfig of(Path file, @Nullable String madeUp) {
    FileSource source = new FileSource(file, madeUp);
    ParsedConfig parsed = SlurmConfParser.parse(file.toString(), source);
    return new LocatedConfig(file, parsed, Collections.unmodifiableMap(source.texts));
  }

  /** The cluster's key, beside the configuration. */
  public Path keyFile() {
    Path directory = file.toAbsolutePath().getParent();
    return (directory == null ? Path.of("/") : directory).resolve("dure.key");
  }

  /** The socket that a daemon listens at, beside its pid file. */
  public static Path socketOf(String pidFile) {
    String base = pidFile.endsWith(".pid") ? pidFile.substring(0, pidFile.length() - 4) : pidFile;
    return Path.of(base + ".sock");
  }

  private static String ownText() throws IOException {
    ClusterLayout layout =
        new ClusterLayout("cluster", "/var/lib/dure", 6817, 6818, 1, null, "root", "root");
    return DefaultConfig.text(facts(MachineHardware.describe()), layout);
  }

  /** A machine in the words of the configuration. */
  public static HardwareFacts facts(MachineHardware machine) {
    CpuTopology.Shape shape = machine.shape();
    return new HardwareFacts(
        machine.hostName(),
        shape.sockets(),
        shape.coresPerSocket(),
        shape.threadsPerCore(),
        machine.memoryMib(),
        machine.tmpDiskMib(),
        String.join(",", machine.gres()));
  }

  /** Files as they lie on this machine, the first of which may be a text made up instead. */
  private static final class FileSource implements ConfigSource {
    private final Path first;
    private final @Nullable String madeUp;
    private final Map<String, String> texts = new LinkedHashMap<>();

    FileSource(Path first, @Nullable String madeUp) {
      this.first = first;
      this.madeUp = madeUp;
    }

    @Override
    public @Nullable String read(String path) {
      Path file = Path.of(path);
      String text = madeUp != null && file.equals(first) ? madeUp : text(file);
      Path directory = first.getParent();
      boolean below = directory != null && file.normalize().startsWith(directory.normalize());
      if (text != null && directory != null && below) {
        String name = directory.relativize(file).toString();
        texts.put(file.equals(first) ? "slurm.conf" : name, text);
      }
      return text;
    }

    private static @Nullable String text(Path file) {
      try {
        return Files.readString(file, StandardCharsets.ISO_8859_1);
      } catch (IOException e) {
        return null;
      }
    }

    @Override
    public List<String> list(String directory) {
      try (Stream<Path> files = Files.list(Path.of(directory))) {
        return files.map(p -> String.valueOf(p.getFileName())).sorted().toList();
      } catch (IOException e) {
        return List.of();
      }
    }
  }
}
