package io.dure.cli.process;

import io.dure.host.libc.CLibrary;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Standard output or error of this process. A write to a closed pipe, or past the limit of a file's
 * size, ends the process by PIPE or XFSZ as it ends any other program, unless these were ignored
 * when the process began: Java itself catches them. Any thread.
 */
public final class StandardOutput extends OutputStream {
  private static final int PIPE = 13;
  private static final int XFSZ = 25;

  private final FileOutputStream file;
  private final long ignored;

  /**
   * The output with that descriptor.
   *
   * @param ignored the signals that were ignored at the start: a mask as in /proc/PID/status, in
   *     hexadecimal digits
   */
  public StandardOutput(FileDescriptor descriptor, String ignored) {
    this.file = new FileOutputStream(descriptor);
    this.ignored = Long.parseUnsignedLong(ignored, 16);
  }

  @Override
  public void write(int letter) throws IOException {
    write(new byte[] {(byte) letter}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    try {
      file.write(bytes, from, length);
    } catch (IOException e) {
      // Java tells errors of the system by their text alone.
      String text = String.valueOf(e.getMessage());
      if (text.startsWith("Broken pipe")) {
        endBy(PIPE);
      } else if (text.startsWith("File too large")) {
        endBy(XFSZ);
      }
      throw e;
    }
  }

  private void endBy(int signal) {
    if ((ignored >>> (signal - 1) & 1) != 0) {
      return;
    }
    try {
      var number = ValueLayout.JAVA_INT;
      var address = ValueLayout.ADDRESS;
      CLibrary.function("signal", FunctionDescriptor.of(address, number, address))
          .invoke(signal, MemorySegment.NULL);
      CLibrary.function("raise", FunctionDescriptor.of(number, number)).invoke(signal);
    } catch (Throwable e) {
      throw new IllegalStateException("cannot end by signal " + signal, e);
    }
  }
}
