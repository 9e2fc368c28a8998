package io.dure.host.storage;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dure.host.user.CurrentProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("process")
class AtomicFileTest {
  @TempDir Path directory;

  @Test
  void writesContentWithModeWhateverTheUmask() throws IOException {
    Path file = directory.resolve("state");
    AtomicFile.write(file, bytes("one"), 0666, null);
    assertEquals(0666, FileModes.modeOf(file));
    AtomicFile.write(file, bytes("two"), 0600, null);
    assertEquals(0600, FileModes.modeOf(file));
    assertEquals("two", Files.readString(file));
    assertNoLeftOver("state");
  }

  @Test
  void createRefusesAnExistingFileAndKeepsIt() throws IOException {
    Path file = directory.resolve("key");
    AtomicFile.create(file, bytes("first"), 0600, null);
    assertThrows(
        FileAlreadyExistsException.class,
        () -> AtomicFile.create(file, bytes("second"), 0600, null));
    assertEquals("first", Files.readString(file));
    assertNoLeftOver("key");
  }

  @Test
  void ofManyCreatorsOneSucceedsWithItsWholeContent() throws Exception {
    Path file = directory.resolve("race");
    List<Callable<Boolean>> creators = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      byte[] content = new byte[100_000];
      java.util.Arrays.fill(content, (byte) ('a' + i));
      creators.add(() -> {
        try {
          AtomicFile.create(file, content, 0600, null);
          return true;
        } catch (FileAlreadyExistsException e) {
          return false;
        }
      });
    }
    int succeeded = 0;
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      for (Future<Boolean> creator : threads.invokeAll(creators)) {
        succeeded += creator.get() ? 1 : 0;
      }
    }
    assertEquals(1, succeeded);
    byte[] content = Files.readAllBytes(file);
    byte[] uniform = new byte[100_000];
    java.util.Arrays.fill(uniform, content[0]);
    assertArrayEquals(uniform, content);
    assertNoLeftOver("race");
  }

  @Test
  void givesFilesAway() throws IOException {
    assumeTrue(CurrentProcess.effectiveUid() == 0, "only root may");
    Path file = directory.resolve("theirs");
    AtomicFile.write(file, bytes("x"), 0640, new FileOwner(12345, 54321));
    assertEquals(new FileOwner(12345, 54321), FileModes.ownerOf(file));
    assertEquals(0640, FileModes.modeOf(file));
  }

  @Test
  void toOneselfMayAnybodyGive() throws IOException {
    FileOwner self = new FileOwner(CurrentProcess.effectiveUid(), CurrentProcess.effectiveGid());
    AtomicFile.write(directory.resolve("mine"), bytes("x"), 0600, self);
    assertEquals(self, FileModes.ownerOf(directory.resolve("mine")));
  }

  @Test
  void aFailedWriteLeavesTheOldContent() throws IOException {
    Path file = directory.resolve("busy");
    Files.createDirectories(file.resolve("not-empty"));
    assertThrows(IOException.class, () -> AtomicFile.write(file, bytes("x"), 0600, null));
    assertTrue(Files.isDirectory(file.resolve("not-empty")));
    assertNoLeftOver("busy");
  }

  @Test
  void makesDirectoriesOnceAndLeavesExistingOnes() throws IOException {
    Path deep = directory.resolve("a/b/c");
    assertTrue(DirectoryCreator.ensure(deep, 0700, null));
    assertEquals(0700, FileModes.modeOf(deep));
    assertEquals(0755, FileModes.modeOf(deep.getParent()));
    assertFalse(DirectoryCreator.ensure(deep, 0777, null));
    assertEquals(0700, FileModes.modeOf(deep));
    Path file = Files.createFile(directory.resolve("file"));
    assertThrows(NotDirectoryException.class, () -> DirectoryCreator.ensure(file, 0700, null));
  }

  @Test
  void measuresTheFileSystemOfAPathThatIsNotThereYet() throws IOException {
    FreeSpace here = FreeSpace.of(directory);
    FreeSpace below = FreeSpace.of(directory.resolve("not/yet/there"));
    assertTrue(here.totalMib() > 0 && here.usableMib() <= here.totalMib(), here::toString);
    assertEquals(here.totalMib(), below.totalMib());
  }

  private void assertNoLeftOver(String only) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      assertEquals(List.of(only), files.map(file -> file.getFileName().toString()).toList());
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
