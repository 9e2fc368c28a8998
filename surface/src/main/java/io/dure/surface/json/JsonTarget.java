package io.dure.surface.json;

import java.io.OutputStream;
import java.util.List;
import java.util.Map;

/**
 * Where a document goes, and for which call it is made.
 *
 * @param out takes the document; it is flushed at the end and stays open
 * @param environment of which {@code SLURM_JSON} says whether the document is compact, and {@code
 *     USER} whose call it is
 * @param command the words of the call, the program first, which the document repeats
 * @param format how the document is written
 */
public record JsonTarget(
    OutputStream out,
    Map<String, String> environment,
    List<String> command,
    DocumentFormat format) {}
