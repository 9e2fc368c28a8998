package io.dure.core.scheduler.plan;

import io.dure.core.scheduler.Holding;
import io.dure.core.scheduler.Verdict;
import java.util.List;

/**
 * A start that was promised to a job of a shape.
 *
 * @param start seconds since 1970
 * @param seconds how long it was planned for
 * @param holdings what it gets, until it ends
 * @param verdict what is said of it
 */
record Booking(Shape shape, long start, long seconds, List<Holding> holdings, Verdict verdict) {}
