package io.dure.node.space;

import io.dure.model.config.step.OciSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Commands that run tasks in an image ({@code --container-image}), by the first of enroot,
 * apptainer and podman that a node has.
 */
public final class ImageContainers {
  private static final List<String> TOOLS = List.of("enroot", "apptainer", "podman");
  private static final String INSIDE = "/var/run/slurm";
  private static final String NAME = "dure-%n-%j.%s.%t";
  private static final String DOCKER = "docker://";

  /** What is not taken along: an image has its own, and the caller's may name nothing in it. */
  private static final String OWN =
      "^(PATH|HOME|SHELL|PWD|OLDPWD|TMPDIR|XDG_RUNTIME_DIR|LD_LIBRARY_PATH|_)=";

  private ImageContainers() {}

  /**
   * What is asked for.
   *
   * @param image a path, or a name as {@code [docker://][REGISTRY#]NAME[:TAG]}
   * @param mounts {@code FROM:TO[:FLAGS]}, apart by commas; empty for none
   * @param directory where tasks begin in it, empty for where the image says
   * @param terminal whether the task has a terminal
   */
  public record Image(String image, String mounts, String directory, boolean terminal) {
    private boolean isPath() {
      return image.startsWith("/") || image.startsWith("./");
    }

    private List<String> mountList() {
      List<String> list = new ArrayList<>();
      for (String mount : mounts.isEmpty() ? List.<String>of() : List.of(mounts.split(",", -1))) {
        list.add(mount.contains(":") ? mount : mount + ":" + mount);
      }
      return list;
    }
  }

  /** The tool that runs images, of those in the directories; null if there is none. */
  public static @Nullable String tool(List<Path> directories) {
    return TOOLS.stream()
        .filter(name ->
            directories.stream().anyMatch(directory -> Files.isExecutable(directory.resolve(name))))
        .findFirst()
        .orElse(null);
  }

  /** What that tool is called with. */
  public static OciSettings commands(String tool, Image image) {
    String run =
        switch (tool) {
          case "enroot" -> enroot(image);
          case "apptainer" -> apptainer(image);
          default -> podman(image);
        };
    String delete =
        switch (tool) {
          case "enroot" -> "enroot remove --force " + NAME;
          case "apptainer" -> "";
          default -> "podman rm --force --ignore " + NAME;
        };
    String excluded = tool.equals("podman") ? OWN : "";
    return new OciSettings(
        "", INSIDE, "", "", run, "", delete, "", "newline", excluded, "", false, true);
  }

  private static String podman(Image image) {
    StringBuilder command = new StringBuilder("exec podman run --rm -i");
    command.append(image.terminal() ? "t" : "").append(" --name ").append(NAME);
    command.append(" --network=host --env-file %e --entrypoint '' -v %m:").append(INSIDE);
    image.mountList().forEach(mount -> command.append(" -v ").append(quoted(mount)));
    if (!image.directory().isEmpty()) {
      command.append(" -w ").append(quoted(image.directory()));
    }
    String named =
        image.isPath()
            ? Files.isDirectory(Path.of(image.image())) ? "--rootfs " : "docker-archive:"
            : "";
    String plain = image.isPath() ? image.image() : plainName(image.image()).replace('#', '/');
    return command.append(' ').append(named).append(quoted(plain)).append(" %@").toString();
  }

  private static String apptainer(Image image) {
    StringBuilder command = new StringBuilder("exec apptainer exec --bind %m:").append(INSIDE);
    image.mountList().forEach(mount -> command.append(" --bind ").append(quoted(mount)));
    if (!image.directory().isEmpty()) {
      command.append(" --pwd ").append(quoted(image.directory()));
    }
    String named =
        image.isPath() ? image.image() : DOCKER + plainName(image.image()).replace('#', '/');
    return command.append(' ').append(quoted(named)).append(" %@").toString();
  }

  private static String enroot(Image image) {
    StringBuilder command = new StringBuilder("set -e; ");
    String file = quoted(image.image());
    if (!image.isPath()) {
      file = "%m/image.sqsh";
      String named = quoted(DOCKER + plainName(image.image()));
      command.append("enroot import --output ").append(file).append(' ').append(named);
      command.append(" >&2; ");
    }
    command.append("enroot create --name ").append(NAME).append(' ').append(file).append(" >&2; ");
    command.append("exec enroot start --rw -m %m:").append(INSIDE);
    image.mountList().forEach(mount -> command.append(" -m ").append(quoted(mount)));
    command.append(' ').append(NAME);
    if (!image.directory().isEmpty()) {
      command.append(" sh -c 'cd \"$0\" && exec \"$@\"' ").append(quoted(image.directory()));
    }
    return command.append(" %@").toString();
  }

  private static String plainName(String image) {
    return image.startsWith(DOCKER) ? image.substring(DOCKER.length()) : image;
  }

  /** A word of a shell's, in a pattern. */
  private static String quoted(String word) {
    String plain = word.replace("%", "%%");
    return plain.matches("[a-zA-Z0-9_./:=+@%-]+") ? plain : "'" + plain.replace("'", "'\\''") + "'";
  }
}
