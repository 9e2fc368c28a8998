package io.dure.controller;

import io.dure.core.config.ConfigReport;
import io.dure.host.config.LocatedConfig;
import io.dure.host.signal.DaemonSignals;
import io.dure.host.user.Users;
import io.dure.protocol.Version;
import java.io.IOException;
import java.util.concurrent.ExecutionException;

/** The program {@code slurmctld}. */
public final class Main {
  private Main() {}

  /** Runs until it is told to end; exit code 1 if it could not start. */
  public static void main(String[] words) {
    int code;
    try {
      code = run(Options.parse(words));
    } catch (Options.UsageException e) {
      System.err.println("slurmctld: " + e.getMessage());
      System.err.print(Options.USAGE);
      code = 1;
    } catch (IOException | ExecutionException e) {
      System.err.println("slurmctld: fatal: " + e.getMessage());
      code = 1;
    } catch (InterruptedException e) {
      code = 0;
    }
    System.exit(code);
  }

  private static int run(Options options)
      throws IOException, InterruptedException, ExecutionException {
    return switch (options.action()) {
      case VERSION -> print(Version.line() + "\n");
      case HELP -> print(Options.USAGE);
      case RUN -> serve(options);
    };
  }

  private static int print(String text) {
    System.out.print(text);
    return 0;
  }

  private static int serve(Options options)
      throws IOException, InterruptedException, ExecutionException {
    LocatedConfig config = LocatedConfig.load(options.configFile(), System.getenv());
    if (config.parsed().hasErrors()) {
      ConfigReport.lines(config.parsed()).forEach(System.err::println);
      return 1;
    }
    Users users = Users.ofThisMachine();
    try (ControllerResources foundation = ControllerResources.lay(config, options, users);
        Controller controller =
            new Controller(
                new Controller.Setup(config, options, System.getenv(), users, foundation))) {
      DaemonSignals.listen(controller::heed);
      controller.start(config.parsed().config(), options);
      controller.awaitEnd();
      foundation.log().info("slurmctld ends");
    }
    return 0;
  }
}
