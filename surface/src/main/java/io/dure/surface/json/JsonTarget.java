package io.dure.surface.json;

import java.io.OutputStream;
import java.util.List;
import java.util.Map;

/**
 * Where a document goes, and for which call it is made.
 *
 * @param out takes the document; it is flushed at the end and stays open
 * @param compact whether JSON is in one line
 * @param meta what the document says of its making
 * @param format how the document is written
 */
public record JsonTarget(
    OutputStream out, boolean compact, DocumentMeta meta, DocumentFormat format) {

  /**
   * For a command.
   *
   * @param environment of which {@code SLURM_JSON} says whether the document is compact, and {@code
   *     USER} whose call it is
   * @param words of the call, the program first, which the document repeats
   */
  public static JsonTarget ofCommand(
      OutputStream out,
      Map<String, String> environment,
      List<String> words,
      DocumentFormat format) {
    String wish = environment.get("SLURM_JSON");
    return new JsonTarget(
        out,
        wish != null && wish.contains("compact"),
        DocumentMeta.ofCommand(environment, words),
        format);
  }
}
