/** Dure's own order of jobs: its numbers, and how a configuration says them. */
@NullMarked
package io.dure.core.config.policy;

import org.jspecify.annotations.NullMarked;
