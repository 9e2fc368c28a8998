package io.dure.surface.sbatch;

import io.dure.model.gres.LicenseRequest;
import io.dure.model.request.ArrayRequest;
import io.dure.model.request.DependencyList;
import io.dure.model.request.JobSpec;
import io.dure.model.request.MemoryRequest;
import io.dure.model.request.OversubscribeMode;
import io.dure.model.request.RequeuePolicy;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.SignalRequest;
import io.dure.model.request.TimeLimit;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.value.DateTimeParser;
import io.dure.surface.value.DependencyParser;
import io.dure.surface.value.KeywordParser;
import io.dure.surface.value.MemorySizeParser;
import io.dure.surface.value.NodeCountRange;
import io.dure.surface.value.NumberParser;
import io.dure.surface.value.SignalParser;
import io.dure.surface.value.TimeLimitParser;
import io.dure.surface.value.WallClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Works out what is asked for from the options in force, whose arguments were checked when they
 * were set. For one thread and one submission.
 */
public final class JobSpecBuilder {

  private static final long DEFAULT_NICE = 100;
  private static final long MAX_NICE = 0x7fff_fffdL;

  private final SbatchSettings settings;
  private final WallClock clock;
  private final NodeListOptions nodes;
  private final List<StderrMessage> warnings = new ArrayList<>();

  public JobSpecBuilder(SbatchSettings settings, WallClock clock, NodeListOptions nodes) {
    this.settings = settings;
    this.clock = clock;
    this.nodes = nodes;
  }

  /** What the user should know of the choices made. */
  public List<StderrMessage> warnings() {
    return warnings;
  }

  /** The request; a job without {@code --job-name} is named after its script. */
  public JobSpec spec(String scriptName) throws CommandException {
    String partitions = settings.value(SbatchOption.PARTITION);
    String time = settings.value(SbatchOption.TIME);
    TimeLimit limit = time == null ? null : TimeLimitParser.parse(time);
    String signal = settings.value(SbatchOption.SIGNAL);
    SignalRequest request = signal == null ? null : SignalParser.parseRequest(signal);
    String invalid = settings.value(SbatchOption.KILL_ON_INVALID_DEP);
    String mail = settings.value(SbatchOption.MAIL_TYPE);
    return new JobSpec(
            settings.valueOr(SbatchOption.JOB_NAME, scriptName),
            partitions == null ? List.of() : List.copyOf(KeywordParser.list(partitions)),
            settings.value(SbatchOption.ACCOUNT),
            settings.value(SbatchOption.QOS),
            settings.value(SbatchOption.COMMENT),
            resources(),
            limit == null ? new TimeLimit.PartitionDefault() : limit,
            timeMin(),
            moment(SbatchOption.BEGIN),
            moment(SbatchOption.DEADLINE),
            dependency(),
            ArrayRequest.of(settings.value(SbatchOption.ARRAY)),
            request,
            requeue(),
            priority(),
            nice(),
            invalid == null ? null : Boolean.valueOf(invalid.equalsIgnoreCase("yes")),
            mail == null ? null : KeywordParser.mailTypes(mail),
            settings.value(SbatchOption.MAIL_USER),
            settings.names(),
            0,
            List.of(),
            settings.value(SbatchOption.WCKEY),
            null,
            StepOptions.survivesNodes(settings))
        .withReservations(reservations());
  }

  private List<String> reservations() {
    String text = settings.value(SbatchOption.RESERVATION);
    return text == null ? List.of() : List.copyOf(KeywordParser.list(text));
  }

  private @Nullable Duration timeMin() {
    String text = settings.value(SbatchOption.TIME_MIN);
    TimeLimit least = text == null ? null : TimeLimitParser.parse(text);
    return least instanceof TimeLimit.Limited limited ? limited.duration() : null;
  }

  private @Nullable Instant moment(SbatchOption option) throws CommandException {
    String text = settings.value(option);
    return text == null
        ? null
        : DateTimeParser.parse(text, clock, DateTimeParser.PastOrFuture.FUTURE);
  }

  private DependencyList dependency() {
    String text = settings.value(SbatchOption.DEPENDENCY);
    DependencyList list = text == null ? null : DependencyParser.parse(text);
    return list == null ? DependencyList.NONE : list;
  }

  /** A job held back has priority 0 until it is released. */
  private @Nullable Long priority() {
    if (settings.has(SbatchOption.HOLD)) {
      return 0L;
    }
    String text = settings.value(SbatchOption.PRIORITY);
    return text == null ? null : PriorityOption.parse(text);
  }

  private RequeuePolicy requeue() {
    if (settings.has(SbatchOption.REQUEUE)) {
      return RequeuePolicy.YES;
    }
    return settings.has(SbatchOption.NO_REQUEUE) ? RequeuePolicy.NO : RequeuePolicy.DEFAULT;
  }

  private long nice() throws CommandException {
    if (!settings.has(SbatchOption.NICE)) {
      return 0;
    }
    String text = settings.value(SbatchOption.NICE);
    long nice = text == null ? DEFAULT_NICE : NumberParser.leading(text);
    if (Math.abs(nice) > MAX_NICE) {
      throw CommandException.error("Invalid --nice value, out of range (+/- " + MAX_NICE + ")");
    }
    return nice;
  }

