/** In which order jobs are considered, and how long they are believed to run. */
@NullMarked
package io.dure.core.scheduler.policy;

import org.jspecify.annotations.NullMarked;
