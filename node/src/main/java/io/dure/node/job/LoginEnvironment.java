package io.dure.node.job;

import io.dure.node.launch.JobEnvironmentFacts;
import io.dure.node.launch.LoginShell;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/**
 * What a login on this node begins with, for jobs that bring no environment ({@code --export=NONE},
 * {@code --get-user-env}): what {@code su - USER} sets before the user's shell reads its start
 * files. The shepherd runs the shell.
 */
final class LoginEnvironment {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final String USUAL_PATH = "/usr/local/bin:/usr/bin:/bin";

  /** The files of pam_env(8), which su reads. */
  private static final List<Path> MACHINE =
      List.of(Path.of("/etc/environment"), Path.of("/etc/default/locale"));

  private LoginEnvironment() {}

  /** The login of a job's user. */
  static LoginShell of(
      JobEnvironmentFacts.Login account,
      JobEnvironmentFacts.JobIdentity job,
      NodeLocalConfig setup) {
    SequencedMap<String, String> fallback = new LinkedHashMap<>();
    fallback.put("HOME", account.home());
    fallback.put("SHELL", account.shell());
    fallback.put("USER", job.user());
    fallback.put("LOGNAME", job.user());
    fallback.put("PATH", USUAL_PATH);
    SequencedMap<String, String> environment = new LinkedHashMap<>(fallback);
    MACHINE.forEach(file -> environment.putAll(parse(lines(file))));
    // By these the step's processes are found where there are no control groups.
    environment.put("SLURM_JOB_ID", Long.toString(job.jobId()));
    environment.put("SLURMD_NODENAME", setup.nodeName());
    fallback.put("TMPDIR", account.temporary());
    return new LoginShell(account.shell(), account.home(), environment, fallback, PATIENCE);
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file, StandardCharsets.UTF_8);
    } catch (IOException _) {
      return List.of();
    }
  }

  /** The variables of a file of pam_env: {@code NAME=VALUE}, in quotes or not. */
  static SequencedMap<String, String> parse(List<String> lines) {
    SequencedMap<String, String> variables = new LinkedHashMap<>();
    for (String each : lines) {
      String line = each.strip();
      line = line.startsWith("export ") ? line.substring("export ".length()).strip() : line;
      int equals = line.indexOf('=');
      if (equals > 0 && !line.startsWith("#") && line.indexOf('\0') < 0) {
        variables.put(line.substring(0, equals), unquoted(line.substring(equals + 1)));
      }
    }
    return variables;
  }

  private static String unquoted(String value) {
    boolean quoted =
        value.length() >= 2
            && (value.startsWith("\"") || value.startsWith("'"))
            && value.charAt(0) == value.charAt(value.length() - 1);
    return quoted ? value.substring(1, value.length() - 1) : value;
  }
}
