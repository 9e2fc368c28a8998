/** {@code sdiag}: what the controller has counted. */
@org.jspecify.annotations.NullMarked
package io.dure.cli.sdiag;
