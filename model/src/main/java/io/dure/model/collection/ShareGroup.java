package io.dure.model.collection;

import java.util.List;

/**
 * Nodes that follow one another and have the same share of something.
 *
 * @param <E> a share
 */
public interface ShareGroup<E> {
  /**
   * The names of its nodes, in order.
   *
   * @throws io.dure.model.HostListException if they are no host list
   */
  List<String> names();

  /** The share of one of them: the name of that one, and its place among them. */
  E share(String node, int place);
}
