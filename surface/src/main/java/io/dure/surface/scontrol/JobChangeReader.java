package io.dure.surface.scontrol;

import io.dure.model.command.JobChange;
import io.dure.model.command.JobChangeBuilder;
import io.dure.model.command.JobChangeOutputChangeBuilder;
import io.dure.model.command.JobChangeResourceChangeBuilder;
import io.dure.model.gres.GresCount;
import io.dure.model.gres.GresRequest;
import io.dure.model.gres.LicenseRequest;
import io.dure.model.request.DependencyList;
import io.dure.model.request.KeptOptions;
import io.dure.model.request.KeptOptionsBuilder;
import io.dure.model.request.MemoryRequest;
import io.dure.model.request.OversubscribeMode;
import io.dure.model.request.RequeuePolicy;
import io.dure.model.request.TimeLimit;
import io.dure.surface.message.CommandException;
import io.dure.surface.value.DateTimeParser;
import io.dure.surface.value.DependencyParser;
import io.dure.surface.value.KeywordParser;
import io.dure.surface.value.MemorySizeParser;
import io.dure.surface.value.NodeCountRange;
import io.dure.surface.value.NumberParser;
import io.dure.surface.value.TimeLimitParser;
import io.dure.surface.value.WallClock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Collects the changes of a job, checking each value. */
final class JobChangeReader {

  private static final long MOST = 0xffff_fffdL;
  private static final long DEFAULT_NICE = 100;

  private final WallClock clock;
  private final JobChangeBuilder change = JobChange.NONE.with();
  private final JobChangeResourceChangeBuilder shape = JobChange.ResourceChange.NONE.with();
  private final JobChangeOutputChangeBuilder output = JobChange.OutputChange.NONE.with();
  private @Nullable String comment;
  private final KeptOptionsBuilder kept = KeptOptions.NONE.with();
  private @Nullable GresRequest gres;
  private @Nullable String prefer;
  private @Nullable Integer switches;
  private @Nullable Duration switchWait;
  private @Nullable Integer sockets;
  private @Nullable Integer cores;
  private @Nullable Integer threads;

  JobChangeReader(WallClock clock) {
    this.clock = clock;
  }

  void set(JobUpdateKey key, KeyValue setting) throws CommandException {
    String text = setting.text();
    switch (key) {
      case ACCOUNT -> change.account(text);
      case ARRAY_THROTTLE -> change.arrayThrottle((int) number(key, setting, 0, Integer.MAX_VALUE));
      case COMMENT ->
          comment = setting.operator() == '+' && comment != null ? comment + "," + text : text;
      case DEADLINE ->
          change.deadline(DateTimeParser.parse(text, clock, DateTimeParser.PastOrFuture.FUTURE));
      case DEPENDENCY -> change.dependency(dependency(setting));
      case END_TIME ->
          change.endTime(DateTimeParser.parse(text, clock, DateTimeParser.PastOrFuture.FUTURE));
      case MAIL_TYPE -> change.mailType(mailTypes(key, setting));
      case MAIL_USER -> change.mailUser(text);
      case NAME -> change.name(text);
      case NICE -> change.nice(setting.value() == null ? DEFAULT_NICE : NumberParser.leading(text));
      case PARTITION -> change.partitions(List.copyOf(KeywordParser.list(text)));
      case PRIORITY -> change.priority(number(key, setting, 0, MOST));
      case QOS -> change.qos(text);
      case SITE_FACTOR -> change.siteFactor(NumberParser.leading(text));
      case RESERVATION -> change.reservations(List.copyOf(KeywordParser.list(text)));
      case REQUEUE -> change.requeue(flag(key, setting) ? RequeuePolicy.YES : RequeuePolicy.NO);
      case START_TIME ->
          change.beginTime(DateTimeParser.parse(text, clock, DateTimeParser.PastOrFuture.FUTURE));
      case STANDARD_ERROR -> output.standardError(text);
      case STANDARD_INPUT -> output.standardInput(text);
      case STANDARD_OUTPUT -> output.standardOutput(text);
      case TIME_LIMIT -> timeLimit(setting);
      case WCKEY -> change.wckey(text);
      case WORK_DIRECTORY -> output.workDirectory(directory(key, setting));
      case CONTIGUOUS,
          CPUS,
          CPUS_PER_TASK,
          EXCLUDED_NODES,
          FEATURES,
          MIN_CPUS,
          MIN_MEMORY_CPU,
          MIN_MEMORY_NODE,
          MIN_TMP_DISK,
          NODES,
          REQUIRED_NODES,
          SHARING,
          TASKS,
          TASKS_PER_NODE ->
          setShape(key, setting);
      case LICENSES -> shape.licenses(licenses(key, setting));
      case CORES, PREFER, SOCKETS, SWITCHES, SWITCH_WAIT, THREADS -> setReach(key, setting);
      case CPUS_PER_TRES,
          GRES,
          MEM_PER_TRES,
          TRES_PER_JOB,
          TRES_PER_NODE,
          TRES_PER_SOCKET,
          TRES_PER_TASK ->
          setGres(key, setting);
      default -> setRare(key, setting);
    }
  }

