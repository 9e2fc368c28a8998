/** Verbs that act on jobs: hold, release, requeue and the like. */
@org.jspecify.annotations.NullMarked
package io.dure.cli.scontrol.job;
