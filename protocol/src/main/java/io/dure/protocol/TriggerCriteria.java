package io.dure.protocol;

import io.dure.model.hook.TriggerKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which triggers are asked for.
 *
 * @param id the trigger's number, null for any
 * @param jobId the job that they are about, null for any
 * @param nodes a node that they are about, as a host list; empty for any
 * @param user name or number of the user that set them, null for any
 * @param kinds what they wait for, any of these; empty for any
 */
public record TriggerCriteria(
    @Nullable Integer id,
    @Nullable Integer jobId,
    String nodes,
    @Nullable String user,
    List<TriggerKind> kinds) {
  public TriggerCriteria {
    kinds = List.copyOf(kinds);
  }
}
