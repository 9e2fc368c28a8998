/**
 * The vocabulary of the cluster: jobs, steps, nodes, partitions, and the units they are measured
 * in.
 */
@org.jspecify.annotations.NullMarked
package io.dure.model;
