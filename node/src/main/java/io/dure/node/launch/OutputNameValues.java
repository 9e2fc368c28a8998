package io.dure.node.launch;

import org.jspecify.annotations.Nullable;

/**
 * What the symbols in an output file's name stand for.
 *
 * @param jobId the job's own number, an array task's too
 * @param arrayJobId the array's number, or null outside an array
 * @param arrayTaskId the index within the array, or null outside an array
 * @param step the step's name: {@code batch}, {@code 0}, ...
 * @param node the short name of the node
 * @param nodeIndex the node's place in the job, from 0
 * @param task the task's rank, from 0
 * @param restarts how often the job was requeued and started again
 * @param sluid the job's sortable unique id, or null when it has none
 */
public record OutputNameValues(
    long jobId,
    @Nullable Long arrayJobId,
    @Nullable Long arrayTaskId,
    String jobName,
    String user,
    String step,
    String node,
    int nodeIndex,
    int task,
    int restarts,
    @Nullable String sluid) {}
