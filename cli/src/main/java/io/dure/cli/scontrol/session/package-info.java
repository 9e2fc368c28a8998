/** What the words of one run of the administrator's command share. */
@org.jspecify.annotations.NullMarked
package io.dure.cli.scontrol.session;
