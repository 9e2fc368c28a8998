package io.dure.surface.sacctmgr;

import io.dure.core.accounting.Account;
import io.dure.core.accounting.AccountUser;
import io.dure.core.accounting.Association;
import io.dure.core.accounting.Limits;
import org.jspecify.annotations.Nullable;

/**
 * What one line of a listing of accounts, users or associations is about.
 *
 * @param account the account, null in lines about users alone
 * @param user the user, null in lines about accounts alone
 * @param association the place in the tree with what is handed down to it, null without one
 * @param depth how deep it stands, from 0
 * @param coordinated accounts that the user coordinates
 * @param cluster the cluster's name
 */
record TreeRow(
    @Nullable Account account,
    @Nullable AccountUser user,
    @Nullable Association association,
    int depth,
    String coordinated,
    String cluster) {

  Limits limits() {
    return association == null ? Limits.NONE : association.limits();
  }
}
