package io.dure.controller.hook;

import io.dure.model.command.JobChange;
import io.dure.model.command.JobChangeBuilder;
import io.dure.model.command.JobChangeOutputChangeBuilder;
import io.dure.model.command.JobChangeResourceChangeBuilder;
import io.dure.model.gres.GresCount;
import io.dure.model.gres.GresRequest;
import io.dure.model.request.DependencyList;
import io.dure.model.request.KeptOptions;
import io.dure.model.request.KeptOptionsBuilder;
import io.dure.model.request.MemoryRequest;
import io.dure.model.request.OversubscribeMode;
import io.dure.model.request.RequeuePolicy;
import io.dure.model.request.TimeLimit;
import io.dure.surface.message.CommandException;
import io.dure.surface.value.DependencyParser;
import io.dure.surface.value.KeywordParser;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a script has set in {@code job_desc}, as a change of a job. A value that says nothing that
 * could be asked for is an {@link UnusableFieldException}: a submission that the script believes to
 * have changed must not go on unchanged.
 */
final class JobFieldChanges {
  /** Of an instant that the calendar has. */
  private static final long MOST_SECONDS = 1L << 36;

  private static final long MOST_MIB = 1L << 42;

  private final Map<?, ?> set;
  private final JobChangeBuilder change;
  private final JobChangeResourceChangeBuilder shape;
  private final JobChangeOutputChangeBuilder output;
  private final KeptOptionsBuilder kept;
  private boolean keeps;

  private JobFieldChanges(Map<?, ?> set, JobChange before) {
    this.set = set;
    change = before.with();
    shape = before.shape().with();
    output = before.output().with();
    KeptOptions known = before.shape().kept();
    kept = (known == null ? KeptOptions.NONE : known).with();
  }

  /**
   * A change, with what the script has set.
   *
   * @param before what was to be changed before the script, {@link JobChange#NONE} of a submission
   */
  static JobChange of(Map<?, ?> set, JobChange before) throws UnusableFieldException {
    JobFieldChanges all = new JobFieldChanges(set, before);
    all.words();
    all.times();
    all.counts();
    all.memory();
    all.gres(before.shape().gres());
    all.reach(before.shape());
    all.kept();
    all.paths();
    if (all.keeps) {
      all.shape.kept(all.kept.build());
    }
    return all.change.shape(all.shape.build()).output(all.output.build()).build();
  }

  private @Nullable String text(String field) {
    Object value = set.get(field);
    return value == null ? null : value.toString();
  }

  private @Nullable Long number(String field, long least, long most) throws UnusableFieldException {
    Object value = set.get(field);
    if (value == null) {
      return null;
    }
    if (!(value instanceof Number number)
        || number.doubleValue() != Math.rint(number.doubleValue())
        || number.doubleValue() < least
        || number.doubleValue() > most) {
      throw new UnusableFieldException(field, value);
    }
    return number.longValue();
  }

  /** Null also where the script says that nothing is asked for. */
  private @Nullable Integer count(String field, long none) throws UnusableFieldException {
    if (set.get(field) instanceof Number number && number.doubleValue() == none) {
      return null;
    }
    Long value = number(field, 1, Integer.MAX_VALUE);
    return value == null ? null : value.intValue();
  }

  private static List<String> names(String text) {
    return text.isEmpty() ? List.of() : List.copyOf(KeywordParser.list(text));
  }

  private static <T> void set(@Nullable T value, Consumer<T> setter) {
    if (value != null) {
      setter.accept(value);
    }
  }

  private void words() throws UnusableFieldException {
    set(text("account"), change::account);
    set(text("comment"), change::comment);
    set(text("admin_comment"), change::adminComment);
    set(text("qos"), change::qos);
    set(text("wckey"), change::wckey);
    set(text("mail_user"), change::mailUser);
    set(text("partition"), text -> change.partitions(names(text)));
    set(text("reservation"), text -> change.reservations(names(text)));
    String name = text("name");
    set(name == null || name.isEmpty() ? null : name, change::name);
    String dependency = text("dependency");
    if (dependency != null) {
      DependencyList list =
          dependency.isEmpty() ? DependencyList.NONE : DependencyParser.parse(dependency);
      if (list == null) {
        throw new UnusableFieldException("dependency", dependency);
      }
      change.dependency(list);
    }
  }

