/** The accounting database: its schema, what goes in and what is asked (docs/accounting.md). */
@NullMarked
package io.dure.accounting;

import org.jspecify.annotations.NullMarked;
