package io.dure.faults.disk;

import io.dure.journal.segment.JournalDisk;
import io.dure.journal.segment.JournalDiskFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A disk in memory, of one directory. What is not synced survives a power loss sector by sector at
 * random; after a failed sync the cache still shows bytes that will never reach the medium, as
 * Linux does. It can stop in the middle of any operation, be full, refuse, and have a bit flipped.
 * One thread.
 */
public final class SimulatedDisk implements JournalDisk {
  private static final int SECTOR = 512;

  private static final class Inode {
    private final long number;
    private byte[] cache = new byte[0];
    private byte[] medium = new byte[0];
    private final BitSet dirty = new BitSet();

    /**
     * Where the last round of writes began: damage from here on cannot be told from a torn tail.
     */
    private long lastRound;

    private long nextRound = -1;

    Inode(long number) {
      this.number = number;
    }

    /** Another file with the same content, all of it safe. */
    Inode withNumber(long other) {
      Inode copy = new Inode(other);
      copy.cache = cache.clone();
      copy.medium = cache.clone();
      copy.lastRound = lastRound;
      return copy;
    }
  }

  private interface Change {
    void apply(Map<String, Inode> directory);
  }

  /** A bit that was flipped, to be put right again. */
  public static final class FlippedBit {
    private final String file;
    private final Inode inode;
    private final int at;
    private final int bit;

    private FlippedBit(String file, Inode inode, int at, int bit) {
      this.file = file;
      this.inode = inode;
      this.at = at;
      this.bit = bit;
    }

    /** Flips the bit back, as a restored backup would. */
    public void repair() {
      flip();
    }

    private void flip() {
      inode.cache[at] ^= (byte) (1 << bit);
      inode.medium[at] ^= (byte) (1 << bit);
    }

    /** Where it is. */
    public String text() {
      return file + ":" + at;
    }
  }

  private final SplittableRandom random;
  private final CRC32C written = new CRC32C();
  private Map<String, Inode> directory = new LinkedHashMap<>();
  private Map<String, Inode> mediumDirectory = new LinkedHashMap<>();
  private final List<Change> unsynced = new ArrayList<>();
  private long operationsLeft = Long.MAX_VALUE;
  private double refusals;
  private boolean full;
  private boolean locked;
  private long inodes;

  /** The content of all files at a moment, as a backup holds it. */
  public static final class Copy {
    private final Map<String, Inode> files = new LinkedHashMap<>();
  }

  /** An empty disk. */
  public SimulatedDisk(SplittableRandom random) {
    this.random = random;
  }

  /** After that many operations nothing works until {@link #restart}. */
  public void stopAfter(long operations) {
    operationsLeft = operations;
  }

  /** Whether nothing works any more. */
  public boolean stopped() {
    return operationsLeft <= 0;
  }

  /** The share of writes and syncs that fail. */
  public void refuse(double share) {
    refusals = share;
  }

  /** Whether no file can grow. */
  public void full(boolean now) {
    full = now;
  }

  /** A checksum of all that was ever written. */
  public long checksum() {
    return written.getValue();
  }

  /** Goes on after a stop: with the cache as it was, or with what the medium kept. */
  public void restart(boolean powerLost) {
    operationsLeft = Long.MAX_VALUE;
    locked = false;
    // A round that was never synced proves nothing of the one before it.
    directory.values().forEach(inode -> inode.nextRound = -1);
    if (!powerLost) {
      return;
    }
    loseChanges();
    for (Inode inode : mediumDirectory.values()) {
      if (random.nextBoolean()) {
        inode.medium = resized(inode.medium, inode.cache.length);
      }
      writeBack(inode, false);
      inode.cache = inode.medium.clone();
      inode.dirty.clear();
    }
    directory = new LinkedHashMap<>(mediumDirectory);
  }

  /** Of the changes to the directory the first ones survive, or any. */
  private void loseChanges() {
    boolean anyOrder = random.nextBoolean();
    int most = anyOrder ? unsynced.size() : random.nextInt(unsynced.size() + 1);
    for (Change change : unsynced.subList(0, most)) {
      if (!anyOrder || random.nextBoolean()) {
        change.apply(mediumDirectory);
      }
    }
    unsynced.clear();
  }

  /** A copy of all files as the process sees them. */
  public Copy copy() {
    Copy copy = new Copy();
    directory.forEach((name, inode) -> copy.files.put(name, inode.withNumber(0)));
    return copy;
  }

  /** In place of all files there are those of a copy: other files with the same content. */
  public void putBack(Copy copy) {
    directory.clear();
    copy.files.forEach((name, inode) -> directory.put(name, inode.withNumber(++inodes)));
    mediumDirectory = new LinkedHashMap<>(directory);
    unsynced.clear();
  }

