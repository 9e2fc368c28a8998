/** The accounting database, with real daemons. */
@NullMarked
package io.dure.e2e.accounting;

import org.jspecify.annotations.NullMarked;
