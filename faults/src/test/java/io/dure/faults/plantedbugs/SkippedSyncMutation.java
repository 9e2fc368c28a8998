package io.dure.faults.plantedbugs;

import io.dure.faults.world.FaultHooks;
import io.dure.journal.segment.JournalDisk;
import io.dure.journal.segment.JournalDiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** Leaves syncs out. */
final class SkippedSyncMutation implements FaultHooks {
  private static final int EVERY = 10;

  private final boolean directories;
  private int syncs;

  private SkippedSyncMutation(boolean directories) {
    this.directories = directories;
  }

  static FaultHooks directories() {
    return new SkippedSyncMutation(true);
  }

  static FaultHooks files() {
    return new SkippedSyncMutation(false);
  }

  @Override
  public JournalDisk disk(JournalDisk real) {
    return new Over(real);
  }

  private final class Over extends DiskOver {
    private final JournalDisk real;

    Over(JournalDisk real) {
      super(real);
      this.real = real;
    }

    @Override
    public JournalDiskFile create(Path file) throws IOException {
      return new OverFile(real.create(file));
    }

    @Override
    public JournalDiskFile open(Path file) throws IOException {
      return new OverFile(real.open(file));
    }

    @Override
    public void syncDirectory(Path directory) throws IOException {
      if (!directories) {
        real.syncDirectory(directory);
      }
    }
  }

  private final class OverFile implements JournalDiskFile {
    private final JournalDiskFile real;

    OverFile(JournalDiskFile real) {
      this.real = real;
    }

    @Override
    public long size() throws IOException {
      return real.size();
    }

    @Override
    public void read(ByteBuffer into, long offset) throws IOException {
      real.read(into, offset);
    }

    @Override
    public void write(ByteBuffer from, long offset) throws IOException {
      real.write(from, offset);
    }

    @Override
    public void sync(boolean metadata) throws IOException {
      if (directories || ++syncs % EVERY != 0) {
        real.sync(metadata);
      }
    }

    @Override
    public void close() throws IOException {
      real.close();
    }
  }
}