  private void times() throws UnusableFieldException {
    Long limit = number("time_limit", 0, NoValue.INFINITE);
    if (limit != null) {
      change.timeLimitDelta(null);
      change.timeLimit(limit(limit));
    }
    set(
        number("time_min", 0, NoValue.INT),
        least -> change.timeMin(Duration.ofMinutes(least == NoValue.INT ? 0 : least)));
    set(number("begin_time", 0, MOST_SECONDS), at -> change.beginTime(Instant.ofEpochSecond(at)));
    set(number("deadline", 1, MOST_SECONDS), at -> change.deadline(Instant.ofEpochSecond(at)));
    Long priority = number("priority", 0, NoValue.INFINITE);
    set(priority == null || priority >= NoValue.INT ? null : priority, change::priority);
    set(
        number("nice", 0, 2 * NoValue.NICE_OFFSET),
        nice -> change.nice(nice == NoValue.INT ? 0 : nice - NoValue.NICE_OFFSET));
    Long factor = number("site_factor", 0, 2 * NoValue.NICE_OFFSET);
    if (factor != null && factor != NoValue.INT) {
      change.siteFactor(factor - NoValue.NICE_OFFSET);
    }
    set(
        number("requeue", 0, NoValue.SHORT),
        requeue ->
            change.requeue(
                requeue == NoValue.SHORT
                    ? RequeuePolicy.DEFAULT
                    : requeue == 0 ? RequeuePolicy.NO : RequeuePolicy.YES));
    set(number("reboot", 0, NoValue.SHORT), reboot -> change.reboot(reboot == 1));
  }

  private static TimeLimit limit(long minutes) {
    if (minutes == NoValue.INFINITE) {
      return new TimeLimit.Unlimited();
    }
    return minutes == NoValue.INT
        ? new TimeLimit.PartitionDefault()
        : TimeLimit.minutes(Math.max(1, minutes));
  }

  private void counts() throws UnusableFieldException {
    Integer least = count("min_nodes", NoValue.INT);
    Integer most = count("max_nodes", NoValue.INT);
    set(least, shape::minNodes);
    set(least == null || (most != null && most >= least) ? most : least, shape::maxNodes);
    set(count("num_tasks", NoValue.INT), shape::tasks);
    set(count("cpus_per_task", NoValue.SHORT), shape::cpusPerTask);
    set(count("min_cpus", NoValue.INT), shape::cpus);
    set(count("ntasks_per_node", NoValue.SHORT), shape::tasksPerNode);
    set(count("pn_min_cpus", NoValue.SHORT), shape::minCpusPerNode);
    set(number("contiguous", 0, NoValue.SHORT), value -> shape.contiguous(value == 1));
    Long shared = number("shared", 0, NoValue.SHORT);
    if (shared != null) {
      shape.sharing(
          switch (shared.intValue()) {
            case 0 -> OversubscribeMode.EXCLUSIVE;
            case 1 -> OversubscribeMode.OVERSUBSCRIBE;
            case 2 -> OversubscribeMode.USER;
            case (int) NoValue.SHORT, 3 -> OversubscribeMode.DEFAULT;
            default -> throw new UnusableFieldException("shared", shared);
          });
    }
    set(text("features"), shape::features);
    set(text("licenses"), shape::licenses);
    nodes();
  }

  private void nodes() throws UnusableFieldException {
    String required = text("req_nodes");
    set(required == null ? null : hosts("req_nodes", required), shape::requiredNodes);
    String excluded = text("exc_nodes");
    set(excluded == null ? null : hosts("exc_nodes", excluded), shape::excludedNodes);
  }

  private static List<String> hosts(String field, String text) throws UnusableFieldException {
    try {
      return text.isEmpty() ? List.of() : List.copyOf(KeywordParser.nodes(text));
    } catch (CommandException e) {
      throw new UnusableFieldException(field, text);
    }
  }

  private void memory() throws UnusableFieldException {
    Object all = set.get("pn_min_memory");
    if (all instanceof Number number && number.doubleValue() == NoValue.LONG) {
      shape.memory(new MemoryRequest.Default());
    }
    Long perNode = number("min_mem_per_node", 0, MOST_MIB);
    if (perNode != null) {
      shape.memory(new MemoryRequest.PerNode(perNode));
    }
    Long perCpu = number("min_mem_per_cpu", 0, MOST_MIB);
    if (perCpu != null) {
      shape.memory(new MemoryRequest.PerCpu(perCpu));
    }
    String perGpu = text("mem_per_tres");
    if (perGpu != null && !perGpu.isEmpty()) {
      shape.memory(new MemoryRequest.PerGpu(gpus("mem_per_tres", perGpu)));
    }
    Long disk = number("pn_min_tmp_disk", 0, NoValue.INT);
    if (disk != null) {
      shape.tmpDiskMib(disk == NoValue.INT ? 0 : disk);
    }
  }

