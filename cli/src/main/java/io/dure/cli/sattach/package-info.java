/** {@code sattach}. */
@org.jspecify.annotations.NullMarked
package io.dure.cli.sattach;
