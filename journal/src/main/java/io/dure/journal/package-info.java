/**
 * The controller's durable store, an append-only journal of records with snapshots: the files that
 * they are kept in, and the disk below, are in {@code segment}.
 */
@org.jspecify.annotations.NullMarked
package io.dure.journal;
