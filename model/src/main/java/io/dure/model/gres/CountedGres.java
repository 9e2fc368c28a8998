package io.dure.model.gres;

import org.jspecify.annotations.Nullable;

/**
 * A resource of a node that is only counted, or the parts into which one of its GPUs is shared.
 *
 * @param name its name, {@code shard}
 * @param type its type, null where none is named
 * @param gpu index of the GPU that is shared, null for what is only counted
 * @param count how many there are
 * @param consumed whether what one job gets is missing for others ({@code no_consume} says not)
 */
public record CountedGres(
    String name, @Nullable String type, @Nullable Integer gpu, long count, boolean consumed) {}
