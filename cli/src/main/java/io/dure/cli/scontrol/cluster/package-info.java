/** Verbs about the controller itself: reconfigure, shutdown, takeover, error texts. */
@org.jspecify.annotations.NullMarked
package io.dure.cli.scontrol.cluster;
