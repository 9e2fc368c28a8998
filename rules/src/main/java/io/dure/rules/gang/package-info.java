/** Gang scheduling: which of the jobs that share cores run, and which wait for their turn. */
@org.jspecify.annotations.NullMarked
package io.dure.rules.gang;
