/** The priority of waiting jobs out of many factors. */
@NullMarked
package io.dure.rules.priority;

import org.jspecify.annotations.NullMarked;
