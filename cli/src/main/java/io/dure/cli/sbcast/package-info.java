/** {@code sbcast} and {@code sgather}. */
@org.jspecify.annotations.NullMarked
package io.dure.cli.sbcast;
