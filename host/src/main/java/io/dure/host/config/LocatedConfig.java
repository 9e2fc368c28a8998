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
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The configuration in force and where it came from.
 *
 * @param file the file, which does not exist where the machine described itself
 * @param parsed what it says and what is wrong with it
 */
public record LocatedConfig(Path file, ParsedConfig parsed) {
  private static final Path USUAL = Path.of("/etc/slurm/slurm.conf");

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
    Path file = (named == null || named.isEmpty() ? USUAL : Path.of(named)).toAbsolutePath();
    if (Files.exists(file)) {
      if (!Files.isReadable(file)) {
        throw new IOException("cannot read " + file);
      }
      return new LocatedConfig(
          file, SlurmConfParser.parse(file.toString(), new FileSource(null, null)));
    }
    if (named != null && !named.isEmpty()) {
      throw new IOException("there is no configuration file " + file);
    }
    return new LocatedConfig(
        file, SlurmConfParser.parse(file.toString(), new FileSource(file.toString(), ownText())));
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

  /** Files as they lie on this machine; one of them may be a text made up instead. */
  private record FileSource(@Nullable String madeUp, @Nullable String text)
      implements ConfigSource {
    @Override
    public @Nullable String read(String path) {
      if (path.equals(madeUp)) {
        return text;
      }
      try {
        return Files.readString(Path.of(path), StandardCharsets.ISO_8859_1);
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
