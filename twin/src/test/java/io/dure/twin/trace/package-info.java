/** Traces as they come, whole and damaged. */
@org.jspecify.annotations.NullMarked
package io.dure.twin.trace;