  private void setShape(JobUpdateKey key, KeyValue setting) throws CommandException {
    switch (key) {
      case CONTIGUOUS -> shape.contiguous(flag(key, setting));
      case CPUS -> shape.cpus(leastCpus(key, setting));
      case CPUS_PER_TASK -> shape.cpusPerTask(count(key, setting));
      case EXCLUDED_NODES -> shape.excludedNodes(nodes(setting));
      case FEATURES -> shape.features(setting.text());
      case MIN_CPUS -> shape.minCpusPerNode(count(key, setting));
      case MIN_MEMORY_CPU -> shape.memory(new MemoryRequest.PerCpu(memory(key, setting)));
      case MIN_MEMORY_NODE -> shape.memory(new MemoryRequest.PerNode(memory(key, setting)));
      case MIN_TMP_DISK -> shape.tmpDiskMib(memory(key, setting));
      case NODES -> {
        NodeCountRange count = nodeCount(setting.text());
        shape.minNodes(count.min());
        shape.maxNodes(count.max());
      }
      case REQUIRED_NODES -> shape.requiredNodes(nodes(setting));
      case SHARING -> shape.sharing(sharing(key, setting));
      case TASKS -> shape.tasks(count(key, setting));
      case TASKS_PER_NODE -> shape.tasksPerNode(count(key, setting));
      default -> throw new IllegalArgumentException(key.name());
    }
  }

  private void setRare(JobUpdateKey key, KeyValue setting) throws CommandException {
    switch (key) {
      case ADMIN_COMMENT -> change.adminComment(setting.text());
      case REBOOT -> change.reboot(flag(key, setting));
      case RESET_AGE -> change.resetAge(true);
      case TIME_MIN -> change.timeMin(time(key, setting));
      case BURST_BUFFER,
          CLUSTER_FEATURES,
          DELAY_BOOT,
          EXTRA,
          MCS_LABEL,
          TRES_BIND,
          TRES_FREQUENCY ->
          keep(key, setting);
      default -> throw UpdateErrors.unknown(setting.word());
    }
  }

  private void keep(JobUpdateKey key, KeyValue setting) throws CommandException {
    String text = setting.text();
    switch (key) {
      case BURST_BUFFER -> kept.burstBuffer(text);
      case CLUSTER_FEATURES -> kept.clusterFeatures(text);
      case DELAY_BOOT -> kept.delayBoot(time(key, setting));
      case EXTRA -> kept.extra(text);
      case TRES_BIND -> kept.tresBind(text);
      case TRES_FREQUENCY ->
          kept.gpuFrequency(text.startsWith("gpu:") ? text.substring("gpu:".length()) : text);
      default -> kept.mcsLabel(text);
    }
    shape.kept(kept.build());
  }

  private void setReach(JobUpdateKey key, KeyValue setting) throws CommandException {
    switch (key) {
      case PREFER -> prefer = setting.text();
      case SWITCHES -> {
        int at = setting.text().indexOf('@');
        String number = at < 0 ? setting.text() : setting.text().substring(0, at);
        switches = number.equals("0") ? 0 : (int) number(key, number, setting);
        switchWait = at < 0 ? null : time(key, setting.text().substring(at + 1), setting);
      }
      case SWITCH_WAIT -> switchWait = time(key, setting);
      case SOCKETS -> sockets = count(key, setting);
      case CORES -> cores = count(key, setting);
      default -> threads = count(key, setting);
    }
    if (prefer != null || switches != null) {
      shape.reach(new JobChange.Reach(prefer, switches, switchWait));
    } else if (switchWait != null) {
      throw UpdateErrors.value(key.title(), setting.text());
    }
    if (sockets != null || cores != null || threads != null) {
      shape.shape(new JobChange.NodeShape(sockets, cores, threads));
    }
  }

  private static Duration time(JobUpdateKey key, KeyValue setting) throws CommandException {
    return time(key, setting.text(), setting);
  }

  private static Duration time(JobUpdateKey key, String text, KeyValue setting)
      throws CommandException {
    Duration time = TimeLimitParser.parseDuration(text);
    if (time == null) {
      throw UpdateErrors.value(key.title(), setting.text());
    }
    return time;
  }

  private void setGres(JobUpdateKey key, KeyValue setting) throws CommandException {
    List<GresCount> counts = setting.text().isEmpty() ? List.of() : GresCount.list(setting.text());
    if (counts == null) {
      throw UpdateErrors.value(key.title(), setting.text());
    }
    GresRequest before = gres == null ? GresRequest.NONE : gres;
    long perGpu = GresRequest.gpus(counts);
    switch (key) {
      case CPUS_PER_TRES -> gres = before.withCpusPerGpu((int) positive(key, setting, perGpu));
      case MEM_PER_TRES -> shape.memory(new MemoryRequest.PerGpu(positive(key, setting, perGpu)));
      case TRES_PER_JOB -> gres = before.withPerJob(counts);
      case TRES_PER_SOCKET -> gres = before.withPerSocket(counts);
      case TRES_PER_TASK -> gres = before.withPerTask(counts);
      default -> gres = before.withPerNode(counts);
    }
  }

