/** Cancelling and signalling jobs. */
@org.jspecify.annotations.NullMarked
package io.dure.cli.scancel;