  /** So much of {@code gres/gpu:N}. */
  private static long gpus(String field, String text) throws UnusableFieldException {
    long number = GresRequest.gpus(counts(field, text));
    if (number < 1 || number > Integer.MAX_VALUE) {
      throw new UnusableFieldException(field, text);
    }
    return number;
  }

  private static List<GresCount> counts(String field, String text) throws UnusableFieldException {
    List<GresCount> counts = text.isEmpty() ? List.of() : GresCount.list(text.replace('=', ':'));
    if (counts == null) {
      throw new UnusableFieldException(field, text);
    }
    return counts;
  }

  private void gres(@Nullable GresRequest before) throws UnusableFieldException {
    GresRequest next = before == null ? GresRequest.NONE : before;
    boolean touched = false;
    for (String field : List.of("node", "job", "socket", "task")) {
      String text = text("tres_per_" + field);
      if (text != null) {
        touched = true;
        List<GresCount> counts = counts("tres_per_" + field, text);
        next =
            switch (field) {
              case "node" -> next.withPerNode(counts);
              case "job" -> next.withPerJob(counts);
              case "socket" -> next.withPerSocket(counts);
              default -> next.withPerTask(counts);
            };
      }
    }
    String cpus = text("cpus_per_tres");
    if (cpus != null) {
      touched = true;
      next = next.withCpusPerGpu(cpus.isEmpty() ? null : (int) gpus("cpus_per_tres", cpus));
    }
    Integer tasks = count("ntasks_per_tres", NoValue.SHORT);
    if (tasks != null) {
      touched = true;
      next = next.withTasksPerGpu(tasks);
    }
    if (touched) {
      shape.gres(next);
    }
  }

  private void reach(JobChange.ResourceChange before) throws UnusableFieldException {
    String prefer = text("prefer");
    Long switches = number("req_switch", 0, NoValue.INT);
    Long wait = number("wait4switch", 0, NoValue.INT);
    if (prefer != null || switches != null) {
      shape.reach(
          new JobChange.Reach(
              prefer,
              switches == null ? null : switches == NoValue.INT ? 0 : Math.toIntExact(switches),
              wait == null || wait == NoValue.INT ? null : Duration.ofSeconds(wait)));
    }
    Integer sockets = count("sockets_per_node", NoValue.SHORT);
    Integer cores = count("cores_per_socket", NoValue.SHORT);
    Integer threads = count("threads_per_core", NoValue.SHORT);
    if (sockets != null || cores != null || threads != null) {
      JobChange.NodeShape now = before.shape();
      shape.shape(
          new JobChange.NodeShape(
              sockets == null && now != null ? now.sockets() : sockets,
              cores == null && now != null ? now.cores() : cores,
              threads == null && now != null ? now.threads() : threads));
    }
  }

  private void kept() throws UnusableFieldException {
    keep(text("burst_buffer"), kept::burstBuffer);
    keep(text("cluster_features"), kept::clusterFeatures);
    keep(text("extra"), kept::extra);
    keep(text("mcs_label"), kept::mcsLabel);
    keep(text("network"), kept::network);
    keep(text("tres_bind"), kept::tresBind);
    keep(
        text("tres_freq"),
        text ->
            kept.gpuFrequency(text.startsWith("gpu:") ? text.substring("gpu:".length()) : text));
    keep(
        number("delay_boot", 0, NoValue.INT),
        boot -> kept.delayBoot(Duration.ofSeconds(boot == NoValue.INT ? 0 : boot)));
  }

  private <T> void keep(@Nullable T value, Consumer<T> setter) {
    set(value, setter);
    keeps |= value != null;
  }

  private void paths() throws UnusableFieldException {
    set(text("std_in"), output::standardInput);
    set(text("std_out"), output::standardOutput);
    set(text("std_err"), output::standardError);
    String directory = text("work_dir");
    if (directory != null && !directory.startsWith("/")) {
      throw new UnusableFieldException("work_dir", directory);
    }
    set(directory, output::workDirectory);
  }
}
