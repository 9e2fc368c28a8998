/** Programs of the administrator that daemons run around jobs: prologs, epilogs, health checks. */
@org.jspecify.annotations.NullMarked
package io.dure.host.script;
