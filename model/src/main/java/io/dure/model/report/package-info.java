/** What explanations, listings of holders and GPU reports say: records without rules. */
@NullMarked
package io.dure.model.report;

import org.jspecify.annotations.NullMarked;
