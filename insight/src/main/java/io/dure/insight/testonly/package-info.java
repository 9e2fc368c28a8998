/** What would come of a job that is not submitted. */
@NullMarked
package io.dure.insight.testonly;

import org.jspecify.annotations.NullMarked;
