package io.dure.host.signal;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import java.util.function.Consumer;

/**
 * Lets a daemon hear HUP, TERM, INT and USR2.
 *
 * <p>Java has no public way to handle a signal: shutdown hooks see TERM and HUP alike, only once,
 * and cannot prevent the end. The foreign-function API cannot help, because a handler written in
 * Java must not run at the arbitrary point where a signal strikes. So this uses {@code
 * sun.misc.Signal} from the module jdk.unsupported, which the JDK keeps for want of a replacement
 * (JEP 260); reached by reflection, because the compiler's warning about it cannot be switched off
 * for one file.
 *
 * <p>USR2 is also what HotSpot uses to halt its own threads for the flight recorder's samples; a
 * daemon that records sets the environment variable {@code _JAVA_SR_SIGNUM} to another number.
 *
 * <p>Daemons do not fork: the script that starts one puts it into the background, with {@code
 * setsid} and not with {@code nohup}, for Java leaves a HUP alone that was ignored at its start.
 */
public final class DaemonSignals {
  private DaemonSignals() {}

  /**
   * Calls {@code listener} for each signal from now on, in place of what Java would do. The calls
   * come on threads of the Java runtime, one for each signal and possibly at the same time, so the
   * listener only hands the matter on.
   *
   * @throws IllegalStateException if this Java runtime has no such signals, or was started with
   *     {@code -Xrs}
   */
  public static void listen(Consumer<DaemonSignal> listener) {
    handle("HUP", () -> listener.accept(DaemonSignal.RECONFIGURE));
    handle("TERM", () -> listener.accept(DaemonSignal.STOP));
    handle("INT", () -> listener.accept(DaemonSignal.STOP));
    handle("USR2", () -> listener.accept(DaemonSignal.REOPEN_LOG));
  }

  private static void handle(String name, Runnable action) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      MethodHandle run =
          MethodHandles.publicLookup()
              .findVirtual(Runnable.class, "run", MethodType.methodType(void.class))
              .bindTo(action);
      Object listener =
          MethodHandleProxies.asInterfaceInstance(
              handler, MethodHandles.dropArguments(run, 0, signal));
      Object instance = signal.getConstructor(String.class).newInstance(name);
      signal.getMethod("handle", signal, handler).invoke(null, instance, listener);
    } catch (InvocationTargetException e) {
      throw new IllegalStateException("signal " + name + " cannot be handled", e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this Java runtime has no signals", e);
    }
  }
}
