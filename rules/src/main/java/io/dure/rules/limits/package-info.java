/** Whether the limits of associations and QOS let a job start. */
@NullMarked
package io.dure.rules.limits;

import org.jspecify.annotations.NullMarked;
