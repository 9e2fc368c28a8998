package io.dure.conventions.tidy;

/**
 * Something that holds for the whole repository: looks at the sources and reports where it does
 * not.
 */
@FunctionalInterface
interface Rule {
  void inspect(Sources sources, Report report);
}
