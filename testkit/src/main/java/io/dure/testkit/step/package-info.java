/** A node daemon's and a front end's part of a job step, for tests of the programs between them. */
@NullMarked
package io.dure.testkit.step;

import org.jspecify.annotations.NullMarked;
