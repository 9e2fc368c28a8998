package io.dure.surface.sbatch;

import io.dure.model.ErrorCode;
import io.dure.model.gres.LicenseRequest;
import io.dure.model.request.OpenMode;
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
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Refuses what an option cannot take, at the place where it was written. */
public final class SbatchOptionCheck implements SbatchSettings.Check {

  private final WallClock clock;
  private final String refused;

  /** For {@code sbatch}. */
  public SbatchOptionCheck(WallClock clock) {
    this(clock, "Batch job submission failed: ");
  }

  /**
   * For a command of the same options.
   *
   * @param refused how it begins to say that it gets no job
   */
  public SbatchOptionCheck(WallClock clock, String refused) {
    this.clock = clock;
    this.refused = refused;
  }

  @Override
  public void check(SbatchOption option, String name, @Nullable String value)
      throws CommandException {
    String text = value == null ? "" : value;
    switch (option.argument()) {
      case NONE -> {}
      case OPTIONAL -> checkOptional(option, value);
      case REQUIRED -> {
        checkNumber(option, text);
        checkTime(option, text);
        checkWord(option, text);
        checkLater(option, text);
        StepOptions.check(option, text);
      }
    }
    if (option.isAbsent()) {
      throw CommandException.absent(name, refused);
    }
  }

  private static CommandException invalid(SbatchOption option) {
    return CommandException.error("Invalid --" + option.longName() + " specification");
  }

  private static void require(boolean valid, SbatchOption option) throws CommandException {
    if (!valid) {
      throw invalid(option);
    }
  }

  private static void checkNumber(SbatchOption option, String text) throws CommandException {
    switch (option) {
      case CPUS_PER_TASK,
          MINCPUS,
          NTASKS,
          NTASKS_PER_NODE,
          NTASKS_PER_CORE,
          NTASKS_PER_SOCKET,
          NTASKS_PER_GPU,
          CPUS_PER_GPU,
          SOCKETS_PER_NODE,
          CORES_PER_SOCKET,
          THREADS_PER_CORE,
          SEGMENT ->
          NumberParser.positive("--" + option.longName(), text);
      case SWITCHES -> NodePreferenceOptions.switches(text);
      case NODES -> NodeCountRange.parse(text);
      case MEM, MEM_PER_CPU, MEM_PER_GPU, TMP ->
          require(MemorySizeParser.parseMib(text) != null, option);
      case EXTRA_NODE_INFO -> ExtraNodeInfoOption.parse(text);
      case PRIORITY -> PriorityOption.check(text);
      default -> {}
    }
  }

  private void checkTime(SbatchOption option, String text) throws CommandException {
    switch (option) {
      case BEGIN, DEADLINE -> {
        try {
          DateTimeParser.parse(text, clock, DateTimeParser.PastOrFuture.FUTURE);
        } catch (CommandException e) {
          throw e.and(StderrMessage.error("Invalid --" + option.longName() + " specification"));
        }
      }
      case TIME, TIME_MIN, DELAY_BOOT -> require(TimeLimitParser.parse(text) != null, option);
      case SIGNAL -> {
        require(SignalParser.parseRequest(text) != null, option);
        if (SignalParser.asksForReservation(text)) {
          throw CommandException.notSupported("--signal=R:");
        }
      }
      default -> {}
    }
  }

