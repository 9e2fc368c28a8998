/**
 * What jobs have used of what the accounts share: how it grows and fades, and what follows of it.
 */
@NullMarked
package io.dure.model.accounting.usage;

import org.jspecify.annotations.NullMarked;
