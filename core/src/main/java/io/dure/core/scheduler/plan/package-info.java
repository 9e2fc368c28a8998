/** Plans starts over many nodes and time: the queue, what is booked ahead, and backfill. */
@NullMarked
package io.dure.core.scheduler.plan;

import org.jspecify.annotations.NullMarked;
