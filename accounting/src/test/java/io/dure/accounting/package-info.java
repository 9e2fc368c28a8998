/** Tests of the accounting database. */
@NullMarked
package io.dure.accounting;

import org.jspecify.annotations.NullMarked;
