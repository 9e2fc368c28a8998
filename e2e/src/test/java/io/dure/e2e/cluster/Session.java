package io.dure.e2e.cluster;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * A user at a shell: in a directory of their own, with a login's environment and the cluster named
 * in it.
 *
 * @param environment all of it
 */
public record Session(User user, Path directory, Map<String, String> environment, Client client) {
  private static final long PATIENCE_SECONDS = 120;

  public static Session of(User user, Path directory, Path conf) {
    return of(user, directory, conf, Client.C);
  }

  public static Session of(User user, Path directory, Path conf, Client client) {
    Map<String, String> environment = new TreeMap<>();
    environment.put("HOME", user.home());
    environment.put("USER", user.name());
    environment.put("LOGNAME", user.name());
    environment.put("SHELL", "/bin/bash");
    environment.put("LANG", "C.UTF-8");
    environment.put("SLURM_CONF", conf.toString());
    client.prepare(environment);
    return new Session(user, directory, Collections.unmodifiableMap(environment), client);
  }

  public Session in(Path other) {
    return new Session(user, other, environment, client);
  }

  public Session with(String variable, String value) {
    Map<String, String> more = new TreeMap<>(environment);
    more.put(variable, value);
    return new Session(user, directory, Collections.unmodifiableMap(more), client);
  }

  /** Runs a program by its name on PATH and waits for its end. */
  public Ran run(String... words) {
    return Session.run(asUser(List.of(words)), environment, directory, Path.of("/dev/null"));
  }

  /** The same with a file as standard input. */
  public Ran runReading(Path input, String... words) {
    return Session.run(asUser(List.of(words)), environment, directory, input);
  }

  /** Starts a program whose output, and what it complains of, goes to a file of the directory. */
  public Process start(String output, String... words) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(asUser(List.of(words)))
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve(output).toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    return builder.start();
  }

  /** Runs a line of shell. */
  public Ran shell(String line) {
    return run("sh", "-c", line);
  }

  /** Submits with {@code sbatch} and these words; the job's number. */
  public int submit(String... words) {
    List<String> all = new ArrayList<>(List.of("sbatch", "--parsable"));
    all.addAll(List.of(words));
    return Integer.parseInt(run(all.toArray(String[]::new)).ok());
  }

  /** Writes a script of this user's into the directory. */
  public Path script(String name, String text) {
    Path file = directory.resolve(name);
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new AssertionError("cannot write " + file, e);
    }
    return file;
  }

  /** A file's text, empty while there is none. */
  public String read(String name) {
    try {
      return Files.readString(directory.resolve(name));
    } catch (IOException e) {
      return "";
    }
  }

  private List<String> asUser(List<String> line) {
    List<String> words = new ArrayList<>(line);
    // Java looks for a program on its own PATH, which may hold another Slurm.
    Path command = client.directory().resolve(line.getFirst());
    if (Files.exists(command)) {
      words.set(0, command.toString());
    }
    if (user.uid() == User.SELF.uid()) {
      return words;
    }
    List<String> all =
        new ArrayList<>(List.of("setpriv", "--reuid=" + user.uid(), "--regid=" + user.gid()));
    all.add(user.equals(User.NOBODY_KNOWS) ? "--clear-groups" : "--init-groups");
    all.addAll(words);
    return all;
  }

  public static Ran run(
      List<String> words, Map<String, String> environment, Path directory, Path input) {
    String line = String.join(" ", words);
    try {
      Path out = Files.createTempFile("e2e", ".out");
      Path err = Files.createTempFile("e2e", ".err");
      ProcessBuilder builder =
          new ProcessBuilder(words)
              .directory(directory.toFile())
              .redirectInput(input.toFile())
              .redirectOutput(out.toFile())
              .redirectError(err.toFile());
      builder.environment().clear();
      builder.environment().putAll(environment);
      Process process = builder.start();
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError(
            "after " + PATIENCE_SECONDS + " s still runs: " + line + "\n" + text(out) + text(err));
      }
      return new Ran(line, process.exitValue(), text(out), text(err));
    } catch (IOException e) {
      throw new AssertionError("cannot run " + line, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted in " + line, e);
    }
  }

  private static String text(Path file) throws IOException {
    String text = Files.readString(file, StandardCharsets.UTF_8);
    File gone = file.toFile();
    if (!gone.delete()) {
      gone.deleteOnExit();
    }
    return text;
  }
}
