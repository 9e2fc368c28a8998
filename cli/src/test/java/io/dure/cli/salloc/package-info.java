/** Allocations as users ask for them. */
@org.jspecify.annotations.NullMarked
package io.dure.cli.salloc;
