/** Asking node daemons of this machine about steps. */
@org.jspecify.annotations.NullMarked
package io.dure.cli.step;
