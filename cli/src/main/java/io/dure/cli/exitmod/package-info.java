/** {@code sjobexitmod}: what users say of how their jobs ended. */
@NullMarked
package io.dure.cli.exitmod;

import org.jspecify.annotations.NullMarked;
