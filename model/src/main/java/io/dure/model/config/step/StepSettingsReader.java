package io.dure.model.config.step;

import io.dure.model.config.preempt.PreemptSettingsReader.Problem;
import io.dure.model.config.step.StepSettings.MemoryLock;
import io.dure.model.config.step.StepSettings.MemoryWatch;
import io.dure.model.step.MpiInterface;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Reads what slurm.conf says of steps. Used once. */
public final class StepSettingsReader {
  private static final String AUTO_BIND = "autobind=";
  private static final List<String> GOVERNORS =
      List.of("conservative", "ondemand", "performance", "powersave", "schedutil", "userspace");
  private static final List<String> FREQUENCIES = List.of("low", "medium", "high", "highm1");
  private static final List<String> SOURCES = List.of("task", "energy", "filesystem", "network");
  private static final int LONGEST_SAMPLING = 65_533;

  private final UnaryOperator<String> texts;
  private final List<Problem> problems = new ArrayList<>();

  /**
   * A reader.
   *
   * @param texts the value of each key, or its default
   */
  public StepSettingsReader(UnaryOperator<String> texts) {
    this.texts = texts;
  }

  /** What was wrong. */
  public List<Problem> problems() {
    return List.copyOf(problems);
  }

  /**
   * The settings but those of {@code srun}.
   *
   * @param priority 0, 1 or 2
   * @param epilogMicros microseconds of {@code EpilogMsgTime}
   * @param treeWidth of {@code TreeWidth}, 0 for the usual one
   * @param mostSteps of {@code MaxStepCount}
   */
  public StepSettings read(int priority, long epilogMicros, int treeWidth, int mostSteps) {
    List<String> launch =
        words(
            "LaunchParameters",
            List.of(
                "batch_step_set_cpu_freq",
                "disable_send_gids",
                "slurmstepd_memlock",
                "slurmstepd_memlock_all",
                "use_interactive_step"),
            List.of(
                "cray_net_exclusive",
                "enable_nss_slurm",
                "lustre_no_flush",
                "mem_sort",
                "mpir_use_nodeaddr",
                "send_gids",
                "test_exec",
                "ulimit_pam_adopt"));
    List<String> tasks =
        words(
            "TaskPluginParam",
            List.of(
                "autobind=cores",
                "autobind=none",
                "autobind=sockets",
                "autobind=threads",
                "oomkillstep",
                "slurmdoffspec",
                "none"),
            List.of("boards", "cores", "slurmdspecoverride", "sockets", "threads", "verbose"));
    checkProfileType();
    return new StepSettings(
        switch (priority) {
          case 0 -> StepSettings.Priority.OF_DAEMON;
          case 1 -> StepSettings.Priority.OF_SUBMITTER;
          default -> StepSettings.Priority.ABOVE_DAEMON;
        },
        memoryLock(launch),
        tasks.contains("oomkillstep"),
        tasks.contains("slurmdoffspec"),
        frequency(),
        governors(),
        launch.contains("batch_step_set_cpu_freq"),
        memory(),
        Duration.ofNanos(epilogMicros * 1_000),
        mpiDefault(),
        autoBind(tasks),
        treeWidth,
        false,
        null,
        null,
        CgroupSettings.USUAL,
        launch.contains("use_interactive_step") ? text("InteractiveStepOptions") : null,
        list("PrologFlags").contains("contain") || list("PrologFlags").contains("x11"),
        null,
        mostSteps,
        displays(),
        SrunDefaults.USUAL);
  }

  private static MemoryLock memoryLock(List<String> launch) {
    return launch.contains("slurmstepd_memlock_all")
        ? MemoryLock.ALL
        : launch.contains("slurmstepd_memlock") ? MemoryLock.PRESENT : MemoryLock.NONE;
  }

  private StepSettings.@Nullable Displays displays() {
    List<String> words = words("X11Parameters", List.of("home_xauthority"), List.of());
    return list("PrologFlags").contains("x11")
        ? new StepSettings.Displays(words.contains("home_xauthority"))
        : null;
  }

  private String text(String key) {
    String text = texts.apply(key);
    return text.startsWith("(null") ? "" : text;
  }

  private List<String> list(String key) {
    List<String> words = new ArrayList<>();
    for (String word : text(key).split("[,;]", -1)) {
      if (!word.isBlank()) {
        words.add(word.strip().toLowerCase(Locale.ROOT));
      }
    }
    return words;
  }

  private void wrong(String key, String message, @Nullable String remedy) {
    problems.add(new Problem(key, message, remedy));
  }

