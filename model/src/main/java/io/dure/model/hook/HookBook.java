package io.dure.model.hook;

/**
 * What the cluster keeps of those that are told of jobs.
 *
 * @param completed count of the events up to which JobCompType has recorded the jobs that ended
 * @param fileLength bytes of the file JobCompLoc after them, 0 where it is no file
 */
public record HookBook(long completed, long fileLength) {
  /** That of a cluster that has told of nothing. */
  public static final HookBook EMPTY = new HookBook(0, 0);
}
