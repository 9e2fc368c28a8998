/** The way from a command to the controller of the cluster that the configuration names. */
@org.jspecify.annotations.NullMarked
package io.dure.cli.connect;
