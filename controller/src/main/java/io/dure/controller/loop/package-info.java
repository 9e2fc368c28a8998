/** The one thread that owns the state, and what it waits for. */
@org.jspecify.annotations.NullMarked
package io.dure.controller.loop;
