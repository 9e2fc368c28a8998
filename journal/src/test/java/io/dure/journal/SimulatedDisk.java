package io.dure.journal;

import io.dure.journal.segment.JournalDisk;
import io.dure.journal.segment.JournalDiskFile;
import io.dure.journal.segment.JournalRefusedException;
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
import java.util.Random;

/**
 * A disk in memory that may stop at any operation, lose power and refuse. What is not synced
 * survives a power loss sector by sector at random; after a failed sync the cache still shows bytes
 * that will never reach the medium, as Linux does.
 */
final class SimulatedDisk implements JournalDisk {
  private static final int SECTOR = 512;

  /** What the directory and its files are like, in the cache and on the medium. */
  private static final class Inode {
    private final long number;
    private byte[] cache = new byte[0];
    private byte[] medium = new byte[0];
    private final BitSet dirty = new BitSet();

    Inode(long number) {
      this.number = number;
    }
  }

  private interface Change {
    void apply(Map<String, Inode> directory);
  }

  private final Random random;
  private Map<String, Inode> directory = new LinkedHashMap<>();
  private Map<String, Inode> mediumDirectory = new LinkedHashMap<>();
  private final List<Change> unsynced = new ArrayList<>();
  private long operationsLeft = Long.MAX_VALUE;
  private double refusals;
  private boolean locked;
  private long inodes;

  SimulatedDisk(Random random) {
    this.random = random;
  }

  /** After that many operations nothing works until {@link #restart}. */
  synchronized void stopAfter(long operations) {
    operationsLeft = operations;
  }

  /** Whether nothing works any more. */
  synchronized boolean stopped() {
    return operationsLeft <= 0;
  }

  /** The share of writes and syncs that fail. */
  synchronized void refuse(double share) {
    refusals = share;
  }

  /** Goes on after a stop: with the cache as it was, or with what the medium kept. */
  synchronized void restart(boolean powerLost) {
    operationsLeft = Long.MAX_VALUE;
    refusals = 0;
    locked = false;
    if (!powerLost) {
      return;
    }
    loseChanges();
    for (Inode inode : mediumDirectory.values()) {
      if (random.nextBoolean()) {
        inode.medium = Arrays.copyOf(inode.medium, inode.cache.length);
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
  public synchronized Closeable lock(Path path) throws IOException {
    if (locked) {
      throw new JournalRefusedException("in use");
    }
    locked = true;
    return this::unlock;
  }

  private synchronized void unlock() {
    locked = false;
  }

  private static String name(Path file) {
    return file.getFileName().toString();
  }

  @Override
  public synchronized List<String> list(Path path) {
    return List.copyOf(directory.keySet());
  }

  @Override
  public synchronized JournalDiskFile create(Path file) throws IOException {
    step();
    Inode inode = new Inode(++inodes);
    change(d -> d.put(name(file), inode));
    return new OpenFile(inode);
  }

  @Override
  public synchronized JournalDiskFile open(Path file) throws IOException {
    Inode inode = directory.get(name(file));
    if (inode == null) {
      throw new NoSuchFileException(file.toString());
    }
    return new OpenFile(inode);
  }

  @Override
  public synchronized void rename(Path from, Path to) throws IOException {
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
  public synchronized void delete(Path file) throws IOException {
    step();
    change(d -> d.remove(name(file)));
  }

  @Override
  public synchronized String identity(Path file) {
    Inode inode = directory.get(name(file));
    return inode == null ? null : Long.toString(inode.number);
  }

  @Override
  public synchronized void syncDirectory(Path path) throws IOException {
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
      synchronized (SimulatedDisk.this) {
        return inode.cache.length;
      }
    }

    @Override
    public void read(ByteBuffer into, long offset) {
      synchronized (SimulatedDisk.this) {
        int count = (int) Math.min(into.remaining(), inode.cache.length - offset);
        if (count > 0) {
          into.put(inode.cache, (int) offset, count);
        }
      }
    }

    @Override
    public void write(ByteBuffer from, long offset) throws IOException {
      synchronized (SimulatedDisk.this) {
        boolean last = operationsLeft == 1;
        step();
        boolean refused = refused();
        int count = from.remaining();
        if (last || refused) {
          count = random.nextInt(count + 1);
        }
        if (offset + count > inode.cache.length) {
          inode.cache = Arrays.copyOf(inode.cache, (int) (offset + count));
        }
        from.get(inode.cache, (int) offset, count);
        if (count > 0) {
          inode.dirty.set((int) (offset / SECTOR), (int) ((offset + count - 1) / SECTOR) + 1);
        }
        if (refused) {
          throw new IOException("No space left on device");
        }
      }
    }

    @Override
    public void sync(boolean metadata) throws IOException {
      synchronized (SimulatedDisk.this) {
        step();
        inode.medium = Arrays.copyOf(inode.medium, inode.cache.length);
        boolean refused = refused();
        writeBack(inode, !refused);
        inode.dirty.clear();
        if (refused) {
          throw new IOException("Input/output error");
        }
      }
    }

    @Override
    public void close() {}
  }
}
