/** {@code salloc}. */
@org.jspecify.annotations.NullMarked
package io.dure.cli.salloc;
