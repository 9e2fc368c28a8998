package io.dure.twin.trace;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** The lines of a trace, plain or compressed by gzip; bounded in length. For one thread. */
public final class TraceLineReader implements Closeable {
  private static final int LONGEST = 65_536;
  private static final int BUFFER = 1 << 16;

  private final String file;
  private final InputStream in;
  private final byte[] line = new byte[LONGEST];
  private int number;

  private TraceLineReader(String file, InputStream in) {
    this.file = file;
    this.in = in;
  }

  /**
   * The lines of a stream, which is closed with them.
   *
   * @param file its name, for messages
   */
  public static TraceLineReader of(String file, InputStream raw) throws IOException {
    BufferedInputStream bytes = new BufferedInputStream(raw, BUFFER);
    bytes.mark(2);
    boolean compressed = bytes.read() == 0x1f && bytes.read() == 0x8b;
    bytes.reset();
    return new TraceLineReader(
        file,
        compressed ? new BufferedInputStream(new GZIPInputStream(bytes, BUFFER), BUFFER) : bytes);
  }

  public String file() {
    return file;
  }

  /** The number of the line that was read last, from 1. */
  public int number() {
    return number;
  }

  /**
   * The next line without its end, null after the last.
   *
   * @throws TraceException for a line of more than 65,536 bytes
   */
  public @Nullable String next() throws IOException, TraceException {
    int length = 0;
    int read = in.read();
    if (read < 0) {
      return null;
    }
    number++;
    while (read >= 0 && read != '\n') {
      if (length == LONGEST) {
        throw new TraceException(
            file,
            number,
            LONGEST,
            "the line goes on after " + LONGEST + " bytes",
            "is it a trace?");
      }
      line[length++] = (byte) read;
      read = in.read();
    }
    return new String(line, 0, length, StandardCharsets.UTF_8).strip();
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
