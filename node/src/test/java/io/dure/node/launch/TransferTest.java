package io.dure.node.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dure.testkit.Await;
import io.dure.testkit.step.SpawnerProcess;
import io.dure.testkit.step.StepConnection;
import io.dure.testkit.step.StepFrame;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that come to a node, or leave it, with the rights of a user. */
@Tag("process")
class TransferTest {
  private static final int FORCE = 1;
  private static final int TIMES = 2;
  private static final int FOLDER = 4;
  private static final int NOBODY = 65534;
  private static final int NOT_ITS_OWN = 1;
  private static final int NO_FILE = 2;
  private static final int DENIED = 13;
  private static final int EXISTS = 17;
  private static final int IS_FOLDER = 21;

  private SpawnerProcess spawner;
  @TempDir private Path folder;

  @BeforeEach
  void open() throws Exception {
    spawner = new SpawnerProcess(Path.of("target").toAbsolutePath(), true);
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
  }

  @AfterEach
  void close() throws Exception {
    spawner.close();
  }

  private StepConnection connect() throws IOException {
    int before = spawner.news('C').size();
    StepConnection connection = StepConnection.to(spawner.socket);
    connection.send(new StepFrame('F'));
    int id = spawner.awaitNews('C', before + 1).number(0);
    String user = Integer.toString(SpawnerProcess.user());
    spawner.order(StepFrame.of('F', id, user + "\0" + user + "\0" + user));
    return connection;
  }

  private static StepFrame ask(char type, Path path, int flags) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(0100640);
    out.writeLong(1_000_000_000);
    out.writeInt(5);
    out.writeLong(1_000_000_001);
    out.writeInt(0);
    out.writeByte(flags);
    out.write((path + "\0").getBytes(StandardCharsets.UTF_8));
    return new StepFrame(type, bytes.toByteArray());
  }

  private int put(Path path, int flags, String... parts) throws IOException {
    try (StepConnection connection = connect()) {
      connection.send(ask('P', path, flags));
      sendData(connection, parts);
      return connection.await('r').number(0);
    }
  }

  /** A file that is refused is answered and closed while its data are still sent. */
  private static void sendData(StepConnection connection, String... parts) throws IOException {
    try {
      for (String part : parts) {
        connection.send(new StepFrame('D', part.getBytes(StandardCharsets.UTF_8)));
      }
      connection.send(new StepFrame('D'));
    } catch (IOException _) {
      // the answer is there, and says why
    }
  }

  @Test
  void aFileIsWrittenWithItsModeAndItsTimesIfTheyAreWanted() throws Exception {
    Path file = folder.resolve("new/file");
    assertEquals(0, put(file, TIMES | FOLDER, "one ", "two\n"));
    assertEquals("one two\n", Files.readString(file));
    assertEquals("rw-r-----", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    assertEquals(1_000_000_001_000L, Files.getLastModifiedTime(file).toMillis());
    assertEquals(SpawnerProcess.user(), Files.getAttribute(file, "unix:uid"));
  }

  @Test
  void whatIsThereStaysUnlessItIsToGo() throws Exception {
    Path file = folder.resolve("file");
    assertEquals(0, put(file, 0, "old"));
    assertEquals(EXISTS, put(file, 0, "new"));
    assertEquals("old", Files.readString(file));
    assertEquals(0, put(file, FORCE, "n"));
    assertEquals("n", Files.readString(file));
    assertEquals(NO_FILE, put(folder.resolve("nowhere/file"), FORCE, "x"));
  }

  @Test
  void nothingIsWrittenWithOtherRightsThanTheUsers() throws Exception {
    Path closed = Files.createDirectory(folder.resolve("closed"));
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("r-xr-xr-x"));
    assertEquals(DENIED, put(closed.resolve("file"), FORCE, "x"));
  }

  @Test
  void whatIsNotWholeIsRemoved() throws Exception {
    Path file = folder.resolve("file");
    try (StepConnection connection = connect()) {
      connection.send(ask('P', file, 0));
      connection.send(new StepFrame('D', (byte) 'x'));
      Await.seconds(30).until("it is there", () -> Files.exists(file));
    }
    Await.seconds(30).until("it is gone", () -> !Files.exists(file));
  }

  @Test
  void whatTakesAnothersPlaceDoesSoOnceItIsWhole() throws Exception {
    Path file = folder.resolve("file");
    Path link = Files.createSymbolicLink(folder.resolve("link"), file);
    assertEquals(0, put(file, 0, "old"));
    try (StepConnection connection = connect()) {
      connection.send(ask('P', link, FORCE));
      connection.send(new StepFrame('D', (byte) 'x'));
      Await.seconds(30).until("it is being written", () -> files() == 3);
    }
    Await.seconds(30).until("what was written of it is gone", () -> files() == 2);
    assertEquals("old", Files.readString(file));
    assertEquals(0, put(link, FORCE, "new"));
    assertEquals("new", Files.readString(file));
    assertTrue(Files.isSymbolicLink(link));
    assertEquals(2, files());
  }

  private long files() throws IOException {
    try (var files = Files.list(folder)) {
      return files.count();
    }
  }

  @Test
  void whereAFolderTakesNoOtherFileItsOwnIsWritten() throws Exception {
    Path closed = Files.createDirectory(folder.resolve("closed"));
    Path file = Files.writeString(closed.resolve("file"), "old");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("r-xr-xr-x"));
    if (SpawnerProcess.user() == NOBODY) {
      assertEquals(NOT_ITS_OWN, put(file, FORCE, "new"));
      assertEquals("old", Files.readString(file));
      Files.setAttribute(file, "unix:uid", NOBODY);
    }
    assertEquals(0, put(file, FORCE, "new"));
    assertEquals("new", Files.readString(file));
    try (StepConnection connection = connect()) {
      connection.send(ask('P', file, FORCE));
      connection.send(new StepFrame('D', (byte) 'x'));
      Await.seconds(30).until("it is written", () -> Files.readString(file).equals("x"));
    }
    Await.seconds(30).until("no part of it is left", () -> Files.size(file) == 0);
  }

  @Test
  void aFileIsRead() throws Exception {
    Path file = folder.resolve("file");
    assertEquals(0, put(file, 0, "content"));
    try (StepConnection connection = connect()) {
      connection.send(ask('G', file, 0));
      assertEquals(0640, connection.await('M').number(0) & 0777);
      assertEquals("content", connection.await('D').text(0));
      assertEquals(0, connection.await('D').length());
      assertEquals(0, connection.await('r').number(0));
    }
    try (StepConnection connection = connect()) {
      connection.send(ask('G', folder, 0));
      assertEquals(IS_FOLDER, connection.await('r').number(0));
    }
  }
}
