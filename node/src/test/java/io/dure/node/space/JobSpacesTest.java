package io.dure.node.space;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dure.host.user.CurrentProcess;
import io.dure.model.UserIdentity;
import io.dure.model.config.step.JobContainer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When directories of jobs are made and removed, by a program that only writes down its call. */
@Tag("process")
class JobSpacesTest {
  private static final UserIdentity ALICE = new UserIdentity(1001, 1001, "alice", "users");

  @TempDir private Path root;
  private Path base;
  private Path program;

  @BeforeEach
  void prepare() throws IOException {
    assumeTrue(CurrentProcess.effectiveUid() == 0, "root alone makes them");
    base = Files.createDirectory(root.resolve("base"));
    program = root.resolve("program");
    String script =
        """
        #!/bin/sh
        echo $1 $3 >> %1$s/calls
        case $1 in
          make) mkdir -p $2/$3; : > $2/$3/.ns;;
          remove) rm -rf $2/$3;;
        esac
        """
            .formatted(root);
    Files.writeString(program, script);
    assertTrue(program.toFile().setExecutable(true));
  }

  private JobSpaces open() throws IOException {
    var container = new JobContainer.OnNode(base.toString(), false, List.of("/var/tmp"), "", false);
    return JobSpaces.open(container, program, Map.of("PATH", "/usr/bin:/bin"));
  }

  private List<String> calls() throws IOException {
    Path calls = root.resolve("calls");
    List<String> lines = Files.exists(calls) ? Files.readAllLines(calls) : List.of();
    Files.deleteIfExists(calls);
    return new ArrayList<>(lines);
  }

  @Test
  void whatComesAfterTheEndOfItsRunMakesNoneAgain() throws IOException {
    try (JobSpaces spaces = open()) {
      spaces.make(12, 1, ALICE);
      spaces.remove(12, 1);
      assertEquals(List.of("make 12", "remove 12"), calls());
      assertEquals(
          "Job/step already completing or completed",
          assertThrows(IOException.class, () -> spaces.make(12, 1, ALICE)).getMessage());
      spaces.make(12, 2, ALICE);
      spaces.make(13, 1, ALICE);
      assertEquals(List.of("make 12", "make 13"), calls());
    }
  }

  @Test
  void whatJobsHaveLeftIsRemovedOnceAndBeforeTheyHaveAnother() throws IOException {
    for (int job = 1; job <= 4; job++) {
      Files.createFile(Files.createDirectory(base.resolve("" + job)).resolve(".ns"));
    }
    try (JobSpaces spaces = open()) {
      assertEquals(List.of(1L, 3L, 4L), spaces.left(Set.of(2L)));
      spaces.make(3, 7, ALICE);
      for (long job : List.of(1L, 3L, 4L)) {
        spaces.removeLeft(job);
      }
      assertEquals(List.of("remove 3", "make 3", "remove 1", "remove 4"), calls());
      assertEquals(List.of(), spaces.left(Set.of(2L, 3L)));
    }
  }
}
