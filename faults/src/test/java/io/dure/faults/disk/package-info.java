/** A disk in memory that loses power, refuses, and forgets. */
@org.jspecify.annotations.NullMarked
package io.dure.faults.disk;
