/** The command strigger: programs that run when something happens. */
@NullMarked
package io.dure.cli.strigger;

import org.jspecify.annotations.NullMarked;
