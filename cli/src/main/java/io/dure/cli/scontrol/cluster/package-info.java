/** Words about the controller itself: reading its configuration again, stopping it, its errors. */
@org.jspecify.annotations.NullMarked
package io.dure.cli.scontrol.cluster;
