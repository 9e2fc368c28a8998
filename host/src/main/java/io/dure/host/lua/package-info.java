/** Runs Lua scripts of the site in processes of their own, bounded in time and memory. */
@NullMarked
package io.dure.host.lua;

import org.jspecify.annotations.NullMarked;
