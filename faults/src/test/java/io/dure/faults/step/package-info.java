/**
 * Numbered steps in the simulated cluster: front ends, processes on nodes, and what is promised.
 */
@org.jspecify.annotations.NullMarked
package io.dure.faults.step;
