package io.dure.host.trust;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dure.host.storage.FileModes;
import io.dure.host.storage.FileOwner;
import io.dure.host.user.CurrentProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("pure")
class ClusterKeyTest {
  private static final String CA = "0123456789abcdef".repeat(4);
  private static final String SECRET = "c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0MTI=";

  @TempDir Path directory;

  @Test
  void aWrittenKeyReadsBack() throws IOException {
    Path file = directory.resolve(ClusterKey.FILE_NAME);
    ClusterKey key = ClusterKey.generate(new SecureRandom(), CA);
    key.create(file, null);
    assertEquals(0600, FileModes.modeOf(file));
    ClusterKey read = ClusterKey.load(file, 0);
    assertEquals(CA, read.caFingerprint());
    byte[] message = {1, 2, 3};
    assertArrayEquals(key.authenticate(message), read.authenticate(message));
    assertFalse(key.toString().contains(SECRET));
  }

  @Test
  void anExistingKeyIsNeverOverwritten() throws IOException {
    Path file = write("secret=" + SECRET + "\nca=" + CA + "\n");
    ClusterKey key = ClusterKey.generate(new SecureRandom(), CA);
    assertThrows(FileAlreadyExistsException.class, () -> key.create(file, null));
    assertTrue(Files.readString(file).contains(SECRET));
  }

  @Test
  void twoKeysDiffer() {
    byte[] message = {1};
    byte[] one = ClusterKey.generate(new SecureRandom(), CA).authenticate(message);
    byte[] two = ClusterKey.generate(new SecureRandom(), CA).authenticate(message);
    assertFalse(java.util.Arrays.equals(one, two));
  }

  @Test
  void handWrittenVariantsAreTaken() throws IOException {
    Path file =
        write("# ours\r\n\n ca=" + CA.toUpperCase(java.util.Locale.ROOT) + " \r\nsecret=" + SECRET);
    assertEquals(CA, ClusterKey.load(file, 0).caFingerprint());
  }

  @Test
  void aFileThatOthersMayReadIsRefused() throws IOException {
    Path file = write("secret=" + SECRET + "\nca=" + CA + "\n");
    for (int mode : new int[] {0644, 0640, 0660, 0602, 0601}) {
      FileModes.setMode(file, mode);
      ClusterKeyException refused =
          assertThrows(ClusterKeyException.class, () -> ClusterKey.load(file, 0));
      assertTrue(refused.getMessage().contains("chmod 600 " + file), refused.getMessage());
    }
    FileModes.setMode(file, 0400);
    assertEquals(CA, ClusterKey.load(file, 0).caFingerprint());
  }

  @Test
  void aFileOfSomebodyElseIsRefused() throws IOException {
    assumeTrue(CurrentProcess.effectiveUid() == 0, "only root may give files away");
    Path file = write("secret=" + SECRET + "\nca=" + CA + "\n");
    FileModes.setOwner(file, new FileOwner(12345, 12345));
    ClusterKeyException refused =
        assertThrows(ClusterKeyException.class, () -> ClusterKey.load(file, 64030));
    assertTrue(refused.getMessage().contains("belongs to user 12345"), refused.getMessage());
    assertEquals(CA, ClusterKey.load(file, 12345).caFingerprint());
  }

  @Test
  void aDamagedFileIsRefusedWithoutTellingTheSecret() throws IOException {
    assertThrows(NoSuchFileException.class, () -> ClusterKey.load(directory.resolve("no"), 0));
    String[] damaged = {
      "",
      "secret=" + SECRET,
      "ca=" + CA,
      "secret=abc!\nca=" + CA,
      "secret=" + SECRET.substring(4) + "\nca=" + CA,
      "secret=" + SECRET + "\nca=" + CA.substring(2),
      "secret=" + SECRET + "\nca=" + CA.replace('0', 'x'),
      "secret=" + SECRET + "\nca=" + CA + "\nwhat is this",
      "x".repeat(10_000),
      "\0\1\2\377"
    };
    for (String text : damaged) {
      Path file = write(text);
      ClusterKeyException refused =
          assertThrows(ClusterKeyException.class, () -> ClusterKey.load(file, 0), text);
      assertTrue(refused.getMessage().contains("is not a cluster key"), refused.getMessage());
      assertFalse(refused.getMessage().contains(SECRET.substring(4)), refused.getMessage());
    }
  }

  @Test
  void anyBitThatTurnsOverAndAnyCutIsSeen() throws IOException {
    Path made = directory.resolve(ClusterKey.FILE_NAME);
    ClusterKey.generate(new SecureRandom(), CA).create(made, null);
    byte[] whole = Files.readAllBytes(made);
    for (int at = 0; at < whole.length; at++) {
      Path file = write(new String(whole, 0, at, StandardCharsets.ISO_8859_1));
      assertThrows(ClusterKeyException.class, () -> ClusterKey.load(file, 0), "cut at " + at);
      for (int bit = 0; bit < 8; bit++) {
        byte[] flipped = whole.clone();
        flipped[at] ^= (byte) (1 << bit);
        Files.write(file, flipped);
        assertThrows(ClusterKeyException.class, () -> ClusterKey.load(file, 0), "byte " + at);
      }
    }
  }

  private Path write(String text) throws IOException {
    Path file = directory.resolve("written.key");
    Files.writeString(file, text);
    FileModes.setMode(file, 0600);
    return file;
  }
}
