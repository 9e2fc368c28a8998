/** Bugs planted into the simulated cluster, to prove that the checkers can fail. */
@org.jspecify.annotations.NullMarked
package io.dure.faults.plantedbugs;
