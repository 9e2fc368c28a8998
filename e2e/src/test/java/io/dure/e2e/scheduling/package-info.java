/** What real jobs get of real nodes, and who makes room for whom. */
@org.jspecify.annotations.NullMarked
package io.dure.e2e.scheduling;
