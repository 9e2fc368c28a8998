package io.dure.controller;

import io.dure.host.log.DaemonLog;
import io.dure.host.log.LogLevel;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.parameters.DebugFlag;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What operators change of the controller's log while it runs. */
final class LogControl {
  private final DaemonLog log;

  LogControl(DaemonLog log) {
    this.log = log;
  }

  /** Tells more or less from now on; false if there is no such level. */
  boolean setLevel(String level) {
    LogLevel asked = LogLevel.parse(level);
    if (asked != null) {
      log.level(asked);
      log.info("the log tells " + asked.word() + " from now on, as scontrol setdebug asked");
    }
    return asked != null;
  }

  /** Adds and removes flags; which of them is none, null if all are done. */
  @Nullable String setFlags(List<String> changes) {
    Set<DebugFlag> flags = log.flags();
    for (String change : changes) {
      DebugFlag flag = change.isEmpty() ? null : DebugFlag.of(change.substring(1));
      if (flag == null || !(change.startsWith("+") || change.startsWith("-"))) {
        return "no flag of the log: " + change;
      }
      if (change.startsWith("+")) {
        flags.add(flag);
      } else {
        flags.remove(flag);
      }
    }
    log.flags(flags);
    log.info("DebugFlags are " + words(flags) + " now, as scontrol setdebugflags asked");
    return null;
  }

  /** A configuration with the flags as they are: they may have been changed by hand since. */
  ClusterConfig asSet(ClusterConfig config) {
    if (log.flags().equals(new TreeSet<>(DebugFlag.all(config.settings().rules().debugFlags())))) {
      return config;
    }
    Map<String, String> values = new LinkedHashMap<>(config.values());
    values.put("DebugFlags", words(log.flags()));
    return new ClusterConfig(
        config.path(),
        config.settings(),
        values,
        config.nodes(),
        config.partitions(),
        config.topology(),
        config.topologies());
  }

  private static String words(Set<DebugFlag> flags) {
    return flags.stream().map(DebugFlag::word).collect(Collectors.joining(","));
  }
}
