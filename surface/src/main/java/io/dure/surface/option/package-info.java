/** Command line options as getopt_long reads them, from a table of options. */
@org.jspecify.annotations.NullMarked
package io.dure.surface.option;
