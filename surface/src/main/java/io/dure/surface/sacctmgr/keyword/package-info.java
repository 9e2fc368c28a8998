/** What limits are called in settings of sacctmgr. */
@NullMarked
package io.dure.surface.sacctmgr.keyword;

import org.jspecify.annotations.NullMarked;
