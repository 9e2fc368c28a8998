/** The priority of waiting jobs out of many factors. */
@NullMarked
package io.dure.core.scheduler.priority;

import org.jspecify.annotations.NullMarked;