  /** So much of {@code gpu:N}. */
  private static long positive(JobUpdateKey key, KeyValue setting, long count)
      throws CommandException {
    if (count < 1 || count > Integer.MAX_VALUE) {
      throw UpdateErrors.value(key.title(), setting.text());
    }
    return count;
  }

  private void timeLimit(KeyValue setting) throws CommandException {
    String text = setting.text();
    char sign = setting.operator();
    if (sign == '\0' && (text.startsWith("+") || text.startsWith("-")) && !text.equals("-1")) {
      sign = text.charAt(0);
      text = text.substring(1);
    }
    TimeLimit limit = TimeLimitParser.parse(text);
    if (limit == null) {
      throw CommandException.error("Invalid TimeLimit value");
    }
    if (sign == '\0') {
      change.timeLimit(limit);
      return;
    }
    if (!(limit instanceof TimeLimit.Limited limited)) {
      throw CommandException.error("Invalid TimeLimit value");
    }
    long minutes = limited.duration().toMinutes();
    change.timeLimitDelta(sign == '+' ? minutes : -minutes);
  }

  private static DependencyList dependency(KeyValue setting) throws CommandException {
    if (setting.text().isEmpty()) {
      return DependencyList.NONE;
    }
    DependencyList list = DependencyParser.parse(setting.text());
    if (list == null) {
      throw UpdateErrors.input(setting.word());
    }
    return list;
  }

  /** None is for the controller to refuse. */
  private static NodeCountRange nodeCount(String text) throws CommandException {
    if (text.equals("0")) {
      return new NodeCountRange(0, 0);
    }
    if (text.isEmpty() || !Character.isDigit(text.charAt(0))) {
      throw CommandException.error(
          "Invalid numeric value \"" + text + "\" for requested node count.");
    }
    return NodeCountRange.parse(text);
  }

  private static List<String> nodes(KeyValue setting) throws CommandException {
    return setting.text().isEmpty() ? List.of() : setting.hosts();
  }

  private static OversubscribeMode sharing(JobUpdateKey key, KeyValue setting)
      throws CommandException {
    return switch (setting.text().toLowerCase(Locale.ROOT)) {
      case "yes", "1" -> OversubscribeMode.OVERSUBSCRIBE;
      case "no", "0" -> OversubscribeMode.EXCLUSIVE;
      case "ok" -> OversubscribeMode.DEFAULT;
      default -> throw UpdateErrors.value(key.title(), setting.text());
    };
  }

  private static boolean flag(JobUpdateKey key, KeyValue setting) throws CommandException {
    return switch (setting.text().toLowerCase(Locale.ROOT)) {
      case "yes", "1" -> true;
      case "no", "0" -> false;
      default -> throw UpdateErrors.value(key.title(), setting.text());
    };
  }

  private static long memory(JobUpdateKey key, KeyValue setting) throws CommandException {
    Long mib = MemorySizeParser.parseMib(setting.text());
    if (mib == null) {
      throw UpdateErrors.value(key.title(), setting.text());
    }
    return mib;
  }

  private static String licenses(JobUpdateKey key, KeyValue setting) throws CommandException {
    if (!setting.text().isEmpty() && !new LicenseRequest(setting.text()).isReadable()) {
      throw UpdateErrors.value(key.title(), setting.text());
    }
    return setting.text();
  }

  private static String mailTypes(JobUpdateKey key, KeyValue setting) throws CommandException {
    String types = setting.text().isEmpty() ? "" : KeywordParser.mailTypes(setting.text());
    if (types == null) {
      throw UpdateErrors.value(key.title(), setting.text());
    }
    return types;
  }

  private static String directory(JobUpdateKey key, KeyValue setting) throws CommandException {
    if (!setting.text().startsWith("/")) {
      throw UpdateErrors.value(key.title(), setting.text());
    }
    return setting.text();
  }

  /** {@code 4} or {@code 4-8}: more than the least is never given. */
  private static int leastCpus(JobUpdateKey key, KeyValue setting) throws CommandException {
    String text = setting.text();
    int dash = text.indexOf('-', 1);
    int least = (int) number(key, dash < 0 ? text : text.substring(0, dash), setting);
    if (dash > 0 && number(key, text.substring(dash + 1), setting) < least) {
      throw UpdateErrors.value(key.title(), text);
    }
    return least;
  }

  private static long number(JobUpdateKey key, String digits, KeyValue setting)
      throws CommandException {
    if (NumberParser.leading(digits) < 1 || NumberParser.leading(digits) > Integer.MAX_VALUE) {
      throw UpdateErrors.value(key.title(), setting.text());
    }
    return NumberParser.leading(digits);
  }

  private static int count(JobUpdateKey key, KeyValue setting) throws CommandException {
    return (int) number(key, setting, 1, Integer.MAX_VALUE);
  }

  private static long number(JobUpdateKey key, KeyValue setting, long least, long most)
      throws CommandException {
    try {
      long value = Long.parseLong(setting.text());
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw UpdateErrors.value(key.title(), setting.text());
  }

  JobChange build() {
    return change.comment(comment).shape(shape.gres(gres).build()).output(output.build()).build();
  }
}
