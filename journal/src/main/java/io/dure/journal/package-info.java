/** The controller's durable store: an append-only journal of records, with snapshots. */
@NullMarked
package io.dure.journal;

import org.jspecify.annotations.NullMarked;
