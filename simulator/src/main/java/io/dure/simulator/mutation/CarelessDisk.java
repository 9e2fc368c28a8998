package io.dure.simulator.mutation;

import io.dure.controller.journal.Disk;
import io.dure.controller.journal.DiskFile;
import io.dure.simulator.world.Wiring;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/** Leaves syncs out. */
final class CarelessDisk implements Wiring {
  private static final int EVERY = 10;

  private final boolean directories;
  private int syncs;

  private CarelessDisk(boolean directories) {
    this.directories = directories;
  }

  static Wiring directories() {
    return new CarelessDisk(true);
  }

  static Wiring files() {
    return new CarelessDisk(false);
  }

  @Override
  public Disk disk(Disk real) {
    return new Over(real);
  }

  private final class Over implements Disk {
    private final Disk real;

    Over(Disk real) {
      this.real = real;
    }

    @Override
    public void createDirectory(Path directory) throws IOException {
      real.createDirectory(directory);
    }

    @Override
    public Closeable lock(Path directory) throws IOException {
      return real.lock(directory);
    }

    @Override
    public List<String> list(Path directory) throws IOException {
      return real.list(directory);
    }

    @Override
    public DiskFile create(Path file) throws IOException {
      return new OverFile(real.create(file));
    }

    @Override
    public DiskFile open(Path file) throws IOException {
      return new OverFile(real.open(file));
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
      real.rename(from, to);
    }

    @Override
    public void delete(Path file) throws IOException {
      real.delete(file);
    }

    @Override
    public void syncDirectory(Path directory) throws IOException {
      if (!directories) {
        real.syncDirectory(directory);
      }
    }
  }

  private final class OverFile implements DiskFile {
    private final DiskFile real;

    OverFile(DiskFile real) {
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
