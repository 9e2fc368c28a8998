/**
 * What a node does with a job: its step, its files and environment, the prolog and epilog around
 * it.
 */
@org.jspecify.annotations.NullMarked
package io.dure.node.job;
