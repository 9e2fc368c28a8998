/** Decides commands about accounts and partitions. */
@org.jspecify.annotations.NullMarked
package io.dure.cluster.decide.administration;
