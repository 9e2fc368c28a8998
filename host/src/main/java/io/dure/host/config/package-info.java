/** The configuration's files, and the files that lie beside them. */
@org.jspecify.annotations.NullMarked
package io.dure.host.config;
