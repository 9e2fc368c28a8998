package io.dure.cli.command;

import io.dure.core.model.ResourceLimit;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;

/**
 * Root on a machine that is only supposed, where commands run that are not to do anything. He reads
 * some files and writes none.
 *
 * @param readable which files he may read
 */
public record SupposedCaller(Predicate<Path> readable) implements Caller {
  @Override
  public int uid() {
    return 0;
  }

  @Override
  public int gid() {
    return 0;
  }

  @Override
  public int umask() {
    return 0;
  }

  @Override
  public int sessionId() {
    return 0;
  }

  @Override
  public String hostName() {
    return "twin";
  }

  @Override
  public boolean knowsUser(String name) {
    return true;
  }

  @Override
  public List<ResourceLimit> limits() {
    return List.of();
  }

  @Override
  public InputStream read(Path file) throws IOException {
    if (!readable.test(file)) {
      throw new IOException("not readable where things are only supposed: " + file);
    }
    return Files.newInputStream(file);
  }

  @Override
  public OutputStream write(Path file) throws IOException {
    throw new IOException("what is only supposed writes no files");
  }

  @Override
  public boolean hasFile(Path file) {
    return readable.test(file) && Files.isRegularFile(file);
  }

  @Override
  public String requestId() {
    return "";
  }
}