  private static void checkWord(SbatchOption option, String text) throws CommandException {
    switch (option) {
      case DEPENDENCY -> {
        if (DependencyParser.parse(text) == null) {
          throw CommandException.error("Batch job submission failed: Job dependency problem");
        }
      }
      case GRES, GPUS, GPUS_PER_NODE, GPUS_PER_SOCKET, GPUS_PER_TASK ->
          GresOptions.read(option, text);
      case TRES_PER_TASK -> TresPerTaskOption.read(text);
      case LICENSES -> {
        if (!new LicenseRequest(text).isReadable()) {
          throw CommandException.error(
              "Batch job submission failed: " + ErrorCode.INVALID_LICENSES.text());
        }
      }
      case MAIL_TYPE -> require(KeywordParser.mailTypes(text) != null, option);
      case OPEN_MODE -> {
        if (openMode(text) == OpenMode.DEFAULT) {
          throw invalid(option).withExitCode(255);
        }
      }
      case KILL_ON_INVALID_DEP ->
          require(text.equalsIgnoreCase("yes") || text.equalsIgnoreCase("no"), option);
      default -> {}
    }
  }

  /** Options whose arguments are checked although their effect is still to come. */
  private static void checkLater(SbatchOption option, String text) throws CommandException {
    switch (option) {
      case DISTRIBUTION -> require(KeywordParser.isDistribution(text), option);
      case GRES_FLAGS -> require(LayoutOptions.binding(text) != null, option);
      case GPU_BIND -> StepOptions.checkGpuBind(text);
      case MEM_BIND -> {
        if (!LayoutOptions.isMemoryBind(text)) {
          throw CommandException.error("unrecognized --mem-bind argument \"" + text + "\"");
        }
      }
      case WAIT_ALL_NODES -> {
        NumberParser.notNegative("--wait-all-nodes", text);
        require(text.equals("0") || text.equals("1"), option);
      }
      case CORE_SPEC, THREAD_SPEC -> NumberParser.notNegative("--" + option.longName(), text);
      case HINT -> {
        if (!KeywordParser.isHint(text)) {
          throw CommandException.error(
              "unrecognized --hint argument \"" + text + "\", see --hint=help");
        }
      }
      case CPU_FREQ -> {
        if (!KeywordParser.isCpuFrequency(text)) {
          throw CommandException.error("unrecognized --cpu-freq argument \"" + text + "\"")
              .and(StderrMessage.error("Invalid --cpu-freq argument"));
        }
      }
      default -> {}
    }
  }

  private void checkOptional(SbatchOption option, @Nullable String value) throws CommandException {
    if (value == null) {
      return;
    }
    switch (option) {
      case EXCLUSIVE -> {
        if (value.equalsIgnoreCase("topo")) {
          throw CommandException.absent("--exclusive=" + value, refused);
        }
        String way = value.toLowerCase(Locale.ROOT);
        require(List.of("user", "mcs", "oversubscribe").contains(way), option);
      }
      case GET_USER_ENV -> require(isLogin(value), option);
      case NO_KILL -> require(StepOptions.isOff(value) || value.equalsIgnoreCase("set"), option);
      case OOM_KILL_STEP -> require(value.equals("0") || value.equals("1"), option);
      case RESV_PORTS -> NumberParser.notNegative("--resv-ports", value);
      case PROPAGATE -> {
        String unknown = KeywordParser.unknownLimit(value);
        if (unknown != null) {
          throw CommandException.error("Bad rlimit name: " + unknown)
              .and(StderrMessage.error("--propagate=" + value + " is not valid."));
        }
      }
      case REQUEUE -> require(value.equalsIgnoreCase("expedite"), option);
      default -> {}
    }
  }

  /**
   * A time to wait for the login in seconds, a way to log in (S or L), or both, as clients of older
   * releases write it. The login is always that of {@code su -}, and the job waits for it.
   */
  private static boolean isLogin(String text) {
    return text.matches(" *[0-9]*[sSlL]?");
  }

  /** The mode, or {@link OpenMode#DEFAULT} if the text names none. */
  public static OpenMode openMode(String text) {
    if (text.equalsIgnoreCase("a") || text.equalsIgnoreCase("append")) {
      return OpenMode.APPEND;
    }
    if (text.equalsIgnoreCase("t") || text.equalsIgnoreCase("truncate")) {
      return OpenMode.TRUNCATE;
    }
    return OpenMode.DEFAULT;
  }
}
