package io.dure.model.config.slurmconf;

import io.dure.model.accounting.PrioritySettings;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.ClusterSettings.Controller;
import io.dure.model.config.ClusterSettings.Daemon;
import io.dure.model.config.ClusterSettings.EnforcePartLimits;
import io.dure.model.config.ClusterSettings.HealthCheck;
import io.dure.model.config.ClusterSettings.Jobs;
import io.dure.model.config.ClusterSettings.ReturnToService;
import io.dure.model.config.ClusterSettings.Scheduling;
import io.dure.model.config.ClusterSettings.Scripts;
import io.dure.model.config.ClusterSettings.Unit;
import io.dure.model.config.SlurmdParameters;
import io.dure.model.config.backfill.BackfillSettingsReader;
import io.dure.model.config.gres.TresSettings;
import io.dure.model.config.parameters.StoredTextLimits;
import io.dure.model.config.queueorder.PolicySettingsReader;
import io.dure.model.config.slurmconf.DiagnosticCollector.SourceLocation;
import io.dure.model.config.slurmconf.ValueSyntax.Amount;
import io.dure.model.config.slurmconf.ValueSyntax.Ports;
import io.dure.model.config.step.StepFiles;
import io.dure.model.gres.License;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Turns the cluster's own values into typed settings. */
final class SettingsReader {
  private static final List<String> LIMITS =
      List.of("AS", "CORE", "CPU", "DATA", "FSIZE", "MEMLOCK", "NOFILE", "NPROC", "RSS", "STACK");
  private static final int NO_TIMEOUT = 65_534;
  private static final long MOST_WEIGHT = 4_294_967_294L;
  private static final int USUAL_SCRIPT_BYTES = 4 << 20;
  private static final int MOST_SCRIPT_BYTES = 6 << 20;

  private final SectionValues values;
  private final DiagnosticCollector diagnostics;
  private final SourceLocation start;

  SettingsReader(SectionValues values, SourceLocation start) {
    this.values = values;
    this.diagnostics = values.diagnostics();
    this.start = start;
  }

  /**
   * The settings.
   *
   * @param files those beside this one that say how steps run
   */
  ClusterSettings read(StepFiles files) {
    return new ClusterSettings(
        controller(),
        daemon(),
        jobs(),
        scheduling(),
        scripts(),
        priority(),
        resources(),
        values.preemption(start),
        PowerLineReader.ofCluster(values, start),
        ProgramLineReader.read(values, start),
        SiteRuleReader.read(values, start),
        values.steps(start, files));
  }

  private TresSettings resources() {
    return TresSettings.of(values::list, values.gpuDefaults(start), licenses());
  }

  private List<License> licenses() {
    List<License> licenses = License.list(values.text("Licenses"));
    if (licenses == null) {
      String remedy = "Write matlab:10,ansys:2";
      diagnostics.error(at("Licenses"), "Licenses", "value is not NAME:COUNT,...", remedy);
    }
    return licenses == null ? List.of() : licenses;
  }

  private SourceLocation at(String name) {
    return values.place(name, start);
  }

  private Controller controller() {
    Ports ports =
        Objects.requireNonNullElse(
            ValueSyntax.ports(values.text("SlurmctldPort")), new Ports(6817, 1));
    ControllerLineReader line = new ControllerLineReader(values, start);
    return new Controller(
        clusterName(),
        line.hosts(),
        values.text("SlurmctldAddr"),
        ports.first(),
        ports.count(),
        values.text("SlurmUser"),
        values.text("StateSaveLocation"),
        values.text("SlurmctldPidFile"),
        values.text("SlurmctldLogFile"),
        values.level("SlurmctldDebug"),
        values.finiteSeconds("MessageTimeout"),
        Objects.requireNonNullElse(values.seconds("SlurmdTimeout"), Duration.ZERO),
        returnToService(),
        line.privateData(),
        line.logTimeFormat(),
        ownAddressOnly(),
        line.accountingStorage(),
        line.storeFlags());
  }

  private boolean ownAddressOnly() {
    Map<String, String> parameters = parameters("CommunicationParameters");
    List<String> understood = List.of("noinaddrany", "noctldinaddrany");
    reportIgnored("CommunicationParameters", parameters, understood);
    return understood.stream().anyMatch(parameters::containsKey);
  }

