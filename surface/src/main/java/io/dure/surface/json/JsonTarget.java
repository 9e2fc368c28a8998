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
 * @param arguments the words of the call, which the document repeats
 */
public record JsonTarget(
    OutputStream out, Map<String, String> environment, List<String> arguments) {}
