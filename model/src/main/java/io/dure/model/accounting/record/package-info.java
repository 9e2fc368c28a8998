/**
 * What the accounting database is told: rows of jobs and steps as they are (docs/accounting.md).
 */
@NullMarked
package io.dure.model.accounting.record;

import org.jspecify.annotations.NullMarked;
