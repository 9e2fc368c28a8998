/** A whole cluster in one thread on virtual time, for anyone to run with any seed. */
@org.jspecify.annotations.NullMarked
package io.dure.faults;
