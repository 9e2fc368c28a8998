package io.dure.controller;

import io.dure.controller.accounting.AccountsAudit;
import io.dure.host.config.LocatedConfig;
import io.dure.host.user.CachedUserDatabase;
import io.dure.model.config.slurmconf.ConfigReport;
import java.io.IOException;

/** {@code ./dure accounting check}. */
public final class AccountingCheckMain {
  private static final String USAGE =
      """
      Usage: ./dure accounting check [SLURM.CONF]

      Compares the accounting database with the records that the controller keeps for it in
      StateSaveLocation, and these with its journal: jobs, their attempts and steps, to the second.
      The controller may run. To be called on its machine, as root or SlurmUser. What was delivered
      before the records begin, two days ago mostly, is not compared.

      Exit code 0 if they agree, 1 if they differ or cannot be compared, 2 for wrong usage.
      """;

  private AccountingCheckMain() {}

  /** Exit code 0 if all agrees, 1 if not, 2 for wrong usage. */
  public static void main(String[] words) {
    System.exit(run(words));
  }

  private static int run(String[] words) {
    if (words.length == 1 && (words[0].equals("--help") || words[0].equals("-h"))) {
      System.out.print(USAGE);
      return 0;
    }
    if (words.length > 1 || words.length == 1 && words[0].startsWith("-")) {
      System.err.print(USAGE);
      return 2;
    }
    try {
      LocatedConfig config =
          LocatedConfig.load(words.length == 0 ? null : words[0], System.getenv());
      if (config.parsed().hasErrors()) {
        ConfigReport.lines(config.parsed()).forEach(System.err::println);
        return 1;
      }
      // What SQLite makes beside its file must belong to the controller.
      ControllerResources.become(
          CachedUserDatabase.ofThisMachine(),
          config.parsed().config().settings().controller().user());
      AccountsAudit.Report report = AccountsAudit.of(config.parsed().config());
      report.lines().forEach(System.out::println);
      return report.agrees() ? 0 : 1;
    } catch (IOException | RuntimeException e) {
      System.err.println("accounting check: " + e.getMessage());
      return 1;
    }
  }
}
