/** {@code sprio}: what the priority of waiting jobs is made of. */
@NullMarked
package io.dure.cli.sprio;

import org.jspecify.annotations.NullMarked;
