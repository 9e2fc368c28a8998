package io.dure.model.accounting;

/**
 * A user who has accounts.
 *
 * @param name login name
 * @param adminLevel what it may change
 * @param defaultAccount the account of jobs that name none
 */
public record AccountUser(String name, AdminLevel adminLevel, String defaultAccount) {}
