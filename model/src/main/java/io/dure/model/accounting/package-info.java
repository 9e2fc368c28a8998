/** Accounts, users, associations and QOS: who may use how much, and who has used what. */
@NullMarked
package io.dure.model.accounting;

import org.jspecify.annotations.NullMarked;
