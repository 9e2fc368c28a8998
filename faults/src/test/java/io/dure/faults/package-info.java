/** Worlds in each build, and bugs planted on request. */
@org.jspecify.annotations.NullMarked
package io.dure.faults;
