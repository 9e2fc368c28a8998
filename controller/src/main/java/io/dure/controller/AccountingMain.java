package io.dure.controller;

import io.dure.controller.accounting.AccountsAudit;
import io.dure.host.config.LocatedConfig;
import io.dure.host.user.CachedUserDatabase;
import io.dure.model.config.slurmconf.ConfigReport;
import java.io.IOException;
import java.util.List;

/** {@code ./dure accounting check} and {@code ./dure accounting migrations}. */
public final class AccountingMain {
  private static final String USAGE =
      """
      Usage: ./dure accounting check [SLURM.CONF]
             ./dure accounting migrations [SLURM.CONF]

      check compares the accounting database with the records that the controller keeps for it in
      StateSaveLocation, and these with its journal: jobs, their attempts and steps, to the second.
      The controller may run. To be called on its machine, as root or SlurmUser. What was delivered
      before the records begin, two days ago mostly, is not compared.

      migrations says which changes of its schema the accounting database needs, as the next start
      of the controller or slurmdbd that writes it will make them, and changes nothing.

      Exit code 0 if they agree or the database can be migrated, 1 if they differ or cannot be
      compared, 2 for wrong usage.
      """;

  private AccountingMain() {}

  /** Exit code 0 if all is well, 1 if not, 2 for wrong usage. */
  public static void main(String[] words) {
    System.exit(run(List.of(words)));
  }

  private static int run(List<String> words) {
    if (words.contains("--help") || words.contains("-h")) {
      System.out.print(USAGE);
      return 0;
    }
    String what = words.isEmpty() ? "" : words.getFirst();
    boolean known = what.equals("check") || what.equals("migrations");
    if (!known || words.size() > 2 || words.getLast().startsWith("-")) {
      System.err.print(USAGE);
      return 2;
    }
    try {
      LocatedConfig config =
          LocatedConfig.load(words.size() == 1 ? null : words.getLast(), System.getenv());
      if (config.parsed().hasErrors()) {
        ConfigReport.lines(config.parsed()).forEach(System.err::println);
        return 1;
      }
      // What SQLite makes beside its file must belong to the controller.
      ControllerResources.become(
          CachedUserDatabase.ofThisMachine(),
          config.parsed().config().settings().controller().user());
      return what.equals("check") ? check(config) : migrations(config);
    } catch (IOException | RuntimeException e) {
      System.err.println("accounting " + what + ": " + e.getMessage());
      return 1;
    }
  }

  private static int check(LocatedConfig config) throws IOException {
    AccountsAudit.Report report = AccountsAudit.of(config.parsed().config());
    report.lines().forEach(System.out::println);
    return report.agrees() ? 0 : 1;
  }

  private static int migrations(LocatedConfig config) throws IOException {
    AccountsAudit.pendingMigrations(config.parsed().config()).forEach(System.out::println);
    return 0;
  }
}
