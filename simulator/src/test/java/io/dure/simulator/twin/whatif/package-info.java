/** Tests of what-ifs. */
@org.jspecify.annotations.NullMarked
package io.dure.simulator.twin.whatif;
