package io.dure.controller.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.cluster.TextContent;
import io.dure.cluster.TextStorage;
import io.dure.cluster.UnreadableTextException;
import io.dure.host.log.DaemonLog;
import io.dure.host.log.LogLevel;
import io.dure.testkit.Await;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Long texts lie in files, and only for as long as something refers to them. */
@Tag("process")
final class TextFilesTest {
  private static final int SHORTEST = 100;
  private static final String LONG = "a\0ö\u20ac".repeat(SHORTEST);

  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private final AtomicInteger collections = new AtomicInteger();

  @TempDir Path scratch;

  private TextStorage open(long garbage) {
    return TextFiles.open(
        scratch.resolve("texts"),
        new TextFiles.Limits(SHORTEST, garbage),
        collections::incrementAndGet,
        DaemonLog.toStream(said, LogLevel.INFO, InstantSource.system(), ZoneOffset.UTC));
  }

  private String log() {
    return said.toString(StandardCharsets.UTF_8);
  }

  /** The files that are there throughout; others may be deleted while this looks. */
  private List<Path> files() throws IOException {
    Path texts = scratch.resolve("texts");
    assertTrue(Files.isDirectory(texts), "the storage makes its directory");
    List<Path> found = new ArrayList<>();
    Files.walkFileTree(
        texts,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            found.add(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            return gone(e);
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e)
              throws IOException {
            return e == null ? FileVisitResult.CONTINUE : gone(e);
          }
        });
    return found;
  }

  private static FileVisitResult gone(IOException e) throws IOException {
    if (e instanceof NoSuchFileException) {
      return FileVisitResult.CONTINUE;
    }
    throw e;
  }

  @Test
  void onlyLongTextsAreInFiles() throws Exception {
    TextStorage texts = open(Long.MAX_VALUE);
    String small = "x".repeat(SHORTEST - 1);
    assertSame(small, assertInstanceOf(TextContent.InMemory.class, texts.keep(small)).text());
    assertEquals(List.of(), files());
    TextContent kept = texts.keep(LONG);
    assertEquals(1, files().size());
    assertEquals(LONG, kept.read());
    assertEquals(LONG, kept.read(), "again");
    assertEquals(LONG.length(), kept.length());
    assertEquals(
        "rwx------",
        PosixFilePermissions.toString(Files.getPosixFilePermissions(scratch.resolve("texts"))),
        "users of this machine cannot read them");
  }

  @Test
  void aFileGoesWithTheLastReference() throws Exception {
    TextStorage texts = open(Long.MAX_VALUE);
    List<TextContent> kept = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      kept.add(texts.keep(LONG + i));
    }
    assertEquals(1000, files().size());
    TextContent other = kept.get(700);
    kept.clear();
    Await.seconds(30)
        .until(
            "one file is left",
            () -> {
              System.gc();
              return files().size() == 1;
            });
    assertEquals(LONG + 700, other.read());
  }

  @Test
  void aCollectionIsAskedForOnceMuchMayBeGarbage() {
    TextStorage texts = open(10L * LONG.getBytes(StandardCharsets.UTF_8).length);
    List<TextContent> kept = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      kept.add(texts.keep(LONG));
    }
    assertEquals(0, collections.get());
    kept.add(texts.keep(LONG));
    assertEquals(1, collections.get());
    for (int i = 0; i < 90; i++) {
      kept.add(texts.keep(LONG));
    }
    // After 10, 20, 30, 45, 68 and no earlier: half of them all may be garbage.
    assertEquals(5, collections.get());
    assertEquals(100, kept.size());
  }

  @Test
  void whatAnEarlierControllerLeftIsDeleted() throws Exception {
    TextContent kept = open(Long.MAX_VALUE).keep(LONG);
    List<Path> former = files();
    TextContent next = open(Long.MAX_VALUE).keep(LONG + LONG);
    Await.seconds(30).until("the former file is gone", () -> !Files.exists(former.getFirst()));
    assertEquals(1, files().size());
    assertEquals(LONG + LONG, next.read());
    assertTrue(
        assertThrows(UnreadableTextException.class, kept::read)
            .getMessage()
            .contains(String.valueOf(former.getFirst())));
  }

  @Test
  void aFileThatWasChangedIsNotTakenForTheText() throws Exception {
    TextContent kept = open(Long.MAX_VALUE).keep(LONG);
    Path file = files().getFirst();
    byte[] bytes = Files.readAllBytes(file);
    bytes[7] ^= 1;
    Files.write(file, bytes);
    String message = assertThrows(UnreadableTextException.class, kept::read).getMessage();
    assertTrue(message.contains(file + " is not as it was written"), message);
    assertTrue(message.contains("start slurmctld again"), message);
    assertNotNull(kept);
  }

  @Test
  void whatCannotBeWrittenStaysInMemory() throws Exception {
    TextStorage texts = open(Long.MAX_VALUE);
    Path mine;
    try (Stream<Path> made = Files.list(scratch.resolve("texts"))) {
      mine = made.findFirst().orElseThrow();
    }
    Files.move(mine, scratch.resolve("away"));
    Files.writeString(mine, "in the way");
    assertInstanceOf(TextContent.InMemory.class, texts.keep(LONG));
    assertInstanceOf(TextContent.InMemory.class, texts.keep(LONG));
    assertEquals(2, log().split("error", -1).length, log());
    assertTrue(log().contains("stay in memory") && log().contains(mine.toString()), log());
    Files.delete(mine);
    TextContent again = texts.keep(LONG);
    assertEquals(1, files().size());
    assertEquals(LONG, again.read());
    assertTrue(log().contains("again"), log());
  }

  @Test
  void withoutADirectoryAllIsInMemory() throws Exception {
    Files.writeString(scratch.resolve("texts"), "in the way");
    assertInstanceOf(TextContent.InMemory.class, open(Long.MAX_VALUE).keep(LONG));
    assertTrue(log().contains(scratch.resolve("texts").toString()), log());
  }
}
