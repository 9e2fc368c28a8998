package io.dure.model.config.accounting;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where slurm.conf says that slurmdbd is.
 *
 * @param hosts AccountingStorageHost, and AccountingStorageBackupHost if there is one
 * @param port AccountingStoragePort
 */
public record SlurmdbdPlace(List<String> hosts, int port) {
  private static final String TYPE = "accounting_storage/slurmdbd";

  /**
   * The place that a configuration names, null where the records are not those of a slurmdbd.
   *
   * @param values of slurm.conf, by key
   */
  public static @Nullable SlurmdbdPlace of(Map<String, String> values) {
    if (!TYPE.equalsIgnoreCase(values.get("AccountingStorageType"))) {
      return null;
    }
    List<String> hosts = new ArrayList<>();
    for (String host :
        List.of(
            value(values, "AccountingStorageHost", "localhost"),
            value(values, "AccountingStorageBackupHost", ""))) {
      if (!host.isEmpty()) {
        hosts.add(host);
      }
    }
    int port = Integer.parseInt(value(values, "AccountingStoragePort", "0"));
    return new SlurmdbdPlace(List.copyOf(hosts), port == 0 ? SlurmdbdSettings.PORT : port);
  }

  private static String value(Map<String, String> values, String key, String usual) {
    String text = values.get(key);
    return text == null || text.isEmpty() || text.equals("(null)") ? usual : text;
  }
}
