package io.dure.rest.metrics;

import org.jspecify.annotations.Nullable;

/**
 * What the controller has stored.
 *
 * @param events how many events have led to its state, since the cluster's first
 * @param undelivered of them those whose records the accounting database lacks; null where there is
 *     none, or where that is not known yet
 * @param failing whether that database took none when it was last tried
 */
public record StoredEvents(long events, @Nullable Long undelivered, boolean failing) {}
