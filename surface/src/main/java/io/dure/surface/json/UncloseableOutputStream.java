package io.dure.surface.json;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** A stream that its writer does not close. */
final class UncloseableOutputStream extends FilterOutputStream {

  UncloseableOutputStream(OutputStream stream) {
    super(stream);
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    out.write(bytes, from, length);
  }

  @Override
  public void close() throws IOException {
    out.flush();
  }
}
