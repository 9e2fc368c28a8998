/** The values that users type: times, sizes, counts, signals and lists. */
@org.jspecify.annotations.NullMarked
package io.dure.surface.value;
