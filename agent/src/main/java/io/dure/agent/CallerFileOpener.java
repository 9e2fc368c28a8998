package io.dure.agent;

import io.dure.host.process.ErrnoTexts;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;

/** Files that the client opens with its caller's rights. For the command's thread. */
final class CallerFileOpener {
  private static final int READ = 1;
  private static final int WRITE_NEW = 2 | 4 | 8;
  private static final int LOOK = 32;
  private static final int NEW_MODE = 0666;
  private static final int CHUNK = 1 << 16;
  private static final int TYPE = 0170000;
  private static final int ORDINARY = 0100000;
  private static final int ENOENT = 2;
  private static final int EACCES = 13;

  private final ClientConversation conversation;
  private int next;

  CallerFileOpener(ClientConversation conversation) {
    this.conversation = conversation;
  }

  /** Whether there is an ordinary file of that name. */
  boolean isOrdinary(Path file) {
    try {
      return (open(file, LOOK).getInt(4) & TYPE) == ORDINARY;
    } catch (IOException e) {
      return false;
    }
  }

  InputStream read(Path file) throws IOException {
    int number = next++;
    open(file, READ, number);
    byte[] ask = ByteBuffer.allocate(8).putInt(number).putInt(CHUNK).array();
    return new ChunkedInputStream(
        () -> {
          byte[] reply = conversation.ask('R', ask, 'r');
          check(reply);
          if (reply.length == 4) {
            conversation.allRead();
          }
          return Arrays.copyOfRange(reply, 4, reply.length);
        }) {
      @Override
      public void close() throws IOException {
        closeFile(number);
      }
    };
  }

  OutputStream write(Path file) throws IOException {
    int number = next++;
    open(file, WRITE_NEW, number);
    return new OutputStream() {
      @Override
      public void write(int letter) throws IOException {
        write(new byte[] {(byte) letter}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int from, int length) throws IOException {
        for (int at = 0; at < length; at += CHUNK) {
          int part = Math.min(CHUNK, length - at);
          byte[] ask =
              ByteBuffer.allocate(4 + part).putInt(number).put(bytes, from + at, part).array();
          check(conversation.ask('W', ask, 'w'));
        }
      }

      @Override
      public void close() throws IOException {
        closeFile(number);
      }
    };
  }

  private void closeFile(int number) throws IOException {
    byte[] ask = ByteBuffer.allocate(4).putInt(number).array();
    conversation.send('C', ask, 0, ask.length, false);
  }

  private ByteBuffer open(Path file, int wishes) throws IOException {
    return open(file, wishes, next);
  }

  private ByteBuffer open(Path file, int wishes, int number) throws IOException {
    byte[] name = file.toString().getBytes(StandardCharsets.UTF_8);
    byte[] ask =
        ByteBuffer.allocate(12 + name.length)
            .putInt(number)
            .putInt(wishes)
            .putInt(NEW_MODE)
            .put(name)
            .array();
    byte[] reply = conversation.ask('O', ask, 'o');
    checkOpened(file, reply);
    return ByteBuffer.wrap(reply);
  }

  private static void check(byte[] reply) throws IOException {
    int error = error(reply);
    if (error != 0) {
      throw new IOException(ErrnoTexts.text(error));
    }
  }

  private static void checkOpened(Path file, byte[] reply) throws IOException {
    int error = error(reply);
    switch (error) {
      case 0 -> {}
      case ENOENT -> throw new NoSuchFileException(file.toString());
      case EACCES -> throw new AccessDeniedException(file.toString());
      default -> throw new FileSystemException(file.toString(), null, ErrnoTexts.text(error));
    }
  }

  private static int error(byte[] reply) throws IOException {
    if (reply.length < 4) {
      throw new ProtocolException("an answer of " + reply.length + " bytes");
    }
    return ByteBuffer.wrap(reply).getInt();
  }
}
