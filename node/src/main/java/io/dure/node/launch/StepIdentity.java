package io.dure.node.launch;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * What a restarted daemon must know of a step: its owner, and how to find its processes when the
 * shepherd is gone. It is stored in the step's directory for as long as that exists.
 *
 * @param jobId the job's number, as in SLURM_JOB_ID
 * @param step the step's name: {@code batch}, later {@code 0}, {@code 1}, ...
 * @param nodeName the node's name, as in SLURMD_NODENAME: several node daemons may share a machine
 * @param uid the owner
 * @param cgroups the directories that the step joins, each with a {@code cgroup.procs}; empty
 *     without control groups
 * @param note the daemon's own text, given back unchanged, without NUL (for instance the job's run
 *     number)
 * @param space the file that keeps the mount namespace of its job, null where that has none
 * @param memoryMib the most memory that it asked for here, MiB; 0 for no bound
 */
public record StepIdentity(
    long jobId,
    String step,
    String nodeName,
    int uid,
    List<Path> cgroups,
    String note,
    @Nullable Path space,
    long memoryMib) {
  public StepIdentity {
    cgroups = List.copyOf(cgroups);
  }

  /** A step without a bound of its memory, of a job without a mount namespace. */
  public StepIdentity(
      long jobId, String step, String nodeName, int uid, List<Path> cgroups, String note) {
    this(jobId, step, nodeName, uid, cgroups, note, null, 0);
  }

  List<String> entries() {
    List<String> entries = new ArrayList<>();
    entries.add("job=" + jobId);
    entries.add("step=" + step);
    entries.add("node=" + nodeName);
    entries.add("uid=" + Integer.toUnsignedString(uid));
    entries.add("note=" + note);
    if (space != null) {
      entries.add("space=" + space);
    }
    if (memoryMib > 0) {
      entries.add("memory=" + memoryMib);
    }
    for (int i = 0; i < cgroups.size(); i++) {
      entries.add("cgroup" + i + "=" + cgroups.get(i));
    }
    return entries;
  }

  static @Nullable StepIdentity read(Path file) throws IOException {
    SequencedMap<String, String> map = KeyValueFile.readMap(file);
    if (map == null) {
      return null;
    }
    List<Path> cgroups = new ArrayList<>();
    for (String path = map.get("cgroup0");
        path != null;
        path = map.get("cgroup" + cgroups.size())) {
      cgroups.add(Path.of(path));
    }
    String space = map.get("space");
    return new StepIdentity(
        KeyValueFile.number(map, "job"),
        map.getOrDefault("step", ""),
        map.getOrDefault("node", ""),
        (int) KeyValueFile.number(map, "uid"),
        cgroups,
        map.getOrDefault("note", ""),
        space == null ? null : Path.of(space),
        map.containsKey("memory") ? KeyValueFile.number(map, "memory") : 0);
  }
}
