package io.dure.node.space;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.host.user.CurrentProcess;
import io.dure.model.UserIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the node does for containers whose tasks were killed, by the real program. */
@Tag("process")
class OciContainersTest {
  private static final Path PROGRAM = Path.of("target/container").toAbsolutePath();

  @TempDir private Path root;

  @Test
  void theCommandsThatCleanUpAreInTheGroupsOfTheStep() throws IOException {
    Path group = Files.createDirectory(root.resolve("group"));
    Path procs = Files.createFile(group.resolve("cgroup.procs"));
    Path seen = root.resolve("seen");
    assertTrue(Files.createFile(seen).toFile().setWritable(true, false));
    assertTrue(root.toFile().setExecutable(true, false));
    int uid = CurrentProcess.effectiveUid();
    var place =
        new OciContainers.Place(
            root.resolve("spool"), "n1", 12, "0", new UserIdentity(uid, uid, "user", "users"));
    List<String> entries =
        List.of("bundle=/bundle", "path=/path", "ranks=0", "delete=cat " + procs + " > " + seen);
    List<Path> groups = List.of(group, root.resolve("gone"));
    new OciContainers(PROGRAM).clean(place, entries, groups, List.of(), "/");
    assertEquals("0", Files.readString(seen));
  }
}
