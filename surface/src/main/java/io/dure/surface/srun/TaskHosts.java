package io.dure.surface.srun;

import io.dure.model.HostList;
import io.dure.model.HostListException;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.sbatch.CallerFiles;
import io.dure.surface.sbatch.SbatchOption;
import io.dure.surface.sbatch.SbatchSettings;
import io.dure.surface.value.NumberParser;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The node of each task, where the user names them all. */
public final class TaskHosts {
  private static final String ARBITRARY = "arbitrary";
  private static final int MOST_BYTES = 1 << 24;

  private final SrunSettings settings;
  private final Path directory;
  private final CallerFiles files;

  /** Reads the settings; names of files start in the directory. */
  public TaskHosts(SrunSettings settings, Path directory, CallerFiles files) {
    this.settings = settings;
    this.directory = directory;
    this.files = files;
  }

  /**
   * The nodes, and the settings say from now on that the job has these; empty where nodes are not
   * named for tasks.
   *
   * @param hostFile what the environment says of a file, null for nothing
   * @throws CommandException if the file cannot be read or has too few names
   */
  public List<String> read(@Nullable String hostFile) throws CommandException {
    String asked = settings.value(SrunOption.DISTRIBUTION);
    if (asked != null && !asked.equalsIgnoreCase(ARBITRARY)) {
      return List.of();
    }
    String list = settings.value(SrunOption.NODELIST);
    List<String> hosts;
    if (list != null) {
      hosts = asked == null ? List.of() : expanded(list);
    } else {
      hosts = hostFile == null || hostFile.isEmpty() ? List.of() : ofFile(hostFile);
    }
    if (hosts.isEmpty()) {
      return hosts;
    }
    int tasks = settings.count(SrunOption.NTASKS, hosts.size());
    if (tasks > hosts.size()) {
      throw noNames("Too few NodeNames in Slurm Hostfile");
    }
    List<String> used = List.copyOf(hosts.subList(0, tasks));
    SbatchSettings shared = settings.shared();
    shared.set(
        SbatchOption.NODELIST,
        "--nodelist",
        String.join(",", new LinkedHashSet<>(used)),
        SbatchSettings.Source.COMMAND_LINE);
    shared.set(
        SbatchOption.DISTRIBUTION, "--distribution", ARBITRARY, SbatchSettings.Source.COMMAND_LINE);
    return used;
  }

  private List<String> ofFile(String name) throws CommandException {
    Path path = directory.resolve(name);
    byte[] bytes;
    try (InputStream in = files.read(path)) {
      bytes = in.readNBytes(MOST_BYTES);
    } catch (IOException e) {
      throw noNames(
          "slurm_allocate_resources error opening file " + path + ", No such file or directory");
    }
    List<String> hosts = new ArrayList<>();
    for (String line : new String(bytes, StandardCharsets.UTF_8).split("\n", -1)) {
      int comment = line.indexOf('#');
      String names = (comment < 0 ? line : line.substring(0, comment)).strip();
      int star = names.lastIndexOf('*');
      int times = star < 0 ? 1 : count(names.substring(star + 1));
      for (int i = 0; i < times && !names.isEmpty(); i++) {
        hosts.addAll(expanded(star < 0 ? names : names.substring(0, star)));
      }
    }
    if (hosts.isEmpty()) {
      throw noNames("Too few NodeNames in Slurm Hostfile");
    }
    return hosts;
  }

  private static int count(String text) throws CommandException {
    return NumberParser.positive("a node of a hostfile", text);
  }

  private static List<String> expanded(String names) throws CommandException {
    try {
      return HostList.expand(names);
    } catch (HostListException e) {
      throw noNames("Invalid node name specified: " + names);
    }
  }

  private static CommandException noNames(String why) {
    return CommandException.error(why)
        .and(StderrMessage.error("Failure getting NodeNames from hostfile"));
  }
}
