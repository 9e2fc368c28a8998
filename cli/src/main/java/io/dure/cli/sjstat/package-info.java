/** {@code sjstat}: partitions with what is free in them, and the jobs that run. */
@NullMarked
package io.dure.cli.sjstat;

import org.jspecify.annotations.NullMarked;
