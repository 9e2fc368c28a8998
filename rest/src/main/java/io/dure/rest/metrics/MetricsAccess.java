package io.dure.rest.metrics;

import io.dure.model.command.Caller;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who may read metrics.
 *
 * @param open whether everybody may, without a proof of who asks
 * @param users names of those who may beside root and SlurmUser
 */
public record MetricsAccess(boolean open, List<String> users) {
  public MetricsAccess {
    users = List.copyOf(users);
  }

  /** Whether one may who is proved to be that caller, null where nothing is proved. */
  boolean allows(Caller.@Nullable User caller) {
    return open
        || (caller != null && (caller.operator() || users.contains(caller.identity().userName())));
  }
}
