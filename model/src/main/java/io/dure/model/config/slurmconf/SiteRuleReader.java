package io.dure.model.config.slurmconf;

import io.dure.model.config.SiteRules;
import io.dure.model.config.SiteRules.KeptPartitions;
import io.dure.model.config.SiteRules.RequestRate;
import io.dure.model.config.parameters.DebugFlag;
import io.dure.model.config.parameters.HttpAddress;
import io.dure.model.config.parameters.JwtSettings;
import io.dure.model.config.parameters.MetricsSettings;
import io.dure.model.config.slurmconf.DiagnosticCollector.SourceLocation;
import io.dure.model.config.slurmconf.ValueSyntax.Amount;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns the keys of rules that most sites leave as they are into settings. */
final class SiteRuleReader {
  private static final Duration GROUP_UPDATE = Duration.ofMinutes(10);

  private static final int MOST = Integer.MAX_VALUE;

  private final SectionValues values;
  private final SourceLocation start;

  private SiteRuleReader(SectionValues values, SourceLocation start) {
    this.values = values;
    this.start = start;
  }

  static SiteRules read(SectionValues values, SourceLocation start) {
    return new SiteRuleReader(values, start).read();
  }

  private SiteRules read() {
    Map<String, String> controller = words("SlurmctldParameters", SiteRules.PARAMETERS);
    Map<String, String> submission =
        words("JobSubmitPlugins", List.of("all_partitions", "lua", "none", "require_timelimit"));
    Map<String, String> prolog =
        words("PrologFlags", List.of("contain", "forcerequeueonfail", "serial", "x11"));
    Map<String, String> kept = words("ReconfigFlags", List.of("keeppartinfo", "keeppartstate"));
    Map<String, String> topology = words("TopologyParam", List.of("topooptional"));
    return new SiteRules(
        values.text("MaxNodeCount").isEmpty() ? 0 : values.integer("MaxNodeCount", 0, 65_536),
        optional("MaxNodeFailRequeue"),
        optional("MaxPreemptRequeue"),
        submission.containsKey("all_partitions"),
        submission.containsKey("require_timelimit"),
        prolog.containsKey("serial"),
        prolog.containsKey("forcerequeueonfail"),
        number(controller, "node_reg_mem_percent", 100, 100),
        number(controller, "max_powered_nodes", 0, MOST),
        controller.containsKey("idle_on_node_suspend"),
        controller.containsKey("user_resv_delete"),
        rate(controller),
        kept.containsKey("keeppartinfo")
            ? KeptPartitions.ALL
            : kept.containsKey("keeppartstate") ? KeptPartitions.STATES : KeptPartitions.NOTHING,
        topology.containsKey("topooptional"),
        values.integer("VSizeFactor", 0, 65_533),
        groupUpdate(),
        values.isSet("SlurmctldSyslogDebug") ? values.level("SlurmctldSyslogDebug") : null,
        values.isSet("SlurmdSyslogDebug") ? values.level("SlurmdSyslogDebug") : null,
        values.integer("SlurmSchedLogLevel", 0, 1) == 0 ? "" : values.text("SlurmSchedLogFile"),
        debugFlags(),
        !values.flag("GroupUpdateForce"),
        connectTimeout(),
        values.integer("HostUnreachRetryCount", 0, 65_533),
        energySampling(),
        controller.containsKey("enable_configless"),
        submission.containsKey("lua"),
        words("CliFilterPlugins", List.of("lua", "none")).containsKey("lua"),
        scrontab(),
        tokens(),
        http(controller),
        metrics(controller));
  }

  private @Nullable HttpAddress http(Map<String, String> controller) {
    String text = controller.get(HttpAddress.PARAMETER);
    HttpAddress address = text == null ? null : HttpAddress.parse(text);
    if (text != null && address == null) {
      String key = "SlurmctldParameters";
      String message = HttpAddress.PARAMETER + ": value (" + text + ") is no address";
      String remedy = "Write " + HttpAddress.PARAMETER + "=[HOST]:PORT";
      values.diagnostics().error(values.place(key, start), key, message, remedy);
    }
    return address;
  }

  private @Nullable MetricsSettings metrics(Map<String, String> controller) {
    boolean open =
        words("MetricsParameters", List.of(MetricsSettings.IGNORE_PRIVATE_DATA))
            .containsKey(MetricsSettings.IGNORE_PRIVATE_DATA);
    String key = "MetricsType";
    String plugin = values.lower(key);
    SourceLocation place = values.place(key, start);
    return switch (plugin.substring(plugin.indexOf('/') + 1)) {
      case "" -> null;
      case "openmetrics" -> {
        if (!controller.containsKey(HttpAddress.PARAMETER)) {
          String where = "SlurmctldParameters=" + HttpAddress.PARAMETER + "=[HOST]:PORT";
          values.diagnostics().noEffect(place, key, "metrics are read by HTTP; write " + where);
        }
        yield new MetricsSettings(open, values.list("MetricsAuthUsers"));
      }
      default -> {
        String remedy = "Write metrics/openmetrics";
        values.diagnostics().error(place, key, "there is no " + plugin, remedy);
        yield null;
      }
    };
  }

