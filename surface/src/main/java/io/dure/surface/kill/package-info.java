/** How jobs are cancelled and signalled, whoever asks. */
@NullMarked
package io.dure.surface.kill;

import org.jspecify.annotations.NullMarked;
