package io.dure.model.reservation;

import org.jspecify.annotations.Nullable;

/**
 * Of which kind and how many nodes a reservation is to have.
 *
 * @param nodes how many, 0 where they were named or follow from the rest
 * @param cores how many cores they are to have together, 0 where that was not asked
 * @param features what they must have, null for nothing
 * @param partition the partition that they come from, null where none was named and none was needed
 */
public record ReservationNodeRequest(
    int nodes, int cores, @Nullable String features, @Nullable String partition) {}
