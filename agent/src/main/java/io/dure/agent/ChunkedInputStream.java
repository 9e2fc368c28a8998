package io.dure.agent;

import java.io.IOException;
import java.io.InputStream;

/** Bytes that are asked for in pieces; an empty piece is the end. One thread. */
class ChunkedInputStream extends InputStream {
  private final Source source;
  private byte[] chunk = new byte[0];
  private int at;
  private boolean ended;

  /** Where the pieces come from. */
  interface Source {
    byte[] next() throws IOException;
  }

  ChunkedInputStream(Source source) {
    this.source = source;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int from, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (at == chunk.length && !ended) {
      chunk = source.next();
      at = 0;
      ended = chunk.length == 0;
    }
    if (at == chunk.length) {
      return -1;
    }
    int part = Math.min(length, chunk.length - at);
    System.arraycopy(chunk, at, bytes, from, part);
    at += part;
    return part;
  }
}
