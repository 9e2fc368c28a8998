/** How a database gets the present schema. */
@NullMarked
package io.dure.accounting.migration;

import org.jspecify.annotations.NullMarked;
