/** {@code sstat}. */
@org.jspecify.annotations.NullMarked
package io.dure.cli.sstat;
