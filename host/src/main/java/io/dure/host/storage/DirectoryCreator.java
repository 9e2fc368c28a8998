package io.dure.host.storage;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Creates directories with the mode and owner that the daemons need. Any thread may call. */
public final class DirectoryCreator {
  private static final int PARENT_MODE = 0755;

  private DirectoryCreator() {}

  /**
   * Makes sure that {@code directory} exists. One that exists already keeps its mode and owner,
   * since an administrator may have chosen them; missing parents are made with mode 0755.
   *
   * @param mode permission bits of a new directory, set exactly
   * @param owner owner of each new directory; null leaves the running user
   * @return true if it was created
   * @throws NotDirectoryException if something else has the name
   */
  public static boolean ensure(Path directory, int mode, @Nullable FileOwner owner)
      throws IOException {
    Path absolute = directory.toAbsolutePath();
    if (Files.isDirectory(absolute)) {
      return false;
    }
    Path parent = absolute.getParent();
    if (parent != null) {
      ensure(parent, PARENT_MODE, owner);
    }
    try {
      Files.createDirectory(absolute);
    } catch (FileAlreadyExistsException e) {
      if (Files.isDirectory(absolute)) {
        return false;
      }
      NotDirectoryException wrongKind = new NotDirectoryException(absolute.toString());
      wrongKind.initCause(e);
      throw wrongKind;
    }
    if (owner != null) {
      FileModes.setOwner(absolute, owner);
    }
    FileModes.setMode(absolute, mode);
    if (parent != null) {
      AtomicFile.syncDirectory(parent);
    }
    return true;
  }
}
