/**
 * Rules of a job's life as functions over a view of the cluster: readiness, end of a run,
 * reservations, partitions.
 */
@NullMarked
package io.dure.rules;

import org.jspecify.annotations.NullMarked;
