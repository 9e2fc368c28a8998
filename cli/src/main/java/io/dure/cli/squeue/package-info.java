/** The listing of the queue. */
@org.jspecify.annotations.NullMarked
package io.dure.cli.squeue;
