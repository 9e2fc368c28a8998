/** The administrator's command: its options, its words, and reading them one by one. */
@org.jspecify.annotations.NullMarked
package io.dure.cli.scontrol;
