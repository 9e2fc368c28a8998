/**
 * What starts where and when, a pure function from a view of the cluster to a plan: the queue and
 * the pass are here, and where and when one request fits is in {@code timeline}, which knows no
 * queue.
 */
@org.jspecify.annotations.NullMarked
package io.dure.scheduler;
