/** What somebody who types {@code ./dure simulate} sees. */
@org.jspecify.annotations.NullMarked
package io.dure.simulator.twin.command;