  private ResourceRequest resources() throws CommandException {
    List<String> required = nodes.required(settings);
    List<String> excluded = nodes.excluded(settings);
    Integer perNode = count(SbatchOption.NTASKS_PER_NODE);
    Integer asked = count(SbatchOption.NTASKS);
    String nodesText = settings.value(SbatchOption.NODES);
    NodeCountRange count = nodesText == null ? null : NodeCountRange.parse(nodesText);
    int min = count == null ? Math.max(1, required.size()) : count.min();
    int max = count == null ? 0 : count.max();
    LayoutOptions.checkNodes(settings, required.size(), max);
    int tasks = asked == null ? tasks(min, perNode) : asked;
    if (count != null && tasks < min) {
      warnings.add(
          StderrMessage.warning(
              "can't run "
                  + tasks
                  + " processes on "
                  + min
                  + " nodes, setting nnodes to "
                  + tasks));
      min = tasks;
      max = tasks;
    } else if (count == null) {
      // More nodes than tasks would stand idle.
      max = Math.max(min, tasks);
    }
    Integer minCpus = count(SbatchOption.MINCPUS);
    Integer cpusPerTask = cpusPerTask();
    ExtraNodeInfoOption shape =
        ExtraNodeInfoOption.parse(settings.valueOr(SbatchOption.EXTRA_NODE_INFO, "*"));
    Integer sockets = count(SbatchOption.SOCKETS_PER_NODE);
    Integer cores = count(SbatchOption.CORES_PER_SOCKET);
    Integer threads = count(SbatchOption.THREADS_PER_CORE);
    ResourceRequest request =
        new ResourceRequest(
            min,
            max,
            tasks,
            cpusPerTask == null ? 1 : cpusPerTask,
            perNode,
            minCpus == null ? 1 : minCpus,
            memory(),
            mib(SbatchOption.TMP),
            sharing(),
            required,
            excluded,
            settings.value(SbatchOption.CONSTRAINT),
            settings.has(SbatchOption.CONTIGUOUS),
            settings.has(SbatchOption.OVERCOMMIT),
            sockets == null ? shape.sockets() : sockets,
            cores == null ? shape.cores() : cores,
            threads == null ? hinted(shape.threads()) : threads,
            GresOptions.of(settings),
            further());
    return NodePreferenceOptions.in(GresOptions.settle(request, settings), settings);
  }

  private @Nullable Integer cpusPerTask() throws CommandException {
    Integer asked = count(SbatchOption.CPUS_PER_TASK);
    if (settings.has(SbatchOption.CORE_SPEC) || settings.has(SbatchOption.THREAD_SPEC)) {
      warnings.add(
          StderrMessage.error(
              "Ignoring -S since it's not allowed by configuration (AllowSpecResourcesUsage = No)"));
    }
    Integer more = GresOptions.tresPerTask(settings).cpus();
    if (asked != null && more != null) {
      throw CommandException.fatal(
          "--cpus-per-task is mutually exclusive with --tres-per-task=cpu.");
    }
    if (more != null && settings.has(SbatchOption.CPUS_PER_GPU)) {
      throw CommandException.fatal(
          "--cpus-per-gpu is mutually exclusive with --tres-per-task=cpu.");
    }
    return asked == null ? more : asked;
  }

  /** All hints but one mean one thread of each core. */
  private @Nullable Integer hinted(@Nullable Integer threads) {
    String hint = settings.valueOr(SbatchOption.HINT, "");
    boolean single = !hint.isEmpty() && !hint.equalsIgnoreCase("multithread");
    return single ? Integer.valueOf(1) : threads;
  }

  private ResourceRequest.@Nullable RareOptions further() throws CommandException {
    ResourceRequest.RareOptions further =
        new ResourceRequest.RareOptions(
            count(SbatchOption.NTASKS_PER_CORE),
            count(SbatchOption.NTASKS_PER_SOCKET),
            LicenseRequest.of(settings.value(SbatchOption.LICENSES)),
            null,
            LayoutOptions.of(settings),
            StepOptions.kept(settings),
            settings.value(SbatchOption.BATCH));
    return further.equals(ResourceRequest.RareOptions.NONE) ? null : further;
  }

  private static int tasks(int nodes, @Nullable Integer perNode) throws CommandException {
    long tasks = (long) nodes * (perNode == null ? 1 : perNode);
    if (tasks > Integer.MAX_VALUE) {
      throw CommandException.error(
          "Batch job submission failed: More processors requested than permitted");
    }
    return (int) tasks;
  }

  private @Nullable Integer count(SbatchOption option) throws CommandException {
    String text = settings.value(option);
    return text == null ? null : NumberParser.positive("--" + option.longName(), text);
  }

  private MemoryRequest memory() {
    if (settings.has(SbatchOption.MEM)) {
      return new MemoryRequest.PerNode(mib(SbatchOption.MEM));
    }
    if (settings.has(SbatchOption.MEM_PER_GPU)) {
      return new MemoryRequest.PerGpu(mib(SbatchOption.MEM_PER_GPU));
    }
    if (settings.has(SbatchOption.MEM_PER_CPU)) {
      return new MemoryRequest.PerCpu(mib(SbatchOption.MEM_PER_CPU));
    }
    return new MemoryRequest.Default();
  }

  private long mib(SbatchOption option) {
    Long mib = MemorySizeParser.parseMib(settings.valueOr(option, "0"));
    return mib == null ? 0 : mib;
  }

  private OversubscribeMode sharing() {
    if (settings.has(SbatchOption.EXCLUSIVE)) {
      String way = settings.value(SbatchOption.EXCLUSIVE);
      if (way == null) {
        return OversubscribeMode.EXCLUSIVE;
      }
      return switch (way.toLowerCase(Locale.ROOT)) {
        case "user" -> OversubscribeMode.USER;
        // Without labels of security all jobs have the same one.
        case "mcs" -> OversubscribeMode.DEFAULT;
        default -> OversubscribeMode.OVERSUBSCRIBE;
      };
    }
    return settings.has(SbatchOption.OVERSUBSCRIBE)
        ? OversubscribeMode.OVERSUBSCRIBE
        : OversubscribeMode.DEFAULT;
  }
}
