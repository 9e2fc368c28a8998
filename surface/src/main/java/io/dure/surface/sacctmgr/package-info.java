/** The words of sacctmgr: what they show of accounts, users and QOS, and how they change them. */
@org.jspecify.annotations.NullMarked
package io.dure.surface.sacctmgr;
