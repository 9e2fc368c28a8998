package io.dure.simulator.twin.accounts;

import io.dure.cli.command.Caller;
import io.dure.core.model.ResourceLimit;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Root, who reads one file and writes none. */
public record ScriptCaller(Path file) implements Caller {
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
  public InputStream read(Path other) throws IOException {
    if (!other.equals(file)) {
      throw new IOException("a script of accounts reads no files");
    }
    return Files.newInputStream(file);
  }

  @Override
  public OutputStream write(Path other) throws IOException {
    throw new IOException("a script of accounts writes no files");
  }

  @Override
  public boolean hasFile(Path other) {
    return other.equals(file);
  }

  @Override
  public String requestId() {
    return "";
  }
}
