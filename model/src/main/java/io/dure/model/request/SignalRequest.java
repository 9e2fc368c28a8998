package io.dure.model.request;

/**
 * A signal to send before a job's time limit ({@code --signal=[B:]SIG[@seconds]}).
 *
 * @param signal signal number
 * @param secondsBefore how long before the end, seconds
 * @param batchShellOnly true to signal the batch shell alone, false for its steps only
 */
public record SignalRequest(int signal, int secondsBefore, boolean batchShellOnly) {}
