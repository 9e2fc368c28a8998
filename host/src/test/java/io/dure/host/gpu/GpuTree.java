package io.dure.host.gpu;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A directory tree that stands in for GPUs, and the library that shows them. */
final class GpuTree {
  private final Path root;

  GpuTree(Path root) {
    this.root = root;
  }

  /** Builds the library that stands in for NVIDIA's; where it is. */
  static Path library(Path folder) throws IOException, InterruptedException {
    Path library = folder.resolve(NvmlLibrary.FILE);
    Process compiler =
        new ProcessBuilder(
                "cc", "-shared", "-fPIC", "-o", library.toString(), "src/test/c/gpu_tree.c")
            .inheritIO()
            .start();
    if (compiler.waitFor() != 0) {
      throw new IOException("src/test/c/gpu_tree.c was not compiled");
    }
    return folder;
  }

  /** Writes facts, words of {@code file=text}; the file may lie in folders. */
  GpuTree with(int gpu, String... facts) throws IOException {
    for (String fact : facts) {
      String[] parts = fact.split("=", 2);
      Path file = root.resolve(gpu + "/" + parts[0]);
      Files.createDirectories(file.getParent());
      Files.writeString(file, parts[1] + "\n");
    }
    return this;
  }

  /** What a process that has the library says: the words after the driver's description. */
  List<String> ask(Path library, String what) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(
            ProcessHandle.current().info().command().orElseThrow(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            GpuTreeMain.class.getName(),
            what);
    builder.environment().put("LD_LIBRARY_PATH", library.toString());
    builder.environment().put("GPU_TREE", root.toString());
    builder.redirectErrorStream(true);
    Process process = builder.start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return text.lines().toList();
  }
}
