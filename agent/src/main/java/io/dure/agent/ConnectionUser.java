package io.dure.agent;

/** The user of a connection. */
record ConnectionUser(int uid, int gid) {}
