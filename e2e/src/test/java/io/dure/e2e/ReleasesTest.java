package io.dure.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.dure.e2e.cluster.Checkout;
import io.dure.faults.corruption.ReleaseFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What each release left on disks is read by today's program as it was meant. */
@Tag("cluster")
class ReleasesTest {
  private static final Path KEPT = Checkout.root().resolve("e2e/src/test/resources/journals");

  @TempDir Path directory;

  static List<Path> releases() throws IOException {
    try (Stream<Path> kept = Files.list(KEPT)) {
      return kept.sorted().toList();
    }
  }

  @Test
  void thereAreSome() throws IOException {
    assertFalse(releases().isEmpty());
  }

  @ParameterizedTest
  @MethodSource("releases")
  void aLoneControllersStateIsAsItWas(Path release) throws IOException {
    Path copy = copied(release.resolve("lone"));
    assertEquals(
        Files.readString(release.resolve(ReleaseFixture.STATE)), ReleaseFixture.lone(copy));
    assertEquals(
        Files.readString(release.resolve(ReleaseFixture.STATE)),
        ReleaseFixture.lone(copy),
        "the second start");
  }

  @ParameterizedTest
  @MethodSource("releases")
  void aGroupsStateIsAsItWas(Path release) throws Exception {
    Path copy = copied(release.resolve("group"));
    assertEquals(
        Files.readString(release.resolve(ReleaseFixture.STATE)), ReleaseFixture.group(copy));
  }

  private Path copied(Path from) throws IOException {
    Path to = directory.resolve("copy");
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
    return to;
  }
}
