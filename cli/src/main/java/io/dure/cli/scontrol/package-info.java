/** {@code scontrol}: its options, its verbs, and the prompt. */
@org.jspecify.annotations.NullMarked
package io.dure.cli.scontrol;
