/** Where the logging facade of a library ends. */
@org.jspecify.annotations.NullMarked
package io.dure.controller.replica.logging;
