/**
 * The front end of job steps with real spawners and shepherds, and the test as agent and daemon.
 */
@org.jspecify.annotations.NullMarked
package io.dure.e2e.step;
