package io.dure.controller.slurmdbd;

import io.dure.accounting.store.DatabaseStore;
import io.dure.controller.accounting.upkeep.BookKeeping;

/** What slurmdbd serves. */
record KeptBooks(
    DatabaseStore records, SharedAccounts accounts, BookKeeping keeping, UsedWckeys wckeys) {}