  /**
   * Flips a bit of what was stored safely: in a snapshot, or in the journal before its last round.
   *
   * @return null if there is nothing of the kind
   */
  public @Nullable FlippedBit flipBit() {
    List<FlippedBit> choices = new ArrayList<>();
    String newest =
        directory.keySet().stream()
            .filter(n -> n.startsWith("journal-"))
            .max(String::compareTo)
            .orElse("");
    directory.forEach((name, inode) -> {
      boolean journal = name.startsWith("journal-");
      boolean snapshot = name.startsWith("snapshot-") && !name.endsWith(".tmp");
      int end = name.equals(newest) ? (int) inode.lastRound : used(inode.cache);
      if ((journal || snapshot) && end > 0 && inode.dirty.isEmpty()) {
        choices.add(new FlippedBit(name, inode, random.nextInt(end), random.nextInt(8)));
      }
    });
    if (choices.isEmpty()) {
      return null;
    }
    FlippedBit damage = choices.get(random.nextInt(choices.size()));
    damage.flip();
    return damage;
  }

  private static int used(byte[] content) {
    int end = content.length;
    while (end > 0 && content[end - 1] == 0) {
      end--;
    }
    return end;
  }

  private static byte[] resized(byte[] content, int length) {
    return content.length == length ? content : Arrays.copyOf(content, length);
  }

  /** Sectors go to the medium, all or each by chance. */
  private void writeBack(Inode inode, boolean all) {
    for (int s = inode.dirty.nextSetBit(0); s >= 0; s = inode.dirty.nextSetBit(s + 1)) {
      int from = s * SECTOR;
      int count = Math.min(SECTOR, inode.medium.length - from);
      if (count > 0 && (all || random.nextBoolean())) {
        System.arraycopy(inode.cache, from, inode.medium, from, count);
      }
    }
  }

  private void step() throws IOException {
    if (operationsLeft <= 0) {
      throw new IOException("stopped");
    }
    operationsLeft--;
  }

  private boolean refused() {
    return refusals > 0 && random.nextDouble() < refusals;
  }

  private void change(Change change) {
    change.apply(directory);
    unsynced.add(change);
  }

  @Override
  public void createDirectory(Path path) {}

  @Override
  public Closeable lock(Path path) throws IOException {
    if (locked) {
      throw new IOException("in use");
    }
    locked = true;
    return () -> locked = false;
  }

  private static String name(Path file) {
    return String.valueOf(file.getFileName());
  }

  @Override
  public List<String> list(Path path) {
    return List.copyOf(directory.keySet());
  }

  @Override
  public JournalDiskFile create(Path file) throws IOException {
    step();
    Inode inode = new Inode(++inodes);
    change(d -> d.put(name(file), inode));
    return new OpenFile(inode);
  }

  @Override
  public JournalDiskFile open(Path file) throws IOException {
    Inode inode = directory.get(name(file));
    if (inode == null) {
      throw new NoSuchFileException(file.toString());
    }
    return new OpenFile(inode);
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    step();
    Inode inode = directory.get(name(from));
    if (inode == null) {
      throw new NoSuchFileException(from.toString());
    }
    change(d -> {
      d.remove(name(from));
      d.put(name(to), inode);
    });
  }

  @Override
  public void delete(Path file) throws IOException {
    step();
    change(d -> d.remove(name(file)));
  }

  @Override
  public @Nullable String identity(Path file) {
    Inode inode = directory.get(name(file));
    return inode == null ? null : Long.toString(inode.number);
  }

  @Override
  public void syncDirectory(Path path) throws IOException {
    step();
    if (refused()) {
      throw new IOException("Input/output error");
    }
    mediumDirectory = new LinkedHashMap<>(directory);
    unsynced.clear();
  }

  private final class OpenFile implements JournalDiskFile {
    private final Inode inode;

    OpenFile(Inode inode) {
      this.inode = inode;
    }

    @Override
    public long size() {
      return inode.cache.length;
    }

    @Override
    public void read(ByteBuffer into, long offset) {
      int count = (int) Math.min(into.remaining(), inode.cache.length - offset);
      if (count > 0) {
        into.put(inode.cache, (int) offset, count);
      }
    }

    @Override
    public void write(ByteBuffer from, long offset) throws IOException {
      boolean last = operationsLeft == 1;
      step();
      if (full && offset + from.remaining() > inode.cache.length) {
        throw new IOException("No space left on device");
      }
      boolean refused = refused();
      int count = from.remaining();
      if (last || refused) {
        count = random.nextInt(count + 1);
      }
      if (offset + count > inode.cache.length) {
        inode.cache = Arrays.copyOf(inode.cache, (int) (offset + count));
      }
      int at = (int) offset;
      from.get(inode.cache, at, count);
      written.update(inode.cache, at, count);
      if (inode.nextRound < 0) {
        inode.nextRound = offset;
      }
      if (count > 0) {
        inode.dirty.set(at / SECTOR, (at + count - 1) / SECTOR + 1);
      }
      if (refused) {
        throw new IOException("Input/output error");
      }
    }

    @Override
    public void sync(boolean metadata) throws IOException {
      step();
      inode.medium = resized(inode.medium, inode.cache.length);
      boolean refused = refused();
      writeBack(inode, !refused);
      inode.dirty.clear();
      if (inode.nextRound >= 0) {
        inode.lastRound = inode.nextRound;
        inode.nextRound = -1;
      }
      if (refused) {
        throw new IOException("Input/output error");
      }
    }

    @Override
    public void close() {}
  }
}
