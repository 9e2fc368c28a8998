package io.dure.faults.corruption;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Damage to one file.
 *
 * @param kind what happens to it
 * @param file which, beneath the directory
 * @param offset the byte that is changed, or the length that is left
 * @param bit the bit that is turned over, 0 to 7
 */
record FileDamage(Kind kind, Path file, long offset, int bit) {

  /** What the medium does. */
  enum Kind {
    /** One bit is turned over, at any byte of all files. */
    FLIP("bit flipped anywhere"),
    /** The same within what was written, not in the space taken ahead. */
    FLIP_WRITTEN("bit flipped in what was written"),
    /** The same within the first 64 bytes of a file. */
    FLIP_HEAD("bit flipped in a head"),
    /** The same within the last bytes that were written into a file. */
    FLIP_END("bit flipped at the end"),
    /** The file is cut anywhere. */
    CUT("cut anywhere"),
    /** The file is cut within the last bytes that were written into it. */
    CUT_END("cut at the end"),
    /** The file has no bytes any more. */
    EMPTY("emptied");

    final String text;

    Kind(String text) {
      this.text = text;
    }
  }

  private static final int HEAD = 64;
  private static final int END = 160;

  /** Any damage to any of the files beneath a directory. */
  static FileDamage of(Path directory, Random random) throws IOException {
    List<Path> files = files(directory);
    Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
    Path file =
        kind == Kind.FLIP ? weighted(files, random) : files.get(random.nextInt(files.size()));
    long size = Files.size(file);
    long written = written(file);
    long offset =
        switch (kind) {
          case FLIP, CUT -> random.nextLong(size);
          case FLIP_WRITTEN -> random.nextLong(written);
          case FLIP_HEAD -> random.nextLong(Math.min(HEAD, size));
          case FLIP_END, CUT_END -> written - 1 - random.nextLong(Math.min(END, written));
          case EMPTY -> 0;
        };
    return new FileDamage(kind, directory.relativize(file), offset, random.nextInt(8));
  }

  /** Each byte as likely as any other. */
  private static Path weighted(List<Path> files, Random random) throws IOException {
    long all = 0;
    for (Path file : files) {
      all += Files.size(file);
    }
    long at = random.nextLong(all);
    for (Path file : files) {
      at -= Files.size(file);
      if (at < 0) {
        return file;
      }
    }
    throw new IllegalStateException("a file grew");
  }

  /**
   * All files that have bytes, but those that no start reads: the lock, whose text is a process
   * number, and temporary files, which were given no name yet.
   */
  private static List<Path> files(Path directory) throws IOException {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path file : all.sorted().toList()) {
        boolean read = !file.endsWith("lock") && !file.toString().endsWith(".tmp");
        if (Files.isRegularFile(file) && read && Files.size(file) > 0) {
          found.add(file);
        }
      }
    }
    return found;
  }

  /** Where the zeros at the end of a file begin. */
  private static long written(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    int end = bytes.length;
    while (end > 1 && bytes[end - 1] == 0) {
      end--;
    }
    return end;
  }

  /** Does it to the files beneath a directory. */
  void plant(Path directory) throws IOException {
    try (RandomAccessFile raw = new RandomAccessFile(directory.resolve(file).toFile(), "rw")) {
      switch (kind) {
        case FLIP, FLIP_WRITTEN, FLIP_HEAD, FLIP_END -> {
          raw.seek(offset);
          int old = raw.read();
          raw.seek(offset);
          raw.write(old ^ (1 << bit));
        }
        case CUT, CUT_END, EMPTY -> raw.setLength(offset);
      }
    }
  }

  /** What sort of file it is. */
  String sort() {
    String name = String.valueOf(file.getFileName());
    if (name.startsWith("journal-")) {
      return "journal";
    }
    return name.startsWith("snapshot-") ? "snapshot" : name;
  }

  @Override
  public String toString() {
    return "%s: %s:%s%s"
        .formatted(kind.text, file, offset, (kind.name().startsWith("FLIP") ? " bit " + bit : ""));
  }
}
