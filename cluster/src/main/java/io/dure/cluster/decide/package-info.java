/**
 * The rules by which the controller decides: one class for each matter, functions of state and
 * time.
 */
@org.jspecify.annotations.NullMarked
package io.dure.cluster.decide;
