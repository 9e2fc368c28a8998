package io.dure.cli.process;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Standard input of this process. What cannot be read, a directory say, is at its end, as Slurm's
 * commands have it. One thread.
 */
public final class StandardInput extends InputStream {
  private final FileInputStream file = new FileInputStream(FileDescriptor.in);

  @Override
  public int read() {
    byte[] letter = new byte[1];
    return read(letter, 0, 1) < 0 ? -1 : letter[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int from, int length) {
    try {
      return file.read(bytes, from, length);
    } catch (IOException e) {
      return -1;
    }
  }
}