  private ReturnToService returnToService() {
    return switch (values.integer("ReturnToService", 0, 2)) {
      case 0 -> ReturnToService.NEVER;
      case 1 -> ReturnToService.AFTER_SILENCE;
      default -> ReturnToService.ALWAYS;
    };
  }

  private String clusterName() {
    String name = values.lower("ClusterName");
    if (name.isEmpty()) {
      String remedy = "Write ClusterName=NAME";
      diagnostics.warning(start, "ClusterName", "not set; it is taken to be cluster", remedy);
      return "cluster";
    }
    if (name.length() > 40 || name.chars().anyMatch(c -> c == '/' || c <= ' ')) {
      String message = "value (" + name + ") is not a name of at most 40 letters";
      diagnostics.error(at("ClusterName"), "ClusterName", message, "Choose a shorter, plain name");
    }
    return name;
  }

  private Daemon daemon() {
    Ports ports = ValueSyntax.ports(values.text("SlurmdPort"));
    List<String> plugins = new ArrayList<>();
    for (String plugin : ValueSyntax.list(values.lower("TaskPlugin"))) {
      String name = plugin.substring(plugin.indexOf('/') + 1);
      plugins.add(name);
      warnUnless(List.of("affinity", "cgroup", "none"), name, "TaskPlugin", plugin);
    }
    String proctrack = values.lower("ProctrackType");
    List<String> trackers = List.of("cgroup", "linuxproc", "pgid", "cray_aries");
    warnUnless(trackers, afterSlash(proctrack), "ProctrackType", proctrack);
    SlurmdParameters parameters =
        SlurmdParameters.of(
            values.text("SlurmdParameters"),
            (message, remedy) ->
                diagnostics.found(at("SlurmdParameters"), "SlurmdParameters", message, remedy));
    Duration unkillable = values.seconds("UnkillableStepTimeout");
    Duration messages = values.finiteSeconds("MessageTimeout");
    Duration least = Duration.ofSeconds(Math.max(60, 5 * messages.toSeconds()));
    return new Daemon(
        ports == null ? 6818 : ports.first(),
        values.text("SlurmdUser"),
        values.text("SlurmdSpoolDir"),
        values.text("SlurmdPidFile"),
        values.text("SlurmdLogFile"),
        values.level("SlurmdDebug"),
        values.text("TmpFS"),
        proctrack,
        plugins,
        parameters.configOverrides(),
        unkillable == null ? least : unkillable,
        healthCheck(),
        parameters.jobProcesses(),
        values.text("UnkillableStepProgram"),
        values.text("RebootProgram"),
        parameters.sockets());
  }

  private @Nullable HealthCheck healthCheck() {
    String program = values.text("HealthCheckProgram");
    Duration interval = values.seconds("HealthCheckInterval");
    if (program.isEmpty() || interval == null || interval.isZero()) {
      return null;
    }
    List<String> states =
        ValueSyntax.list(values.text("HealthCheckNodeState").toUpperCase(Locale.ROOT));
    Duration timeout = values.finiteSeconds("HealthCheckTimeout");
    return new HealthCheck(program, interval, timeout, states);
  }

  private Jobs jobs() {
    Map<String, String> dependencies = parameters("DependencyParameters");
    List<String> understood = List.of("kill_invalid_depend", "max_depend_depth");
    reportIgnored("DependencyParameters", dependencies, understood);
    long first = values.number("FirstJobId", 1, 0x03ff0000);
    long last = values.number("MaxJobId", 1, 0x03ff0000);
    if (first >= last) {
      String message = "FirstJobId is not below MaxJobId";
      diagnostics.error(at("FirstJobId"), "FirstJobId", message, "Lower it");
    }
    return new Jobs(
        Math.min(first, last - 1),
        last,
        values.integer("MaxJobCount", 2, 10_000_000),
        values.integer("MaxArraySize", 0, 4_000_001),
        values.integer("MaxTasksPerNode", 1, 65_533),
        values.finiteSeconds("MinJobAge"),
        values.finiteSeconds("KillWait"),
        values.finiteSeconds("CompleteWait"),
        values.finiteSeconds("BatchStartTimeout"),
        values.minutes("OverTimeLimit"),
        values.flag("JobRequeue"),
        values.integer("MaxBatchRequeue", 0, Integer.MAX_VALUE),
        values.exitCodes("RequeueExit", start),
        values.exitCodes("RequeueExitHold", start),
        values.flag("JobFileAppend"),
        values.flag("DisableRootJobs"),
        propagatedLimits(),
        dependencies.containsKey("kill_invalid_depend"),
        option("DependencyParameters", dependencies, "max_depend_depth", 10),
        enforcePartLimits(),
        values.memoryLimit("DefMemPerCPU", "DefMemPerNode"),
        values.memoryLimit("MaxMemPerCPU", "MaxMemPerNode"));
  }

