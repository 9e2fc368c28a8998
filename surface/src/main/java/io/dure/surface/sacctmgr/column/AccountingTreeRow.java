package io.dure.surface.sacctmgr.column;

import io.dure.model.accounting.Account;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingLimits;
import io.dure.model.accounting.Association;
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
public record AccountingTreeRow(
    @Nullable Account account,
    @Nullable AccountUser user,
    @Nullable Association association,
    int depth,
    String coordinated,
    String cluster) {

  public AccountingLimits limits() {
    return association == null ? AccountingLimits.NONE : association.limits();
  }
}
