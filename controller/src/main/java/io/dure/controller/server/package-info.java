/** Listening, identities of callers, bounds, and dispatch of requests. */
@org.jspecify.annotations.NullMarked
package io.dure.controller.server;
