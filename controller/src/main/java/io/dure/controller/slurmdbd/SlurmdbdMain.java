package io.dure.controller.slurmdbd;

import io.dure.accounting.AccountingDatabase;
import io.dure.accounting.UnusableDatabaseException;
import io.dure.controller.accounting.ConfiguredServer;
import io.dure.host.config.LocalConfigSource;
import io.dure.host.process.DaemonProcess;
import io.dure.model.config.accounting.AccountingServerReader;
import io.dure.model.config.slurmconf.ConfigReport;
import io.dure.protocol.DureVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The program {@code slurmdbd}. */
public final class SlurmdbdMain {
  private static final String USUAL_FILE = "/etc/slurm/slurmdbd.conf";

  private SlurmdbdMain() {}

  /** Runs until it is told to end; exit code 1 if it could not start. */
  public static void main(String[] words) {
    int code;
    try {
      SlurmdbdOptions options = SlurmdbdOptions.parse(words);
      code =
          switch (options.action()) {
            case VERSION -> print(DureVersion.LINE + "\n");
            case HELP -> print(SlurmdbdOptions.USAGE);
            case RUN -> run(options);
          };
    } catch (SlurmdbdOptions.UsageException e) {
      System.err.println("slurmdbd: " + e.getMessage());
      System.err.print(SlurmdbdOptions.USAGE);
      code = 1;
    } catch (IOException | UnusableDatabaseException e) {
      System.err.println("slurmdbd: fatal: " + e.getMessage());
      code = 1;
    } catch (InterruptedException e) {
      code = 0;
    }
    System.exit(code);
  }

  private static int print(String text) {
    System.out.print(text);
    return 0;
  }

  /** The configuration that it was told of, or that stands beside slurm.conf. */
  private static Path file(SlurmdbdOptions options) {
    String named = options.configFile();
    String beside = System.getenv("SLURM_CONF");
    if (named != null) {
      return Path.of(named).toAbsolutePath();
    }
    return beside == null || beside.isEmpty()
        ? Path.of(USUAL_FILE)
        : Path.of(AccountingServerReader.beside(Path.of(beside).toAbsolutePath().toString()));
  }

  private static int run(SlurmdbdOptions options) throws IOException, InterruptedException {
    Path file = file(options);
    if (!Files.isReadable(file)) {
      System.err.println(
          "slurmdbd: fatal: cannot read " + file + ": name another with -f, or set SLURM_CONF");
      return 1;
    }
    ConfiguredServer.check(file);
    AccountingServerReader.Daemon config =
        AccountingServerReader.daemon(file.toString(), new LocalConfigSource());
    if (config.hasErrors()) {
      config.diagnostics().forEach(finding -> System.err.println(ConfigReport.line(finding)));
      return 1;
    }
    if (options.rehearse()) {
      return rehearse(config);
    }
    Integer nice = options.nice();
    if (nice != null) {
      DaemonProcess.setNice(nice);
    }
    return SlurmdbdDaemon.serve(file, config, options);
  }

  private static int rehearse(AccountingServerReader.Daemon config) throws IOException {
    try (AccountingDatabase database = SlurmdbdDaemon.database(config)) {
      database.rehearsal().forEach(System.out::println);
      return 0;
    }
  }
}
