/**
 * Decides commands about nodes: registration, reconciliation of runs, reports of steps, drain and
 * resume.
 */
@org.jspecify.annotations.NullMarked
package io.dure.cluster.decide.node;
