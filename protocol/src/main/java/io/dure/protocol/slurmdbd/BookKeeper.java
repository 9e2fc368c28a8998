package io.dure.protocol.slurmdbd;

/**
 * A daemon that keeps books, as a controller finds it.
 *
 * @param responding whether it answers
 * @param micros how long the answer took, or the attempt
 */
public record BookKeeper(String host, boolean responding, long micros) {}
