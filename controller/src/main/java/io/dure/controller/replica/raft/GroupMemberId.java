package io.dure.controller.replica.raft;

/**
 * One controller of a group. A host whose disk was replaced is another member: what the old one
 * promised, the new one knows nothing of.
 *
 * @param host name of the host, as the configuration says it
 * @param disk random name made together with the log on that host's disk
 */
public record GroupMemberId(String host, String disk) {
  @Override
  public String toString() {
    return host + "/" + disk;
  }
}
