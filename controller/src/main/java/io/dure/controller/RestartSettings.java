package io.dure.controller;

import io.dure.model.config.ClusterConfig;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.SiteRules;
import io.dure.model.config.parameters.HttpAddress;
import io.dure.surface.print.PlainText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Settings that a controller takes up only when it is started. */
final class RestartSettings {
  private static final List<String> KEYS =
      List.of(
          "SlurmctldPort",
          "SlurmctldPidFile",
          "StateSaveLocation",
          "SlurmUser",
          "SlurmctldHost",
          "SlurmctldAddr",
          "CommunicationParameters",
          "GroupUpdateTime",
          "GroupUpdateForce",
          "SlurmctldSyslogDebug",
          "AccountingStorageType",
          "AccountingStorageHost",
          "AccountingStoragePort",
          "AccountingStorageLoc",
          "AccountingStorageUser");

  private RestartSettings() {}

  /**
   * A configuration as it can be put into force without a restart.
   *
   * @param config the new one with the old values of what needs a restart
   * @param lines which values those are
   */
  record Kept(ClusterConfig config, List<String> lines) {}

  /** Why a configuration cannot be put into force at all, null if it can. */
  static @Nullable String refusal(ClusterConfig started, ClusterConfig next) {
    String is = started.settings().controller().clusterName();
    String asked = next.settings().controller().clusterName();
    return is.equals(asked)
        ? null
        : "ClusterName: "
            + asked
            + " is another cluster than "
            + is
            + ", whose state this is; the active configuration stays in force";
  }

  /** What of a new configuration is put into force. */
  static Kept keep(ClusterConfig started, ClusterConfig next) {
    Map<String, String> values = new LinkedHashMap<>(next.values());
    List<String> lines = new ArrayList<>();
    for (String key : KEYS) {
      String is = started.values().get(key);
      if (!Objects.equals(is, next.values().get(key))) {
        lines.add(
            key
                + ": "
                + shown(next.values().get(key))
                + " takes effect when slurmctld is restarted; until then it is "
                + shown(is));
        if (is == null) {
          values.remove(key);
        } else {
          values.put(key, is);
        }
      }
    }
    HttpAddress http = started.settings().rules().http();
    if (!Objects.equals(http, next.settings().rules().http())) {
      lines.add(
          HttpAddress.PARAMETER
              + ": another address takes effect when slurmctld is restarted; until then it is "
              + (http == null ? "none" : http));
    }
    if (lines.isEmpty()) {
      return new Kept(next, List.of());
    }
    ClusterSettings all = next.settings();
    ClusterSettings settings =
        new ClusterSettings(
            controller(started.settings().controller(), all.controller()),
            all.daemon(),
            all.jobs(),
            all.scheduling(),
            all.scripts(),
            all.priority(),
            all.counted(),
            all.preempt(),
            all.power(),
            all.programs(),
            rules(started.settings().rules(), all.rules()),
            all.steps());
    return new Kept(
        new ClusterConfig(
            next.path(),
            settings,
            values,
            next.nodes(),
            next.partitions(),
            next.topology(),
            next.topologies()),
        List.copyOf(lines));
  }

  private static ClusterSettings.Controller controller(
      ClusterSettings.Controller started, ClusterSettings.Controller next) {
    return new ClusterSettings.Controller(
        next.clusterName(),
        started.hosts(),
        started.address(),
        started.port(),
        started.portCount(),
        started.user(),
        started.stateSaveLocation(),
        started.pidFile(),
        next.logFile(),
        next.debugLevel(),
        next.messageTimeout(),
        next.nodeTimeout(),
        next.returnToService(),
        next.privateData(),
        next.logTimeFormat(),
        started.ownAddressOnly(),
        started.accountingStorage(),
        next.storeFlags());
  }

  private static SiteRules rules(SiteRules started, SiteRules next) {
    return next.with()
        .groupUpdate(started.groupUpdate())
        .groupsByFile(started.groupsByFile())
        .controllerSyslog(started.controllerSyslog())
        .http(started.http())
        .build();
  }

  /** A value that may stand on several lines of the file, on one. */
  private static String shown(@Nullable String value) {
    return value == null ? "the default" : PlainText.of(value.replace('\n', ','));
  }
}
