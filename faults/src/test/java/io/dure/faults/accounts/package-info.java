/**
 * The tree of accounts under random and under hostile commands of sacctmgr, and who may do what.
 */
@org.jspecify.annotations.NullMarked
package io.dure.faults.accounts;
