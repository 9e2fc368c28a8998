/**
 * Gives each command to its decider, of which those about jobs are in {@code job}, about nodes and
 * their reports in {@code node}, and about accounts and partitions in {@code administration}.
 */
@org.jspecify.annotations.NullMarked
package io.dure.cluster.decide;