  private EnforcePartLimits enforcePartLimits() {
    String text = values.text("EnforcePartLimits").toUpperCase(Locale.ROOT);
    return switch (text) {
      case "ALL", "YES", "TRUE", "UP", "1" -> EnforcePartLimits.ALL;
      case "ANY" -> EnforcePartLimits.ANY;
      case "NO", "FALSE", "DOWN", "0" -> EnforcePartLimits.NO;
      default -> {
        String message = "value (" + text + ") is not NO, ANY or ALL";
        diagnostics.error(
            at("EnforcePartLimits"), "EnforcePartLimits", message, "Write NO, ANY or ALL");
        yield EnforcePartLimits.NO;
      }
    };
  }

  private List<String> propagatedLimits() {
    List<String> taken = limitNames("PropagateResourceLimits");
    List<String> left = limitNames("PropagateResourceLimitsExcept");
    if (values.isSet("PropagateResourceLimitsExcept")) {
      return LIMITS.stream().filter(name -> !left.contains(name)).toList();
    }
    return LIMITS.stream().filter(taken::contains).toList();
  }

  private List<String> limitNames(String key) {
    List<String> names = new ArrayList<>();
    for (String word : ValueSyntax.list(values.text(key).toUpperCase(Locale.ROOT))) {
      String name = word.startsWith("RLIMIT_") ? word.substring(7) : word;
      if (name.equals("ALL")) {
        names.addAll(LIMITS);
      } else if (LIMITS.contains(name)) {
        names.add(name);
      } else if (!name.equals("NONE")) {
        String message = "value (" + word + ") is no resource limit";
        diagnostics.error(at(key), key, message, "Write ALL, NONE or some of " + LIMITS);
      }
    }
    return names;
  }

  private PrioritySettings priority() {
    return new PrioritySettings(
        new ControllerLineReader(values, start).enforcement(),
        values.positiveTime("PriorityDecayHalfLife"),
        reset(),
        Objects.requireNonNullElse(values.time("PriorityCalcPeriod"), Duration.ofMinutes(5)),
        Objects.requireNonNullElse(values.positiveTime("PriorityMaxAge"), Duration.ofDays(7)),
        values.flag("PriorityFavorSmall"),
        priorityFlags(),
        values.number("FairShareDampeningFactor", 1, 65_535),
        new PrioritySettings.Weights(
            values.number("PriorityWeightAge", 0, MOST_WEIGHT),
            values.number("PriorityWeightAssoc", 0, MOST_WEIGHT),
            values.number("PriorityWeightFairShare", 0, MOST_WEIGHT),
            values.number("PriorityWeightJobSize", 0, MOST_WEIGHT),
            values.number("PriorityWeightPartition", 0, MOST_WEIGHT),
            values.number("PriorityWeightQOS", 0, MOST_WEIGHT),
            values.weights("PriorityWeightTRES")));
  }

  private List<PrioritySettings.Flag> priorityFlags() {
    List<PrioritySettings.Flag> flags = new ArrayList<>();
    for (String text : ValueSyntax.list(values.text("PriorityFlags").toUpperCase(Locale.ROOT))) {
      PrioritySettings.Flag flag = PrioritySettings.Flag.of(text);
      if (text.equals("NO_NORMAL_ALL")) {
        flags.addAll(PrioritySettings.Flag.NO_NORMAL);
      } else if (flag != null) {
        flags.add(flag);
        if (flag.isIgnored()) {
          diagnostics.noEffect(at("PriorityFlags"), "PriorityFlags", text + ": not acted on");
        }
      } else if (!text.equals("FAIR_TREE")) {
        String message = "value (" + text + ") is no flag";
        diagnostics.error(at("PriorityFlags"), "PriorityFlags", message, "Remove it");
      }
    }
    return flags;
  }

