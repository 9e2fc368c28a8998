package io.dure.surface.option;

/** What an option means; the options of one command are the constants of one enum. */
public interface OptionKey {

  /**
   * How it is written: its letter and long names, {@code -p --partition --partitions=}. At the end
   * stands {@code =} where it takes an argument, {@code [=]} where it may have one.
   */
  String form();
}
