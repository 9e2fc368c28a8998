/** How fast records get into each accounting database, and how fast questions are answered. */
@NullMarked
package io.dure.bench.accounting;

import org.jspecify.annotations.NullMarked;
