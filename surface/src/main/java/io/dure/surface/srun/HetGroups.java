package io.dure.surface.srun;

import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.value.DigitParser;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The components of the heterogeneous job that a call stands in. */
public final class HetGroups {
  private static final String SEPARATOR = ":";
  private static final String SIZE = "SLURM_HET_SIZE";

  /** They say something of the whole job where it has components. */
  private static final List<String> OF_WHOLE =
      List.of(
          "SLURM_NTASKS",
          "SLURM_NPROCS",
          "SLURM_NNODES",
          "SLURM_CPUS_PER_TASK",
          "SRUN_CPUS_PER_TASK",
          "SLURM_NTASKS_PER_NODE",
          "SLURM_MEM_PER_NODE",
          "SLURM_MEM_PER_CPU");

  private final Map<String, String> environment;
  private final int size;

  /** Those that the environment tells of. */
  public HetGroups(Map<String, String> environment) {
    this.environment = environment;
    long size = DigitParser.parse(environment.getOrDefault(SIZE, ""), 1 << 20);
    this.size = (int) Math.max(1, size);
  }

  /** The arguments of each component; a colon parts them. */
  public static List<List<String>> parts(List<String> arguments) {
    List<List<String>> parts = new ArrayList<>();
    List<String> part = new ArrayList<>();
    for (String word : arguments) {
      if (word.equals(SEPARATOR)) {
        parts.add(part);
        part = new ArrayList<>();
      } else {
        part.add(word);
      }
    }
    parts.add(part);
    return parts;
  }

  /**
   * The components of the job that a call is for.
   *
   * @param asked as {@code --het-group} has it, null where it was not given
   * @param place the place of the call among those that colons part
   * @throws CommandException if the job has no such component
   */
  public List<Integer> chosen(@Nullable String asked, int place) throws CommandException {
    if (asked == null) {
      return List.of(place);
    }
    TreeSet<Integer> chosen = new TreeSet<>();
    for (String range : asked.split(",", -1)) {
      int dash = range.indexOf('-');
      int first = number(dash < 0 ? range : range.substring(0, dash), range, asked);
      int last = dash < 0 ? first : number(range.substring(dash + 1), range, asked);
      if (last >= size) {
        throw CommandException.error(
            "Requested het-group offset exceeds highest hetjob index ("
                + last
                + " > "
                + (size - 1)
                + ")");
      }
      for (int group = first; group <= last; group++) {
        chosen.add(group);
      }
    }
    return List.copyOf(chosen);
  }

  private static int number(String digits, String range, String asked) throws CommandException {
    int number = (int) DigitParser.parse(digits, 1 << 20);
    if (number < 0) {
      throw CommandException.error("_parse_single_range: Invalid range: `" + range + "'")
          .and(StderrMessage.error("Invalid --het-group value: " + asked));
    }
    return number;
  }

  /** How many components the job has, 1 where it is not heterogeneous. */
  public int size() {
    return size;
  }

  /** The environment as a component of the job would have it as a job of its own. */
  public Map<String, String> environment(int group) {
    if (!environment.containsKey(SIZE)) {
      return environment;
    }
    Map<String, String> own = new LinkedHashMap<>(environment);
    OF_WHOLE.forEach(own::remove);
    String end = "_HET_GROUP_" + group;
    for (Map.Entry<String, String> variable : environment.entrySet()) {
      String name = variable.getKey();
      if (name.endsWith(end)) {
        own.put(name.substring(0, name.length() - end.length()), variable.getValue());
      }
    }
    String nodes = own.get("SLURM_JOB_NUM_NODES");
    if (nodes != null) {
      own.putIfAbsent("SLURM_NNODES", nodes);
    }
    // Steps are made by the id of the component; the first has the job's.
    own.put("SLURM_JOB_ID", environment.getOrDefault("SLURM_JOB_ID", ""));
    return own;
  }
}
