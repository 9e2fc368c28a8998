package io.dure.surface.sbatch;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** The files that a submission may name, read with the rights of its caller. */
public interface CallerFiles {

  /** No files at all. */
  CallerFiles NONE =
      new CallerFiles() {
        @Override
        public InputStream read(Path file) throws IOException {
          throw new IOException("a recorded submission has no files: " + file);
        }

        @Override
        public boolean hasFile(Path file) {
          return false;
        }
      };

  /** The files that this process may read. */
  CallerFiles OWN =
      new CallerFiles() {
        @Override
        public InputStream read(Path file) throws IOException {
          return Files.newInputStream(file);
        }

        @Override
        public boolean hasFile(Path file) {
          return Files.isRegularFile(file);
        }
      };

  /**
   * Opens a file for reading.
   *
   * @throws IOException if that is not possible
   */
  InputStream read(Path file) throws IOException;

  /** Whether there is an ordinary file of that name. */
  boolean hasFile(Path file);
}
