/** Allocations in which their users work: asking for one, waiting for it, giving it up. */
@org.jspecify.annotations.NullMarked
package io.dure.cli.allocation;
