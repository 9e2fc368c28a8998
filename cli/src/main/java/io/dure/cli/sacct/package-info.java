/** {@code sacct}: jobs and steps as the accounting database has them. */
@NullMarked
package io.dure.cli.sacct;

import org.jspecify.annotations.NullMarked;
