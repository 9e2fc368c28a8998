package io.dure.host.config;

import io.dure.host.trust.ClusterKey;
import io.dure.model.config.slurmconf.ConfigSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The files of the configuration on this machine's disks. Any thread may call. */
public final class LocalConfigSource implements ConfigSource {
  /** Where the configuration lies unless {@code SLURM_CONF} says otherwise. */
  public static final String DEFAULT_PATH = "/etc/slurm/slurm.conf";

  private static final String PID_END = ".pid";
  private static final String SOCKET_END = ".sock";

  /** Where a node daemon puts one that it fetched. */
  public static final String FETCHED_PATH = "/run/slurm/conf/slurm.conf";

  /** The configuration file that the environment names; it need not exist. */
  public static Path locate(Map<String, String> environment) {
    String named = environment.get("SLURM_CONF");
    return named == null || named.isEmpty() ? usual() : Path.of(named).toAbsolutePath();
  }

  /** The file that the environment of a call in some directory names. */
  public static Path locate(Path directory, Map<String, String> environment) {
    String named = environment.get("SLURM_CONF");
    return named == null || named.isEmpty() ? usual() : directory.resolve(named);
  }

  /** The configuration file of a call that names none: the machine's, or the one it fetched. */
  public static Path usual() {
    Path fetched = Path.of(FETCHED_PATH);
    Path own = Path.of(DEFAULT_PATH);
    return !Files.exists(own) && Files.exists(fetched) ? fetched : own;
  }

  /** The cluster key beside a configuration file. */
  public static Path keyBeside(Path configuration) {
    return configuration.resolveSibling(ClusterKey.FILE_NAME);
  }

  /** The unix socket beside a daemon's pid file: {@code x.pid} has {@code x.sock}. */
  public static Path socketBeside(String pidFile) {
    String name =
        pidFile.endsWith(PID_END)
            ? pidFile.substring(0, pidFile.length() - PID_END.length())
            : pidFile;
    return Path.of(name + SOCKET_END);
  }

  @Override
  public @Nullable String read(String path) {
    try {
      return new String(Files.readAllBytes(Path.of(path)), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return null;
    }
  }

  @Override
  public List<String> list(String directory) {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(Path.of(directory))) {
      for (Path file : files) {
        names.add(String.valueOf(file.getFileName()));
      }
    } catch (IOException e) {
      return List.of();
    }
    Collections.sort(names);
    return names;
  }
}
