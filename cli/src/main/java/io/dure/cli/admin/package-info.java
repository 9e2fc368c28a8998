/** What the launcher asks of Java: checking a configuration and describing this machine. */
@org.jspecify.annotations.NullMarked
package io.dure.cli.admin;
