package io.dure.e2e.cluster;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Somebody with an account, or only with a number.
 *
 * @param name the login name, or the number again
 * @param home the home directory
 */
public record User(String name, int uid, int gid, String home) {
  /** Whoever runs the tests. */
  public static final User SELF = self();

  /** A user that has no account: only a number, as in a container or on a half-managed node. */
  public static final User NOBODY_KNOWS = new User("54321", 54321, 54321, "/");

  /** True when the tests may become other users. */
  public static boolean isRoot() {
    return SELF.uid() == 0;
  }

  /** Skips the test, visibly, unless it may become other users. */
  public static void assumeRoot() {
    assumeTrue(isRoot(), "needs root: it runs commands as several users");
    assumeTrue(
        othersMayEnter(),
        "needs a checkout that other users can read: "
            + Checkout.root()
            + " lies below a closed directory");
  }

  /** The account of that name, made when it is missing. */
  public static User named(String name) {
    assumeRoot();
    User found = lookUp(name);
    if (found == null) {
      output("useradd", "--create-home", "--shell", "/bin/bash", name);
      found = lookUp(name);
    }
    if (found == null) {
      throw new AssertionError("useradd made no user " + name);
    }
    return found;
  }

  private static User self() {
    User found = lookUp(output("id", "-un").strip());
    if (found == null) {
      throw new IllegalStateException("the user who runs the tests has no account");
    }
    return found;
  }

  private static boolean othersMayEnter() {
    return ran("setpriv", "--reuid=54321", "--regid=54321", "--clear-groups", "test", "-x", dure());
  }

  private static String dure() {
    return Checkout.dure().toString();
  }

  private static @Nullable User lookUp(String name) {
    String line = output("getent", "passwd", name).strip();
    if (line.isEmpty()) {
      return null;
    }
    List<String> fields = List.of(line.split(":", -1));
    return new User(
        fields.get(0),
        Integer.parseInt(fields.get(2)),
        Integer.parseInt(fields.get(3)),
        fields.get(5));
  }

  private static boolean ran(String... words) {
    try {
      Process process =
          new ProcessBuilder(words)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static String output(String... words) {
    try {
      Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
      return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new AssertionError("cannot run " + List.of(words), e);
    }
  }
}
