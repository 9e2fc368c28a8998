/** The listing of nodes: its options, filters, order and columns. */
@org.jspecify.annotations.NullMarked
package io.dure.surface.sinfo;
