/** {@code dure-efficiency}: what jobs asked for against what they used. */
@NullMarked
package io.dure.cli.efficiency;

import org.jspecify.annotations.NullMarked;