  private PrioritySettings.Reset reset() {
    String key = "PriorityUsageResetPeriod";
    PrioritySettings.Reset reset = PrioritySettings.Reset.of(values.text(key));
    if (reset == null) {
      String message = "value (" + values.text(key) + ") is no period";
      diagnostics.error(at(key), key, message, "Write NONE, NOW, DAILY, WEEKLY, MONTHLY or such");
    }
    return Objects.requireNonNullElse(reset, PrioritySettings.Reset.NONE);
  }

  private Scheduling scheduling() {
    String key = "SchedulerParameters";
    Map<String, String> parameters = parameters(key);
    List<String> understood = new ArrayList<>(BackfillSettingsReader.NAMES);
    understood.addAll(PolicySettingsReader.NAMES);
    understood.addAll(StoredTextLimits.NAMES);
    StoredTextLimits.read(
        parameters, (message, remedy) -> diagnostics.error(at(key), key, message, remedy));
    understood.addAll(List.of("default_queue_depth", "gpu_placement", "max_array_tasks"));
    understood.addAll(List.of("max_script_size", "max_switch_wait", "requeue_delay"));
    String placement = parameters.getOrDefault("gpu_placement", "slurm");
    if (!List.of("dure", "slurm").contains(placement)) {
      diagnostics.error(
          at(key),
          key,
          "gpu_placement: value (" + placement + ") is neither dure nor slurm",
          "Write gpu_placement=dure or gpu_placement=slurm");
    }
    reportIgnored("SchedulerParameters", parameters, understood);
    String scheduler = values.lower("SchedulerType");
    warnUnless(List.of("backfill", "builtin"), afterSlash(scheduler), "SchedulerType", scheduler);
    String priority = values.lower("PriorityType");
    warnUnless(List.of("basic", "multifactor"), afterSlash(priority), "PriorityType", priority);
    int arraySize = values.integer("MaxArraySize", 0, 4_000_001);
    int tasks = option("SchedulerParameters", parameters, "max_array_tasks", arraySize);
    return new Scheduling(
        unit(),
        memoryConsumable(),
        !afterSlash(scheduler).equals("builtin"),
        !afterSlash(priority).equals("basic"),
        option("SchedulerParameters", parameters, "default_queue_depth", 100),
        Math.min(tasks, arraySize),
        Duration.ofSeconds(
            option("SchedulerParameters", parameters, "requeue_delay", credential() + 1)),
        parameters,
        scriptBytes(parameters),
        overRun(),
        BackfillSettingsReader.read(
            parameters, (message, remedy) -> diagnostics.error(at(key), key, message, remedy)),
        Duration.ofSeconds(option(key, parameters, "max_switch_wait", 300)),
        PolicySettingsReader.read(
            parameters, (message, remedy) -> diagnostics.error(at(key), key, message, remedy)),
        selectWords().contains("CR_LLN"),
        selectWords().contains("CR_PACK_NODES"));
  }

  /** How long a credential is valid in Slurm, and a requeued job waits: {@code cred_expire}. */
  private int credential() {
    Map<String, String> words = parameters("AuthInfo");
    reportIgnored("AuthInfo", words, List.of("cred_expire"));
    return Math.clamp(option("AuthInfo", words, "cred_expire", 120), 5, 1_000_000);
  }

  private Duration overRun() {
    Duration limit = values.minutes("ResvOverRun");
    return limit == null ? Duration.ofDays(36_500) : limit;
  }

  /** No more than a request carries, whose bytes above 127 take two each. */
  private int scriptBytes(Map<String, String> parameters) {
    int asked = option("SchedulerParameters", parameters, "max_script_size", USUAL_SCRIPT_BYTES);
    if (asked > MOST_SCRIPT_BYTES) {
      diagnostics.warning(
          at("SchedulerParameters"),
          "SchedulerParameters",
          "max_script_size: at most " + MOST_SCRIPT_BYTES + " bytes are taken",
          "Write max_script_size=" + MOST_SCRIPT_BYTES + " or less");
    }
    return Math.min(asked, MOST_SCRIPT_BYTES);
  }

