/** What the verbs of one run of scontrol share. */
@org.jspecify.annotations.NullMarked
package io.dure.cli.scontrol.session;
