/** From durable events to the accounting database (docs/accounting.md). */
@NullMarked
package io.dure.controller.accounting;

import org.jspecify.annotations.NullMarked;
