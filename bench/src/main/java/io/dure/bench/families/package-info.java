/**
 * {@code ./dure bench policy --families}: Dure's own order on logs that are made or changed, in two
 * halves of which one is never used to choose anything.
 */
@org.jspecify.annotations.NullMarked
package io.dure.bench.families;
