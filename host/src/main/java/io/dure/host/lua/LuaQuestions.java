package io.dure.host.lua;

import org.jspecify.annotations.Nullable;

/** What a script wants to know, or to have done, while it runs. */
@FunctionalInterface
public interface LuaQuestions {
  /**
   * The answer.
   *
   * @param what which question
   * @param value what comes with it
   */
  @Nullable Object answer(String what, @Nullable Object value);
}
