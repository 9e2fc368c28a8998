/** What is said of a job's start as it comes, held against what came of it. */
@NullMarked
package io.dure.twin.forecast;

import org.jspecify.annotations.NullMarked;
