/**
 * The GPUs of this machine, as their drivers tell of them.
 *
 * @see <a href="https://docs.nvidia.com/deploy/nvml-api/">NVIDIA Management Library</a>
 */
@NullMarked
package io.dure.host.gpu;

import org.jspecify.annotations.NullMarked;
