/** What would come of a job that is not submitted. */
@NullMarked
package io.dure.core.controller.trial;

import org.jspecify.annotations.NullMarked;
