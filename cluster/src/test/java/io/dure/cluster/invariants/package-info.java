/** What is true of every state of a cluster, for tests and the simulator to check. */
@org.jspecify.annotations.NullMarked
package io.dure.cluster.invariants;
