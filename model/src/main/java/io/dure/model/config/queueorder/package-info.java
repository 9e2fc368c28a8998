/** Dure's own order of jobs: its numbers, and how a configuration says them. */
@NullMarked
package io.dure.model.config.queueorder;

import org.jspecify.annotations.NullMarked;
