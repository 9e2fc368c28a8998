package io.dure.protocol.step;

/**
 * The wish to write or read a file on a node of a job.
 *
 * @param credential a {@link FileCredential} in bytes
 * @param signature the controller's signature of {@link FileCredential#signed}
 */
@SuppressWarnings("ArrayRecordComponent") // bytes are handed on, never compared
public record FileOrder(byte[] credential, byte[] signature) {}
