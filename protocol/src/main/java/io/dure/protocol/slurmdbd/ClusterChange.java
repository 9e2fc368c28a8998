package io.dure.protocol.slurmdbd;

import io.dure.model.accounting.AccountingChange;
import java.util.List;

/**
 * Changes of the accounts of one of several clusters.
 *
 * @param basis the version of its tree that they were worked out from
 */
public record ClusterChange(String cluster, long basis, List<AccountingChange> changes) {}
