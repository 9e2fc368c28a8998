/** What a script of the site says of the options of a command before anything is submitted. */
@NullMarked
package io.dure.cli.filter;

import org.jspecify.annotations.NullMarked;
