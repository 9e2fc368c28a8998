/** The GPUs of this machine, as their drivers tell of them. */
@NullMarked
package io.dure.host.gpu;

import org.jspecify.annotations.NullMarked;
