package io.dure.node.launch;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is needed to start one batch step. Paths are text, not {@link
 * java.nio.file.Path}: they are the user's and may hold characters that the daemon's locale does
 * not know.
 *
 * @param identity the step
 * @param user it runs as; its uid is the identity's
 * @param workingDirectory where it starts; if it is gone, /tmp with a message, as in Slurm
 * @param umask octal 0 to 0777
 * @param stdin absolute path to read
 * @param stdout absolute path to write
 * @param stderr absolute path, or null to join stdout
 * @param openMode for stdout and stderr
 * @param limits resource limits to set
 * @param cpus machine CPU ids to bind to; empty for no binding
 * @param nice its nice value, -20 to 19; null for the daemon's
 * @param oomScoreAdj -1000 to 1000
 * @param arguments the script's arguments, without the script itself
 * @param scripts what runs before and after each task
 * @param environment the whole environment, but for a login's; SLURM_TASK_PID, if present, gets its
 *     value at the start
 * @param login the login whose environment lies below that one, null for none
 * @param lockedMemory what of the shepherd's own memory is locked: 0 nothing, 1 what it has, 2 all
 * @param group the tasks of a numbered step, whose program is the first argument; null for a batch
 *     step
 * @param container what the program {@code container} is called with, empty for none
 */
public record StepLaunch(
    StepIdentity identity,
    StepUser user,
    String workingDirectory,
    int umask,
    String stdin,
    String stdout,
    @Nullable String stderr,
    OutputOpenMode openMode,
    List<StepRlimit> limits,
    List<Integer> cpus,
    @Nullable Integer nice,
    int oomScoreAdj,
    List<String> arguments,
    TaskScripts scripts,
    SequencedMap<String, String> environment,
    @Nullable LoginShell login,
    int lockedMemory,
    @Nullable TaskGroup group,
    List<String> container) {
  public StepLaunch {
    container = List.copyOf(container);
    limits = List.copyOf(limits);
    cpus = List.copyOf(cpus);
    arguments = List.copyOf(arguments);
    environment = new LinkedHashMap<>(environment);
  }

  /** A batch step. */
  public StepLaunch(
      StepIdentity identity,
      StepUser user,
      String workingDirectory,
      int umask,
      String stdin,
      String stdout,
      @Nullable String stderr,
      OutputOpenMode openMode,
      List<StepRlimit> limits,
      List<Integer> cpus,
      @Nullable Integer nice,
      int oomScoreAdj,
      List<String> arguments,
      TaskScripts scripts,
      SequencedMap<String, String> environment,
      @Nullable LoginShell login,
      int lockedMemory) {
    this(
        identity,
        user,
        workingDirectory,
        umask,
        stdin,
        stdout,
        stderr,
        openMode,
        limits,
        cpus,
        nice,
        oomScoreAdj,
        arguments,
        scripts,
        environment,
        login,
        lockedMemory,
        null,
        List.of());
  }

  /**
   * The same in a container.
   *
   * @param entries what the program {@code container} is called with
   */
  public StepLaunch inContainer(List<String> entries) {
    return new StepLaunch(
        identity,
        user,
        workingDirectory,
        umask,
        stdin,
        stdout,
        stderr,
        openMode,
        limits,
        cpus,
        nice,
        oomScoreAdj,
        arguments,
        scripts,
        environment,
        login,
        lockedMemory,
        group,
        entries);
  }

  /** The launch file's entries; shepherd.c has the other half of this. */
  List<String> entries(String scriptPath) {
    List<String> entries = new ArrayList<>();
    entries.add("uid=" + Integer.toUnsignedString(user.uid()));
    entries.add("gid=" + Integer.toUnsignedString(user.gid()));
    user.groups().forEach(group -> entries.add("group=" + Integer.toUnsignedString(group)));
    entries.add("umask=" + Integer.toOctalString(umask));
    if (nice != null) {
      entries.add("nice=" + nice);
    }
    entries.add("oom_score_adj=" + oomScoreAdj);
    if (lockedMemory > 0) {
      entries.add("memlock=" + lockedMemory);
    }
    entries.add("cwd=" + workingDirectory);
    if (group == null) {
      entries.add("stdin=r:" + stdin);
      entries.add("stdout=" + openMode.of(stdout));
      if (stderr != null) {
        entries.add("stderr=" + openMode.of(stderr));
      }
    } else {
      entries.addAll(group.entries());
    }
    limits.forEach(limit -> entries.add("rlimit=" + limit.entry()));
    cpus.forEach(cpu -> entries.add("cpu=" + cpu));
    identity.cgroups().forEach(cgroup -> entries.add("cgroup=" + cgroup));
    if (identity.space() != null) {
      entries.add("space=" + identity.space());
    }
    container.forEach(entry -> entries.add("container=" + entry));
    entries.addAll(scripts.entries());
    if (login != null) {
      entries.addAll(login.entries());
    }
    if (group == null) {
      entries.add("arg=" + scriptPath);
    }
    arguments.forEach(argument -> entries.add("arg=" + argument));
    return entries;
  }

  List<String> environmentEntries() {
    List<String> entries = new ArrayList<>();
    for (Map.Entry<String, String> variable : environment.entrySet()) {
      entries.add(variable.getKey() + "=" + variable.getValue());
    }
    return entries;
  }

  /**
   * The programs around each task, run as its user; null or empty for none. The site's prolog comes
   * first, and its epilog last.
   *
   * @param prolog TaskProlog of the configuration
   * @param epilog TaskEpilog of it
   * @param ownProlog what {@code srun --task-prolog} names
   * @param ownEpilog what {@code srun --task-epilog} names
   */
  public record TaskScripts(
      String prolog, String epilog, @Nullable String ownProlog, @Nullable String ownEpilog) {
    /** Nothing. */
    public static final TaskScripts NONE = new TaskScripts("", "", null, null);

    List<String> entries() {
      List<String> entries = new ArrayList<>();
      add(entries, "task_prolog", prolog);
      add(entries, "own_prolog", ownProlog);
      add(entries, "own_epilog", ownEpilog);
      add(entries, "task_epilog", epilog);
      return entries;
    }

    private static void add(List<String> entries, String key, @Nullable String path) {
      if (path != null && !path.isEmpty()) {
        entries.add(key + "=" + path);
      }
    }
  }
}
