/** The command scrontab: jobs that come again at certain times. */
@NullMarked
package io.dure.cli.scrontab;

import org.jspecify.annotations.NullMarked;
