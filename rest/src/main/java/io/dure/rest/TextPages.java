package io.dure.rest;

import io.dure.model.command.Caller;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is read at paths of its own, beside the documents, by programs that take text. */
public interface TextPages {
  /** None. */
  TextPages NONE =
      new TextPages() {
        @Override
        public boolean has(String path) {
          return false;
        }

        @Override
        public TextPage page(String path, Caller.@Nullable User caller, List<String> accepted) {
          throw new IllegalArgumentException("there is no page " + path);
        }
      };

  /**
   * An answer.
   *
   * @param type of its content
   */
  record TextPage(String type, String text) {}

  /** Whether a path is one of these. */
  boolean has(String path);

  /**
   * The text at a path. Any thread.
   *
   * @param caller who asks, null where nothing proves it
   * @param accepted types of content that are taken, the best first; none for any
   * @throws RestFailure if there is none for that caller, or none now
   * @throws IOException if the controller cannot be reached
   */
  TextPage page(String path, Caller.@Nullable User caller, List<String> accepted)
      throws RestFailure, IOException, InterruptedException;
}
