package io.dure.node.launch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dure.testkit.Await;
import io.dure.testkit.step.SpawnerProcess;
import io.dure.testkit.step.StepConnection;
import io.dure.testkit.step.StepFrame;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A display of a node, with the test in the place of the front end and of X clients. */
@Tag("process")
class DisplayTest {
  private static final Path PROGRAMS = Path.of("target").toAbsolutePath();
  private static final Await SOON = Await.seconds(30);
  private static final int X_PORT = 6000;
  private static final int WINDOW = 256 << 10;
  private static final byte[] COOKIE = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

  private final List<AutoCloseable> open = new ArrayList<>();
  private SpawnerProcess spawner;
  private StepConnection front;
  private Path record;
  private int number;

  @BeforeEach
  void start() throws IOException {
    spawner = new SpawnerProcess(PROGRAMS, false);
    record = spawner.home.resolve("display");
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : open) {
      one.close();
    }
    if (Files.exists(record)) {
      SOON.until("the display ends", () -> Files.size(record) == 0);
    }
    spawner.close();
  }

  /** Has a display made for the user who runs the test. */
  private void display(String kind, Path place) throws IOException {
    begin(kind, place);
    front.send(new StepFrame('k', COOKIE));
    number = front.await('y').number(0);
  }

  /** Its process runs, and waits for the cookie; the number of that process. */
  private int begin(String kind, Path place) throws IOException {
    front = StepConnection.to(spawner.socket);
    open.add(front);
    front.send(new StepFrame('X'));
    int id = spawner.awaitNews('C', 1).number(0);
    Path self = Path.of("/proc/self");
    String words =
        Files.getAttribute(self, "unix:uid")
            + "\0"
            + Files.getAttribute(self, "unix:gid")
            + "\0\0"
            + record
            + "\0"
            + kind
            + "\0"
            + place
            + "\0";
    spawner.order(StepFrame.of('X', id, words));
    int process = spawner.awaitNews('X', 1).number(1);
    assertTrue(process > 0, "it was started");
    return process;
  }

  private Socket client() throws IOException {
    Socket client =
        new Socket(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), X_PORT + number);
    open.add(client);
    return client;
  }

  private static void write(Socket client, String text) throws IOException {
    client.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }

  private static String read(Socket client, int length) throws IOException {
    return new String(client.getInputStream().readNBytes(length), StandardCharsets.US_ASCII);
  }

  @Test
  void bytesPassBothWaysAndSoDoEnds() throws Exception {
    display("private", spawner.home);
    for (int round = 0; round < 3; round++) {
      Socket client = client();
      int channel = front.await('o').number(0);
      assertEquals(0, channel, "one that is over is used again");
      write(client, "hello");
      assertEquals("hello", front.await('d').text(1));
      front.send(StepFrame.of('d', channel, "world"));
      assertEquals("world", read(client, 5));
      client.shutdownOutput();
      assertEquals(channel, front.await('e').number(0));
      front.send(StepFrame.of('d', channel, "last words"));
      front.send(StepFrame.ofNumbers('e', channel));
      assertEquals("last words", read(client, 1000));
      assertEquals(channel, front.await('c').number(0));
      front.send(StepFrame.ofNumbers('c', channel));
    }
  }

  @Test
  void aStreamThatIsNotReadHoldsUpNoOther() throws Exception {
    display("private", spawner.home);
    Socket much = client();
    int first = front.await('o').number(0);
    Thread writer =
        Thread.ofVirtual()
            .start(() -> {
              try {
                much.getOutputStream().write(new byte[32 * WINDOW]);
              } catch (IOException _) {
                // The test is over.
              }
            });
    int got = 0;
    while (got < WINDOW) {
      got += front.await('d').length() - 4;
    }
    assertEquals(WINDOW, got);
    Socket other = client();
    StepFrame opened = front.next();
    assertEquals('o', opened.type(), opened::toString);
    write(other, "through");
    assertEquals("through", front.await('d').text(1));
    front.send(StepFrame.ofNumbers('g', first, 1000));
    StepFrame more = front.await('d');
    assertEquals(first, more.number(0));
    assertEquals(1004, more.length());
    front.close();
    writer.join();
  }

  @Test
  void theCookieIsInAFileOfItsOwnAndGoesWithTheFrontEnd() throws Exception {
    display("private", spawner.home);
    String[] words = Files.readString(record).strip().split(" ", -1);
    assertEquals(Integer.toString(number), words[0]);
    Path file = Path.of(words[3]);
    assertEquals(spawner.home, file.getParent());
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    assertArrayEquals(entry(machine(), Integer.toString(number)), Files.readAllBytes(file));
    Socket client = client();
    front.await('o');
    front.close();
    assertEquals("", read(client, 1), "its connections end");
    SOON.until("the file goes", () -> !Files.exists(file));
    SOON.until("the daemon sees it", () -> Files.size(record) == 0);
    assertThrows(ConnectException.class, this::client);
  }

  @Test
  void entriesOfOtherDisplaysStayInTheUsersOwnFile() throws Exception {
    Path own = spawner.home.resolve(".Xauthority");
    byte[] other = entry("elsewhere", "10");
    Files.write(own, other);
    display("home", own);
    byte[] both = Files.readAllBytes(own);
    assertEquals(other.length + entry(machine(), Integer.toString(number)).length, both.length);
    front.close();
    SOON.until("its entry goes", () -> Files.size(own) == other.length);
    assertArrayEquals(other, Files.readAllBytes(own));
    SOON.until("its locks go", () -> authorityFiles().equals(List.of(own)));
  }

  private List<Path> authorityFiles() throws IOException {
    try (Stream<Path> files = Files.list(spawner.home)) {
      return files.filter(file -> file.getFileName().toString().startsWith(".X")).toList();
    }
  }

  @Test
  void whatIsNoEntryOfAFileStaysAsItIs() throws Exception {
    Path own = spawner.home.resolve(".Xauthority");
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(entry("elsewhere", "10"));
    bytes.write(new byte[] {1, 0, 0, 90, 7}); // says 90 bytes, has one
    Files.write(own, bytes.toByteArray());
    display("home", own);
    front.close();
    SOON.until("its entry goes", () -> Files.size(own) == bytes.size());
    assertArrayEquals(bytes.toByteArray(), Files.readAllBytes(own));
  }

  @Test
  void aFrontEndWithoutCookieGetsNoDisplay() throws Exception {
    int silent = begin("private", spawner.home);
    assertTrue(front.until('!').isEmpty(), "its connection ends after some seconds");
    SOON.until("the display ends", () -> ProcessHandle.of(silent).isEmpty());
    try (Stream<Path> files = Files.list(spawner.home)) {
      assertTrue(files.noneMatch(file -> file.toString().contains("Xauthority")));
    }
  }

  @Test
  void aSignalEndsItAsTheFrontEndDoes() throws Exception {
    display("private", spawner.home);
    String[] words = Files.readString(record).strip().split(" ", -1);
    assertTrue(ProcessHandle.of(Long.parseLong(words[1])).orElseThrow().destroy());
    SOON.until("the file goes", () -> !Files.exists(Path.of(words[3])));
    assertTrue(front.until('!').isEmpty(), "its connection ends");
  }

  @Test
  void aClientMayHaveSaidAllBeforeItIsAccepted() throws Exception {
    display("private", spawner.home);
    String process = Files.readString(record).split(" ", -1)[1];
    signal("STOP", process);
    Socket client = client();
    write(client, "all");
    client.shutdownOutput();
    signal("CONT", process);
    int channel = front.await('o').number(0);
    assertEquals("all", front.await('d').text(1));
    assertEquals(channel, front.await('e').number(0));
    front.send(StepFrame.of('d', channel, "answer"));
    assertEquals("answer", read(client, 6));
  }

  private static void signal(String name, String process) throws Exception {
    assertEquals(0, new ProcessBuilder("kill", "-" + name, process).start().waitFor());
  }

  @Test
  void anotherUserIsRefused() throws Exception {
    assumeTrue(System.getProperty("user.name").equals("root"), "root alone can be two users");
    display("private", spawner.home);
    Process other =
        new ProcessBuilder(
                "setpriv",
                "--reuid=65534",
                "--clear-groups",
                "bash",
                "-c",
                "exec 3<>/dev/tcp/127.0.0.1/" + (X_PORT + number) + "; echo secret >&3; cat <&3")
            .redirectErrorStream(true)
            .start();
    String said = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(!said.contains("secret"), said);
    Socket client = client();
    write(client, "mine");
    assertEquals(0, front.await('o').number(0));
    assertEquals("mine", front.await('d').text(1));
  }

  private static String machine() throws IOException {
    return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
  }

  /** An entry as xauth(1) writes it. */
  private static byte[] entry(String machine, String display) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeShort(256);
    out.writeUTF(machine);
    out.writeUTF(display);
    out.writeUTF("MIT-MAGIC-COOKIE-1");
    out.writeShort(COOKIE.length);
    out.write(COOKIE);
    return bytes.toByteArray();
  }
}
