/** What is done with the accounting database beside questions and records (docs/accounting.md). */
@NullMarked
package io.dure.controller.accounting.upkeep;

import org.jspecify.annotations.NullMarked;
