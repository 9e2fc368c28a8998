package io.dure.model.config.step;

import io.dure.model.HostList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The directories that each job has for itself on its nodes ({@code job_container/tmpfs}).
 *
 * @param words what job_container.conf says, in its order
 */
public record JobContainer(List<Word> words) {
  /** What is private where nothing is said of it. */
  public static final List<String> USUAL_DIRECTORIES = List.of("/tmp", "/dev/shm");

  public JobContainer {
    words = List.copyOf(words);
  }

  /**
   * An assignment.
   *
   * @param nodes the host list that it holds for, empty for all nodes
   * @param key in lower case
   */
  public record Word(String nodes, String key, String value) {}

  /**
   * What holds for a node.
   *
   * @param basePath where the directories of its jobs are; empty where it is not said
   * @param makesBasePath whether it is made where it is missing
   * @param directories what is private
   * @param initScript what runs before they are made, empty for nothing
   * @param shared whether what is mounted on the node later shows in jobs
   */
  public record OnNode(
      String basePath,
      boolean makesBasePath,
      List<String> directories,
      String initScript,
      boolean shared) {
    public OnNode {
      directories = List.copyOf(directories);
    }
  }

  /** What holds for the node; null where its jobs have nothing of their own. */
  public @Nullable OnNode of(String node) {
    String base = text(node, "basepath");
    if (base.equalsIgnoreCase("none")) {
      return null;
    }
    String directories = text(node, "dirs");
    return new OnNode(
        base.replace("%n", node),
        isYes(text(node, "autobasepath")),
        directories.isEmpty() ? USUAL_DIRECTORIES : List.of(directories.split(",", -1)),
        text(node, "initscript"),
        isYes(text(node, "shared")));
  }

  /** A line for the node comes before one for all; of several the last counts. */
  private String text(String node, String key) {
    String ofAll = "";
    String ofNode = null;
    for (Word word : words) {
      if (word.key().equals(key)) {
        if (word.nodes().isEmpty()) {
          ofAll = word.value();
        } else if (HostList.expand(word.nodes()).contains(node)) {
          ofNode = word.value();
        }
      }
    }
    return ofNode == null ? ofAll : ofNode;
  }

  private static boolean isYes(String value) {
    return List.of("yes", "true", "up", "1").contains(value.toLowerCase(Locale.ROOT));
  }
}