  /**
   * The words of a key: those in force, those of which nothing comes, and others, which are wrong.
   */
  private List<String> words(String key, List<String> known, List<String> silent) {
    List<String> words = list(key);
    for (String word : words) {
      if (silent.contains(word)) {
        wrong(key, word + ": read, and not acted on", null);
      } else if (!known.contains(word)) {
        wrong(key, "there is no " + word, "Write some of " + String.join(", ", known));
      }
    }
    return words;
  }

  private @Nullable String frequency() {
    String text = text("CpuFreqDef").toLowerCase(Locale.ROOT);
    if (text.isEmpty() || text.equals("unknown")) {
      return null;
    }
    boolean number = text.chars().allMatch(Character::isDigit);
    if (!number && !GOVERNORS.contains(text) && !FREQUENCIES.contains(text)) {
      String remedy = "Write kHz, low, medium, high, highm1 or a governor";
      wrong("CpuFreqDef", "value (" + text + ") is no frequency", remedy);
      return null;
    }
    return text;
  }

  private List<String> governors() {
    List<String> governors = list("CpuFreqGovernors");
    for (String governor : governors) {
      if (!GOVERNORS.contains(governor)) {
        String remedy = "Write some of " + String.join(", ", GOVERNORS);
        wrong("CpuFreqGovernors", "there is no governor " + governor, remedy);
      }
    }
    return governors;
  }

  /** What the words bind to; the last of several. */
  private static String autoBind(List<String> words) {
    String type = "";
    for (String word : words) {
      if (word.startsWith(AUTO_BIND)) {
        String named = word.substring(AUTO_BIND.length());
        type = named.equals("none") ? "" : named;
      }
    }
    return type;
  }

  private void checkProfileType() {
    String key = "AcctGatherProfileType";
    String type = text(key).toLowerCase(Locale.ROOT);
    switch (type.substring(type.indexOf('/') + 1)) {
      case "", "none", "hdf5" -> {}
      case "influxdb" -> wrong(key, type + ": read, and not acted on", null);
      default -> {
        String remedy = "Write acct_gather_profile/hdf5 or acct_gather_profile/none";
        wrong(key, "there is no " + type, remedy);
      }
    }
  }

  private MpiInterface mpiDefault() {
    String text = text("MpiDefault").toLowerCase(Locale.ROOT);
    MpiInterface known = text.isEmpty() ? MpiInterface.NONE : MpiInterface.ofName(text);
    if (known == null) {
      wrong("MpiDefault", "there is no " + text, "Write none, pmi2 or pmix");
      return MpiInterface.NONE;
    }
    return known;
  }

  private MemoryWatch memory() {
    String type = text("JobAcctGatherType").toLowerCase(Locale.ROOT);
    StepSettings.Source source =
        switch (type.substring(type.indexOf('/') + 1)) {
          case "", "none" -> null;
          case "linux" -> StepSettings.Source.PROCESSES;
          case "cgroup" -> StepSettings.Source.CGROUP;
          default -> {
            String remedy =
                "Write jobacct_gather/cgroup, jobacct_gather/linux or jobacct_gather/none";
            wrong("JobAcctGatherType", "there is no " + type, remedy);
            yield null;
          }
        };
    List<String> words =
        words(
            "JobAcctGatherParams",
            List.of("noshared", "overmemorykill", "usepss"),
            List.of("disablegpuacct", "nooverheadmemory"));
    StepSettings.Measure measure =
        words.contains("usepss")
            ? StepSettings.Measure.PROPORTIONAL
            : words.contains("noshared")
                ? StepSettings.Measure.WITHOUT_SHARED
                : StepSettings.Measure.RESIDENT;
    return new MemoryWatch(source, sampling(), measure, words.contains("overmemorykill"));
  }

  /** {@code 30} or {@code task=30,energy=60}. */
  private Duration sampling() {
    String key = "JobAcctGatherFrequency";
    int seconds = 30;
    for (String word : list(key)) {
      int equals = word.indexOf('=');
      String source = equals < 0 ? "task" : word.substring(0, equals);
      Integer every = seconds(word.substring(equals + 1));
      if (every == null || !SOURCES.contains(source)) {
        wrong(key, "value (" + word + ") is no interval", "Write such as 30, or task=30");
      } else if (source.equals("task")) {
        seconds = every;
      } else {
        wrong(key, word + ": read, and not acted on", null);
      }
    }
    return Duration.ofSeconds(seconds);
  }

  private static @Nullable Integer seconds(String text) {
    try {
      int number = Integer.parseInt(text);
      return number < 0 || number > LONGEST_SAMPLING ? null : (Integer) number;
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