  private @Nullable JwtSettings tokens() {
    return JwtSettings.read(
        values.list("AuthAltTypes"),
        values.list("AuthAltParameters"),
        values.text("StateSaveLocation"),
        (key, message, remedy) ->
            values.diagnostics().found(values.place(key, start), key, message, remedy));
  }

  private SiteRules.Scrontab scrontab() {
    Map<String, String> words = words("ScronParameters", List.of("enable", "explicit_scancel"));
    if (!words.containsKey("enable")) {
      return SiteRules.Scrontab.OFF;
    }
    return words.containsKey("explicit_scancel")
        ? SiteRules.Scrontab.EXPLICIT_CANCEL
        : SiteRules.Scrontab.ON;
  }

  private List<String> debugFlags() {
    String key = "DebugFlags";
    List<String> flags = new ArrayList<>();
    for (String word : values.list(key)) {
      DebugFlag flag = DebugFlag.of(word);
      SourceLocation place = values.place(key, start);
      if (flag != null) {
        flags.add(flag.word());
      } else if (DebugFlag.isSilent(word)) {
        values.diagnostics().noEffect(place, key, word + ": there is nothing more to tell");
      } else {
        String remedy = "Write such as TraceJobs,Backfill,Steps";
        values.diagnostics().error(place, key, "there is no flag " + word, remedy);
      }
    }
    return flags;
  }

  private @Nullable Duration energySampling() {
    String key = "AcctGatherEnergyType";
    String plugin = values.lower(key);
    Duration every = values.seconds("AcctGatherNodeFreq");
    SourceLocation place = values.place(key, start);
    return switch (plugin.substring(plugin.indexOf('/') + 1)) {
      case "", "none" -> null;
      case "rapl" -> every == null ? Duration.ZERO : every;
      case "gpu", "ibmaem", "ipmi", "pm_counters", "xcc" -> {
        values.diagnostics().noEffect(place, key, plugin + ": read, and not acted on");
        yield null;
      }
      default -> {
        String remedy = "Write acct_gather_energy/rapl or acct_gather_energy/none";
        values.diagnostics().error(place, key, "there is no " + plugin, remedy);
        yield null;
      }
    };
  }

  private @Nullable Duration connectTimeout() {
    long seconds = values.number("TCPTimeout", 1, 65_533);
    return seconds == 2 ? null : Duration.ofSeconds(seconds);
  }

  /** Users are asked for more often than the usual time, which the words of a dump name too. */
  private @Nullable Duration groupUpdate() {
    Duration time = values.seconds("GroupUpdateTime");
    return time == null || time.isZero() || time.equals(GROUP_UPDATE) ? null : time;
  }

  private @Nullable Integer optional(String key) {
    return values.text(key).isEmpty() ? null : (Integer) values.integer(key, 0, MOST);
  }

  private @Nullable RequestRate rate(Map<String, String> parameters) {
    if (!parameters.containsKey("rl_enable")) {
      return null;
    }
    double refill = number(parameters, "rl_refill_rate", 2, MOST);
    double period = number(parameters, "rl_refill_period", 1, MOST);
    int bucket = number(parameters, "rl_bucket_size", 30, MOST);
    return new RequestRate(Math.max(1, refill) / Math.max(1, period), Math.max(1, bucket));
  }

  /** The words of a key, in lower case, with what follows their "="; others have no effect. */
  private Map<String, String> words(String key, List<String> understood) {
    Map<String, String> words = new LinkedHashMap<>();
    for (String option : values.list(key)) {
      int equals = option.indexOf('=');
      String name = equals < 0 ? option : option.substring(0, equals);
      String plain = name.substring(name.indexOf('/') + 1).toLowerCase(Locale.ROOT);
      if (understood.contains(plain)) {
        words.put(plain, equals < 0 ? "" : option.substring(equals + 1));
      } else {
        String message = name + ": read, and not acted on";
        values.diagnostics().noEffect(values.place(key, start), key, message);
      }
    }
    return words;
  }

  private int number(Map<String, String> words, String name, int otherwise, int most) {
    String text = words.get(name);
    if (text == null) {
      return otherwise;
    }
    Amount amount = ValueSyntax.number(text);
    if (amount == null || amount.unlimited() || amount.value() > most) {
      String key = "SlurmctldParameters";
      values
          .diagnostics()
          .error(
              values.place(key, start),
              key,
              name + ": value (" + text + ") is not a number from 0 to " + most,
              "Write " + name + "=NUMBER");
      return otherwise;
    }
    return (int) amount.value();
  }
}
