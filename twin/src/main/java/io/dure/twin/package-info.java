/**
 * The digital twin, which replays the jobs of a trace on a machine that is only described: how it
 * orders and estimates them is in {@code policy}, what comes of it in {@code result}.
 */
@org.jspecify.annotations.NullMarked
package io.dure.twin;
