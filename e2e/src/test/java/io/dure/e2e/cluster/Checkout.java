package io.dure.e2e.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** The checkout that this test stands in, with its programs built. */
public final class Checkout {
  private static final Path ROOT = find();

  private Checkout() {}

  public static Path root() {
    return ROOT;
  }

  /** The launcher. */
  public static Path dure() {
    return ROOT.resolve("dure");
  }

  public static Path command(String name) {
    return ROOT.resolve("bin").resolve(name);
  }

  public static Path daemon(String name) {
    return ROOT.resolve("sbin").resolve(name);
  }

  /** Builds what is stale; says nothing when nothing is. */
  public static void build() {
    try {
      Process build =
          new ProcessBuilder(dure().toString(), "build")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.INHERIT)
              .start();
      if (!build.waitFor(10, TimeUnit.MINUTES)) {
        build.destroyForcibly();
        throw new AssertionError("the build takes more than 10 minutes");
      }
      assertEquals(0, build.exitValue(), "./dure build");
    } catch (IOException e) {
      throw new AssertionError("cannot run " + dure(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  private static Path find() {
    for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
      if (Files.isRegularFile(folder.resolve("dure"))
          && Files.isDirectory(folder.resolve("libexec"))) {
        return folder;
      }
    }
    throw new IllegalStateException("no launcher above " + Path.of("").toAbsolutePath());
  }
}
