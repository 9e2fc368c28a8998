/** Manual pages, made of what commands print for {@code --help} and of the list of settings. */
@NullMarked
package io.dure.cli.man;

import org.jspecify.annotations.NullMarked;
