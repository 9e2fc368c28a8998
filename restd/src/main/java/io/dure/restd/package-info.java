/** The daemon {@code slurmrestd}: HTTP beside the controllers, or on another machine. */
@NullMarked
package io.dure.restd;

import org.jspecify.annotations.NullMarked;
