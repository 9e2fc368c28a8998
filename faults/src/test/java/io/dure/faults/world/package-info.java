/** The simulated cluster: its time, network, machines and people, and what must hold of it. */
@org.jspecify.annotations.NullMarked
package io.dure.faults.world;
