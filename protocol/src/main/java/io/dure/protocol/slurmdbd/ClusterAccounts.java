package io.dure.protocol.slurmdbd;

import io.dure.model.accounting.AccountingRecords;

/**
 * The accounts of one of several clusters.
 *
 * @param host where its controller is, empty for one that has not come yet
 * @param port at which it listens, 0 for one that has not come yet
 */
public record ClusterAccounts(String cluster, String host, int port, AccountingRecords accounts) {}
