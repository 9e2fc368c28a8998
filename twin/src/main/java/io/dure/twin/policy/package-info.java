/** How a replay orders, backfills and estimates jobs. */
@org.jspecify.annotations.NullMarked
package io.dure.twin.policy;
