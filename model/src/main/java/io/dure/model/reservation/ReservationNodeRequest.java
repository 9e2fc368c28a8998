package io.dure.model.reservation;

import io.dure.model.gres.GresCount;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Of which kind and how many nodes a reservation is to have.
 *
 * @param nodes how many, 0 where they were named or follow from the rest
 * @param cores how many cores they are to have together, 0 where that was not asked
 * @param features what they must have, null for nothing
 * @param partition the partition that they come from, null where none was named and none was needed
 * @param gres generic resources that its nodes are to have together, empty for none
 */
@RecordBuilder
public record ReservationNodeRequest(
    int nodes,
    int cores,
    @Nullable String features,
    @Nullable String partition,
    List<GresCount> gres)
    implements ReservationNodeRequestBuilder.With {

  public ReservationNodeRequest {
    // Before there were any, they were not written.
    gres = gres == null ? List.of() : List.copyOf(gres);
  }

  /** Whether it says how much it is to have, so that it need not be all that fits. */
  public boolean isCounted() {
    return nodes > 0 || cores > 0 || !gres.isEmpty();
  }
}
