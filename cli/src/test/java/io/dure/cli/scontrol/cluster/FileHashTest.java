package io.dure.cli.scontrol.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Hashes of files by what is published of the algorithms. */
@Tag("pure")
class FileHashTest {

  /** The test vectors of RFC 9861: bytes 00 to FA again and again. */
  @ParameterizedTest
  @CsvSource({
    "0,1ac2d450fc3b4205d19da7bfca1b37513c0803577ac7167f06fe2ce1f0ef39e5",
    "1,2bda92450e8b147f8a7cb629e784a058efca7cf7d8218e02d345dfaa65244a1f",
    "17,6bf75fa2239198db4772e36478f8e19b0f371205f6a9a93a273f51df37122888",
    "289,0c315ebcdedbf61426de7dcf8fb725d1e74675d7f5327a5067f367b108ecb67c",
    "4913,cb552e2ec77d9910701d578b457ddf772c12e322e4ee7fe417f92c758f0d59d0",
    "83521,8701045e22205345ff4dda05555cbb5c3af1a771c2b89baef37db43d9998b9fe",
    "1419857,844d610933b1b9963cbdeb5ae3b6b05cc7cbd67ceedf883eb678a0a8e0371682",
  })
  void kangarooTwelve(int length, String hash) throws IOException {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (i % 251);
    }
    assertEquals(hash, hex(FileHash.k12(new ByteArrayInputStream(bytes))));
  }

  @Test
  void sha3() throws IOException {
    byte[] bytes = "abc".getBytes(StandardCharsets.US_ASCII);
    assertEquals(
        "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532",
        hex(FileHash.sha3(new ByteArrayInputStream(bytes))));
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