  private Unit unit() {
    String select = values.lower("SelectType");
    List<String> known = List.of("cons_tres", "cons_res", "linear", "cray_aries");
    warnUnless(known, afterSlash(select), "SelectType", select);
    boolean whole = afterSlash(select).equals("linear");
    Unit unit = whole ? Unit.NODE : Unit.CORE;
    for (String word : selectWords()) {
      switch (word) {
        case "CR_CPU", "CR_CPU_MEMORY" -> unit = whole ? Unit.NODE : Unit.CPU;
        case "CR_CORE", "CR_CORE_MEMORY", "CR_MEMORY" -> {}
        case "CR_ONE_TASK_PER_CORE", "CR_CORE_DEFAULT_DIST_BLOCK" -> {}
        case "CR_SOCKET", "CR_SOCKET_MEMORY" -> unit = whole ? Unit.NODE : Unit.SOCKET;
        case "CR_LLN", "CR_PACK_NODES" -> {}
        case "LL_SHARED_GRES",
            "ENFORCE_BINDING_GRES",
            "MULTIPLE_SHARING_GRES_PJ",
            "ONE_TASK_PER_SHARING_GRES",
            "OTHER_CONS_RES",
            "OTHER_CONS_TRES" ->
            diagnostics.noEffect(
                at("SelectTypeParameters"),
                "SelectTypeParameters",
                word + " is read, and not acted on");
        default ->
            diagnostics.error(
                at("SelectTypeParameters"),
                "SelectTypeParameters",
                "Bad SelectTypeParameter: " + word,
                "Write CR_CORE_MEMORY, CR_CORE, CR_CPU_MEMORY or CR_CPU");
      }
    }
    return unit;
  }

  private boolean memoryConsumable() {
    return selectWords().stream().anyMatch(word -> word.endsWith("MEMORY"));
  }

  private List<String> selectWords() {
    String text = values.text("SelectTypeParameters").toUpperCase(Locale.ROOT);
    return without(ValueSyntax.list(text), "NONE");
  }

  private Scripts scripts() {
    Duration both = timeout("PrologEpilogTimeout");
    return new Scripts(
        values.repeated("Prolog"),
        values.repeated("Epilog"),
        values.repeated("PrologSlurmctld"),
        values.repeated("EpilogSlurmctld"),
        values.text("TaskProlog"),
        values.text("TaskEpilog"),
        ValueSyntax.list(values.lower("PrologFlags")),
        values.isSet("PrologTimeout") ? timeout("PrologTimeout") : both,
        values.isSet("EpilogTimeout") ? timeout("EpilogTimeout") : both);
  }

  private @Nullable Duration timeout(String key) {
    Duration timeout = values.seconds(key);
    return timeout == null || timeout.toSeconds() >= NO_TIMEOUT ? null : timeout;
  }

  /** Options of the form {@code a,b=1}. */
  private Map<String, String> parameters(String key) {
    Map<String, String> parameters = new LinkedHashMap<>();
    for (String option : values.list(key)) {
      int equals = option.indexOf('=');
      String name = equals < 0 ? option : option.substring(0, equals);
      parameters.put(name.toLowerCase(Locale.ROOT), equals < 0 ? "" : option.substring(equals + 1));
    }
    return parameters;
  }

  private void reportIgnored(String key, Map<String, String> options, List<String> understood) {
    List<String> ignored = options.keySet().stream().filter(o -> !understood.contains(o)).toList();
    if (!ignored.isEmpty()) {
      diagnostics.noEffect(at(key), key, String.join(", ", ignored) + ": read, and not acted on");
    }
  }

  private int option(String key, Map<String, String> options, String name, int otherwise) {
    String text = options.get(name);
    if (text == null) {
      return otherwise;
    }
    Amount amount = ValueSyntax.number(text);
    if (amount == null || (!amount.unlimited() && amount.value() > Integer.MAX_VALUE)) {
      String message = name + ": value (" + text + ") is not a number";
      diagnostics.error(at(key), key, message, "Write " + name + "=NUMBER");
      return otherwise;
    }
    return amount.unlimited() ? Integer.MAX_VALUE : (int) amount.value();
  }

  private void warnUnless(List<String> known, String name, String key, String value) {
    if (!known.contains(name)) {
      String message = "Slurm has no " + value + "; it is taken as the default";
      diagnostics.warning(at(key), key, message, "Choose one of " + String.join(", ", known));
    }
  }

  private static String afterSlash(String plugin) {
    return plugin.substring(plugin.indexOf('/') + 1);
  }

  private static List<String> without(List<String> words, String word) {
    return words.stream().filter(w -> !w.equalsIgnoreCase(word)).toList();
  }
}
