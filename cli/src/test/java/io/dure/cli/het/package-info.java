/** Heterogeneous jobs: all components start, or none does. */
@org.jspecify.annotations.NullMarked
package io.dure.cli.het;
