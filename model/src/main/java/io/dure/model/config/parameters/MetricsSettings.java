package io.dure.model.config.parameters;

import java.util.List;

/**
 * Who may read the controller's metrics, as {@code MetricsParameters} and {@code MetricsAuthUsers}
 * say.
 *
 * @param ignorePrivateData whether they are open in spite of {@code PrivateData}
 * @param users names of those who may read them beside root and SlurmUser, who prove themselves
 *     then; none for what {@code PrivateData} says
 */
public record MetricsSettings(boolean ignorePrivateData, List<String> users) {
  /** The word of {@code MetricsParameters} of which something comes. */
  public static final String IGNORE_PRIVATE_DATA = "ignore_private_data";

  /** Settings; what a journal does not have is empty. */
  public MetricsSettings {
    users = users == null ? List.of() : List.copyOf(users);
  }

  /**
   * Whether everybody is told, without a proof of who asks.
   *
   * @param privateData the words of {@code PrivateData}
   */
  public boolean isOpen(List<String> privateData) {
    return users.isEmpty() && (ignorePrivateData || privateData.isEmpty());
  }
}
