/** The listing of jobs: its options, filters, order and columns. */
@org.jspecify.annotations.NullMarked
package io.dure.surface.squeue;
