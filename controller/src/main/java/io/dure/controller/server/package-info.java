/** Listening: who calls, within which bounds, and what they ask. */
@org.jspecify.annotations.NullMarked
package io.dure.controller.server;
