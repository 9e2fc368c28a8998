/** Accounts in the life of a whole cluster. */
@org.jspecify.annotations.NullMarked
package io.dure.accounting;
